"""Real tabs of the lab, followed by their bytes: what is told is what the lab sent."""

import asyncio

import pytest

from kit.carriers import both_carriers, tabs_over
from kit.watched import watching
from tabwire.lab.plan import plan_for
from tabwire.monitor import told
from tabwire.monitor.follow import Wish, follow
from tabwire.sites.known import SITES

__all__ = ["both_carriers"]

pytestmark = pytest.mark.asyncio

EVERY_SITE = pytest.mark.parametrize("site", SITES)


@EVERY_SITE
async def test_an_answer_typed_by_hand_is_followed_to_its_proven_end(site, lab, lab_browser_url):
    prompt = f"Tell {site} about follow"
    async with watching(lab_browser_url, site) as tab:
        await tab.ask(prompt)
        verdict = await tab.verdict()
        assert verdict.complete
        assert verdict.text == plan_for(prompt).text == tab.text()
        assert [one.prompt for one in tab.of(told.Asked)] == [prompt]
        assert [str(one.after) for one in tab.of(told.StateMoved)][-1] == "completed_hint"
        page = await tab.until(told.Witnessed, lambda one: one.source == "dom_hint")
        assert "dom_hint: same text" in page.evidence
        assert tab.of(told.Judged)[0].history
        thinking = "".join(one.text for one in tab.of(told.Grew) if one.thinking)
        for thought in plan_for(prompt).thoughts:
            assert thought.strip() in thinking
    asked = [entry for entry in lab.ledger.entries if entry.prompt == prompt]
    assert len(asked) == 1


@EVERY_SITE
async def test_a_second_question_in_the_same_chat_is_another_attempt(site, lab_browser_url):
    first = "lab: pieces=5 every=0.02 seed=1"
    second = "lab: pieces=6 every=0.02 seed=2"
    async with watching(lab_browser_url, site) as tab:
        await tab.ask(first)
        assert (await tab.verdict()).text == plan_for(first).text
        await tab.until(told.Witnessed, lambda one: one.source == "dom_hint")
        await tab.ask(second)
        judged = await tab.until(told.Judged, lambda one: one.attempt != "a1")
        assert judged.verdict.complete
        assert judged.verdict.text == plan_for(second).text
        named = {one.verdict.conversation_id for one in tab.of(told.Judged)}
        assert len(named) == 1


@EVERY_SITE
async def test_a_reloaded_conversation_is_told_as_stored(site, lab_browser_url):
    prompt = "lab: pieces=5 every=0.02 seed=4"
    async with watching(lab_browser_url, site) as tab:
        await tab.ask(prompt)
        named = (await tab.verdict()).conversation_id
        await tab.until(told.Moved)
        await tab.hand.session.call("Page.reload")
        seen = await tab.until(
            told.Ready, lambda one: "second_sample" in str(one.readiness.reasons), seconds=10
        )
        assert seen.attempt == "a1"
        assert named


async def test_every_request_is_listed_with_its_class_and_sizes(lab_browser_url):
    wish = Wish(requests=True)
    prompt = "lab: pieces=8 every=0.05 seed=5"
    async with watching(lab_browser_url, "grok", wish) as tab:
        await tab.ask(prompt)
        answer = await tab.until(told.RequestTold, lambda one: one.kind == "answer")
        # Chromium says "canceled" of about one in four fetches that the page read to their end:
        # the page may see the end of the bytes before the loader hears of it
        assert answer.how in ("whole", "canceled")
        assert answer.bytes > answer.characters >= len(plan_for(prompt).text)
        assert "?" not in answer.url
        await tab.run("void fetch('/rest/app-chat/v9/talk', {method: 'POST', body: '{}'})")
        other = await tab.until(told.RequestTold, lambda one: one.url.endswith("/v9/talk"))
        assert other.kind == "ignored"
        assert other.status in (404, 405)


async def test_two_watchers_of_one_tab_are_told_the_same(lab_browser_url):
    prompt = "lab: pieces=20 every=0.02 seed=6"
    async with (
        watching(lab_browser_url, "chatgpt") as tab,
        tabs_over(lab_browser_url) as tabs,
    ):
        second = await tabs.attach(tab.tab.target)
        heard: list[told.Sighting] = []
        async with asyncio.TaskGroup() as group:
            other = group.create_task(follow(second, tab.site, heard.append))
            await tab.ask(prompt)
            verdict = await tab.verdict()
            await tab.until(told.Witnessed, lambda one: one.source == "dom_hint")
            other.cancel()
        (judged,) = [one for one in heard if isinstance(one, told.Judged)]
        assert judged.verdict.text == verdict.text == plan_for(prompt).text
        assert judged.verdict.complete
