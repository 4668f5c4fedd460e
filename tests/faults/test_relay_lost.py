"""The extension itself in trouble in the middle of an answer. Promises: back, say, send.

F10: reloaded, as an update does it. F11: switched off. F12: a second one comes. F14: the machine
slept. And a browser for which the sites are what they are in the world, public, and the hub is not.
"""

import asyncio

import psutil
import pytest

from kit.asking import answered, asking_home, begun, in_words, new_prompt, prompts_in
from kit.carriers import relay_to
from kit.extension import extension_at, flags_for_extension
from tabwire.browser.launch import Launch, launched
from tabwire.hub import LocalHub
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest, TextCame

__all__ = ["asking_home"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("extension"),
    pytest.mark.usefixtures("asking_home"),
]

SITES = ("chatgpt", "gemini", "grok")


@pytest.mark.soak
@pytest.mark.parametrize("site", SITES)
async def test_an_extension_reloaded_in_the_middle_goes_on(site, lab, relay, extension_browser_url):
    prompt = new_prompt(seed=821, pieces=60, every=0.03)
    async with begun(extension_browser_url, AskRequest(site, prompt)) as ask:
        await ask.until(TextCame, lambda one: not one.thinking)
        await relay.extension.reload()
        result = await ask.result()
    assert isinstance(result, Answer), in_words(result)
    assert result.completeness == "complete", in_words(result)
    assert result.text.strip() == plan_for(prompt).text.strip()
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.soak
async def test_an_extension_switched_off_in_the_middle_is_said_and_the_answer_found_later(
    lab, relay, extension_browser_url
):
    prompt = new_prompt(seed=822, pieces=60, every=0.03)
    request = AskRequest("grok", prompt)
    async with begun(extension_browser_url, request) as ask:
        await ask.until(TextCame, lambda one: not one.thinking)
        await relay.extension.switch(on=False)
        try:
            result = await ask.result()
        finally:
            await relay.extension.switch(on=True)
    assert isinstance(result, Answer), in_words(result)
    assert result.completeness == "partial", in_words(result)
    await relay.relays.wait_connected(60)
    found = await LocalHub().asks.fetch(
        "last", site="grok", browser=f"attach={extension_browser_url}"
    )
    assert found.text.strip() == plan_for(prompt).text.strip()
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.soak
async def test_sites_of_the_public_net_do_not_keep_the_hub_from_being_reached(
    lab, chromium, tmp_path
):
    """A page there may open no socket to this machine; the worker may."""
    public = f"--ip-address-space-overrides=127.0.0.1:{lab.port}=public"
    flags = (*lab.flags, *flags_for_extension(), public)
    prompt = new_prompt(seed=823, pieces=10)
    async with launched(Launch(chromium, more_flags=flags)) as browser:
        url = browser.endpoint.url
        async with relay_to(url, tmp_path) as relayed:
            answer = await answered(url, AskRequest("grok", prompt))
            assert answer.text.strip() == plan_for(prompt).text.strip()
            assert relayed.relays.connected
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.soak
async def test_a_second_browser_is_sent_away_and_the_first_keeps_its_ask(
    lab, relay, chromium, extension_browser_url
):
    """F12: it is told who is there, and the person decides."""
    prompt = new_prompt(seed=824, pieces=60, every=0.05)
    flags = (*lab.flags, *flags_for_extension())
    async with (
        launched(Launch(chromium, more_flags=flags)) as browser,
        begun(extension_browser_url, AskRequest("grok", prompt)) as ask,
        extension_at(browser.endpoint.url) as second,
    ):
        await ask.until(TextCame, lambda one: not one.thinking)
        await second.point_at(relay.proxy.port)
        code = (await relay.relays.pair()).code
        answer = await second.says(what="pair", code=code)
        assert (answer["ok"], answer["why"]) == (False, "busy"), answer
        assert answer["message"]
        assert answer["what_to_do"]
        result = await ask.result()
    assert isinstance(result, Answer), in_words(result)
    assert result.text.strip() == plan_for(prompt).text.strip()
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.soak
async def test_a_machine_that_slept_in_the_middle_goes_on(lab, chromium, tmp_path):
    """The whole browser stands still, and its line dies meanwhile without a word to it."""
    prompt = new_prompt(seed=825, pieces=80, every=0.05)
    flags = (*lab.flags, *flags_for_extension())
    async with launched(Launch(chromium, more_flags=flags)) as browser:
        url = browser.endpoint.url
        async with (
            relay_to(url, tmp_path) as relayed,
            begun(url, AskRequest("chatgpt", prompt)) as ask,
        ):
            await ask.until(TextCame, lambda one: not one.thinking)
            whole = psutil.Process(browser.pid)
            asleep = [whole, *whole.children(recursive=True)]
            for process in asleep:
                process.suspend()
            try:
                relayed.proxy.reset()
                async with asyncio.timeout(60):
                    while relayed.relays.connected:
                        await asyncio.sleep(0)
            finally:
                for process in asleep:
                    process.resume()
            result = await ask.result()
    assert isinstance(result, Answer), in_words(result)
    assert result.text.strip() == plan_for(prompt).text.strip()
    assert len(prompts_in(lab, prompt)) == 1
