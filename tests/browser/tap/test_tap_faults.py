"""What goes wrong with a response: each ends exactly once, and is named."""

import asyncio

import pytest
import pytest_asyncio

from browser.tap.hearing import SECONDS, go, run, tab_on, tapped
from browser.tap.server import serving
from kit.chromium import connect_to
from kit.leaving import leave
from tabwire.browser.tap.events import End, ResponseEnded, SocketClosed
from tabwire.cdp.errors import CdpError

pytestmark = pytest.mark.asyncio

FETCH = "void fetch('/drip').then(r => r.text()).catch(() => 0)"


@pytest_asyncio.fixture
async def server():
    async with asyncio.timeout(2 * SECONDS), serving() as server:
        yield server


@pytest_asyncio.fixture
async def tab(server, new_tab):
    return await new_tab()


@pytest_asyncio.fixture
async def page(tab):
    return tab[1]


@pytest_asyncio.fixture
async def heard(server, page):
    async with tab_on(server, page) as hearing:
        yield hearing


@pytest_asyncio.fixture
async def drip(server, page, heard):
    """A response of which one chunk was told."""
    drip = server.drip("/drip")
    await run(page, FETCH)
    await drip.let(b"so far")
    await heard.came("/drip", b"so far")
    return drip


async def test_a_connection_cut_in_the_middle_has_failed(drip, heard):
    await drip.let(b" so good")
    await drip.cut()
    one = await heard.ended("/drip")
    assert one.how == End.FAILED
    assert b"so far so good".startswith(one.body)
    assert "ERR_INCOMPLETE_CHUNKED_ENCODING" in one.ends[0].why


async def test_a_page_that_aborts_has_canceled(server, page, heard):
    drip = server.drip("/drip")
    await run(page, "window.control = new AbortController(); " + FETCH.replace(
        "'/drip'", "'/drip', {signal: control.signal}"))  # fmt: skip
    await drip.let(b"so far")
    await heard.came("/drip", b"so far")
    await run(page, "control.abort()")
    one = await heard.ended("/drip")
    assert (one.how, one.body) == (End.CANCELED, b"so far")


async def test_a_host_that_refuses_has_failed(page, heard):
    await run(page, "fetch('http://127.0.0.1:9/drip').catch(() => 0)")
    one = await heard.ended("/drip")
    assert (one.how, one.body, one.began) == (End.FAILED, b"", None)


@pytest.mark.parametrize("to", ["same site", "other site", "reload", "about:blank"])
async def test_what_a_navigation_leaves_behind_is_lost(server, page, heard, drip, to):
    """The browser itself says nothing about such a request."""
    if to == "reload":
        await page.call("Page.reload")
    else:
        host = {"same site": "127.0.0.1", "other site": "localhost"}.get(to)
        await page.call("Page.navigate", {"url": server.url("/", host) if host else to})
    one = await heard.ended("/drip")
    assert (one.how, one.body) == (End.LOST, b"so far")
    assert "another" in one.ends[0].why


async def test_after_a_navigation_the_next_page_is_heard(server, page, heard, drip):
    server.file("/next", b"news")
    await go(page, server.url("/", "localhost"))
    await run(page, "fetch('/next').then(r => r.text())")
    one = await heard.ended("/next")
    assert (one.how, one.body) == (End.WHOLE, b"news")


async def test_after_going_back_the_page_is_heard(server, page, heard):
    server.page("/first", "<!doctype html><title>first</title>")
    server.file("/next", b"news")
    await go(page, server.url("/first"))
    await go(page, server.url("/", "localhost"))
    with page.subscribe(["Page.frameNavigated"]) as moved:
        await leave(page, "history.back()")
        await anext(moved)
    await run(page, "fetch('/next').then(r => r.text())")
    one = await heard.ended("/next")
    assert (one.how, one.body, one.requests[0].url) == (End.WHOLE, b"news", server.url("/next"))


async def test_a_change_of_the_address_alone_ends_nothing(page, heard, drip):
    await run(page, "history.pushState({}, '', '/other'); location.hash = 'there'")
    await drip.let(b" and further")
    await drip.finish()
    one = await heard.ended("/drip")
    assert (one.how, one.body) == (End.WHOLE, b"so far and further")


async def test_a_closed_tab_loses_what_was_on_its_way(line, tab, heard, drip):
    await line.call("Target.closeTarget", {"targetId": tab[0]})
    one = await heard.ended("/drip")
    assert (one.how, one.body) == (End.LOST, b"so far")
    assert "gone" in one.ends[0].why


async def test_a_crashed_tab_loses_it_and_is_heard_again_after_a_reload(server, page, heard, drip):
    with pytest.raises(CdpError):
        await page.call("Page.crash")
    one = await heard.ended("/drip")
    assert (one.how, one.body, one.ends[0].why) == (End.LOST, b"so far", "the tab crashed")
    server.file("/again", b"back")
    server.page("/reloaded", "<script>fetch('/again').then(r => r.text())</script>")
    await page.call("Page.navigate", {"url": server.url("/reloaded")})
    assert (await heard.ended("/again")).body == b"back"


async def test_a_lost_line_loses_what_was_on_its_way(server, browser_url, new_tab):
    target, _ = await new_tab()
    async with await connect_to(browser_url) as line:
        attached = {"targetId": target, "flatten": True}
        page = line.session((await line.call("Target.attachToTarget", attached))["sessionId"])
        async with tab_on(server, page) as heard:
            drip = server.drip("/drip")
            await run(page, FETCH)
            await drip.let(b"so far")
            await heard.came("/drip", b"so far")
            await line.close()
            one = await heard.ended("/drip")
    assert (one.how, one.body) == (End.LOST, b"so far")
    assert "the connection to the browser was lost" in one.ends[0].why


async def test_nothing_is_heard_after_closing(server, page, drip, heard):
    heard.tap.close()
    count = len(heard.events)
    await drip.let(b"unheard")
    await drip.finish()
    await run(page, "fetch('/').then(r => r.text())")
    assert len(heard.events) == count


async def test_a_disarmed_tap_lets_the_browser_rest_and_can_be_followed_by_another(
    server, page, drip, heard
):
    await heard.tap.disarm()
    told = page.subscribe(["Network.dataReceived"])
    server.file("/quiet", b"x")
    await run(page, "fetch('/quiet').then(r => r.text())")
    assert told.queued == 0
    async with tapped(page) as again:
        await run(page, "fetch('/quiet').then(r => r.text())")
        assert (await again.ended("/quiet")).body == b"x"


async def test_two_taps_on_one_tab_hear_the_same(server, browser_url, tab, page, heard):
    async with await connect_to(browser_url) as line:
        attached = {"targetId": tab[0], "flatten": True}
        second = line.session((await line.call("Target.attachToTarget", attached))["sessionId"])
        async with tapped(second) as also:
            drip = server.drip("/drip")
            await run(page, FETCH)
            for number in range(50):
                await drip.let(b"%d," % number)
            await drip.finish()
            said = b"".join(b"%d," % number for number in range(50))
            for hearing in (heard, also):
                one = await hearing.ended("/drip")
                assert (one.how, one.body) == (End.WHOLE, said)
            await also.tap.disarm()
        server.file("/alone", b"still")
        await run(page, "fetch('/alone').then(r => r.text())")
        assert (await heard.ended("/alone")).body == b"still"


async def test_a_page_that_floods_the_console_is_heard(server, page, heard):
    await page.call("Runtime.enable")
    await run(page, "void setInterval(() => { for (let i = 0; i < 200; i++) "
              "console.log('x'.repeat(200), i) }, 1)")  # fmt: skip
    drip = server.drip("/drip")
    await run(page, FETCH)
    for _ in range(20):
        await drip.let(b"word ")
    await drip.finish()
    one = await heard.ended("/drip")
    assert (one.how, one.body) == (End.WHOLE, b"word " * 20)


async def test_a_page_that_loops_is_heard_when_it_stops(server, page, heard):
    drip = server.drip("/drip", content_type="text/event-stream")
    script = FETCH + "; const till = performance.now() + 1500; while (performance.now() < till);"
    async with asyncio.TaskGroup() as group:
        group.create_task(run(page, script))
        for _ in range(20):
            await drip.let(b"word ")
        await drip.finish()
    one = await heard.ended("/drip")
    assert (one.how, one.body) == (End.WHOLE, b"word " * 20)


async def test_pages_that_throw_are_heard(server, page, heard):
    server.file("/drip", b"whatever")
    await run(page, "void fetch('/drip').then(r => r.text()).then(() => { throw Error('no') })")
    one = await heard.ended("/drip")
    assert (one.how, one.body) == (End.WHOLE, b"whatever")


async def test_every_request_ends_exactly_once(server, page, heard, drip):
    server.file("/a", b"a")
    await run(page, "Promise.all([1, 2, 3].map(() => fetch('/a').then(r => r.text())))")
    await go(page, server.url("/", "localhost"))
    await heard.ended("/drip")
    ended = [event.id for event in heard.all_of(ResponseEnded)]
    assert len(ended) == len(set(ended))
    assert heard.all_of(SocketClosed) == []
