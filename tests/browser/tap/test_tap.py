"""Every kind of response, byte by byte, from a real browser."""

import asyncio
import gzip
import json
import random

import pytest
import pytest_asyncio

from browser.tap.hearing import SECONDS, go, run, tab_on, tapped
from browser.tap.server import serving
from tabwire.browser.tap.events import BodyKnown, End, EventCame, Unheard
from tabwire.browser.tap.parts import BUFFERS

pytestmark = pytest.mark.asyncio

XHR = """new Promise((done) => {
  const asked = new XMLHttpRequest();
  asked.open(METHOD, PATH, true);
  asked.onloadend = () => done(asked.responseText.length);
  asked.send(BODY);
})"""


SYNC = """(() => {
  const asked = new XMLHttpRequest();
  asked.open('GET', PATH, false);
  asked.send();
})()"""


def noise(size: int, seed: int = 7) -> bytes:
    return random.Random(seed).randbytes(size)


@pytest_asyncio.fixture
async def server():
    async with asyncio.timeout(2 * SECONDS), serving() as server:
        yield server


@pytest_asyncio.fixture
async def heard(server, blank):
    async with tab_on(server, blank) as hearing:
        yield hearing


async def test_a_fetch_is_told_chunk_by_chunk_as_it_comes(server, blank, heard):
    drip = server.drip("/drip")
    await run(blank, "void fetch('/drip').then(r => r.text()).then(t => { window.text = t })")
    told = b""
    for chunk in (b"one", "zwö".encode()[:3], "zwö".encode()[3:], b"\x00\xff", b"x" * 70_000):
        await drip.let(chunk)
        told += chunk
        await heard.came("/drip", told)
    assert heard.of("/drip").ends == []
    await drip.finish()
    one = await heard.ended("/drip")
    assert (one.how, one.body) == (End.WHOLE, told)
    assert (one.began.status, one.began.mime, one.began.encoded) == (200, "text/plain", False)
    (request,) = one.requests
    assert (request.method, request.kind, request.where) == ("GET", "Fetch", "page")
    assert request.at <= one.began.at <= one.ends[0].at


async def test_three_hundred_instant_responses_at_once_lose_none(server, blank, heard):
    for number in range(300):
        server.file(f"/n/{number}", b"%d;" % number * (number + 1))
    total = await run(
        blank,
        "Promise.all([...Array(300).keys()].map(n => fetch('/n/' + n).then(r => r.text())))"
        ".then(all => all.join('').length)",
    )
    said = [b"%d;" % number * (number + 1) for number in range(300)]
    assert total == sum(map(len, said))
    for number in range(300):
        one = await heard.ended(f"/n/{number}")
        assert (one.how, one.body) == (End.WHOLE, said[number]), number


@pytest.mark.parametrize(
    "packing, megabytes", [("plain", 20), ("gzip", 2), ("br", 2)], ids=["plain", "gzip", "br"]
)
@pytest.mark.rows(2)
async def test_big_and_packed_responses_are_whole(server, blank, heard, packing, megabytes):
    data = noise(1_000_000) * megabytes
    packed, headers = data, {}
    if packing == "gzip":
        packed, headers = gzip.compress(data, 1), {"content_encoding": "gzip"}
    elif packing == "br":
        packed, headers = brotli_stored(data), {"content_encoding": "br"}
    server.file("/big", packed, "application/octet-stream", **headers)
    size = await run(blank, "fetch('/big').then(r => r.arrayBuffer()).then(b => b.byteLength)")
    assert size == len(data)
    one = await heard.ended("/big")
    assert one.how == End.WHOLE
    assert one.body == data
    assert one.began.encoded == (packing != "plain")


def brotli_stored(data: bytes) -> bytes:
    """Brotli's own way to carry bytes uncompressed (RFC 7932, section 9.2)."""
    out = bytearray()
    bits, count = 0, 0

    def put(value: int, width: int) -> None:
        nonlocal bits, count
        bits |= value << count
        count += width
        while count >= 8:
            out.append(bits & 255)
            bits >>= 8
            count -= 8

    def align() -> None:
        if count:
            put(0, 8 - count)

    put(0, 1)  # a window of 16 bits
    for start in range(0, len(data), 1 << 16):
        piece = data[start : start + (1 << 16)]
        put(0, 1)  # not the last
        put(0, 2)  # four nibbles of length
        put(len(piece) - 1, 16)
        put(1, 1)  # uncompressed
        align()
        out += piece
    put(3, 2)  # the last, and empty
    align()
    return bytes(out)


async def test_an_xhr_is_told_as_it_comes_and_its_body_when_it_leaves(server, blank, heard):
    drip = server.drip("/xhr", content_type="application/json")  # text/plain is sniffed first
    prompt = json.dumps({"prompt": "日本語 & ümläut"})
    script = XHR.replace("METHOD", "'POST'").replace("PATH", "'/xhr'")
    await run(blank, "void " + script.replace("BODY", json.dumps(prompt)))
    await drip.let(b"first")
    await heard.came("/xhr", b"first")
    await drip.let(b" second")
    await drip.finish()
    one = await heard.ended("/xhr")
    assert (one.how, one.body) == (End.WHOLE, b"first second")
    (request,) = one.requests
    assert (request.kind, request.body) == ("XHR", prompt.encode())


async def test_an_event_source_is_told_as_bytes_and_as_events(server, blank, heard):
    drip = server.drip("/events", content_type="text/event-stream")
    await run(blank, "void (window.source = new EventSource('/events'))")
    first = b"id: 7\nevent: ping\ndata: one\n\n"
    await drip.let(first)
    await heard.came("/events", first)
    await drip.let(b": still here\n\ndata: two\n\n")
    await heard.until(lambda: len(heard.all_of(EventCame)) == 2)
    await run(blank, "source.close()")
    one = await heard.ended("/events")
    assert one.body == first + b": still here\n\ndata: two\n\n"
    assert one.how == End.CANCELED
    told = [(event.name, event.data, event.event_id) for event in heard.all_of(EventCame)]
    assert told == [("ping", "one", "7"), ("message", "two", "7")]


async def test_an_empty_response_ends_whole(server, blank, heard):
    async def nothing(exchange):
        await exchange.say(b"", 204)

    server.handlers["/204"] = nothing
    server.file("/empty", b"")
    for path in ("/204", "/empty"):
        await run(blank, f"fetch('{path}').then(r => r.text())")
    for path in ("/204", "/empty"):
        one = await heard.ended(path)
        assert (one.how, one.body) == (End.WHOLE, b"")


async def test_a_redirect_leaves_twice_under_one_id_and_ends_once(server, blank, heard):
    async def elsewhere(exchange):
        await exchange.say(b"go there", 307, location="/there")

    async def there(exchange):
        await exchange.say(exchange.body)

    server.handlers.update({"/here": elsewhere, "/there": there})
    await run(blank, "fetch('/here', {method: 'POST', body: 'carried'}).then(r => r.text())")
    one = await heard.ended("/here")
    assert (one.how, one.body) == (End.WHOLE, b"carried")
    assert [request.url for request in one.requests] == [
        server.url("/here"),
        server.url("/there"),
    ]
    assert [request.redirects for request in one.requests] == [0, 1]
    assert one.began.url == server.url("/there")


async def test_a_response_from_the_cache_is_told_as_any_other(server, blank, heard):
    server.file("/cached", b"kept", cache_control="max-age=1000")
    for _ in range(2):
        await run(blank, "fetch('/cached').then(r => r.text())")
    await heard.ended("/cached", 2)
    first, second = heard.every("/cached")
    assert (first.how, first.body, first.began.from_cache) == (End.WHOLE, b"kept", False)
    assert (second.how, second.body, second.began.from_cache) == (End.WHOLE, b"kept", True)


@pytest.mark.parametrize(
    "made, carried",
    [
        ("new Blob(['ab', 'cd'])", b"abcd"),
        ("'x'.repeat(3000000)", b"x" * 3_000_000),
        ("new Uint8Array([0, 200, 255, 128])", b"\x00\xc8\xff\x80"),
        ("'\\u65e5\\u672c'", "日本".encode()),
    ],
    ids=["blob", "big", "binary", "text"],
)
async def test_what_a_request_carries_is_known_when_it_leaves(server, blank, heard, made, carried):
    server.file("/take", b"ok")
    await run(blank, f"fetch('/take', {{method: 'POST', body: {made}}}).then(r => r.text())")
    one = await heard.ended("/take")
    (request,) = one.requests
    if request.body is None:
        assert request.has_body
        await heard.until(lambda: heard.all_of(BodyKnown))
        (known,) = heard.all_of(BodyKnown)
        assert known == BodyKnown(request.id, carried)
    else:
        assert (request.body, request.has_body) == (carried, False)
    assert await heard.tap.request_body(request.id) == carried


KANA = "日本語 Grüße".encode()


@pytest.mark.parametrize(
    "data, mime",
    [
        (KANA, "application/json"),
        (KANA, "text/event-stream"),
        (KANA, "text/event-stream; charset=utf-8"),
        (KANA, "application/octet-stream"),
        (bytes(range(256)), "text/plain"),
        (b"\xff is no UTF-8", "text/plain; charset=utf-8"),
        ("Grüße".encode("latin-1"), "text/plain; charset=iso-8859-1"),
        ("日本語".encode("shift_jis"), "text/plain; charset=shift_jis"),
        (b"\xef\xbb\xbfwith a mark", "text/plain; charset=utf-8"),
    ],
    ids="json sse sse-utf8 octets western broken latin1 sjis mark".split(),
)
@pytest.mark.rows(3, first=1)
async def test_what_is_read_afterwards_is_the_same_bytes(server, blank, heard, data, mime):
    """A synchronous XHR is always read afterwards, and the browser hands out text: without
    a charset it takes an event stream for windows-1252 (Chromium 156)."""
    server.file("/text", data, mime)
    await run(blank, SYNC.replace("PATH", "'/text'"))
    one = await heard.ended("/text")
    assert (one.how, one.body) == (End.WHOLE, data)


async def test_a_body_too_big_to_be_kept_is_whole_as_it_streams(server, blank, monkeypatch):
    monkeypatch.setitem(BUFFERS, "maxResourceBufferSize", 100_000)
    data = noise(1_000_000)
    async with tab_on(server, blank) as heard:
        drip = server.drip("/big", content_type="application/octet-stream")
        await run(blank, "void fetch('/big').then(r => r.arrayBuffer())")
        await drip.let(data[:10])
        await heard.came("/big", data[:10])
        await drip.let(data[10:])
        await drip.finish()
        one = await heard.ended("/big")
    assert (one.how, one.body == data) == (End.WHOLE, True)


async def test_an_unwanted_response_is_counted_and_not_told(server, blank):
    await go(blank, server.url("/"))
    server.file("/dull", b"x" * 12_345)
    async with tapped(blank, wanted=lambda _: False) as heard:
        await run(blank, "fetch('/dull').then(r => r.text())")
        one = await heard.ended("/dull")
    assert one.chunks == []
    assert (one.ends[0].how, one.ends[0].size) == (End.WHOLE, 12_345)


async def test_a_request_begun_before_we_listened_is_named(server, blank):
    await go(blank, server.url("/"))
    drip = server.drip("/early")
    await run(blank, "void fetch('/early').then(r => r.text())")
    await drip.let(b"one")
    async with tapped(blank) as heard:
        await drip.let(b"two")
        await drip.finish()
        await heard.until(lambda: heard.all_of(Unheard))
        server.file("/later", b"heard")
        await run(blank, "fetch('/later').then(r => r.text())")
        assert (await heard.ended("/later")).body == b"heard"
    assert len(heard.all_of(Unheard)) == 1
    assert heard.every("/early") == []
