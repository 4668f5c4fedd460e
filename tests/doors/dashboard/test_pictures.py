"""The pictures of the dashboard in docs/images, taken of the real thing.

`TABWIRE_PICTURES=1 pytest -m soak tests/doors/dashboard/test_pictures.py` writes them anew;
otherwise they are taken all the same, into a temporary folder.
"""

import asyncio

import pytest

from extension.test_pictures import album, can_be_drawn, picture
from kit.chromium import Aside
from kit.dashboard import LIVE, go, press, tab_at, ticket_of, until
from kit.extension import value_of
from kit.relay_hub import relay_hub
from kit.relay_peer import FakeChrome, SentAway
from tabwire.browser.find import Found
from tabwire.browser.launch import Launch, launched
from tabwire.hub.browsers.routes import InUse
from tabwire.hub.relay.extension_files import extension_version
from tabwire.model.ask import AskRequest, Completeness, Phase
from tabwire.model.failure import Failure
from tabwire.model.job import Asker, Door, JobState

pytestmark = [pytest.mark.soak, pytest.mark.asyncio]

__all__ = ["album", "can_be_drawn"]


@pytest.fixture(params=["en", "ja"])
def language(request):
    return request.param


@pytest.fixture
def speaking_url(language: str, aside: Aside, chromium: Found, monkeypatch) -> str:
    """A browser that speaks this language."""
    monkeypatch.setenv("LANGUAGE", language)
    monkeypatch.setenv("LANG", f"{language}.UTF-8")
    flags = (f"--lang={language}", f"--accept-lang={language}", "--hide-scrollbars")
    return aside.enter(launched(Launch(chromium, more_flags=flags))).endpoint.url


TABS = (
    InUse("1", "https://gemini.google.com/app", "Tides and the moon", "extension", job="job-4"),
    InUse("2", "https://grok.com/c/1", "Grok", "extension", by="terminal"),
)
"""Tabs in use, as jobs have them."""


SHOWN = ("", "-pairing")  # in the docs; the others are for whoever wants to look
BLUE = (
    "Sunlight is scattered by the air, short waves far more than long ones. So from every "
    "direction blue light reaches the eye."
)
PLANS = "Compare these three plans for the cache, point by point."
TIDES = "Explain spring tides to a child who has never seen the sea."


async def asked(jobs):
    """A few questions, as a day brings them."""
    claude, me = Asker("claude", Door.MCP, "Claude Code"), Asker("terminal", Door.CLI)

    async def ask(site, prompt, asker):
        (job,) = await jobs.submit([AskRequest(site, prompt)], asker)
        return job.id

    await jobs.answer(await ask("chatgpt", "Why is the sky blue?", me), BLUE)
    half = await ask("grok", PLANS, claude)
    stopped = {"completeness": Completeness.STOPPED}
    await jobs.answer(half, "1. Write-through: simple, and slow under", **stopped)
    wall = await ask("gemini", "Review the diff for races.", claude)
    error = Failure("login", "gemini: you are not logged in", "Log in: `tabwire login gemini`.")
    await jobs.happens(wall, None, state=JobState.INPUT_REQUIRED, error=error)
    await jobs.at(await ask("gemini", TIDES, claude), Phase.ANSWERING, 1284)


async def test_pictures_of_the_dashboard(tmp_path, monkeypatch, speaking_url, album, language):
    end = "" if language == "en" else f"-{language}"

    async def take(name, **more):
        how = {"width": 1160, "scale": 1, "most": 250_000, **more}
        folder = album if name in SHOWN else tmp_path
        await picture(page, folder / f"dashboard{name}{end}.png", **how)

    async with (
        asyncio.timeout(200),
        relay_hub(tmp_path, monkeypatch) as hub,
        tab_at(speaking_url, await ticket_of(hub.door)) as page,
    ):
        await until(page, LIVE)
        assert await value_of(page, "document.documentElement.lang") == language
        await take("-new")
        await asked(hub.door.jobs)
        await press(page, "#pair")
        code = await until(page, "document.querySelector('#code').textContent")
        await until(page, "document.querySelectorAll('#last li').length === 3")
        await take("-pairing")
        await take("-pairing-dark", scheme="dark")
        async with hub.peer(install="3f9a-everyday", version=extension_version()) as peer:
            FakeChrome(peer)
            hub.door.hub.browsers.in_use = TABS
            await peer.pair(code)
            await until(page, "document.querySelector('#pair_said[data-tone=good]')")
            await until(page, "document.querySelectorAll('#tabs li').length === 2")
            await take("")
            await take("-dark", scheme="dark")
            async with hub.peer(install="b71c-work", chrome="157") as second:
                told = await second.say_hello()
                with pytest.raises(SentAway, match="busy"):
                    await second.type_code((await hub.relays.pair()).code, told)
            await until(page, "document.querySelector('#asking li')")
            await take("-second")
            await take("-narrow", width=400)
            hub.door.hub.browsers.in_use = ()
        await go(page, f"http://127.0.0.1:{hub.port}/dashboard/enter/used")
        await take("-used", width=700, height=420)
