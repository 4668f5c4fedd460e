"""Real tabs of the lab, followed by their bytes: what is told is what the lab sent."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

from kit.asking import tabs_of
from kit.carriers import both_carriers, tabs_over
from kit.watched import watching
from tabwire.lab.plan import plan_for
from tabwire.model.errors import TabwireError
from tabwire.monitor import sightings as told
from tabwire.monitor.follow import Wish, follow
from tabwire.sites.known import SITES

__all__ = ["both_carriers"]

pytestmark = pytest.mark.asyncio

EVERY_SITE = pytest.mark.parametrize("site", SITES)


@EVERY_SITE
@pytest.mark.rows(2, first=1)
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


async def test_a_dialog_of_the_page_is_told_and_its_end_too(lab_browser_url):
    """Promise: say. Until somebody answers it, the page stands still and tells nothing."""
    async with watching(lab_browser_url, "grok") as tab:
        alert = {"expression": "setTimeout(() => alert('Are you there?'), 0); 1"}
        await tab.hand.session.call("Runtime.evaluate", alert)
        shown = await tab.until(told.Befell, lambda one: one.what == "dialogopened")
        assert "(alert)" in shown.words
        assert shown.words.endswith("Are you there?")
        assert (shown.over, shown.remedy) == (False, "Answer it in the tab.")
        await tab.hand.session.call("Page.handleJavaScriptDialog", {"accept": True})
        await tab.until(told.Befell, lambda one: one.what == "dialogclosed")


async def test_a_page_that_does_not_load_is_told(lab_browser_url):
    """Promise: say."""
    offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
    async with watching(lab_browser_url, "grok") as tab:
        await tab.hand.session.call("Network.enable")
        await tab.hand.session.call("Network.emulateNetworkConditions", offline)
        await tab.hand.session.call("Page.reload")
        gone = await tab.until(told.Befell, lambda one: one.what == "notloaded")
        assert gone.words.startswith("the page did not load: https://grok.com/")
        assert not gone.over
        assert "network" in gone.remedy


async def first_befell(tab, site):
    """What is told first to have befallen a tab that is followed from now on."""
    heard = asyncio.Queue()
    async with asyncio.TaskGroup() as group:
        following = group.create_task(follow(tab, site, heard.put_nowait))
        while not isinstance(one := await asyncio.wait_for(heard.get(), 60), told.Befell):
            pass
        following.cancel()
    return one


async def test_a_page_that_was_not_there_from_the_beginning_is_told(lab_browser_url):
    async with tabs_of(lab_browser_url) as tabs:
        tab = await tabs.open("about:blank")
        with suppress(TabwireError):
            await tab.navigate("https://grok.com:1/")
        befell = await first_befell(tab, SITES["grok"])
    assert befell.what == "notloaded"
    assert befell.words == "the page did not load: https://grok.com:1/"


async def test_a_page_that_shows_nothing_we_know_is_told(lab_browser_url):
    page = SITES["grok"].page
    timings = replace(page.timings, load_seconds=0.2)
    site = replace(SITES["grok"], page=replace(page, timings=timings))
    async with tabs_of(lab_browser_url) as tabs:
        befell = await first_befell(await tabs.open("about:blank"), site)
    assert (befell.what, befell.over) == ("not_shown", False)
    assert befell.words.startswith("the page shows nothing recognisable of grok after 0.2 s")
