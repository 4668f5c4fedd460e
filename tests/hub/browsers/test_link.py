"""One line to the browser for all jobs: opened when needed, once, and anew when it is gone."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from tabwire.browser.line import BrowserLine
from tabwire.browser.tabs import Tabs
from tabwire.cdp.connection import Connection
from tabwire.cdp.memory import MemoryCarrier
from tabwire.config.settings import Settings
from tabwire.hub.browsers import link as linking
from tabwire.hub.browsers.access import own_line, reached_browser
from tabwire.hub.browsers.link import Link
from tabwire.hub.browsers.routes import Ways
from tabwire.hub.relay.pairing import Pairing
from tabwire.hub.relay.relays import Relays
from tabwire.model.errors import BrowserNotReachable

pytestmark = pytest.mark.asyncio

TEST_SECONDS = 60.0


class Browsers:
    """Opens real connections to browsers in memory, and counts them."""

    def __init__(self):
        self.opened = []
        self.closed = self.tried = 0
        self.may_open = asyncio.Event()
        self.may_open.set()
        self.fails = None
        self.changed = asyncio.Event()

    @asynccontextmanager
    async def open(self):
        self.tried += 1
        await self.may_open.wait()
        if self.fails is not None:
            raise self.fails
        carrier = MemoryCarrier()
        async with Connection(carrier) as connection:
            self.opened.append(carrier)
            try:
                yield BrowserLine(connection, Tabs(connection), "a browser")
            finally:
                self.closed += 1
                self.changed.set()

    async def until_closed(self, count):
        async with asyncio.timeout(TEST_SECONDS):
            while self.closed < count:
                self.changed.clear()
                await self.changed.wait()


@pytest.fixture
def browsers():
    return Browsers()


async def test_nothing_is_opened_before_somebody_needs_it(browsers):
    async with Link(browsers.open) as link:
        assert not link.is_open
    assert browsers.opened == []


async def test_many_at_once_share_one(browsers):
    browsers.may_open.clear()

    async def use():
        async with link.line() as line:
            return line

    async with Link(browsers.open) as link:
        async with asyncio.TaskGroup() as group:
            users = [group.create_task(use()) for _ in range(5)]
            await asyncio.sleep(0)
            browsers.may_open.set()
        assert len({id(user.result()) for user in users}) == 1
        assert link.is_open
        assert (len(browsers.opened), browsers.closed) == (1, 0)
    assert browsers.closed == 1


async def test_one_that_is_gone_is_opened_anew(browsers):
    async with Link(browsers.open) as link:
        async with link.line() as first:
            browsers.opened[0].cut("the browser ended")
            async with asyncio.timeout(TEST_SECONDS):
                await first.connection.wait_gone()
            assert not link.is_open
            async with link.line() as second:
                assert second is not first
                assert second.connection.gone is None
        assert (len(browsers.opened), browsers.closed) == (2, 1)


async def test_what_cannot_be_opened_is_said_to_everybody_and_tried_again(browsers):
    browsers.fails = BrowserNotReachable("nobody there", what_to_do="Start it.")
    async with Link(browsers.open) as link:
        for _ in range(2):
            with pytest.raises(BrowserNotReachable):
                async with link.line():
                    pass
        browsers.fails = None
        async with link.line() as line:
            assert line.whose == "a browser"


async def test_it_closes_after_a_while_without_use(browsers):
    async with Link(browsers.open, idle_seconds=0.0) as link:
        async with link.line(), link.line():
            pass
        await browsers.until_closed(1)
        assert not link.is_open
        async with link.line():
            assert len(browsers.opened) == 2


async def test_it_stays_while_it_is_used(browsers):
    async with Link(browsers.open, idle_seconds=0.0) as link, link.line():
        async with link.line():
            pass
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert link.is_open


async def test_one_who_comes_back_in_time_keeps_it_open(browsers):
    async with Link(browsers.open, idle_seconds=0.0) as link:
        async with link.line() as before:
            pass
        async with link.line() as after:
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert link.is_open
            assert after is before


async def test_one_who_gives_up_while_it_opens_harms_nobody(browsers):
    browsers.may_open.clear()

    async def use():
        async with link.line():
            pass

    async with Link(browsers.open) as link:
        async with asyncio.TaskGroup() as group:
            user = group.create_task(use())
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            user.cancel()
        browsers.may_open.set()
        async with link.line():
            assert (len(browsers.opened), browsers.tried) == (1, 1)  # it was not begun anew


async def test_the_end_waits_for_the_close_but_not_for_ever(browsers, monkeypatch):
    monkeypatch.setattr(linking, "CLOSE_SECONDS", 0.01)
    closes = asyncio.Event()

    @asynccontextmanager
    async def slow():
        async with browsers.open() as line:
            try:
                yield line
            finally:
                closes.set()
                await asyncio.Event().wait()

    async with asyncio.timeout(TEST_SECONDS):
        async with Link(slow) as link, link.line():
            pass
    assert closes.is_set()


async def test_after_the_end_there_is_no_line(browsers):
    async with Link(browsers.open) as link:
        pass
    with pytest.raises(RuntimeError, match="ended"):
        async with link.line():
            pass


async def test_whoever_wants_the_hubs_browser_has_its_line(browsers, tmp_path):
    relays = Relays(Pairing(tmp_path))
    ways = Ways("lab", Link(browsers.open), Link(relays.line), relays)
    async with ways as link, link.line() as line:
        for said in (None, "lab"):
            async with reached_browser(said, hub_lines=link) as same:
                assert same is line
        async with reached_browser(None, hub_lines=link, only_running=True) as same:
            assert same is line
        with pytest.raises(BrowserNotReachable):
            async with reached_browser("attach=http://127.0.0.1:9", hub_lines=link):
                pass
    assert len(browsers.opened) == 1


async def test_a_line_of_ones_own_goes_by_the_settings_it_is_given(lab_browser_url):
    async with own_line(f"attach={lab_browser_url}", Settings()) as line:
        assert (await line.connection.call("Browser.getVersion"))["product"]
