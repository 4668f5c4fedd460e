"""Whoever asked died after Send; the next one looks for the answer in a browser that is busy.

Over the relay, on a machine with more to do than it can, each of these was seen to happen: a tab
closes late, none opens in time, a page has asked before anybody listened, a list is not there yet.
None of them says anything of the answer, so none may be the end of looking for it.
"""

import asyncio
import time
from contextlib import suppress
from dataclasses import replace

import pytest

from kit.asking import (
    answered,
    asked,
    asking_home,
    begun,
    home_at,
    in_words,
    new_prompt,
    prompts_in,
)
from kit.carriers import both_carriers
from kit.turns import by_turns
from tabwire.asking.recovery import recovery as recover
from tabwire.asking.recovery import reread
from tabwire.browser.errors import TabDidNotOpen
from tabwire.browser.tabs import Tabs
from tabwire.browser.tap.tap import Tap
from tabwire.cdp.errors import CommandFailed, CommandTimedOut
from tabwire.hub import LocalHub
from tabwire.hub.jobs import ask_runner as asking
from tabwire.hub.jobs.books import opened_books
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest, ConversationKnown, Step, StillWaiting
from tabwire.model.ask_errors import LoginRequired, SendNotConfirmed, TabClosed
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES
from tabwire.store.rows import Owner

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking-killed"),
    pytest.mark.usefixtures("asking_home"),
]

NOBODY = Owner(2**22 + 1, 1.0)  # a process that cannot be there


def right(lab, request, result):
    assert isinstance(result, Answer), in_words(result)
    assert result.complete, (in_words(result), result.problems)
    assert result.text == plan_for(request.prompt).text
    assert len(prompts_in(lab, request.prompt)) == 1


async def died(request, step, conversation_id=None, *, at=None):
    """An ask whose process died when it had come so far. `at`: when it was begun."""
    now = time.time() if at is None else at
    async with opened_books() as books:
        row, _ = await books.store.begin(request, NOBODY, now)
        await books.store.note(row.id, step, now, conversation_id=conversation_id)
    return row.id


async def step_of(attempt_id):
    async with opened_books() as books:
        return (await books.store.attempt(attempt_id)).step


async def asked_and_died(url, request, tmp_path, *, named=True):
    """The site has the whole answer; of ours it is only known that the prompt left."""
    began = time.time() - 5.0  # long before Send was pressed
    with home_at(tmp_path / "theirs"):
        answer = await answered(url, request)
    return await died(request, Step.SENT, answer.conversation_id if named else None, at=began)


@pytest.fixture
def one_look(monkeypatch):
    """What the first look does not find is not looked for again."""
    monkeypatch.setattr(recover, "LOOKING_SECONDS", 0.0)


@pytest.mark.usefixtures("one_look")
@pytest.mark.parametrize("named", [True, False], ids=["its name is known", "it is not"])
@pytest.mark.parametrize("site", by_turns("listened_to_before", tuple(SITES)))
async def test_a_page_is_listened_to_before_it_is_led_to_the_conversation(
    site, named, lab, lab_browser_url, tmp_path, monkeypatch
):
    """A page asks once for what it shows. Here listening begins when it has, if it may."""
    request = AskRequest(site, new_prompt(seed=601, pieces=4))
    await asked_and_died(lab_browser_url, request, tmp_path, named=named)
    loop, read, arm = asyncio.get_running_loop(), asyncio.Event(), Tap.arm

    def heard(entry):
        if entry.kind is (Deed.READ if named else Deed.LIST):
            loop.call_soon_threadsafe(read.set)

    async def late(self):
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                await read.wait()
        await arm(self)

    for room in (recover, reread):
        monkeypatch.setattr(room, "FIRST_SECONDS", 4.0)
    monkeypatch.setattr(Tap, "arm", late)
    stop = lab.ledger.listen(heard)
    try:
        (result,), _events = await asked(lab_browser_url, request)
    finally:
        stop()
    right(lab, request, result)


@pytest.mark.usefixtures("one_look")
async def test_what_was_read_counts_where_its_tab_closes_late(
    lab, lab_browser_url, tmp_path, monkeypatch
):
    request = AskRequest("gemini", new_prompt(seed=602, pieces=4))
    await asked_and_died(lab_browser_url, request, tmp_path, named=False)
    close = Tabs.close

    async def late(self, target):
        await close(self, target)
        raise CommandTimedOut("Target.closeTarget", 3.0)

    monkeypatch.setattr(Tabs, "close", late)
    (result,), _events = await asked(lab_browser_url, request)
    right(lab, request, result)


@pytest.mark.parametrize("site", by_turns("no_tab_opens", tuple(SITES)))
async def test_a_look_for_which_no_tab_opens_is_followed_by_another(
    site, lab, lab_browser_url, tmp_path, monkeypatch
):
    request = AskRequest(site, new_prompt(seed=603, pieces=4))
    await asked_and_died(lab_browser_url, request, tmp_path)
    opened, tabs_open = [], Tabs.open

    async def second(self, url):
        opened.append(url)
        if len(opened) == 1:
            raise TabDidNotOpen(url, 2, "Target.createTarget: no reply within 5 s")
        return await tabs_open(self, url)

    monkeypatch.setattr(Tabs, "open", second)
    (result,), events = await asked(lab_browser_url, request)
    right(lab, request, result)
    assert any(isinstance(one, StillWaiting) and "no reply" in one.why for one in events)


@pytest.mark.usefixtures("one_look")
async def test_why_nothing_was_found_is_said_and_it_is_found_later(
    lab, lab_browser_url, tmp_path, monkeypatch
):
    """Nobody waited for an answer to begin: that none began is not what is said of Gemini."""
    request = AskRequest("gemini", new_prompt(seed=604, pieces=4))
    attempt_id = await asked_and_died(lab_browser_url, request, tmp_path)

    async def never(_self, url):
        raise TabDidNotOpen(url, 2, "the browser is busy")

    with monkeypatch.context() as busy:
        busy.setattr(Tabs, "open", never)
        (result,), _events = await asked(lab_browser_url, request)
    assert isinstance(result, TabClosed), in_words(result)
    assert "the browser is busy" in str(result)
    assert result.retry is Retry.RESUME
    assert await step_of(attempt_id) is Step.SENT
    right(lab, request, await answered(lab_browser_url, request))


async def test_a_question_that_left_is_looked_for_until_the_site_lists_it(
    lab, lab_browser_url, tmp_path
):
    request = AskRequest("gemini", new_prompt(seed=605, pieces=4))
    await died(request, Step.SENT)
    async with begun(lab_browser_url, request) as ask:
        await ask.until(StillWaiting, lambda one: "looking again" in one.why)
        with home_at(tmp_path / "theirs"):  # as if ours came there only now
            await answered(lab_browser_url, request)
        right(lab, request, await ask.result())


async def test_an_answer_that_begins_late_is_waited_for_by_who_comes_late(
    lab, lab_browser_url, monkeypatch
):
    """Whether Gemini is silent only those know who were there all the time."""
    monkeypatch.setattr(reread, "AGAIN_SECONDS", 0.3)
    request = AskRequest("gemini", new_prompt(seed=606, pieces=4, first=6))
    async with begun(lab_browser_url, request) as ask:
        known = await ask.until(ConversationKnown)
    async with asyncio.timeout(60):
        found = await LocalHub().asks.fetch(known.attempt_id, browser=f"attach={lab_browser_url}")
    right(lab, request, found)


@pytest.mark.parametrize("site", by_turns("wants_a_login", tuple(SITES)))
async def test_a_site_that_wants_a_login_first_has_the_question_all_the_same(
    site, lab, lab_browser_url, tmp_path, monkeypatch
):
    request = AskRequest(site, new_prompt(seed=607, pieces=4))
    attempt_id = await asked_and_died(lab_browser_url, request, tmp_path)
    monkeypatch.setattr(reread, "FIRST_SECONDS", 4.0)
    with monkeypatch.context() as out:
        out.setattr(lab.room, "stage", replace(lab.room.stage, login="wall"))
        (result,), _events = await asked(lab_browser_url, request)
    assert isinstance(result, LoginRequired), in_words(result)
    assert result.retry is Retry.RESUME
    assert await step_of(attempt_id) is Step.SENT
    right(lab, request, await answered(lab_browser_url, request))


async def test_what_may_have_left_stays_so_where_no_tab_can_be_looked_at(
    lab, lab_browser_url, monkeypatch
):
    request = AskRequest("grok", new_prompt(seed=608, pieces=4))
    attempt_id = await died(request, Step.SENDING)

    async def busy(*_given):
        raise CommandFailed("Runtime.callFunctionOn", -32000, "Cannot find context")

    monkeypatch.setattr(asking, "holds_prompt", busy)
    (result,), _events = await asked(lab_browser_url, request)
    assert isinstance(result, SendNotConfirmed), in_words(result)
    assert result.unknown
    assert attempt_id in result.what_to_do
    assert await step_of(attempt_id) is Step.SENDING
    assert not prompts_in(lab, request.prompt)
