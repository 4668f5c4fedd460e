"""Looking at a tab the classic way, whatever state the tab is in: hidden, busy, hostile, gone."""

import asyncio

import pytest

from browser.classic_pages import Shown, evaluate, show, turn
from kit.chromium import NewTab
from tabwire.browser import classic
from tabwire.browser.classic import ClassicPage
from tabwire.cdp.connection import Connection, Session
from tabwire.cdp.errors import SessionLost
from tabwire.sites.chatgpt.classic import CLASSIC
from tabwire.sites.classic import pick, read_look, read_poll

pytestmark = pytest.mark.asyncio

DRAWS_LATE = """
  document.body.innerHTML = `%s`;
  document.addEventListener("visibilitychange", () => requestAnimationFrame(() => {
    document.querySelector(".markdown").textContent = "Drawn.";
  }));
"""


async def test_a_hidden_tab_that_has_not_drawn_its_answer_draws_it_before_it_is_read(
    new_tab: NewTab, monkeypatch: pytest.MonkeyPatch
):
    """Seed 001, 15: an answer is received in a background tab and drawn when it is looked at."""
    monkeypatch.setattr(classic, "DRAW_SECONDS", 10.0)  # a busy machine draws its frames late
    await new_tab()  # the first of a window is in front, however it was opened
    _, session = await new_tab()
    assert await evaluate(session, "document.visibilityState") == "hidden"
    await evaluate(session, DRAWS_LATE % turn(1, ""))
    page = ClassicPage(session, CLASSIC.marks)
    assert read_poll(await page.poll()).text_length == 0
    async with page.focused():
        assert pick(CLASSIC, read_look(await page.read())).text == "Drawn."


async def test_the_focus_is_emulated_inside_the_block_only(blank: Session):
    page = ClassicPage(blank, CLASSIC.marks)
    focus = "document.hasFocus()"
    assert await evaluate(blank, focus) is False
    async with page.focused():
        assert await evaluate(blank, focus) is True
        await page.read()
        assert await evaluate(blank, focus) is True
    assert await evaluate(blank, focus) is False


async def test_a_page_that_lets_nobody_in_has_missed_this_look_and_the_next_one_comes(
    blank: Session, monkeypatch: pytest.MonkeyPatch
):
    await show(blank, turn(1, "Yes."))
    page = ClassicPage(blank, CLASSIC.marks)
    with blank.subscribe(["Page.javascriptDialogOpening"]) as dialogs:
        await blank.call("Page.enable")
        closed: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        blank.send(
            "Runtime.evaluate", {"expression": "alert(1)"}, on_reply=closed.set_result, seconds=60.0
        )
        await anext(dialogs)  # nothing runs in the page until it is closed
    monkeypatch.setattr(classic, "LOOK_SECONDS", 0.2)
    assert await page.poll() is None
    assert await page.read() is None
    monkeypatch.undo()
    await blank.call("Page.handleJavaScriptDialog", {"accept": True})
    await closed
    assert read_poll(await page.poll()).answers == 1


async def test_after_a_reload_the_new_document_is_looked_at(blank: Session):
    shown = Shown(blank, CLASSIC)
    assert (await shown.poll(turn(1, "Yes."))).answers == 1
    with blank.subscribe(["Page.loadEventFired"]) as loads:
        await blank.call("Page.enable")
        await blank.call("Page.reload")
        await anext(loads)
    assert read_poll(await shown.page.poll()).answers == 0
    assert (await shown.poll(turn(1, "a") + turn(2, "b"))).answers == 2


HOSTILE = """
  Array.prototype.filter = Array.prototype.map = () => { throw new Error("mine"); };
  Element.prototype.matches = Element.prototype.closest = () => true;
  globalThis.tabwire = { classic: { see: () => ({ answers: 99 }) } };
  String.prototype.includes = () => true;
"""


async def test_a_page_cannot_deceive_by_its_scripts_or_by_the_names_of_its_elements(blank: Session):
    await evaluate(blank, HOSTILE)
    names = '<form name="querySelectorAll"></form><img name="getRootNode">'
    seen = await Shown(blank, CLASSIC).poll(names + turn(1, "Yes."))
    assert (seen.answers, seen.text_length, seen.stop) == (1, 4, False)


async def test_a_tab_that_is_closed_is_an_error_with_a_name(line: Connection, new_tab: NewTab):
    target, session = await new_tab()
    page = ClassicPage(session, CLASSIC.marks)
    await page.poll()
    await line.call("Target.closeTarget", {"targetId": target})
    with pytest.raises(SessionLost):
        await page.poll()


async def test_of_a_page_with_many_answers_all_are_counted_and_one_is_read(blank: Session):
    many = "".join(turn(number, "<p>word</p>" * 10) for number in range(100))
    shown = Shown(blank, CLASSIC)
    assert (await shown.poll(many)).answers == 100
    rung = await shown.read(many)
    assert rung is not None
    assert rung.text.count("word") == 10
