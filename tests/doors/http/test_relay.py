"""The extension's two routes: what they tell whom, and who is sent away before a word is read."""

import asyncio
import base64
import json
import struct
from contextlib import suppress

import psutil
import pytest
import pytest_asyncio
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from kit.relay_hub import relay_hub
from kit.relay_peer import SentAway
from tabwire import __version__
from tabwire.config.logs import close_log, open_log
from tabwire.model.extension import EXTENSION_ID, ORIGIN, PROTOCOL

pytestmark = pytest.mark.asyncio

SECONDS = 60.0
FOREIGN = [
    "https://evil.example",
    "https://chatgpt.com",
    "null",
    "file://",
    "garbage",
    "",
    "http://127.0.0.1:{port}",
    "http://localhost:{port}",
    "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba",
    f"{ORIGIN}.evil.example",
    f"{ORIGIN}/",
    f"{ORIGIN}:80",
    ORIGIN.upper(),
    f"moz-extension://{EXTENSION_ID}",
    f"{ORIGIN} {ORIGIN}",
]
HOSTS = ["evil.example:{port}", "localhost.evil.example:{port}", "0.0.0.0:{port}", "127.0.0.1", ""]


@pytest_asyncio.fixture
async def hub(tmp_path, monkeypatch):
    async with asyncio.timeout(SECONDS), relay_hub(tmp_path, monkeypatch) as hub:
        yield hub


def upgrade(**more):
    """The headers of one that wants a socket, without the token: the extension has none."""
    return {
        "upgrade": "websocket",
        "connection": "Upgrade",
        "sec_websocket_version": "13",
        "sec_websocket_key": base64.b64encode(b"0123456789abcdef").decode(),
        "authorization": None,
        "origin": ORIGIN,
        **more,
    }


# --- discovery -----------------------------------------------------------------------------------


async def test_discovery_answers_curl_and_tells_no_secret(hub):
    answer = await hub.door.ask("GET", "/mcp-discovery", authorization=None)
    assert answer.status == 200
    assert answer.json == {
        "wsUrl": f"ws://127.0.0.1:{hub.port}/relay",
        "startedAt": round(hub.door.hub.started_at * 1000),
        "version": __version__,
        "protocol": PROTOCOL,
        "id": hub.pairing.hub_id,
    }
    assert b"access-control" not in answer.head


async def test_our_extension_alone_may_read_it_in_a_browser(hub):
    answer = await hub.door.ask("GET", "/mcp-discovery", authorization=None, origin=ORIGIN)
    assert answer.status == 200
    assert f"access-control-allow-origin: {ORIGIN}".encode() in answer.head
    assert b"access-control-allow-credentials" not in answer.head


@pytest.mark.parametrize("origin", [one for one in FOREIGN if "{port}" not in one])
async def test_t03_no_other_page_may(hub, origin):
    answer = await hub.door.ask("GET", "/mcp-discovery", authorization=None, origin=origin)
    assert answer.status == 403
    assert b"access-control" not in answer.head


@pytest.mark.parametrize("site, status", [("cross-site", 403), ("same-site", 403), ("none", 200)])
async def test_a_page_that_embeds_it_is_refused_though_it_says_no_origin(hub, site, status):
    """`<script src>` and the like; a person who types the address says `none`."""
    said = {"authorization": None, "sec_fetch_site": site}
    assert (await hub.door.ask("GET", "/mcp-discovery", **said)).status == status


@pytest.mark.parametrize("host", HOSTS)
async def test_t02_a_name_that_resolves_to_us_does_not_help(hub, host):
    said = {"authorization": None, "host": host.format(port=hub.port)}
    assert (await hub.door.ask("GET", "/mcp-discovery", **said)).status == 421
    assert (await hub.door.ask("GET", "/relay", **upgrade(host=said["host"]))).status == 421


async def test_it_can_only_be_read(hub):
    for method in ("POST", "DELETE", "OPTIONS", "PUT"):
        answer = await hub.door.ask(method, "/mcp-discovery", authorization=None, origin=ORIGIN)
        assert answer.status == 405


async def test_it_does_not_count_as_use(hub):
    before = hub.door.hub.guests.left_at
    peer = await hub.paired()
    await hub.door.ask("GET", "/mcp-discovery", authorization=None)
    assert hub.door.hub.guests.left_at == before
    assert hub.door.hub.guests.count == 0
    await peer.close()


# --- the socket ----------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", FOREIGN)
async def test_t07_t18_no_page_and_no_other_extension_gets_a_socket(hub, origin):
    answer = await hub.door.ask(
        "GET", "/relay", **upgrade(origin=origin.format(port=hub.port), authorization=None)
    )
    assert answer.status == 403, answer.raw[:200]
    assert b"access-control" not in answer.head


async def test_t07_not_even_with_the_token(hub):
    token = f"Bearer {hub.door.token}"
    for origin in ("https://evil.example", None, f"http://127.0.0.1:{hub.port}"):
        answer = await hub.door.ask("GET", "/relay", **upgrade(origin=origin, authorization=token))
        assert answer.status == 403


async def test_two_origins_are_none(hub):
    lines = [
        "GET /relay HTTP/1.1",
        f"host: 127.0.0.1:{hub.port}",
        f"origin: {ORIGIN}",
        "origin: https://evil.example",
        "upgrade: websocket",
        "connection: Upgrade",
        "sec-websocket-version: 13",
        "sec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==",
    ]
    answer = await hub.door.raw("\r\n".join([*lines, "", ""]).encode())
    assert answer.status in (400, 403)


@pytest.mark.parametrize("path", ["/", "/mcp", "/api/v1/status", "/relay/", "/relayx", "/RELAY"])
async def test_no_socket_is_opened_elsewhere(hub, path):
    for token in (None, f"Bearer {hub.door.token}"):
        answer = await hub.door.ask("GET", path, **upgrade(authorization=token))
        assert answer.status == 403, "the extension's Origin opens one door"
    ours = upgrade(origin=None, authorization=f"Bearer {hub.door.token}")
    assert (await hub.door.ask("GET", path, **ours)).status == 404


async def test_the_relay_without_a_socket_is_nothing(hub):
    said = {"authorization": None, "origin": ORIGIN}
    assert (await hub.door.ask("GET", "/relay", **said)).status == 403
    assert (await hub.door.ask("GET", "/relay", authorization=None)).status == 401
    assert (await hub.door.ask("GET", "/relay")).status == 404


async def test_over_the_hubs_own_socket_there_is_no_relay(hub):
    answer = await hub.door.ask("GET", "/relay", local=True, **upgrade(connection="close"))
    assert answer.status == 403


async def test_one_that_is_refused_said_nothing_that_was_read(hub, tmp_path):
    open_log("debug", file=tmp_path / "log")
    try:
        with pytest.raises(InvalidStatus):
            async with connect(
                f"ws://127.0.0.1:{hub.port}/relay", origin="https://evil.example", proxy=None
            ) as socket:
                await socket.send('{"t":"hello"}')
    finally:
        close_log()
    log = (tmp_path / "log").read_text()
    assert "wrong_origin" in log
    assert "relay connection was refused" not in log


async def test_no_compression_is_agreed_to(hub):
    async with connect(
        f"ws://127.0.0.1:{hub.port}/relay", origin=ORIGIN, compression="deflate", proxy=None
    ) as socket:
        assert socket.protocol.extensions == []


# --- sizes ---------------------------------------------------------------------------------------


async def raw_socket(hub):
    """A socket of which we write the frames ourselves."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.port)
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in upgrade().items() if value]
    head = ["GET /relay HTTP/1.1", f"host: 127.0.0.1:{hub.port}", *lines, "", ""]
    writer.write("\r\n".join(head).encode())
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def test_f18_a_frame_of_100_mb_is_refused_by_its_first_bytes(hub):
    reader, writer = await raw_socket(hub)
    before = psutil.Process().memory_info().rss
    writer.write(struct.pack("!BBQ", 0x81, 0xFF, 100_000_000) + b"\0\0\0\0" + b"x" * 100_000)
    frame = await reader.read(100)
    assert frame[0] == 0x88
    assert struct.unpack("!H", frame[2:4])[0] == 1009
    assert psutil.Process().memory_info().rss - before < 50_000_000
    writer.close()


async def test_f18_one_of_many_small_pieces_is_refused_too(hub):
    reader, writer = await raw_socket(hub)
    piece = struct.pack("!BBQ", 0x01, 0xFF, 1_000_000) + b"\0\0\0\0" + b"x" * 1_000_000
    writer.write(piece)
    with suppress(ConnectionError):
        for _ in range(6):
            writer.write(bytes([0x00]) + piece[1:])
            await writer.drain()
    said = b""
    with suppress(ConnectionError):
        said = await reader.read(100)
    assert said == b"" or said[0] == 0x88
    writer.close()
    peer = await hub.paired()  # everybody else is served
    await peer.close()


async def test_a_known_one_that_says_too_much_at_once_is_closed_and_may_come_back(hub):
    peer = await hub.paired()
    await peer._raw(json.dumps({"n": 99, "on": "x" * 5_000_000}))
    assert await peer.hung_up() == 1009
    assert (await peer.resume())["fresh"] is False
    await peer.close()


async def test_f15_a_hub_that_does_not_read_holds_the_extension_back(hub):
    """Sixty megabytes are said while nothing is heard: they stay on the other side."""
    peer = await hub.paired()
    gate = asyncio.Event()
    receive = hub.relays._used.line._socket._receive

    async def slow():
        await gate.wait()
        return await receive()

    hub.relays._used.line._socket._receive = slow
    await peer.event("tab.gone", tab=0)  # the one that is being waited for already
    before = psutil.Process().memory_info().rss
    said = 0

    async def talk():
        nonlocal said
        for _ in range(60):
            await peer.send(json.dumps({"ping": "x" * 1_000_000}))
            said += 1

    talking = asyncio.get_running_loop().create_task(talk())
    transport, still, size = peer._socket.transport, 0, -1
    while still < 500 and not talking.done():  # so many turns in which nothing moves
        await asyncio.sleep(0)
        now = transport.get_write_buffer_size()
        still, size = (still + 1 if now == size > 0 else 0), now
    assert not talking.done(), "it is held back"
    assert said < 40
    assert psutil.Process().memory_info().rss - before < 100_000_000
    gate.set()
    await talking
    assert await hub.relays.ask("getVersion")
    await peer.close()


async def test_one_that_was_sent_away_hears_why(hub):
    async with hub.peer() as peer:
        with pytest.raises(SentAway) as caught:
            await peer.say_hello(protocol=99)
        assert set(caught.value.told) == {"t", "why", "message", "what_to_do"}
        assert await peer.hung_up() == 1008
