"""What may go wrong under a watcher, done to a real browser. Each ends in a named state.

The promise in question stands in each docstring; its time is the test's bound.
"""

import asyncio
import os
import signal
import time

import pytest

from kit.carriers import both_carriers
from kit.chromium import connect_to
from kit.proxy import proxy_to
from kit.watched import watching
from tabwire.browser.launch import Launch, launched
from tabwire.lab.plan import plan_for
from tabwire.monitor import sightings as told
from tabwire.sites.known import SITES

__all__ = ["both_carriers"]

pytestmark = pytest.mark.asyncio

SAY = 20.0  # seconds: every failure is named in five, on a machine that is not busy
LONG = "lab: pieces=2000 every=0.05 first=0.05 seed=7"  # still being written when it happens
SHORT = "lab: pieces=20 every=0.02 first=0.05 think=1 seed=8"


async def under_way(tab, prompt=LONG):
    """Ask for a long answer and wait until some of it is there."""
    await tab.ask(prompt)
    await tab.until(told.Grew, lambda one: not one.thinking)


async def ends(tab, what):
    """The tab's end is told in time, the answer is partial, and what came of it is kept."""
    befell = await tab.until(told.Befell, lambda one: one.over, seconds=SAY)
    assert befell.what == what
    assert befell.words
    assert befell.remedy
    verdict = await tab.verdict(seconds=SAY)
    assert verdict.judgement == "partial"
    assert verdict.text
    assert verdict.text == tab.text()
    assert plan_for(LONG).text.startswith(verdict.text)
    assert str(tab.of(told.StateMoved)[-1].after) == "disposed"
    assert (await asyncio.wait_for(asyncio.shield(tab.end), SAY)) == befell


async def test_a_tab_that_is_closed_ends_the_watch(lab_browser_url):
    """Promise: say, truth."""
    async with watching(lab_browser_url, "chatgpt") as tab:
        await under_way(tab)
        async with await connect_to(lab_browser_url) as other:
            await other.call("Target.closeTarget", {"targetId": tab.tab.target})
        await ends(tab, "closed")


async def test_a_tab_that_crashes_ends_the_watch(lab_browser_url):
    """Promise: say, truth."""
    async with watching(lab_browser_url, "grok") as tab:
        await under_way(tab)
        tab.hand.session.send("Page.crash", on_reply=lambda _outcome: None)
        await ends(tab, "crashed")


async def test_a_browser_that_is_killed_ends_the_watch(chromium, lab):
    """Promise: say, truth."""
    wish = Launch(chromium, more_flags=lab.flags)
    async with launched(wish) as browser, watching(browser.endpoint.url, "gemini") as tab:
        await under_way(tab)
        assert browser.pid is not None
        os.kill(browser.pid, signal.SIGKILL)
        await ends(tab, "disconnected")


async def test_a_socket_that_is_cut_ends_the_watch(chromium, lab):
    """Promise: say, truth. The browser lives on; only our line to it is gone."""
    async with (
        launched(Launch(chromium, more_flags=lab.flags)) as browser,
        proxy_to(browser.endpoint) as (proxy, endpoint),
        watching(endpoint.url, "chatgpt") as tab,
    ):
        await under_way(tab)
        proxy.cut()
        await ends(tab, "disconnected")


async def test_after_a_reload_the_stored_conversation_finishes_the_answer(lab_browser_url):
    """Promise: truth. The stream breaks off, the site goes on, the page reads it again."""
    async with watching(lab_browser_url, "chatgpt") as tab:
        prompt = "lab: pieces=40 every=0.05 first=0.05 seed=9"
        await under_way(tab, prompt)
        await tab.until(told.Moved)  # the chat has its address
        await tab.hand.session.call("Page.reload")
        await tab.until(told.Befell, lambda one: one.what == "reloaded", seconds=SAY)
        verdict = await tab.verdict()
        assert verdict.judgement in ("partial", "complete")
        text = plan_for(prompt).text
        whole = verdict.text == text if verdict.complete else text.startswith(verdict.text)
        assert whole, (verdict, tab.story())


async def test_a_tab_that_goes_elsewhere_leaves_a_partial_answer(lab_browser_url):
    """Promise: say, truth."""
    async with watching(lab_browser_url, "grok") as tab:
        await under_way(tab)
        await tab.until(told.Moved)
        await tab.hand.session.call("Page.navigate", {"url": "https://chatgpt.com/"})
        verdict = await tab.verdict(seconds=SAY)
        assert verdict.judgement == "partial"
        assert plan_for(LONG).text.startswith(verdict.text)
        assert str(tab.of(told.StateMoved)[-1].after) == "disposed"


async def test_a_frozen_tab_is_told_and_goes_on_after_it_thaws(lab_browser_url):
    """Promise: say. Freezing stops the page, not the answer."""
    async with watching(lab_browser_url, "chatgpt") as tab:
        await under_way(tab, "lab: pieces=60 every=0.03 first=0.05 seed=10")
        freeze, active = {"state": "frozen"}, {"state": "active"}
        await tab.hand.session.call("Page.setWebLifecycleState", freeze)
        await tab.until(told.Befell, lambda one: one.what == "frozen", seconds=SAY)
        await tab.hand.session.call("Page.setWebLifecycleState", active)
        await tab.until(told.Befell, lambda one: one.what == "thawed", seconds=SAY)
        verdict = await tab.verdict()
        assert verdict.complete


async def test_an_answer_begun_before_we_listened_is_said_to_be_unheard(lab_browser_url):
    """Promise: truth. The page alone proves nothing, so it ends as partial, with its text."""
    prompt = "lab: pieces=60 every=0.05 first=0.01 think=0 seed=11"

    async def begin(tab):
        await tab.ask(prompt)
        seen = "document.querySelector('[data-markdown-text-style]')?.textContent.length > 20"
        until = f"""new Promise(done => {{
            const look = () => {{ if ({seen}) {{ watch.disconnect(); done(true); }} }};
            const watch = new MutationObserver(look);
            watch.observe(document, {{subtree: true, childList: true, characterData: true}});
            look();
        }})"""
        how = {"expression": until, "awaitPromise": True}
        await tab.hand.session.call("Runtime.evaluate", how)

    async with watching(lab_browser_url, "chatgpt", before=begin) as tab:
        await tab.until(told.Unheard)
        verdict = await tab.verdict(seconds=30)
        assert verdict.judgement == "partial"
        assert not verdict.complete
        assert verdict.text_from == "dom_hint"
        letters = "".join(filter(str.isalnum, plan_for(prompt).text))
        assert "".join(filter(str.isalnum, verdict.text)) == letters


SIZES = [
    ("instant", "lab: pieces=3 every=0 first=0 think=0 seed=12"),
    ("in one piece", "lab: pieces=1 every=0 first=0 think=0 chars=2000 seed=13"),
    ("large", "lab: pieces=200 every=0 first=0 think=0 chars=2000 seed=14"),
]


@pytest.mark.parametrize("prompt", [c[1] for c in SIZES], ids=[c[0] for c in SIZES])
@pytest.mark.parametrize("site", SITES)
@pytest.mark.rows(3, first=2)
async def test_no_answer_is_too_fast_or_too_large(site, prompt, lab_browser_url):
    """Promise: truth. All of it before we can blink, or far more than anybody reads."""
    async with watching(lab_browser_url, site) as tab:
        await tab.ask(prompt)
        verdict = await tab.verdict(seconds=60)
        assert verdict.complete
        assert verdict.text == plan_for(prompt).text


TROUBLE = [
    ("throws", "setInterval(() => { throw new Error('no'); }, 1)"),
    ("floods the console", "setInterval(() => { for (let i=0;i<200;i++) console.log(i); }, 10)"),
    (
        "floods the page",
        "setInterval(() => { for (let i=0;i<300;i++) "
        "document.body.append(document.createElement('i')); }, 30)",
    ),
    ("loops", "setTimeout(() => { const end = Date.now() + 1500; while (Date.now() < end); }, 50)"),
    (
        "breaks its builtins",
        "JSON.stringify = Array.prototype.map = Element.prototype.matches ="
        " document.querySelector = MutationObserver = () => { throw new Error('mine'); }",
    ),
]


@pytest.mark.parametrize("script", [c[1] for c in TROUBLE], ids=[c[0] for c in TROUBLE])
@pytest.mark.rows(1, first=1)
async def test_a_page_in_trouble_does_not_trouble_the_watch(script, lab_browser_url):
    """Promise: truth, back. The prompt is sent by the page before its trouble begins."""
    async with watching(lab_browser_url, "grok") as tab:
        await tab.ask(SHORT)
        await tab.run(script)
        verdict = await tab.verdict(seconds=30)
        assert verdict.complete
        assert verdict.text == plan_for(SHORT).text


async def test_an_answer_without_end_is_told_as_it_grows_and_never_judged(lab_browser_url):
    """Promise: truth."""
    async with watching(lab_browser_url, "grok") as tab:
        await under_way(tab)
        for _ in range(10):
            told_so_far = len(tab.text())
            await tab.until(told.Grew, lambda one: len(tab.text()) > told_so_far)  # noqa: B023
        assert not tab.of(told.Judged)
        assert plan_for(LONG).text.startswith(tab.text())


LIMITS = [("chatgpt", 3600), ("gemini", 3 * 3600), ("grok", 1800)]  # seconds, as the lab has them


@pytest.mark.parametrize("site, seconds", LIMITS)
async def test_a_limit_says_when_it_is_over(lab_browser_url, site, seconds):
    """Promise: say. Each site says it in its own place: body, quota, header."""
    before = time.time()
    async with watching(lab_browser_url, site) as tab:
        await tab.ask("Until when?\nlab: story=limit-until")
        refusal = (await tab.verdict()).refusal
    assert refusal is not None
    resets = refusal.resets_at or time.time() + (refusal.resets_in or 0.0)
    assert before + seconds - 1 <= resets <= time.time() + seconds
