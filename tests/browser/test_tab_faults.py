"""What goes wrong around a tab ends in a named state: browser killed, line cut, tab discarded."""

import asyncio
import os
import signal
import time
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from kit.proxy import proxy_to
from tabwire.browser.endpoint import Endpoint
from tabwire.browser.errors import TabLost, TabNotResponding
from tabwire.browser.launch import Launch, launched
from tabwire.browser.tab_events import Closed, Discarded, Disconnected, Frozen, Navigated
from tabwire.browser.tabs import Tabs
from tabwire.cdp.connection import Connection
from tabwire.cdp.errors import ConnectionLost
from tabwire.cdp.websocket import connect

pytestmark = pytest.mark.asyncio

LONG = 60  # seconds: a browser of its own, on a busy machine
SAY = 20  # seconds: the promise `say` is five, on a machine that is not busy
CHAT = "data:text/html,<title>chat</title>"

DEEP = """const all = (selector, root = document) =>
  [...root.querySelectorAll("*")].flatMap((one) => [
    ...(one.matches(selector) ? [one] : []),
    ...(one.shadowRoot ? all(selector, one.shadowRoot) : []),
  ]);"""
ENABLE = f"{DEEP} all('cr-button').find((one) => /enable/i.test(one.innerText)).click()"
LINK = """all("tr").filter((row) => row.innerText.includes(TITLE))
  .flatMap((row) => [...row.querySelectorAll("[is=action-link]")])
  .find((link) => link.innerText.includes(WORD))"""


@pytest_asyncio.fixture
async def own(chromium, base):
    """A browser that a test may do anything to."""
    async with asyncio.timeout(LONG), launched(Launch(chromium)) as browser:
        yield browser


def heard(tab):
    events = asyncio.Queue()
    tab.on_life(events.put_nowait)

    async def soon():
        """The next thing that befalls it. That its first page was loaded may be told late."""
        async with asyncio.timeout(SAY):
            while isinstance(event := await events.get(), Navigated):
                pass
            return event

    return soon


async def never_answered(tab):
    with pytest.raises(ConnectionLost) as caught:
        await tab.session.call(
            "Runtime.evaluate", {"expression": "new Promise(() => 0)", "awaitPromise": True}
        )
    return caught.value


async def test_a_killed_browser_ends_every_tab_and_every_command(own):
    async with Connection(await connect(own.endpoint.url)) as line:
        tabs = Tabs(line)
        one, two = await tabs.open(CHAT), await tabs.open(CHAT)
        stories = heard(one), heard(two)
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(never_answered(one))
            assert await one.healthy()
            os.kill(own.pid, signal.SIGKILL)
            for soon in stories:
                assert isinstance(await soon(), Disconnected)
        assert waiting.result().command == "Runtime.evaluate"
        assert "connection to the browser was lost" in two.ended.words
        assert tabs.used == ()
        assert not await one.healthy()
        with pytest.raises(TabLost, match="connection"):
            one.check()
        with pytest.raises(ConnectionLost):
            await tabs.open(CHAT)
        await one.detach()


async def test_a_cut_socket_is_told_and_the_tab_is_there_for_the_next_line(browser_url):
    parts = urlsplit(browser_url)
    straight = Endpoint(parts.hostname, parts.port, parts.path)
    async with asyncio.timeout(LONG), proxy_to(straight) as (proxy, endpoint):
        async with Connection(await connect(endpoint.url)) as line:
            tab = await Tabs(line).open(CHAT)
            soon = heard(tab)
            async with asyncio.TaskGroup() as group:
                group.create_task(never_answered(tab))
                assert await tab.healthy()
                proxy.cut()
                event = await soon()
            assert isinstance(event, Disconnected)
            assert tab.ended is event
        async with Connection(await connect(endpoint.url)) as line:
            tabs = Tabs(line)
            again = await tabs.attach(tab.target)
            assert await again.healthy()
            await tabs.close(tab.target)


async def test_a_line_that_falls_silent_costs_a_bound_and_no_more(browser_url):
    parts = urlsplit(browser_url)
    straight = Endpoint(parts.hostname, parts.port, parts.path)
    async with (
        asyncio.timeout(LONG),
        proxy_to(straight) as (proxy, endpoint),
        Connection(await connect(endpoint.url)) as line,
    ):
        tabs = Tabs(line)
        tab = await tabs.open(CHAT)
        proxy.open.clear()
        began = time.monotonic()
        assert not await tab.healthy(0.2)
        with pytest.raises(TabNotResponding):
            await tabs.attach(tab.target, seconds=0.2)
        assert time.monotonic() - began < SAY
        proxy.open.set()
        assert await tab.healthy()
        await tabs.close(tab.target)


class Discards:
    """Chromium's own page on which tabs can be put to sleep and frozen for real."""

    def __init__(self, tab):
        self.tab = tab

    async def run(self, script):
        wish = {"expression": f"{{{script}}}", "returnByValue": True, "awaitPromise": True}
        said = await self.tab.session.call("Runtime.evaluate", wish)
        return said["result"].get("value")

    async def open(self):
        await self.tab.navigate("chrome://chrome-urls")
        if not await self.run(await_for("all('cr-button').length")):
            pytest.skip("this browser has no page of internal pages")
        await self.run(ENABLE)
        await self.tab.navigate("chrome://discards")
        if not await self.run(await_for("all('tr').length > 1")):
            pytest.skip("this browser has no page of discards")

    async def press(self, title, word):
        link = LINK.replace("TITLE", f"'{title}'").replace("WORD", f"'{word}'")
        if not await self.run(await_for(link)):
            pytest.skip(f"this browser's page of discards has no {word}")
        await self.run(f"{DEEP} {link}.click()")


def await_for(condition):
    """Until it holds, in the page, looked at with every frame it would draw."""
    return f"""{DEEP} new Promise((done) => {{
      const until = Date.now() + 5000;
      const look = () => ({condition}) ? done(true) : Date.now() > until ? done(false)
        : setTimeout(look, 20);
      look();
    }})"""


@pytest_asyncio.fixture
async def sleeping(own):
    async with Connection(await connect(own.endpoint.url)) as line:
        tabs = Tabs(line)
        discards = Discards(await tabs.open("about:blank"))
        await discards.open()
        yield tabs, discards


async def test_a_tab_the_browser_discarded_is_named_and_does_not_hold_us_up(sleeping):
    tabs, discards = sleeping
    tab = await tabs.open(CHAT)
    await tab.detach()
    gone = asyncio.Event()
    tabs.connection.listen("Target.targetDestroyed", lambda _: gone.set())
    await discards.press("chat", "Urgent Discard")
    async with asyncio.timeout(SAY):
        await gone.wait()
    with pytest.raises(TabLost, match="discarded") as caught:
        await tabs.attach(tab.target)
    life = caught.value.life
    assert isinstance(life, Discarded)
    assert life.target in [info.target for info in await tabs.list()]
    began = time.monotonic()
    with pytest.raises(TabNotResponding):
        await tabs.attach(life.target, seconds=LONG)
    assert time.monotonic() - began < SAY
    new = await tabs.prefer(lambda info: info.url == CHAT, CHAT, target=life.target)
    assert new.target not in (tab.target, life.target)


async def test_a_tab_we_are_attached_to_is_frozen_but_never_discarded(sleeping):
    tabs, discards = sleeping
    tab = await tabs.open(CHAT)
    soon = heard(tab)
    await discards.press("chat", "Urgent Discard")
    await discards.press("chat", "Freeze")
    assert isinstance(await soon(), Frozen)
    assert tab.frozen
    assert tab.ended is None
    assert await tab.healthy(), "a frozen page still answers us"
    await tabs.close(tab.target)
    assert isinstance(await soon(), Closed)
