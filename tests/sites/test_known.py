"""Which site a URL belongs to."""

import pytest

from tabwire.sites.addresses import NOWHERE, read_address
from tabwire.sites.known import SITES, site_of_url

URLS = [
    ("https://chatgpt.com/c/1", "chatgpt"),
    ("https://CHATGPT.com./c/1", "chatgpt"),
    ("https://www.chatgpt.com/", "chatgpt"),
    ("https://chat.openai.com/", "chatgpt"),
    ("https://gemini.google.com/u/1/app/1", "gemini"),
    ("https://grok.com/c/1", "grok"),
    ("https://x.com/i/grok", "grok"),
    ("normalized://gemini/abc", "gemini"),
    ("https://chatgpt.com.evil.example/", None),
    ("https://evilchatgpt.com/", None),
    ("https://evil.example/chatgpt.com", None),
    ("https://user:chatgpt.com@evil.example/", None),
    ("https://notx.com/", None),
    ("http://[", None),
    ("", None),
    (None, None),
]


@pytest.mark.parametrize("url, name", URLS)
def test_hosts_are_compared_as_hosts(url: str | None, name: str | None) -> None:
    site = site_of_url(url)
    assert (site.name if site else None) == name


def test_every_site_has_its_name_and_hosts() -> None:
    assert set(SITES) == {"chatgpt", "gemini", "grok"}
    for name, site in SITES.items():
        assert site.name == name
        assert site.hosts
        assert site.page.layouts


def test_an_address_that_cannot_be_read_matches_nothing() -> None:
    assert read_address("http://[oops") == NOWHERE
    assert read_address(None) == NOWHERE
    assert read_address("https://a.b/c//d?x=1&x=2").segments == ("c", "d")
    assert read_address("https://a.b/c?x=1&x=2").query == {"x": "1"}
