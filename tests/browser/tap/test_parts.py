"""Workers, service workers, frames of other sites and sockets: all of a tab is heard, once."""

import asyncio

import pytest
import pytest_asyncio
from websockets.asyncio.server import serve

from browser.tap.hearing import SECONDS, go, run, tab_on, tapped
from browser.tap.server import PAGE, serving
from tabwire.browser.tap.events import (
    End,
    RequestLeft,
    SocketClosed,
    SocketFrame,
    SocketOpened,
    Unheard,
)

pytestmark = pytest.mark.asyncio

WORKER = b"""onmessage = (asked) => fetch(asked.data, {method: 'POST', body: 'from a worker'})
  .then(r => r.text()).then(t => postMessage(t)).catch(e => postMessage('' + e));"""

SHARED = b"""onconnect = (joined) => { const port = joined.ports[0];
  port.onmessage = (asked) => fetch(asked.data).then(r => r.text())
    .then(t => port.postMessage(t)); port.postMessage('ready') };"""

SERVICE = b"""
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (e) => e.waitUntil(clients.claim()));
self.addEventListener('fetch', (e) => {
  const path = new URL(e.request.url).pathname;
  if (path === '/sw/pass') e.respondWith(fetch(e.request));
  if (path === '/sw/stream') e.respondWith(streamed(e.request));
  if (path === '/sw/made') e.respondWith(new Response('made by the worker'));
});
async function streamed(request) {
  const reader = (await fetch(request)).body.getReader();
  return new Response(new ReadableStream({
    async pull(to) {
      const {done, value} = await reader.read();
      if (done) to.close(); else to.enqueue(value);
    }}));
}
self.addEventListener('message', (e) => fetch('/sw/own').then(r => r.text())
  .then(t => e.source.postMessage(t)));
"""

REGISTER = """navigator.serviceWorker.register('/sw.js', {scope: '/sw/'})
  .then(() => navigator.serviceWorker.controller || new Promise((done) =>
    navigator.serviceWorker.addEventListener('controllerchange', done)))
  .then(() => 0)"""


@pytest_asyncio.fixture
async def server():
    async with asyncio.timeout(2 * SECONDS), serving() as server:
        server.file("/worker.js", WORKER, "text/javascript")
        server.file("/shared.js", SHARED, "text/javascript")
        server.file("/sw.js", SERVICE, "text/javascript")
        server.page("/sw/", PAGE)
        yield server


@pytest_asyncio.fixture
async def heard(server, blank):
    async with tab_on(server, blank) as hearing:
        yield hearing


@pytest_asyncio.fixture
async def served(server, blank):
    """A page under a service worker."""
    async with tab_on(server, blank, "/sw/") as hearing:
        await run(blank, REGISTER)
        yield hearing


async def drip_through(server, blank, heard, path, script):
    """Let three chunks out; each is told before the next."""
    drip = server.drip(path, content_type="text/event-stream")
    await run(blank, script)
    told = b""
    for chunk in (b"one", b"two", b"three"):
        told += chunk
        await drip.let(chunk)
        await heard.until(lambda told=told: told in [one.body for one in heard.every(path)])
    await drip.finish()
    await heard.until(lambda: all(one.ends for one in heard.every(path)))
    return [one for one in heard.every(path) if one.chunks]


async def test_a_worker_is_heard(server, blank, heard):
    script = "void (window.w = new Worker('/worker.js')).postMessage('/drip')"
    await drip_through(server, blank, heard, "/drip", script)
    one = heard.of("/drip")
    assert (one.how, one.body) == (End.WHOLE, b"onetwothree")
    (request,) = one.requests
    assert (request.where, request.body) == ("worker", b"from a worker")


async def test_what_a_worker_asks_in_its_first_moment_is_heard(server, blank, heard):
    server.file("/first", b"at once")
    server.file("/eager.js", b"fetch('/first').then(r => r.text())", "text/javascript")
    await run(blank, "void (window.w = new Worker('/eager.js'))")
    assert (await heard.ended("/first")).body == b"at once"


async def test_a_worker_in_a_worker_is_heard(server, blank, heard):
    server.file("/said", b"deep")
    server.file("/outer.js", b"const w = new Worker('/worker.js'); w.postMessage('/said')",
                "text/javascript")  # fmt: skip
    await run(blank, "void (window.w = new Worker('/outer.js'))")
    assert (await heard.ended("/said")).body == b"deep"


async def test_a_worker_that_was_there_before_is_heard(server, blank):
    await go(blank, server.url("/"))
    server.file("/said", b"from an old worker")
    await run(blank, "window.w = new Worker('/worker.js'); new Promise(done => {"
              "w.onmessage = () => done(0); w.postMessage('/') })")  # fmt: skip
    async with tapped(blank) as heard:
        await run(blank, "w.postMessage('/said')")
        assert (await heard.ended("/said")).body == b"from an old worker"


async def test_a_worker_that_is_stopped_loses_what_was_on_its_way(server, blank, heard):
    drip = server.drip("/drip", content_type="text/event-stream")
    await run(blank, "void (window.w = new Worker('/worker.js')).postMessage('/drip')")
    await drip.let(b"so far")
    await heard.came("/drip", b"so far")
    await run(blank, "w.terminate()")
    one = await heard.ended("/drip")
    assert one.body == b"so far"
    assert one.how in (End.LOST, End.CANCELED)


async def test_a_shared_worker_is_heard(server, blank, heard):
    server.file("/said", b"shared")
    await run(blank, "window.s = new SharedWorker('/shared.js'); new Promise(done => {"
              "s.port.onmessage = () => done(0) })")  # fmt: skip
    while "shared_worker" not in heard.tap.parts:  # it is not held still for us
        await run(blank, "0")
    await run(blank, "s.port.postMessage('/said')")
    one = await heard.ended("/said")
    assert (one.how, one.body) == (End.WHOLE, b"shared")
    assert one.requests[0].where == "shared_worker"


@pytest.mark.parametrize("how", ["pass", "stream"])
async def test_through_a_service_worker_an_answer_is_told_once(server, blank, served, how):
    path = f"/sw/{how}"
    script = f"void fetch('{path}', {{method: 'POST', body: 'ask'}}).then(r => r.text())"
    (one,) = await drip_through(server, blank, served, path, script)
    assert (one.how, one.body) == (End.WHOLE, b"onetwothree")
    assert one.began.from_service_worker
    assert one.requests[0].where == "page"
    (leg,) = [each for each in served.every(path) if each.requests[0].where != "page"]
    # on a busy machine the worker may be heard first, and is told again when it is known
    assert leg.requests[-1].serves == one.requests[0].id
    assert leg.chunks == []


async def test_what_a_service_worker_makes_itself_is_heard(blank, served):
    await run(blank, "fetch('/sw/made').then(r => r.text())")
    one = await served.ended("/sw/made")
    assert (one.how, one.body) == (End.WHOLE, b"made by the worker")


async def test_what_a_service_worker_asks_for_itself_is_heard(server, blank, served):
    server.file("/sw/own", b"its own")
    await run(blank, "navigator.serviceWorker.controller.postMessage('ask')")
    one = await served.ended("/sw/own")
    assert (one.how, one.body) == (End.WHOLE, b"its own")
    assert one.requests[0].where == "service_worker"
    assert one.requests[0].serves is None


async def test_what_goes_past_a_service_worker_is_heard(server, blank, served):
    server.file("/sw/direct", b"straight")
    await run(blank, "fetch('/sw/direct').then(r => r.text())")
    one = await served.ended("/sw/direct")
    assert (one.how, one.body, one.began.from_service_worker) == (End.WHOLE, b"straight", False)


async def test_a_worker_under_a_service_worker_is_told_once(server, blank, served):
    server.file("/sw/pass", b"through both")
    server.file("/sw/worker.js", WORKER, "text/javascript")
    await run(blank, "void (window.w = new Worker('/sw/worker.js')).postMessage('/sw/pass')")
    await served.ended("/sw/pass", 2)
    (one,) = [each for each in served.every("/sw/pass") if each.chunks]
    assert (one.how, one.body, one.requests[0].where) == (End.WHOLE, b"through both", "worker")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_frames_of_this_and_of_another_site_are_heard(server, blank, heard, host):
    server.page("/frame", "<script>fetch('/drip').then(r => r.text())</script>")
    address = server.url("/frame", host)
    script = f"void (document.body.innerHTML = '<iframe src={address}>')"
    await drip_through(server, blank, heard, "/drip", script)
    one = heard.of("/drip")
    assert (one.how, one.body) == (End.WHOLE, b"onetwothree")
    assert one.requests[0].where == "frame"
    assert heard.all_of(Unheard) == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_frame_that_is_taken_out_loses_what_was_on_its_way(server, blank, heard, host):
    server.page("/frame", "<script>fetch('/drip').then(r => r.text())</script>")
    drip = server.drip("/drip", content_type="text/event-stream")
    address = server.url("/frame", host)
    await run(blank, f"void (document.body.innerHTML = '<iframe src={address}>')")
    await drip.let(b"so far")
    await heard.came("/drip", b"so far")
    await run(blank, "void (document.body.innerHTML = '')")
    one = await heard.ended("/drip")
    assert one.body == b"so far"
    assert one.how in (End.LOST, End.CANCELED)


async def test_a_navigating_frame_does_not_end_what_the_page_asked(server, blank, heard):
    server.page("/frame", "<p>a frame")
    drip = server.drip("/drip", content_type="text/event-stream")
    await run(blank, "void fetch('/drip').then(r => r.text())")
    await drip.let(b"one")
    await run(blank, "new Promise(done => { document.body.innerHTML = '<iframe src=/frame>';"
              "document.querySelector('iframe').onload = () => done(0) })")  # fmt: skip
    address = server.url("/frame", "localhost")
    await run(blank, f"new Promise(done => {{ const f = document.querySelector('iframe');"
              f"f.onload = () => done(0); f.src = '{address}' }})")  # fmt: skip
    await drip.let(b"two")
    await drip.finish()
    one = await heard.ended("/drip")
    assert (one.how, one.body) == (End.WHOLE, b"onetwo")


@pytest_asyncio.fixture
async def socket_url():
    """A socket that says each thing back, and closes or breaks when told to."""

    async def echo(socket):
        async for said in socket:
            if said == "bye":
                await socket.close()
            elif said == "cut":
                socket.transport.abort()
                return
            else:
                await socket.send([said[:2], said[2:]])

    async with serve(echo, "127.0.0.1", 0) as server:
        yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/socket"


OPEN = "new Promise(done => { window.ws = new WebSocket(URL); ws.onopen = () => done(0) })"


@pytest.mark.parametrize("end", ["bye", "cut"])
async def test_a_socket_is_told_both_ways_until_it_closes(blank, heard, socket_url, end):
    await run(blank, OPEN.replace("URL", f"'{socket_url}'"))
    await run(blank, "ws.send('日本語😀'); ws.send(new Uint8Array([0, 255, 128]))")
    said = ["日本語😀", b"\x00\xff\x80"]
    await heard.until(lambda: len(heard.all_of(SocketFrame)) == 4)
    frames = heard.all_of(SocketFrame)
    assert [frame.data for frame in frames if frame.sent] == said
    assert [frame.data for frame in frames if not frame.sent] == said
    await run(blank, f"ws.send('{end}')")
    await heard.until(lambda: heard.all_of(SocketClosed))
    (opened,) = heard.all_of(SocketOpened)
    assert opened.url == socket_url
    assert {frame.id for frame in frames} == {opened.id}
    assert [closed.id for closed in heard.all_of(SocketClosed)] == [opened.id]


async def test_a_socket_left_behind_is_closed(server, blank, heard, socket_url):
    await run(blank, OPEN.replace("URL", f"'{socket_url}'"))
    await blank.call("Page.navigate", {"url": server.url("/")})
    await heard.until(lambda: heard.all_of(SocketClosed))
    (closed,) = heard.all_of(SocketClosed)
    assert "another" in closed.why


async def test_a_socket_that_nobody_answers_says_why(blank, heard):
    await run(blank, "new Promise(done => { const ws = new WebSocket('ws://127.0.0.1:2000/');"
              "ws.onclose = () => done(0) })")  # fmt: skip
    await heard.until(lambda: heard.all_of(SocketClosed))
    (closed,) = heard.all_of(SocketClosed)
    assert "ERR_CONNECTION_REFUSED" in closed.why
    assert heard.all_of(SocketOpened) == []


async def test_a_socket_opened_before_we_listened_is_named(server, blank, socket_url):
    await go(blank, server.url("/"))
    await run(blank, OPEN.replace("URL", f"'{socket_url}'"))
    async with tapped(blank) as heard:
        await run(blank, "ws.send('unheard')")
        await heard.until(lambda: heard.all_of(Unheard))
    assert len(heard.all_of(Unheard)) == 1
    assert heard.all_of(RequestLeft) == []
