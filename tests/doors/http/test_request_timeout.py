"""A request that is begun and never sent whole is hung up on; an answer may take its time."""

import asyncio

import pytest

from kit.http_door import open_door
from tabwire.doors.http import request_timeout as patience

pytestmark = pytest.mark.asyncio

HEAD = "POST /api/v1/jobs HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\n"
JSON = "content-type: application/json\r\n"
HALVES = [
    # what is sent, what comes back before the line is closed
    ("nothing", "", 0),
    ("a word", "GE", 408),
    ("half a line", "GET /api/v1/status", 408),
    ("half a head", HEAD, 408),
    ("no body", HEAD + JSON + "content-length: 100\r\n\r\n", 408),
    ("half a body", HEAD + JSON + 'content-length: 100\r\n\r\n{{"requests": [', 408),
    ("half a chunk", HEAD + JSON + "transfer-encoding: chunked\r\n\r\n10\r\n{{", 408),
]


@pytest.mark.parametrize("local", [False, True], ids=["port", "socket"])
@pytest.mark.parametrize("said, status", [c[1:] for c in HALVES], ids=[c[0] for c in HALVES])
async def test_half_a_request_does_not_stay_open(tmp_path, monkeypatch, said, status, local):
    monkeypatch.setattr(patience, "REQUEST_SECONDS", 0.1)
    async with open_door(tmp_path, monkeypatch) as door:
        data = said.format(port=door.port, token=door.token).encode()
        assert (await door.raw(data, local=local)).status == status


async def test_one_byte_at_a_time_makes_it_no_longer(tmp_path, monkeypatch):
    monkeypatch.setattr(patience, "REQUEST_SECONDS", 0.2)
    async with open_door(tmp_path, monkeypatch) as door:
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            reading = group.create_task(reader.read(-1))
            while not reading.done():
                writer.write(b"x")
                await asyncio.wait([reading], timeout=0.02)
        writer.close()


async def test_an_answer_may_take_longer_than_a_request(tmp_path, monkeypatch):
    monkeypatch.setattr(patience, "REQUEST_SECONDS", 0.05)
    async with open_door(tmp_path, monkeypatch) as door:
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        for _ in range(2):  # the second on the line of the first
            head = f"GET /api/v1/wait?seconds=0.5 HTTP/1.1\r\nhost: 127.0.0.1:{door.port}\r\n"
            writer.write(f"{head}authorization: Bearer {door.token}\r\n\r\n".encode())
            async with asyncio.timeout(60):
                told = await reader.readuntil(b"\r\n\r\n")
                length = int(told.lower().partition(b"content-length: ")[2].split()[0])
                await reader.readexactly(length)
            assert b" 408 " not in told
        writer.close()
