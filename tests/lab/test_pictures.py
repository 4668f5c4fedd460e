"""A picture of every page the lab shows, kept in build/pictures to be looked at.

A test can tell that a page is not blank and holds what it should; whether it looks like the
site, only somebody who looks can tell. The recordings lie beside the checkout to compare.
"""

import zlib
from pathlib import Path

import pytest

from kit.eyes import Eyes
from kit.turns import by_turns
from tabwire.browser.page.page import Page
from tabwire.lab.plan import plan_for
from tabwire.lab.words import quoted

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("pictures")]

TO = Path(__file__).resolve().parents[2] / "build" / "pictures"
HOMES = {"chatgpt": "https://chatgpt.com/", "gemini": "https://gemini.google.com/app"}
HOMES |= {"grok": "https://grok.com/", "x": "https://x.com/i/grok"}
LAYOUTS = [("chatgpt", "turn_key"), ("chatgpt", "octane"), ("chatgpt", "classic")]
LAYOUTS += [("gemini", ""), ("grok", ""), ("x", "")]
SITES = ("chatgpt", "gemini", "grok")
OVERLAYS = ("overlay", "upsell", "update")
PLAIN_COLOURS = 6  # a page with nothing on it has fewer bytes than this in a thousand pixels
DESK = {"width": 1280, "height": 860, "deviceScaleFactor": 1, "mobile": False}
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}


async def picture(person, name):
    """Take it, keep it, and see that something is on it."""
    png = await Page(person.session).screenshot()
    TO.mkdir(parents=True, exist_ok=True)
    (TO / f"{name}.png").write_bytes(png)
    assert len(png) / (DESK["width"] * DESK["height"] / 1000) > PLAIN_COLOURS, name
    assert zlib.crc32(png)


def address(site, layout="", more=""):
    words = ",".join(filter(None, (f"layout:{layout}" if layout else "", more)))
    return HOMES[site] + (f"?lab={words}" if words else "")


async def opened(lab_tab, url, size=None, scheme="light"):
    person = await lab_tab("about:blank")
    await person.session.call("Emulation.setDeviceMetricsOverride", size or DESK)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    await person.session.call("Emulation.setEmulatedMedia", media)
    await person.goes_to(url)
    return person


async def answered(person, prompt):
    eyes = await Eyes.open(person)
    await eyes.ask(prompt)
    await eyes.over()
    await eyes.sees(quoted(prompt))
    return eyes


@pytest.mark.soak
@pytest.mark.parametrize("site, layout", by_turns("pictures", LAYOUTS, 2))
async def test_an_answer_with_all_that_markdown_can(lab_tab, site, layout):
    name = "-".join(filter(None, (site, layout)))
    person = await opened(lab_tab, address(site, layout))
    prompt = f"Show {name} what Markdown can\nlab: every=0 first=0"
    eyes = await answered(person, prompt)
    await eyes.sees(plan_for(prompt).text.partition("##")[0])
    await picture(person, name)


@pytest.mark.parametrize("site, layout", LAYOUTS)
@pytest.mark.soak
@pytest.mark.parametrize("look", ["dark", "phone", "ar"])
async def test_the_same_page_otherwise(lab_tab, site, layout, look):
    name = "-".join(filter(None, (site, layout, look)))
    size = PHONE if look == "phone" else None
    more = "lang:ar" if look == "ar" else ""
    scheme = "dark" if look == "dark" else "light"
    person = await opened(lab_tab, address(site, layout, more), size, scheme)
    await answered(person, f"Show {name} again\nlab: every=0 first=0")
    await picture(person, name)


@pytest.mark.soak
@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize(
    "story", ["login-wall", "challenge", "overlay", "upsell", "update", "late-page"]
)
async def test_pages_on_which_nobody_can_ask(lab_tab, site, story):
    person = await opened(lab_tab, address(site, "", f"story:{story}"))
    if story in OVERLAYS:
        await person.sees("document.querySelector('[role=dialog], dialog[open]')")
    await picture(person, f"{site}-{story}")


@pytest.mark.soak
@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("story", ["limit", "limit-until", "error", "fault", "session-over"])
async def test_pages_that_say_no(lab_tab, site, story):
    person = await opened(lab_tab, address(site, "", f"story:{story}"))
    eyes = await Eyes.open(person)
    before = await eyes.shown()
    await eyes.ask(f"Say no to {site} by {story}\nlab: every=0 first=0 pace=100")
    await eyes.over()
    assert await eyes.shown() != before
    await picture(person, f"{site}-{story}")


@pytest.mark.soak
@pytest.mark.parametrize("site", SITES)
async def test_a_thinking_page(lab_tab, site):
    person = await opened(lab_tab, address(site))
    eyes = await Eyes.open(person)
    await eyes.ask("Think first\nlab: think=4 every=0.05 first=0 pieces=100000")
    await eyes.sees("")
    await eyes.until("eyes.buttons().length > 0 && eyes.text().length > 400")
    await picture(person, f"{site}-writing")
