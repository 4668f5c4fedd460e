"""A person stops an answer, in the page or through us: it is over at once, and never complete.

Grok stores what was stopped as if it were whole; Gemini says nothing at all of a Stop.
"""

import asyncio

import pytest

from kit.asking import (
    asked,
    asking_home,
    begun,
    fated,
    in_words,
    new_prompt,
    prompts_in,
    staged_url,
)
from tabwire.asking.recovery import recovery as recover
from tabwire.hub import LocalHub
from tabwire.hub.jobs.ask_runner import AskControl
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest, Completeness, ConversationKnown, TextCame
from tabwire.sites.known import SITES

__all__ = ["asking_home"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

LONG = {"pieces": 4000, "every": 0.05}  # three minutes: no test waits for its end
SOON_SECONDS = 30.0  # "at once", on a busy machine; a reading that waits takes minutes


def cut_short(answer, prompt):
    """Whether it is what a person left of the lab's answer."""
    assert isinstance(answer, Answer), in_words(answer)
    assert answer.completeness is Completeness.STOPPED, in_words(answer)
    whole = plan_for(prompt).text
    assert answer.text
    assert whole.startswith(answer.text.rstrip())
    assert len(answer.text) < len(whole)


async def fetched(answer, url):
    """The same attempt, fetched."""
    return await LocalHub().asks.fetch(answer.id, browser=f"attach={url}")


@pytest.mark.parametrize("site", SITES)
@pytest.mark.rows(1, first=2)
async def test_an_answer_we_are_told_to_stop_is_over_at_once_and_stays_stopped(
    site, lab, lab_browser_url
):
    prompt = new_prompt(**LONG)
    control = AskControl()
    async with begun(lab_browser_url, AskRequest(site, prompt), control=control) as ask:
        await ask.until(TextCame, lambda one: not one.thinking and len(ask.text()) > 30)
        control.stop_site()
        answer = await ask.answer(SOON_SECONDS)
    cut_short(answer, prompt)
    again = await fetched(answer, lab_browser_url)
    assert (again.completeness, again.text) == (answer.completeness, answer.text)
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.parametrize("site", ["gemini", "grok"])
@pytest.mark.rows(1, first=1)
async def test_a_stop_pressed_in_the_page_is_never_forgotten(site, lab, lab_browser_url):
    story = "stopped-unsaid" if site == "gemini" else "stopped"
    prompt = new_prompt(told=f"story={story} pace=3", every=0.05)
    request = AskRequest(site, prompt, url=staged_url(site, f"story:{story}"))
    async with fated(lab, lab_browser_url, request), asyncio.timeout(100):
        ((answer,), _events) = await asked(lab_browser_url, request)
    cut_short(answer, prompt)
    again = await fetched(answer, lab_browser_url)
    assert (again.completeness, again.text) == (answer.completeness, answer.text)


async def test_an_answer_of_which_nothing_is_stored_yet_is_waited_for(
    lab, lab_browser_url, monkeypatch
):
    """Gemini stores an answer when it is whole; whoever fetches it before that waits."""
    monkeypatch.setattr(recover, "LOOKING_SECONDS", 2.0)  # for what is lost, not for what comes
    prompt = new_prompt(told="story=stored-late pace=5", every=0.02)
    request = AskRequest("gemini", prompt)
    async with begun(lab_browser_url, request) as ask:
        known = await ask.until(ConversationKnown)
    answer = await LocalHub().asks.fetch(known.attempt_id, browser=f"attach={lab_browser_url}")
    assert answer.complete, in_words(answer)
    assert answer.text == plan_for(prompt).text
    assert len(prompts_in(lab, prompt)) == 1
