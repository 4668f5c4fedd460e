"""What befalls a tab is noticed and named, in a real Chromium."""

import asyncio
import socket
import time

import pytest
import pytest_asyncio

from kit.leaving import leave
from tabwire.browser.errors import TabLost
from tabwire.browser.tab_events import ENDS, Closed, Crashed, Frozen, Navigated, Reloaded, Thawed
from tabwire.browser.tabs import Tabs
from tabwire.cdp.errors import SessionLost
from tabwire.model.errors import TabwireError

pytestmark = pytest.mark.asyncio

SAY = 20  # seconds: the promise `say` is five, on a machine that is not busy
LONG = 30  # seconds: what is no promise, on a busy machine
ONE, TWO = "/one", "/two"


class Story:
    """What befell a tab, told in order."""

    def __init__(self, tab):
        self._events = asyncio.Queue()
        self.stop = tab.on_life(self._events.put_nowait)

    async def next(self):
        async with asyncio.timeout(SAY):
            return await self._events.get()

    @property
    def over(self):
        """Whether all was told."""
        return self._events.empty()


class Visitor(asyncio.Protocol):
    """One who asks our site: every path is a page with that title, `/never` never comes."""

    def __init__(self, all_of_them):
        self.all_of_them = all_of_them

    def connection_made(self, transport):
        self.transport = transport
        self.all_of_them.append(transport)

    def data_received(self, data):
        path = data.split()[1].decode()
        if path != "/never":
            body = f"<title>{path}</title><iframe></iframe>"
            head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
            self.transport.write((head + body).encode())
            self.transport.close()


@pytest_asyncio.fixture
async def site():
    visitors = []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Visitor(visitors), "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    server.close()
    for transport in visitors:
        transport.abort()
    await asyncio.sleep(0)  # the loop hangs up


@pytest_asyncio.fixture
async def tabs(line):
    tabs = Tabs(line)
    await tabs.discover()
    return tabs


@pytest.fixture
def attached(tabs, new_tab, site):
    """A fresh tab with a whole document in it, and its story from now on."""

    async def attach():
        target, _ = await new_tab()
        tab = await tabs.attach(target, seconds=LONG)
        await settles(tab, site + ONE)
        return tab, Story(tab)

    return attach


LOADED = """new Promise((done) => {
  document.readyState === "complete" ? done() : addEventListener("load", done);
})"""


async def settles(tab, url):
    """Go there and wait until it is whole, and the browser too has it as its page."""
    await tab.navigate(url)
    assert tab.url == url, "it came back before the document was there"
    wish = {"expression": LOADED, "awaitPromise": True}
    await tab.session.call("Runtime.evaluate", wish, seconds=LONG)
    said = await tab.session.call("Page.getNavigationHistory")
    assert said["entries"][said["currentIndex"]]["url"] == url


async def run(tab, script):
    said = await tab.session.call("Runtime.evaluate", {"expression": script})
    return said["result"].get("value")


async def crash(tab):
    with pytest.raises(SessionLost):
        await tab.session.call("Page.crash")


async def freeze(tab, state="frozen"):
    await tab.session.call("Page.setWebLifecycleState", {"state": state})


async def test_a_tab_knows_where_it_is(attached, site, tabs):
    tab, _ = await attached()
    assert tab.url == site + ONE
    assert (tab.ended, tab.frozen, tab.detached) == (None, False, False)
    assert await tab.healthy()
    tab.check()
    again = await tabs.attach(tab.target, seconds=LONG)
    assert (again.url, again.title) == (site + ONE, ONE)
    assert tabs.used == (tab, again)


async def test_a_reload_is_one_whoever_asks_for_it(attached, site):
    tab, story = await attached()
    await tab.reload()
    assert isinstance(await story.next(), Reloaded)
    await leave(tab.session, "location.reload()")
    event = await story.next()
    assert isinstance(event, Reloaded)
    assert event.url == site + ONE
    assert abs(time.monotonic() - event.at) < SAY
    assert story.over


async def test_another_page_is_no_reload(attached, site):
    tab, story = await attached()
    await settles(tab, site + TWO)
    event = await story.next()
    assert isinstance(event, Navigated)
    assert (event.url, event.same_document) == (site + TWO, False)
    await settles(tab, site + ONE)
    assert (await story.next()).url == site + ONE
    await leave(tab.session, "history.back()")
    back = await story.next()
    assert isinstance(back, Navigated)
    assert back.url == site + TWO


async def test_a_new_address_in_the_same_document_is_told_apart(attached, site):
    tab, story = await attached()
    await run(tab, "location.hash = 'more'")
    event = await story.next()
    assert isinstance(event, Navigated)
    assert (event.url, event.same_document) == (f"{site}/one#more", True)
    assert tab.url == f"{site}/one#more"
    await tab.navigate(f"{site}/one#most")
    assert (await story.next()).same_document
    await tab.reload()
    again = await story.next()
    assert isinstance(again, Reloaded)
    assert again.url == f"{site}/one#most"


async def test_what_frames_do_is_not_the_tabs(attached):
    tab, story = await attached()
    await run(tab, f"document.querySelector('iframe').src = '{TWO}'")
    with tab.session.subscribe(["Page.frameStoppedLoading"]) as events:
        await run(tab, "document.querySelector('iframe').srcdoc = 'three'")
        async with asyncio.timeout(SAY):
            await anext(aiter(events))
    await tab.reload()
    assert isinstance(await story.next(), Reloaded)
    assert story.over


async def test_a_page_that_cannot_be_loaded_is_said_to_be(attached):
    tab, story = await attached()
    with socket.create_server(("127.0.0.1", 0)) as server:
        closed = f"http://127.0.0.1:{server.getsockname()[1]}/"
    with pytest.raises(TabwireError, match="ERR_CONNECTION_REFUSED") as caught:
        await tab.navigate(closed)
    assert caught.value.what_to_do
    event = await story.next()
    assert isinstance(event, Navigated)
    assert event.url == closed


async def test_a_crash_is_told_once_and_ends_the_tab(attached):
    tab, story = await attached()
    await crash(tab)
    event = await story.next()
    assert isinstance(event, Crashed)
    assert tab.ended is event
    assert not await tab.healthy()
    with pytest.raises(TabLost, match="crashed") as caught:
        tab.check()
    assert caught.value.life is event
    assert caught.value.what_to_do == "Reload the tab."
    await tab.session.connection.call("Target.getTargets")  # all that was said of it is here
    assert story.over


async def test_a_reload_brings_a_crashed_tab_back_with_all_we_hear_of_it(attached, site):
    tab, story = await attached()
    await crash(tab)
    await tab.reload()
    assert isinstance(await story.next(), Crashed)
    assert isinstance(await story.next(), Reloaded)
    assert tab.ended is None
    assert await tab.healthy()
    await settles(tab, site + ONE)
    assert isinstance(await story.next(), Navigated)
    await freeze(tab)
    assert isinstance(await story.next(), Frozen)
    await crash(tab)
    assert isinstance(await story.next(), Crashed)
    await tab.navigate(site + TWO)
    assert (await story.next()).url == site + TWO
    assert tab.ended is None
    assert not tab.frozen


async def test_a_freeze_and_a_thaw_are_noticed_in_every_document(attached, site):
    tab, story = await attached()
    for _ in range(2):
        await freeze(tab)
        assert isinstance(await story.next(), Frozen)
        assert tab.frozen
        assert tab.ended is None
        await freeze(tab, "active")
        assert isinstance(await story.next(), Thawed)
        assert not tab.frozen
        await settles(tab, site + TWO)
        assert isinstance(await story.next(), Navigated)


async def test_a_page_cannot_tell_us_that_it_froze(attached):
    tab, story = await attached()
    assert await run(tab, "typeof tabwireLife + typeof tabwire") == "undefinedundefined"
    await run(
        tab, "document.dispatchEvent(new Event('freeze')); globalThis.tabwireLife?.('freeze')"
    )
    await tab.reload()
    assert isinstance(await story.next(), Reloaded)


@pytest.mark.parametrize("by", ["the browser", "the page", "a crash first"])
async def test_a_tab_that_is_closed_says_so_and_never_returns(attached, tabs, by):
    tab, story = await attached()
    if by == "the page":
        await tab.session.call("Page.close")
    else:
        if by == "a crash first":
            await crash(tab)
            assert isinstance(await story.next(), Crashed)
        await tabs.close(tab.target)
    event = await story.next()
    assert isinstance(event, Closed)
    assert tab.ended is event
    await tabs.list()
    assert story.over
    assert tabs.used == ()
    assert not await tab.healthy()
    with pytest.raises(TabLost, match="closed"):
        await tabs.attach(tab.target)
    await tabs.close(tab.target)
    with pytest.raises(TabLost, match="closed"):
        await tab.reload()


async def test_a_tab_closed_while_it_reloads_is_lost_at_once(attached, site, tabs):
    tab, _ = await attached()
    await run(tab, "history.replaceState(0, '', '/never')")
    with tab.session.subscribe(["Page.frameStartedNavigating"]) as starts:
        async with asyncio.timeout(SAY), asyncio.TaskGroup() as group:
            lost = group.create_task(_lost(tab.reload()))
            await anext(aiter(starts))
            await tabs.close(tab.target)
    assert isinstance(lost.result(), Closed)


async def _lost(work):
    with pytest.raises(TabLost) as caught:
        await work
    return caught.value.life


async def test_detached_by_us_is_not_closed(attached, tabs):
    tab, story = await attached()
    await tab.detach()
    await tab.detach()
    assert tab.ended is None
    assert tab.detached
    assert tabs.used == ()
    await tabs.list()
    assert story.over
    assert await (await tabs.attach(tab.target, seconds=LONG)).healthy()


async def test_a_listener_that_stops_hears_no_more_and_one_that_raises_is_alone(attached, caplog):
    tab, story = await attached()

    def broken(_event):
        raise RuntimeError("a listener of the test is broken")

    stop = tab.on_life(broken)
    last = Story(tab)
    await tab.reload()
    assert isinstance(await last.next(), Reloaded)
    assert isinstance(await story.next(), Reloaded)
    stop()
    story.stop()
    story.stop()
    await tab.reload()
    assert isinstance(await last.next(), Reloaded)
    assert story.over
    assert "a listener of the test is broken" in caplog.text


async def test_the_ends_are_those_after_which_nothing_can_be_read():
    ends = {"Crashed", "Closed", "Discarded", "Disconnected", "Cancelled", "Withdrawn", "Unheard"}
    assert {kind.__name__ for kind in ENDS} == ends
