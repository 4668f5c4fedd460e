"""Which browser a hub goes to: the extension where it is meant or there, else its own line."""

import asyncio
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from kit.relay_hub import relay_hub
from kit.relay_peer import FakeChrome, Refuse
from tabwire.browser.choose import Extension, parse_choice
from tabwire.browser.line import BrowserLine
from tabwire.browser.reach import reached
from tabwire.browser.tabs import Tabs
from tabwire.cdp.connection import Connection
from tabwire.cdp.memory import MemoryCarrier
from tabwire.config.settings import Settings
from tabwire.hub.browsers.access import reached_browser
from tabwire.hub.browsers.link import Link
from tabwire.hub.browsers.routes import InUse, Ways
from tabwire.hub.conversations.follow_up import OWNER as READING
from tabwire.hub.local.hub import LocalHub
from tabwire.hub.process.assembly import running_hub
from tabwire.hub.relay import relays as relaying
from tabwire.model.ask import AskRequest
from tabwire.model.errors import BadChoice, ExtensionNotConnected
from tabwire.model.job import Asker, Door, JobState

pytestmark = pytest.mark.asyncio

SECONDS = 60.0
OWN = "Tabwire's own browser"


@asynccontextmanager
async def own():
    async with Connection(MemoryCarrier()) as connection:
        yield BrowserLine(connection, Tabs(connection), OWN)


@pytest_asyncio.fixture
async def hub(tmp_path, monkeypatch):
    async with asyncio.timeout(SECONDS), relay_hub(tmp_path, monkeypatch) as hub:
        yield hub


def ways(hub, said):
    return Ways(said, Link(own), Link(hub.relays.line), hub.relays)


async def whose(ways, said=None):
    async with ways.line(said) as line:
        return line.whose


async def test_it_is_a_choice_like_the_others():
    assert parse_choice(" Extension ") == Extension()
    with pytest.raises(BadChoice, match="takes no value"):
        parse_choice("extension=1")


async def test_auto_is_the_extension_as_soon_as_there_is_one_and_no_longer(hub, monkeypatch):
    async with ways(hub, "auto") as both:
        assert await whose(both) == OWN
        peer = await hub.paired()
        FakeChrome(peer)
        assert "through the extension chrome-inst" in await whose(both)
        monkeypatch.setattr(hub.relays, "_away_seconds", 0.0)
        async with both.line() as line:
            await peer.close()
            await line.connection.wait_gone()
        monkeypatch.setattr(relaying, "EARLY_SECONDS", 0.0)
        assert await whose(both) == OWN


async def test_a_hub_that_just_started_waits_for_one_that_is_paired(hub):
    """It is found within three seconds, and the question came first."""
    peer = await hub.paired()
    FakeChrome(peer)
    await peer.cut()
    hub.relays._end(hub.relays._used, "as after a restart")
    async with ways(hub, "auto") as both:
        asking = asyncio.get_running_loop().create_task(whose(both))
        await peer.resume()
        assert "extension" in await asking
    await peer.close()


async def test_who_says_extension_means_it(hub, monkeypatch):
    monkeypatch.setattr(relaying, "WAIT_SECONDS", 0.0)
    monkeypatch.setattr(relaying.Relays.wait_connected, "__defaults__", (0.0,))
    for said in ("launch", "extension"):
        async with ways(hub, said) as both:
            with pytest.raises(
                ExtensionNotConnected, match="no extension has been paired"
            ) as caught:
                await whose(both, "extension")
            assert "tabwire extension path" in caught.value.what_to_do
            assert "tabwire extension pair" in caught.value.what_to_do


async def test_an_ask_waits_for_the_extension_to_come(hub):
    async with ways(hub, "launch") as both:
        asking = asyncio.get_running_loop().create_task(whose(both, "extension"))
        peer = hub.peer()
        FakeChrome(peer)
        await peer.dial()
        await peer.pair((await hub.relays.pair()).code)
        assert "extension" in await asking
        assert await whose(both) == OWN
    await peer.close()


async def test_a_job_does_not_choose_where_we_attach(hub):
    async with ways(hub, "auto") as both:
        with pytest.raises(BadChoice, match="this hub uses auto"):
            await whose(both, "attach=http://127.0.0.1:9222")


async def test_all_in_the_hub_share_the_one_line_of_the_extension(hub):
    peer = await hub.paired()
    FakeChrome(peer)
    async with ways(hub, "auto") as both, both.line() as line:
        for said in (None, "auto", "extension"):
            async with reached_browser(said, hub_lines=both, only_running=True) as same:
                assert same is line
    await peer.close()


async def test_tabs_in_use_are_told_with_the_job_or_the_name_that_uses_them(hub):
    peer = await hub.paired()
    chrome = FakeChrome(peer)
    leased, watched = chrome.add(title="One"), chrome.add("https://grok.com/", title="Two")
    async with ways(hub, "auto") as both:
        browsers = LocalHub(lines=both).browsers
        assert await browsers.tabs_in_use() == ()
        async with both.line() as line, hub.relays.line() as command:
            await line.tabs.attach(chrome.target(leased))
            await command.tabs.attach(chrome.target(watched))
            with line.tabs.lease(chrome.target(leased), "job-1", 60.0):
                told = await browsers.tabs_in_use()
                assert [(one.title, one.way, one.job, one.by) for one in told] == [
                    ("One", "extension", "job-1", ""),
                    ("Two", "extension", "", "tabwire"),
                ]
            with line.tabs.lease(chrome.target(leased), READING, 60.0):
                first, _second = await browsers.tabs_in_use()
                assert (first.job, first.by) == ("", READING)
    assert await LocalHub().browsers.tabs_in_use() == ()
    await peer.close()


async def test_so_are_those_of_the_hubs_own_browser(hub):
    async with ways(hub, "launch") as both, both.line() as line:
        with line.tabs.lease("T", "job-2", 60.0):
            used = [InUse("T", "", "", "browser", job="job-2")]
            assert await both.tabs_in_use() == used
        assert await both.tabs_in_use() == []


async def test_outside_a_hub_there_is_no_extension():
    with pytest.raises(ExtensionNotConnected, match="only the hub can use it"):
        async with reached(Extension(), None, wish=None):
            pass


@pytest.mark.parametrize(
    "happened, why, remedy",
    [
        ("asked", "an extension is waiting to be paired", "tabwire extension pair"),
        ("left", "is paired, but has not been seen since 20", "chrome://extensions"),
        ("port", "another program uses port 8766", "tabwire restart"),
    ],
)
async def test_why_it_is_not_connected_is_said(hub, monkeypatch, happened, why, remedy):
    if happened == "asked":
        async with hub.peer() as peer:
            await peer.say_hello()
    if happened == "left":
        monkeypatch.setattr(hub.relays, "_away_seconds", 0.0)
        await (await hub.paired()).close()
    if happened == "port":
        from tabwire.hub.process.lock import Holder
        from tabwire.hub.relay import diagnosis as relay_why

        monkeypatch.setattr(relay_why, "holder", lambda: Holder(1, "", "", 5555))
    with pytest.raises(ExtensionNotConnected, match=f"extension not connected: .*{why}") as caught:
        await hub.relays.wait_connected(0.0)
    assert remedy in caught.value.what_to_do


async def test_the_tabs_of_a_job_carry_the_name_of_who_asked(hub, monkeypatch):
    """A real hub with real jobs; Chrome refuses, so the job ends right there."""
    peer = await hub.paired()
    chrome = FakeChrome(peer)
    asked = []

    def refuse(request):
        asked.append(request["client"])
        raise Refuse(-32004, "the person switched Tabwire off for grok")

    peer.answer("tabs.create", refuse)
    monkeypatch.setattr("tabwire.browser.tabs.PAUSE_SECONDS", 0.0)
    monkeypatch.setattr("tabwire.hub.process.assembly.Relays", lambda _pairing: hub.relays)
    now = Settings(browser="launch")
    async with running_hub(now, durable=False) as real:
        request = AskRequest("grok", "Why?", browser="extension")
        asker = Asker("agent-1", Door.MCP, client="claude-code")
        (job,) = await real.jobs.submit([request], asker)
        (job,) = await real.jobs.wait([job.id])
    assert job.state is not JobState.COMPLETED
    assert "switched Tabwire off for grok" in job.error.message
    assert set(asked) == {"claude-code"}
    assert chrome.attached == set()
    await peer.close()
