"""What passes the debugging port is read from the bytes of its sockets, however they are cut."""

import asyncio
import json

import pytest
import websockets

from kit.antigravity import listed
from kit.chromium import connect_to
from kit.cuts import every_cut
from tabwire.lab.antigravity import Window
from tabwire.lab.antigravity.gate import Frames

MASK = bytes([7, 1, 9, 250])


def frame(body: bytes, *, last: bool = True, code: int = 1, masked: bool = True) -> bytes:
    size = len(body)
    if size < 126:
        length = bytes([size])
    elif size < 1 << 16:
        length = bytes([126]) + size.to_bytes(2)
    else:
        length = bytes([127]) + size.to_bytes(8)
    if not masked:
        return bytes([128 * last + code]) + length + body
    hidden = bytes(byte ^ MASK[at % 4] for at, byte in enumerate(body))
    return bytes([128 * last + code, length[0] | 128]) + length[1:] + MASK + hidden


CASES = [
    ("one", frame(b'{"id":1}'), [b'{"id":1}']),
    ("two", frame(b"a") + frame(b"bc"), [b"a", b"bc"]),
    ("empty", frame(b""), [b""]),
    ("in parts", frame(b"ab", last=False) + frame(b"cde", code=0), [b"abcde"]),
    (
        "a ping between",
        frame(b"ab", last=False) + frame(b"x", code=9) + frame(b"c", code=0),
        [b"abc"],
    ),
    ("longer", frame(b"x" * 300), [b"x" * 300]),
    ("not hidden", frame(b"abc", masked=False), [b"abc"]),
]


@pytest.mark.parametrize("wire, messages", [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_messages_are_the_same_however_the_bytes_are_cut(wire, messages):
    for chunks in every_cut(wire):
        frames = Frames()
        assert [one for chunk in chunks for one in frames.feed(chunk)] == messages, chunks


def test_a_very_long_message_is_whole():
    frames = Frames()
    body = bytes(range(256)) * 300
    assert frames.feed(frame(body)) == [body]


@pytest.mark.asyncio
@pytest.mark.xdist_group("browser")
async def test_addresses_in_the_list_lead_back_through_the_port(antigravity, agent_window):
    desk = await agent_window("gate-one")
    rows = {row["id"]: row for row in await listed(antigravity.port)}
    row = rows[antigravity.target(desk.window)]
    assert f":{antigravity.port}/" in row["webSocketDebuggerUrl"]
    before = len(antigravity.gate.methods("Runtime.evaluate"))
    async with await connect_to(row["webSocketDebuggerUrl"]) as line:
        await line.call("Runtime.evaluate", {"expression": "1 + 1"})
    asked = antigravity.gate.methods("Runtime.evaluate")[before:]
    assert [one.path for one in asked] == [f"/devtools/page/{row['id']}"]


@pytest.mark.asyncio
@pytest.mark.xdist_group("browser")
async def test_whoever_offers_to_pack_messages_is_read_all_the_same(antigravity):
    before = len(antigravity.gate.methods("Browser.getVersion"))
    async with websockets.connect(antigravity.url, compression="deflate") as line:
        await line.send(json.dumps({"id": 1, "method": "Browser.getVersion"}))
        assert json.loads(await line.recv())["id"] == 1
    assert len(antigravity.gate.methods("Browser.getVersion")) == before + 1


@pytest.mark.asyncio
@pytest.mark.xdist_group("browser")
async def test_a_cut_breaks_every_line_and_new_ones_can_be_made(antigravity):
    window = await antigravity.open(Window("gate-two"))
    first = await connect_to(antigravity.url)
    assert first.gone is None
    assert await antigravity.cut() >= 1
    async with asyncio.timeout(60):
        gone = await first.wait_gone()
    assert not gone.by_us
    async with await connect_to(antigravity.url) as second:
        await second.call("Browser.getVersion")
    await antigravity.close(window)
