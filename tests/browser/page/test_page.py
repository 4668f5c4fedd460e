"""Finding, surveying, reading, pressing keys, and pictures."""

import asyncio
import struct

import pytest

from browser.page.page_shown import show, value
from tabwire.browser.page.page import LONGEST_PICTURE, Page
from tabwire.browser.page.screenshot import take_picture
from tabwire.cdp.errors import CommandTimedOut
from tabwire.sites.chatgpt.page import CLASSIC
from tabwire.sites.page import Selector

pytestmark = pytest.mark.asyncio

UNUSABLE = """
<button id=display style="display:none">x</button>
<div style="display:none"><button id=inside>x</button></div>
<button id=visibility style="visibility:hidden">x</button>
<button id=flat style="height:0;border:0;padding:0;overflow:hidden">x</button>
<button id=disabled disabled>x</button>
<input id=field disabled>
<fieldset disabled><button id=fieldset>x</button></fieldset>
<button id=aria aria-disabled=true>x</button>
<div aria-disabled=true><a id=under href=#>x</a></div>
<div inert><button id=inert>x</button></div>
<button disabled><i id=icon>x</i></button>
<details><button id=folded>x</button></details>
"""
USABLE = """
<button id=plain>x</button>
<button id=pale style="opacity:0">x</button>
<button id=off aria-disabled=false>x</button>
<div style="height:3000px"></div><button id=below>x</button>
"""


async def test_only_what_is_visible_and_enabled_is_found(blank):
    page = await show(blank, UNUSABLE + USABLE)
    unusable = "display inside visibility flat disabled field fieldset aria under inert icon folded"
    for name in unusable.split():
        assert await page.find(f"#{name}") is None, name
    for name in "plain pale off below".split():
        assert await page.find(f"#{name}") is not None, name


async def test_the_first_candidate_with_a_usable_match_is_told_with_all_about_it(blank):
    page = await show(
        blank,
        "<button class=send disabled>a</button><b class=x></b>"
        "<div role=button class=go aria-label='Send it' style='width:50px;height:20px'></div>"
        "<div class=go hidden></div>",
    )
    found = await page.find(("#none", Selector(".send", "2026-11")), "!!", (".go", "button"))
    assert found is not None
    assert (found.css, found.index, found.matched, found.usable) == (".go", 3, 2, 1)
    assert (found.tag, found.role, found.label) == ("div", "button", "Send it")
    assert (found.box.width, found.box.height) == (50, 20)
    assert found.box.x > 0


async def test_every_candidate_is_surveyed(blank):
    page = await show(
        blank,
        "<p>1</p><p hidden>2</p><div class=decoy><p>3</p></div><x-y></x-y>"
        "<script>document.querySelector('x-y').attachShadow({mode:'open'})"
        ".innerHTML = '<p>4</p>'</script>",
    )
    health = await page.survey(("p", "#none", "p["), decoys=".decoy")
    told = [(one.css, one.matched, one.usable, one.decoys) for one in health]
    assert told == [("p", 3, 2, 1), ("#none", 0, 0, 0), ("p[", 0, 0, 0)]
    assert [bool(one.wrong) for one in health] == [False, False, True]


async def test_decoys_and_what_is_inside_them_are_passed_over(blank):
    page = await show(
        blank,
        '<textarea name="prompt-textarea"></textarea>'
        "<pre class=code><textarea>c</textarea></pre><textarea id=real></textarea>",
    )
    decoys = (*CLASSIC.decoys, "pre.code", "not ! a selector")
    found = await page.find("textarea", decoys=decoys)
    assert found is not None
    assert found.matched == 1
    filled = await page.fill("textarea", "text", decoys=decoys)
    assert filled.found.matched == 1
    assert await value(blank, "document.querySelector('#real').value") == "text"


SHADOWS = """<outer-box class=a></outer-box><script>
  const shadow = (host, html) => {
    const root = host.attachShadow({ mode: "open" });
    root.innerHTML = html;
    return root;
  };
  const outer = shadow(document.querySelector("outer-box"),
    "<section><inner-box><i slot=s>slotted</i></inner-box></section>");
  shadow(outer.querySelector("inner-box"),
    "<div class='d'><button aria-label='a > b, c'>deep</button></div><slot name=s></slot>");
</script>"""


CROSSINGS = [
    ("button", "a > b, c"),
    ("outer-box button", "a > b, c"),
    ("outer-box section .d > button", "a > b, c"),
    ("outer-box.a  inner-box   .d   >   button", "a > b, c"),
    ("outer-box [aria-label='a > b, c']", "a > b, c"),
    ("inner-box i", "slotted"),
    ("outer-box i", "slotted"),
    ("p button", None),
    ("section outer-box button", None),
]


async def test_open_shadow_roots_are_searched_and_crossed(blank):
    page = await show(blank, SHADOWS)
    for css, label in CROSSINGS:
        found = await page.find(css)
        assert (found.label if found else None) == label, css


async def test_texts_are_read_from_the_first_candidate_that_matches(blank):
    page = await show(
        blank, "<p>one<br>two</p><p hidden>unseen</p><textarea>area</textarea><b>bold</b>"
    )
    assert await page.read(("#none", "p", "b")) == ["one\ntwo", "unseen"]
    assert await page.read("textarea") == ["area"]
    assert await page.read("#none") == []


KEYS = [
    ("Enter", (), "Enter", "Enter", 13, []),
    ("a", (), "a", "KeyA", 65, []),
    ("Escape", (), "Escape", "Escape", 27, []),
    ("a", ("Control",), "a", "KeyA", 65, ["ctrl"]),
    ("Enter", ("Shift", "Alt"), "Enter", "Enter", 13, ["alt", "shift"]),
    ("é", (), "é", "", 0, []),
]


async def test_keys_arrive_as_from_a_keyboard(blank):
    page = await show(
        blank,
        "<textarea autofocus></textarea><script>const seen = []; onkeydown = (e) => seen.push("
        "[e.key, e.code, e.keyCode, ['alt','ctrl','meta','shift'].filter((m) => e[m + 'Key']),"
        " e.isTrusted])</script>",
    )
    await page.fill("textarea", "x")
    for key, modifiers, *_ in KEYS:
        await page.press(key, modifiers)
    seen = await value(blank, "seen")
    assert seen == [[key, code, number, held, True] for _, _, key, code, number, held in KEYS]
    assert await page.read("textarea") == ["é"]  # Control+a had selected what stood there


async def test_a_key_we_do_not_know_is_not_typed_as_a_word(blank):
    page = await show(blank, "<textarea></textarea>")
    await page.fill("textarea", "x")
    with pytest.raises(ValueError, match="F5"):
        await page.press("F5")
    assert await page.read("textarea") == ["x"]


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


async def test_a_picture_shows_the_window_or_the_whole_page(blank):
    page = await show(blank, "<body style='margin:0'><div style='height:5000px'>tall</div>")
    seen, whole = size_of(await page.screenshot()), size_of(await page.screenshot(full=True))
    assert seen[1] < 5000 == whole[1]
    await value(blank, "document.querySelector('div').style.height = '90000px'")
    assert size_of(await page.screenshot(full=True))[1] == LONGEST_PICTURE


async def test_a_page_that_loops_forever_ends_every_verb_in_its_bound(blank, monkeypatch):
    page = Page(blank)
    monkeypatch.setattr("tabwire.browser.page.page.PRESS_SECONDS", 0.3)
    monkeypatch.setattr("tabwire.browser.page.screenshot.SCREENSHOT_SECONDS", 0.3)
    monkeypatch.setattr("tabwire.browser.page.focus.SWITCH_SECONDS", 0.3)
    blank.send("Runtime.evaluate", {"expression": "for (;;);"}, on_reply=lambda _: None)
    with pytest.raises(CommandTimedOut):
        await page.evaluate("page.find", {"candidates": ["p"]}, seconds=0.3)
    verbs = (page.press("a"), page.read("p"), page.click("p"), page.fill("p", "text"))
    for verb in (*verbs, page.screenshot(), take_picture(blank, {})):
        async with asyncio.timeout(20):
            with pytest.raises(CommandTimedOut):
                await verb
    await blank.call("Runtime.terminateExecution")


async def test_errors_of_the_page_itself_do_not_disturb_us(blank):
    page = await show(
        blank,
        "<button onclick='throw new Error(1)'>b</button><textarea oninput='throw new Error(2)'>"
        "</textarea><script>onmousedown = () => { throw new Error(3) };"
        " throw new Error(4)</script>",
    )
    await page.click("button")
    assert (await page.fill("textarea", "text")).read_back == "text"
