"""A press of Send that does nothing, and the routine requests a page makes all the same.

ChatGPT's page renews its leave to ask (`…/conversation/prepare`), counts the press and polls its
list whether or not the press was taken: none of them can carry a prompt. So the press is tried
once more; and an answer that was there before the press is never taken for the answer to it.
"""

import asyncio

import pytest

from kit.asking import (
    answered,
    asked,
    asking_home,
    home_at,
    in_words,
    new_prompt,
    prompts_in,
    staged_url,
)
from kit.carriers import both_carriers
from kit.turns import by_turns
from tabwire.asking import submission as submit
from tabwire.cdp.errors import CommandTimedOut
from tabwire.hub import LocalHub
from tabwire.hub.jobs.books import opened_books
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest, Step
from tabwire.model.ask_errors import SendNotConfirmed
from tabwire.model.errors import Retry
from tabwire.monitor import sightings as told
from tabwire.sites.known import SITES

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

LOOKS = ("turn_key", "octane", "classic")


def right(lab, request, result, times=1):
    assert isinstance(result, Answer), in_words(result)
    assert result.complete, (in_words(result), result.problems)
    assert result.text == plan_for(request.prompt).text
    assert len(prompts_in(lab, request.prompt)) == times


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.rows(1, first=1)
async def test_a_swallowed_press_at_chatgpt_is_tried_once_more(look, lab, lab_browser_url):
    url = staged_url("chatgpt", f"layout:{look},swallow:1")
    guest = look == "octane"
    request = AskRequest("chatgpt", new_prompt(seed=701, pieces=4), url=url, guest=guest)
    (result,), _events = await asked(lab_browser_url, request)
    right(lab, request, result)


@pytest.mark.parametrize("site", by_turns("presses_swallowed", tuple(SITES)))
async def test_when_both_presses_are_swallowed_nothing_was_sent(site, lab, lab_browser_url):
    """It may be asked again, and is: from a page that takes the press."""
    url = staged_url(site, "swallow:2")
    request = AskRequest(site, new_prompt(seed=702, pieces=4), url=url)
    (result,), _events = await asked(lab_browser_url, request)
    assert isinstance(result, SendNotConfirmed), in_words(result)
    assert not result.unknown
    assert result.retry is Retry.SAME
    assert not prompts_in(lab, request.prompt)
    again = AskRequest(site, request.prompt)
    right(lab, again, await answered(lab_browser_url, again))


@pytest.mark.parametrize("site", by_turns("late_press", tuple(SITES)))
async def test_a_press_that_a_busy_browser_does_late_is_waited_for(
    site, lab, lab_browser_url, monkeypatch
):
    """Seen through the extension with twenty tabs: no word of the press came in time, the prompt
    was taken out of the composer again, and then the press came, and sent nothing."""
    press, presses = submit._press, []

    async def late(place, *given, **named):
        waiting = asyncio.Event()
        until = place.ear.until

        async def heard(*wanted):
            waiting.set()  # whoever pressed was told that no reply came, and waits for the request
            return await until(*wanted)

        place.ear.until = heard

        async def act():
            await waiting.wait()
            await press(place, *given, **named)

        presses.append(asyncio.get_running_loop().create_task(act()))
        given[-1].began = True
        raise CommandTimedOut("Input.dispatchMouseEvent", 5.0)

    monkeypatch.setattr(submit, "_press", late)
    request = AskRequest(site, new_prompt(seed=707, pieces=4))
    (result,), _events = await asked(lab_browser_url, request)
    right(lab, request, result)
    await asyncio.gather(*presses, return_exceptions=True)


# --- an answer that was there before ------------------------------------------------------------


@pytest.mark.parametrize("site", by_turns("answer_of_before", tuple(SITES)))
async def test_an_answer_of_before_is_not_given_where_the_press_is_swallowed(
    site, lab, lab_browser_url, tmp_path
):
    """The same words were asked by somebody else a moment ago."""
    prompt = new_prompt(seed=703, pieces=4)
    with home_at(tmp_path / "theirs"):
        theirs = AskRequest(site, prompt)
        right(lab, theirs, await answered(lab_browser_url, theirs))
    request = AskRequest(site, prompt, url=staged_url(site, "swallow:2"))
    (result,), _events = await asked(lab_browser_url, request)
    assert not isinstance(result, Answer), in_words(result)
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.parametrize("whose", ["ours", "theirs"])
@pytest.mark.parametrize("site", by_turns("unknown_send", tuple(SITES)))
@pytest.mark.rows(1, first=2)
async def test_where_nobody_knows_whether_it_left_an_answer_of_before_is_never_given(
    site, whose, lab, lab_browser_url, tmp_path, monkeypatch
):
    """Asked a moment ago by an earlier ask of ours, or by hand; then the page goes away under
    the press, and nothing was sent. Every way of looking for it says so at once, by its id."""
    prompt = new_prompt(seed=704, pieces=4)
    with home_at(tmp_path / whose):
        before = AskRequest(site, prompt)
        right(lab, before, await answered(lab_browser_url, before))
    gone = CommandTimedOut("Input.dispatchMouseEvent", 5.0)
    browser = f"attach={lab_browser_url}"
    with home_at(tmp_path / "ours"):
        with monkeypatch.context() as under:
            press_breaks(under, gone)
            (result,), _events = await asked(lab_browser_url, before, again=True)
        assert unknown(result), in_words(result)
        attempt_id = str(result.attempt_id)
        assert attempt_id in result.what_to_do
        async with opened_books() as books:
            assert (await books.store.attempt(attempt_id)).step is Step.SENDING
        for said in (attempt_id, "last"):
            with pytest.raises(SendNotConfirmed) as raised:
                await LocalHub().asks.fetch(said, browser=browser)
            assert unknown(raised.value), in_words(raised.value)
            assert attempt_id in raised.value.what_to_do
        (result,), _events = await asked(lab_browser_url, before)
        assert unknown(result), in_words(result)
        assert result.attempt_id == attempt_id
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.parametrize("site", by_turns("same_words_in_one_chat", tuple(SITES)))
async def test_in_one_chat_the_answer_to_the_same_words_of_before_is_never_given(
    site, lab, lab_browser_url, monkeypatch
):
    first = AskRequest(site, new_prompt(seed=705, pieces=4))
    answer = await answered(lab_browser_url, first)
    request = AskRequest(site, first.prompt, conversation_id=answer.conversation_id)
    with monkeypatch.context() as under:
        press_breaks(under, CommandTimedOut("Input.dispatchMouseEvent", 5.0))
        (result,), _events = await asked(lab_browser_url, request)
    assert unknown(result), in_words(result)
    with pytest.raises(SendNotConfirmed):
        await LocalHub().asks.fetch(str(result.attempt_id), browser=f"attach={lab_browser_url}")
    assert len(prompts_in(lab, first.prompt)) == 1


@pytest.mark.parametrize("site", by_turns("found_beside", tuple(SITES)))
async def test_a_question_of_ours_is_found_beside_an_older_one_with_the_same_words(
    site, lab, lab_browser_url, tmp_path, monkeypatch
):
    """It left, and nobody heard it: what is proven to be new is taken, and the old one is not."""
    prompt = new_prompt(seed=706, pieces=4)
    request = AskRequest(site, prompt)
    with home_at(tmp_path / "theirs"):
        theirs = await answered(lab_browser_url, request)
    with home_at(tmp_path / "ours"):
        with monkeypatch.context() as under:
            press_breaks(under, CommandTimedOut("Input.dispatchMouseEvent", 5.0), deaf=True)
            (result,), _events = await asked(lab_browser_url, request)
        if not isinstance(result, Answer):
            result = await LocalHub().asks.fetch("last", browser=f"attach={lab_browser_url}")
    right(lab, request, result, times=2)
    assert result.conversation_id != theirs.conversation_id


def unknown(result):
    return isinstance(result, SendNotConfirmed) and result.unknown


def press_breaks(monkeypatch, error, *, deaf=False):
    """The tab is gone under the press, before it was done, and whoever presses cannot know.
    `deaf`: it was done, and nothing of it is heard."""
    press = submit._press

    async def breaks(place, *given, **named):
        if deaf:
            place.ear.hear = lambda _one: None
            place.ear.request = lambda *_both: None
            await press(place, *given, **named)
        given[-1].began = True
        place.ear.befell = told.Befell(0.0, "closed", "the tab was closed", "", True)
        raise error

    monkeypatch.setattr(submit, "_press", breaks)
