"""The line of the extension in trouble in the middle of an answer: whole all the same, asked once.

Promises: back, truth, send. The faults are F08, F13 and F14; those of other kinds are in
test_relay_lost.py and extension/test_worker_line.py.
"""

import asyncio

import pytest

from kit.asking import asking_home, begun, in_words, new_prompt, prompts_in
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest, TextCame

__all__ = ["asking_home"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("extension"),
    pytest.mark.usefixtures("asking_home"),
]


async def reset(relay):
    """F13: a RST."""
    relay.proxy.reset()


async def reset_twice(relay):
    """Once more as soon as it is back."""
    for _ in range(2):
        relay.proxy.reset()
        async with asyncio.timeout(60):
            while relay.relays.connected:
                await asyncio.sleep(0)
            await relay.relays.wait_connected(60)


async def swallow(relay):
    """F14: nothing is passed on, and nobody is told; found dead by the extension's own clock."""
    relay.proxy.open.clear()
    times = "Object.assign(tabwire.TIMES, {quiet: 100, deaf: 300})"
    came = relay.proxy.callers
    await relay.extension.evaluate(times)
    async with asyncio.timeout(60):
        while relay.proxy.callers == came:
            relay.proxy.called.clear()
            await relay.proxy.called.wait()
    await relay.extension.evaluate("Object.assign(tabwire.TIMES, {quiet: 20000, deaf: 35000})")
    relay.proxy.open.set()


async def stop_worker(relay):
    """F08: the worker is ended as Chrome ends an idle one."""
    await relay.extension.stop_worker()


FAULTS = [reset, reset_twice, swallow, stop_worker]
SITES = ("chatgpt", "gemini", "grok")
ROWS = [
    pytest.param(fault, site, id=f"{fault.__name__}-{site}") for fault in FAULTS for site in SITES
]


@pytest.mark.parametrize("fault, site", ROWS)
@pytest.mark.rows(2, first=1)
async def test_an_answer_in_the_middle_of_which_the_line_broke_is_whole(
    fault, site, lab, relay, extension_browser_url
):
    prompt = new_prompt(seed=811, pieces=60, every=0.03)
    async with begun(extension_browser_url, AskRequest(site, prompt)) as ask:
        await ask.until(TextCame, lambda one: not one.thinking)
        await fault(relay)
        result = await ask.result()
    assert isinstance(result, Answer), in_words(result)
    assert result.completeness == "complete", in_words(result)
    assert result.text.strip() == plan_for(prompt).text.strip()
    assert len(prompts_in(lab, prompt)) == 1
