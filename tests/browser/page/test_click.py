"""A click is real, lands on what was meant, and on nothing else."""

import asyncio

import pytest

from browser.page.page_shown import show, value
from tabwire.browser.page import click as page_click
from tabwire.browser.page.errors import Covered, NotClicked, NotFound
from tabwire.cdp.errors import CommandTimedOut
from tabwire.model.errors import Retry

pytestmark = pytest.mark.asyncio

NOTES = """<script>const clicks = [];
  addEventListener("click", (event) => clicks.push([event.target.id, event.isTrusted]));
</script>"""


async def test_a_click_is_trusted_and_whole(blank):
    page = await show(
        blank,
        "<button id=go>go</button><script>const seen = []; const go = document.all.go;"
        "for (const name of ['pointerdown','mousedown','pointerup','mouseup','click'])"
        " go.addEventListener(name, (e) => seen.push([name, e.isTrusted, e.button]))</script>",
    )
    found = await page.click(("#none", "#go"))
    assert (found.css, found.index) == ("#go", 1)
    names = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]
    assert await value(blank, "seen") == [[name, True, 0] for name in names]


async def test_a_click_scrolls_to_what_is_out_of_sight(blank):
    page = await show(
        blank,
        "<div style='height:4000px'></div><div id=box style='height:50px;overflow:auto'>"
        "<div style='height:900px'></div><button id=deep>deep</button></div>" + NOTES,
    )
    await page.click("#deep")
    assert await value(blank, "clicks") == [["deep", True]]


async def test_a_click_reaches_into_shadow_roots_and_through_icons(blank):
    page = await show(
        blank,
        "<x-y></x-y><button id=outer><svg id=icon style='pointer-events:none' width=20 height=20>"
        "</svg></button><script>const seen = []; const root ="
        " document.querySelector('x-y').attachShadow({mode:'open'});"
        " root.innerHTML = '<button id=inner><b>in</b></button>';"
        " root.getElementById('inner').onclick = () => seen.push('inner');"
        " document.getElementById('outer').onclick = () => seen.push('outer')</script>",
    )
    await page.click("x-y #inner")
    await page.click("#icon")
    assert await value(blank, "seen") == ["inner", "outer"]


async def test_what_is_covered_is_not_clicked_and_the_cover_is_named(blank):
    page = await show(
        blank,
        "<button id=go>go</button><div id=veil class=modal style='position:fixed;inset:0'>"
        "Accept cookies?</div>" + NOTES,
    )
    with pytest.raises(Covered, match=r'send button .*<div#veil\.modal> "Accept cookies') as caught:
        await page.click("#go", part="send button")
    assert caught.value.retry is Retry.SAME
    assert await value(blank, "clicks") == []


async def test_a_dialog_in_front_covers_all_else(blank):
    page = await show(
        blank, "<button id=go>go</button><dialog id=d>wait</dialog><script>d.showModal()</script>"
    )
    with pytest.raises(Covered):
        await page.click("#go")


async def test_the_free_part_of_a_half_covered_button_is_clicked(blank):
    page = await show(
        blank,
        "<button id=go style='position:absolute;left:0;top:0;width:100px;height:40px'>go</button>"
        "<i style='position:absolute;left:20px;top:0;width:80px;height:40px'></i>" + NOTES,
    )
    with pytest.raises(Covered):
        await page.click("#go")
    await value(blank, "document.querySelector('i').style.left = '40px'")
    await page.click("#go")
    assert await value(blank, "clicks") == [["go", True]]


MOVES = """
<button id=wrong style="position:absolute;left:300px;top:10px;width:90px;height:30px">wrong</button>
<button id=go style="position:absolute;left:10px;top:10px;width:90px;height:30px">go</button>
<script>
  let moves = 0;
  const swap = () => {
    const [a, b] = [go.style.left, wrong.style.left];
    if (moves++ < LIMIT) [go.style.left, wrong.style.left] = [b, a];
  };
  onmousemove = swap;
</script>"""


async def test_a_button_that_moves_away_under_the_mouse_is_aimed_at_again(blank):
    """The first press would land on the wrong one: it is kept from the page."""
    page = await show(blank, MOVES.replace("LIMIT", "1") + NOTES)
    await page.click("#go")
    assert await value(blank, "[moves > 1, clicks]") == [True, [["go", True]]]


async def test_a_button_that_always_moves_away_is_never_mistaken(blank):
    page = await show(blank, MOVES.replace("LIMIT", "99") + NOTES)
    with pytest.raises(NotClicked, match="would have clicked <button#wrong>") as caught:
        await page.click("#go")
    assert caught.value.retry is Retry.SAME
    assert await value(blank, "clicks") == []


async def test_a_button_replaced_meanwhile_is_found_again(blank, monkeypatch):
    page = await show(blank, "<button id=go>go</button>" + NOTES)
    real, asked = page._finder.need, 0

    async def need(wish):
        nonlocal asked
        found = await real(wish)
        asked += 1
        if asked == 1:
            await value(blank, "go.replaceWith(go.cloneNode(true))")
        return found

    monkeypatch.setattr(page._finder, "need", need)
    await page.click("#go")
    assert (asked, await value(blank, "clicks")) == (2, [["go", True]])


async def test_a_click_that_leads_to_another_page_is_a_click(blank):
    page = await show(blank, "<a id=go href='about:blank#there'>go</a>")
    await page.click("#go")


async def test_a_button_that_vanishes_when_pressed_was_clicked(blank):
    page = await show(blank, "<button id=go onmousedown='this.remove()'>go</button>")
    await page.click("#go")
    with pytest.raises(NotFound, match=r"stop button not found .*#go"):
        await page.click("#go", part="stop button")


async def test_a_page_that_hides_every_press_leaves_us_in_doubt(blank):
    page = await show(
        blank,
        "<button id=go>go</button><script>for (const name of"
        " ['pointerdown','mousedown','pointerup','mouseup','click'])"
        " addEventListener(name, (e) => e.stopImmediatePropagation(), true)</script>",
    )
    with pytest.raises(NotClicked, match="no click was seen") as caught:
        await page.click("#go")
    assert caught.value.retry is Retry.RESUME


async def test_a_button_whose_handler_never_ends_is_an_error_in_time(blank, monkeypatch):
    monkeypatch.setattr(page_click, "PRESS_SECONDS", 0.5)
    page = await show(blank, "<button id=go onclick='for (;;);'>go</button>")
    async with asyncio.timeout(20):
        with pytest.raises(CommandTimedOut):
            await page.click("#go")
    await blank.call("Runtime.terminateExecution")


async def test_the_persons_own_click_elsewhere_is_let_through(blank):
    """The guard is for one press at one point: not beside it, not below it."""
    page = await show(
        blank,
        "<button id=go>go</button><button id=beside>b</button><br><button id=below>b</button>"
        + NOTES,
    )
    for name in ("beside", "below"):
        found, own = await page.find("#go"), await page.find(f"#{name}")
        assert found is not None
        assert own is not None
        aim = await page.evaluate("page.aim", {"number": found.number})
        x = aim["x"] if name == "below" else own.box.x + 3
        y = aim["y"] if name == "beside" else own.box.y + 3
        where = {"x": x, "y": y, "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            await blank.call("Input.dispatchMouseEvent", {**where, "type": kind})
    assert await value(blank, "clicks") == [["beside", True], ["below", True]]


async def test_an_element_is_clicked_by_its_number_while_it_is_there(blank):
    page = await show(blank, "<button id=go>go</button>" + NOTES)
    found = await page.find("#go")
    assert await page.click_number(found.number)
    assert await value(blank, "clicks") == [["go", True]]
    await value(blank, "document.querySelector('#go').remove()")
    assert not await page.click_number(found.number)
    assert await value(blank, "clicks.length") == 1
