"""Pages that seem to stand in the way of an ask: a Stop that hangs, a challenge that is none."""

from dataclasses import replace

import pytest

from kit.asking import (
    asked,
    asking_home,
    begun,
    in_words,
    new_prompt,
    prompts_in,
    staged_url,
    tabs_of,
)
from kit.carriers import both_carriers
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest, StillWaiting
from tabwire.model.ask_errors import GeminiStuckNoResponse, GeminiStuckStopButton
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

RELOADS = 2  # seed 001, 9.3: at most


@pytest.fixture
def quick_gemini(monkeypatch):
    """Gemini hangs sooner: its waits are as long as they are for people's sake."""
    site = SITES["gemini"]
    timings = replace(site.page.timings, stuck_seconds=1.0)
    quick = replace(site, page=replace(site.page, timings=timings))
    monkeypatch.setitem(SITES, "gemini", quick)


async def loads_of(url, words):
    """How often the page of this stage was loaded in its tab."""
    async with tabs_of(url) as tabs:
        (info,) = [one for one in await tabs.list() if words in one.url]
        tab = await tabs.attach(info.target)
        what = {"expression": "Number(sessionStorage.getItem('lab-loads' + location.search))"}
        return (await tab.session.call("Runtime.evaluate", what))["result"]["value"]


@pytest.mark.usefixtures("quick_gemini")
@pytest.mark.parametrize("stuck", [1, RELOADS])
@pytest.mark.rows(1)
async def test_a_stop_that_hangs_is_loaded_away_and_the_prompt_sent_once(
    stuck, lab, lab_browser_url
):
    prompt = new_prompt(pieces=4)
    request = AskRequest("gemini", prompt, url=staged_url("gemini", f"stuck:{stuck}"))
    ((answer,), _events) = await asked(lab_browser_url, request)
    assert isinstance(answer, Answer), in_words(answer)
    assert answer.complete
    assert answer.text == plan_for(prompt).text
    assert len(prompts_in(lab, prompt)) == 1
    mark = str(request.url).rpartition(",")[2]
    assert await loads_of(lab_browser_url, mark) == 1 + stuck


@pytest.mark.usefixtures("quick_gemini")
async def test_a_stop_that_hangs_for_good_is_named_and_nothing_is_sent(lab, lab_browser_url):
    prompt = new_prompt(pieces=4)
    request = AskRequest("gemini", prompt, url=staged_url("gemini", "stuck:99"))
    ((error,), _events) = await asked(lab_browser_url, request)
    assert isinstance(error, GeminiStuckStopButton), in_words(error)
    assert error.code == "GEMINI_STUCK_STOP_BUTTON"
    assert error.retry is Retry.SAME
    assert not prompts_in(lab, prompt)
    mark = str(request.url).rpartition(",")[2]
    assert await loads_of(lab_browser_url, mark) == 1 + RELOADS


async def test_a_gemini_that_shows_stop_and_never_writes_is_said_and_not_waited_for_for_ever(
    lab, lab_browser_url, monkeypatch
):
    """It waited for all of --timeout, without a word."""
    site = SITES["gemini"]
    timings = replace(site.page.timings, first_output_seconds=1.0, answer_seconds=2.0)
    monkeypatch.setitem(SITES, "gemini", replace(site, page=replace(site.page, timings=timings)))
    request = AskRequest("gemini", new_prompt(told="story=unconfirmed"))
    async with begun(lab_browser_url, request) as ask:
        began = await ask.until(StillWaiting, lambda one: "wait `first_output`" in one.why)
        assert "the page's own activity indicator" in began.why
        error = await ask.result()
    assert isinstance(error, GeminiStuckNoResponse), in_words(error)
    assert "wait `answer`" in str(error)
    assert error.retry is Retry.RESUME
    assert len(prompts_in(lab, request.prompt)) == 1


async def test_the_script_of_a_challenge_on_a_healthy_page_stops_nobody(lab, lab_browser_url):
    """st-cloudflare-false. The page comes alive late, so that the script is there before it."""
    prompt = new_prompt(pieces=4)
    url = staged_url("chatgpt", "challenge_script,hydrate:1")
    ((answer,), _events) = await asked(lab_browser_url, AskRequest("chatgpt", prompt, url=url))
    assert isinstance(answer, Answer), in_words(answer)
    assert answer.text == plan_for(prompt).text
    assert len(prompts_in(lab, prompt)) == 1
