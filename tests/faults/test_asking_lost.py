"""What may break under an ask, done to a real browser: the answer is found, nothing sent twice.

What befalls a tab alone is in test_asking_stories.py.
"""

import asyncio
import os
import signal
import time

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
    staged_url,
    tab_where,
    tabs_of,
)
from kit.carriers import both_carriers
from kit.proxy import proxy_to
from kit.turns import by_turns
from tabwire.browser.launch import Launch, launched
from tabwire.hub import LocalHub
from tabwire.hub.jobs.books import opened_books
from tabwire.lab.plan import plan_for
from tabwire.model.ask import (
    Answer,
    AskRequest,
    ConversationKnown,
    Phase,
    PhaseBegan,
    PromptLeft,
    Step,
    TextCame,
)
from tabwire.model.ask_errors import AnswerTimedOut, AskError, TabClosed
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES
from tabwire.store.rows import Owner

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking-killed"),
    pytest.mark.usefixtures("asking_home"),
]

LONG = {"pieces": 80, "every": 0.05}  # still being written when it happens


def right(lab, request, result):
    assert isinstance(result, Answer), in_words(result)
    assert result.complete, (in_words(result), result.problems)
    assert result.text == plan_for(request.prompt).text
    assert len(prompts_in(lab, request.prompt)) == 1


@pytest.mark.parametrize("site", by_turns("cut_in_the", tuple(SITES)))
async def test_a_line_that_is_cut_in_the_middle_is_made_anew(site, chromium, lab):
    """The browser lives on; only our line to it is gone. The answer is found by its chat."""
    request = AskRequest(site, new_prompt(seed=401, **LONG))
    async with (
        launched(Launch(chromium, more_flags=lab.flags)) as browser,
        proxy_to(browser.endpoint) as (proxy, through),
        begun(through.url, request) as ask,
    ):
        await ask.until(ConversationKnown)
        await ask.until(TextCame, lambda one: not one.thinking)
        proxy.cut()
        right(lab, request, await ask.result())
        assert ask.text() in plan_for(request.prompt).text


@pytest.mark.parametrize("site", by_turns("cut_as_the", tuple(SITES)))
async def test_a_line_that_is_cut_as_the_prompt_leaves_sends_nothing_again(site, chromium, lab):
    """No name of the chat is known yet: the newest chats are looked through for the question."""
    request = AskRequest(site, new_prompt(seed=402, first=1.0, **LONG))
    async with (
        launched(Launch(chromium, more_flags=lab.flags)) as browser,
        proxy_to(browser.endpoint) as (proxy, through),
    ):

        def cut(event):
            if isinstance(event, PromptLeft):
                proxy.cut()

        (result,), _events = await asked(through.url, request, tell=cut)
        right(lab, request, result)


@pytest.mark.parametrize("site", by_turns("cut_before_send", tuple(SITES)))
async def test_a_line_that_is_cut_before_send_means_that_nothing_left(site, chromium, lab):
    request = AskRequest(site, new_prompt("word " * 500, seed=403))
    async with (
        launched(Launch(chromium, more_flags=lab.flags)) as browser,
        proxy_to(browser.endpoint) as (proxy, through),
        begun(through.url, request) as ask,
    ):
        await ask.until(PhaseBegan, lambda one: one.phase is Phase.INPUT)
        proxy.cut()
        result = await ask.result()
        assert isinstance(result, AskError), in_words(result)
        assert result.retry is Retry.SAME, in_words(result)
        assert not prompts_in(lab, request.prompt)
        right(lab, request, await answered(browser.endpoint.url, request))


async def test_a_browser_restarted_in_the_middle_has_the_answer_after_all(chromium, lab):
    """F01, F02: what was seen is kept as partial, and fetched whole from the browser after it."""
    request = AskRequest("chatgpt", new_prompt(seed=404, **LONG))
    async with (
        launched(Launch(chromium, more_flags=lab.flags)) as browser,
        begun(browser.endpoint.url, request) as ask,
    ):
        await ask.until(TextCame, lambda one: not one.thinking)
        await ask.until(ConversationKnown)
        assert browser.pid is not None
        os.kill(browser.pid, signal.SIGKILL)
        result = await ask.result()
    assert isinstance(result, Answer), in_words(result)
    assert not result.complete
    assert plan_for(request.prompt).text.startswith(result.text)
    assert any("tabwire fetch" in one for one in result.problems)
    async with launched(Launch(chromium, more_flags=lab.flags)) as another:
        found = await LocalHub().asks.fetch(result.id, browser=f"attach={another.endpoint.url}")
        right(lab, request, found)


@pytest.mark.parametrize("site", ["grok", pytest.param("chatgpt", marks=pytest.mark.soak)])
async def test_what_ran_out_of_time_is_fetched_later(site, lab, lab_browser_url):
    """--timeout is the person's patience, not the site's: nothing is stopped or asked again."""
    prompt = new_prompt(told="story=pause", pace=2, every=0.01)
    request = AskRequest(site, prompt, timeout_seconds=3.0)
    async with begun(lab_browser_url, request) as ask:
        result = await ask.result()
    assert isinstance(result, AnswerTimedOut), in_words(result)
    assert result.retry is Retry.RESUME
    found = await LocalHub().asks.fetch(str(result.attempt_id), browser=f"attach={lab_browser_url}")
    right(lab, request, found)


async def test_a_tab_closed_before_anything_was_sent_is_named(lab, lab_browser_url):
    """F04. The page comes alive late, so there is time to close it."""
    request = AskRequest("chatgpt", new_prompt(seed=406), url=staged_url("chatgpt", "hydrate:5"))
    words = str(request.url).partition("?")[2]
    async with begun(lab_browser_url, request) as ask, tabs_of(lab_browser_url) as tabs:
        await ask.until(PhaseBegan, lambda one: one.phase is Phase.WAIT_INPUT)
        tab = await tab_where(tabs, lambda info: words in info.url)
        await tabs.close(tab.target)
        result = await ask.result()
    assert isinstance(result, TabClosed), in_words(result)
    assert result.retry is Retry.SAME
    assert not prompts_in(lab, request.prompt)


async def test_fetch_of_an_answer_that_is_still_written_waits_for_its_end(lab, lab_browser_url):
    request = AskRequest("grok", new_prompt(seed=407, **LONG))
    async with begun(lab_browser_url, request) as ask:
        known = await ask.until(ConversationKnown)
    async with asyncio.timeout(60):
        found = await LocalHub().asks.fetch(known.attempt_id, browser=f"attach={lab_browser_url}")
    right(lab, request, found)


@pytest.mark.soak
@pytest.mark.parametrize(
    "site", ["grok", *(pytest.param(one, marks=pytest.mark.soak) for one in ("chatgpt", "gemini"))]
)
async def test_a_question_below_many_newer_chats_is_found_and_not_sent_again(
    site, lab, lab_browser_url, tmp_path
):
    """Whoever sent it died before they knew, its tab is gone, and others went on asking."""
    request = AskRequest(site, new_prompt(seed=408))
    began = time.time() - 5.0  # long before Send was pressed
    with home_at(tmp_path / "theirs"):
        right(lab, request, await answered(lab_browser_url, request))
        for number in range(4):
            await answered(lab_browser_url, AskRequest(site, new_prompt(seed=409 + number)))
    with home_at(tmp_path / "ours"):
        await died_sending(request, began)
        right(lab, request, await answered(lab_browser_url, request))


async def test_an_old_answer_to_the_same_question_is_never_taken_for_ours(
    lab, lab_browser_url, tmp_path
):
    """It was asked before, by somebody else; ours may have left, and nobody can know."""
    request = AskRequest("grok", new_prompt(seed=413))
    with home_at(tmp_path / "theirs"):
        right(lab, request, await answered(lab_browser_url, request))
    with home_at(tmp_path / "ours"):
        await died_sending(request, time.time())
        (result,), _events = await asked(lab_browser_url, request)
    assert isinstance(result, AskError), in_words(result)
    assert result.retry is Retry.RESUME
    assert len(prompts_in(lab, request.prompt)) == 1


async def died_sending(request, at):
    """An ask that was about to press Send when its process died."""
    async with opened_books() as books:
        nobody = Owner(2**22 + 1, 1.0)  # a process that cannot be there
        row, _ = await books.store.begin(request, nobody, at)
        await books.store.note(row.id, Step.SENDING, at)
