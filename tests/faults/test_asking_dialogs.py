"""A dialog of the page's script, and a page that cannot be had: said at once, and never a hang.

While an alert or a question stands there the page answers nothing. It is the person's to answer:
nothing of it is pressed here. When they have, the ask goes on.
"""

import asyncio
from contextlib import asynccontextmanager

import pytest

from kit.asking import (
    SEE_SECONDS,
    asked,
    asking_home,
    begun,
    in_words,
    lab_stage,
    new_prompt,
    prompts_in,
    staged_url,
    tabs_of,
)
from kit.carriers import both_carriers
from kit.chromium import connect_to
from kit.turns import by_turns
from tabwire.browser import tab_events as life
from tabwire.cdp.routes import EVERY_SESSION as EVERY
from tabwire.lab.plan import plan_for
from tabwire.model.ask import AskRequest, PhaseBegan
from tabwire.model.ask_errors import AskError, DialogInTheWay
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES, site_of_url

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

EVERY_SITE = tuple(SITES)
OPEN = "is blocked until it is answered"


class Person:
    """Sees every dialog of a browser, and presses OK in the one that came last."""

    def __init__(self, connection):
        self._connection = connection
        self._seen = asyncio.Queue()

    async def begin(self):
        """Be there before any dialog is: a browser hands one over only to whoever was."""
        line = self._connection
        line.listen("Target.attachedToTarget", self._look)
        opened = "Page.javascriptDialogOpening"
        line.listen(opened, lambda event: self._seen.put_nowait(event.session), session=EVERY)
        pages = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
        await line.call("Target.setAutoAttach", {**pages, "filter": [{"type": "page"}]})

    def _look(self, event):
        session = event.read()["sessionId"]
        self._connection.send("Page.enable", session=session, on_reply=lambda _outcome: None)

    async def answers(self):
        async with asyncio.timeout(SEE_SECONDS):
            session = await self._seen.get()
        yes = {"accept": True}
        await self._connection.call("Page.handleJavaScriptDialog", yes, session=session)


@asynccontextmanager
async def person_at(url):
    async with await connect_to(url) as line:
        person = Person(line)
        await person.begin()
        yield person


async def close_all(url, site):
    async with tabs_of(url) as tabs:
        for info in await tabs.list():
            if site_of_url(info.url) is SITES[site]:
                await tabs.close(info.target)


def tells_of_it(event):
    return OPEN in event.note and event.note.endswith("Answer it in the tab.")


@pytest.mark.parametrize("when", ["load", "type"])
@pytest.mark.parametrize("site", by_turns("dialogs_before", EVERY_SITE))
async def test_an_ask_says_that_a_dialog_is_open_and_goes_on_after_it(
    site, when, lab, lab_browser_url
):
    request = AskRequest(site, new_prompt(pieces=4), url=staged_url(site, f"dialog:{when}"))
    async with person_at(lab_browser_url) as person, begun(lab_browser_url, request) as ask:
        told = await ask.until(PhaseBegan, tells_of_it)
        assert {"load": "(alert)", "type": "(confirm)"}[when] in told.note
        assert not prompts_in(lab, request.prompt)
        await person.answers()
        await ask.until(PhaseBegan, lambda one: "the dialog is closed" in one.note)
        answer = await ask.answer()
    assert answer.text == plan_for(request.prompt).text
    assert len(prompts_in(lab, request.prompt)) == 1
    await close_all(lab_browser_url, site)


@pytest.mark.parametrize("site", by_turns("dialog_stays", EVERY_SITE))
async def test_a_dialog_that_nobody_answers_is_named_and_nothing_is_sent(
    site, lab, lab_browser_url, monkeypatch
):
    monkeypatch.setattr(life, "DIALOG_SECONDS", 2.0)
    request = AskRequest(site, new_prompt(), url=staged_url(site, "dialog:load"))
    ((result,), _events) = await asked(lab_browser_url, request)
    assert isinstance(result, DialogInTheWay), in_words(result)
    assert "Are you there?" in str(result)
    assert result.retry is Retry.SAME
    assert not prompts_in(lab, request.prompt)
    await close_all(lab_browser_url, site)


@pytest.mark.parametrize("site", by_turns("dialog_in_answer", EVERY_SITE))
async def test_an_answer_behind_a_dialog_that_nobody_answers_is_read_elsewhere(
    site, lab, lab_browser_url, monkeypatch
):
    """It must not hang for all of --timeout: the site has stored the answer long ago."""
    monkeypatch.setattr(life, "DIALOG_SECONDS", 2.0)
    request = AskRequest(site, new_prompt(first=0.05, every=0.1, pieces=30))
    async with begun(lab_browser_url, request) as ask:
        await ask.until(PhaseBegan, lambda one: one.phase == "answering")
        async with tabs_of(lab_browser_url) as tabs:
            for info in await tabs.list():
                if site_of_url(info.url) is SITES[site]:
                    tab = await tabs.attach(info.target)
                    alert = {"expression": "setTimeout(() => alert('Are you there?'), 0)"}
                    await tab.session.call("Runtime.evaluate", alert)
            await ask.until(PhaseBegan, tells_of_it)
            answer = await ask.answer()
    assert answer.complete, in_words(answer)
    assert answer.text == plan_for(request.prompt).text
    assert len(prompts_in(lab, request.prompt)) == 1
    await close_all(lab_browser_url, site)


async def test_a_question_before_a_page_is_left_is_the_persons(lab, lab_browser_url):
    """Of our own tab: we lead it elsewhere for the next question, and it asks whether to leave."""
    await close_all(lab_browser_url, "grok")
    first = AskRequest("grok", new_prompt(pieces=4))
    with lab_stage(lab, "dialog:leave"):
        ((result,), _events) = await asked(lab_browser_url, first)
        assert result.complete, in_words(result)
    then = AskRequest("grok", new_prompt(pieces=4))
    async with person_at(lab_browser_url) as person, begun(lab_browser_url, then) as ask:
        told = await ask.until(PhaseBegan, tells_of_it)
        assert "(beforeunload)" in told.note
        await person.answers()
        answer = await ask.answer()
    assert answer.text == plan_for(then.prompt).text
    assert len(prompts_in(lab, then.prompt)) == 1


@pytest.mark.parametrize("site", by_turns("page_is_down", EVERY_SITE))
async def test_a_page_that_cannot_be_had_is_said_at_once_and_tried_anew_later(
    site, lab, lab_browser_url
):
    await close_all(lab_browser_url, site)
    request = AskRequest(site, new_prompt(pieces=4))
    with lab_stage(lab, "down"):
        for _ in range(2):  # in a new tab; then in ours, in which the browser's own page stands
            ((result,), _events) = await asked(lab_browser_url, request)
            assert isinstance(result, AskError), in_words(result)
            assert "did not load" in str(result), in_words(result)
            assert result.retry is Retry.SAME
            assert "network" in result.what_to_do
    assert not prompts_in(lab, request.prompt)
    ((result,), _events) = await asked(lab_browser_url, request)
    assert not isinstance(result, AskError), in_words(result)
    assert result.text == plan_for(request.prompt).text
