"""What a person says of a tab, and which tab is meant."""

import pytest

from tabwire.browser.tabs import TabInfo
from tabwire.hub.browsers.tab_choice import wanted_tab
from tabwire.model.errors import NoSuchTab

UUID = "5f0c6a1e-1111-4222-8333-0123456789ab"
OTHER = "99999999-1111-4222-8333-0123456789ab"
TABS = {
    "home": "https://chatgpt.com/",
    "chat": f"https://chatgpt.com/c/{UUID}",
    "asked": f"https://chatgpt.com/c/{UUID}?model=x",
    "other": f"https://chatgpt.com/c/{OTHER}",
    "grok": f"https://grok.com/c/{UUID}",
    "none": "https://example.com/",
    "trick": f"https://example.com/?https://chatgpt.com/c/{UUID}",
}

CASES = [
    # said                                   tabs that are meant
    ("chatgpt", {"home", "chat", "asked", "other"}),
    ("ChatGPT ", {"home", "chat", "asked", "other"}),
    ("grok", {"grok"}),
    ("https://chatgpt.com/", {"home"}),
    ("chatgpt.com", {"home"}),
    (f"https://chatgpt.com/c/{UUID}", {"chat", "asked"}),
    (f"chatgpt.com/c/{OTHER}", {"other"}),
    (f"https://grok.com/c/{UUID}", {"grok"}),
]


@pytest.mark.parametrize("said, meant", CASES)
def test_a_site_or_an_address_means_its_tabs(said, meant):
    wanted = wanted_tab(said)
    assert wanted.site is not None
    found = {name for name, url in TABS.items() if wanted.fits(TabInfo(name, url, "", False))}
    assert found == meant


def test_an_id_means_one_tab():
    wanted = wanted_tab("0A1B2C3D4E5F60718293A4B5C6D7E8F9")
    assert wanted.site is None
    assert wanted.fits(TabInfo("0A1B2C3D4E5F60718293A4B5C6D7E8F9", "", "", False))
    assert not wanted.fits(TabInfo("FF1B2C3D4E5F60718293A4B5C6D7E8F9", "", "", False))


@pytest.mark.parametrize("said", ["", "claude", "https://example.com/", "about:blank", "http://"])
def test_what_cannot_be_meant_says_what_could_be(said):
    with pytest.raises(NoSuchTab) as caught:
        wanted_tab(said)
    assert "chatgpt, gemini, grok" in caught.value.what_to_do
    assert caught.value.exit_code == 2
