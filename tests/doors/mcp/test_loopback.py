"""Pumps and hubs where there are no Unix sockets: a port, and a proof by both."""

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest

from kit.mcp_clients import STARTS_NO_HUB, introduce, pumping, said_by, say
from tabwire.doors.mcp.server import McpDoor
from tabwire.hub.process import sockets
from tabwire.hub.process.loopback import FILE, connected, write_down

pytestmark = pytest.mark.asyncio
BOUND = 60.0

WITHOUT_UNIX = f"from tabwire.doors.mcp import pump; pump.HAS_UNIX = False\n{STARTS_NO_HUB}"


@asynccontextmanager
async def serving(hub, run):
    """A hub's door at a port; the secret that leads in."""
    listening = socket.create_server(("127.0.0.1", 0))
    path, secret = write_down(run, listening.getsockname()[1])
    async with asyncio.TaskGroup() as group:
        task = group.create_task(McpDoor(hub, beat=0.02).serve_socket(listening, secret))
        try:
            yield secret
        finally:
            task.cancel()
            path.unlink()


@asynccontextmanager
async def dialled(run):
    port = int((run / FILE).read_text().split()[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def test_a_pump_speaks_to_a_hub_and_finds_the_next_one(hub, jobs, tmp_path, path):
    async with asyncio.timeout(BOUND), pumping(tmp_path, program=WITHOUT_UNIX) as process:
        async with serving(hub, path.parent):
            introduce(process)
            assert (await said_by(process))["result"]["serverInfo"]["name"] == "tabwire"
        async with serving(hub, path.parent):
            say(process, id=7, method="tools/list")
            tools = (await said_by(process))["result"]["tools"]
            assert "ask_grok_web" in {one["name"] for one in tools}


async def test_a_program_that_has_not_read_the_file_is_hung_up_on(hub, path):
    async with asyncio.timeout(BOUND), serving(hub, path.parent):
        for said in (b"{}\n", b"\n", b"x" * 300 + b"\n"):
            async with dialled(path.parent) as (reader, writer):
                writer.write(said)
                await reader.readline()
                writer.write(b'{"version":"1","cwd":"/","pid":1,"started":1,"agent":""}\n')
                assert await reader.read() == b""
        assert hub.guests.count == 0


async def test_a_proof_that_was_overheard_is_worth_nothing(hub, path):
    """Promise: nobody comes in by what was said before."""
    async with asyncio.timeout(BOUND), serving(hub, path.parent):
        heard = []

        async def between(reader, writer):  # passes a pump on to the hub, and listens
            async with dialled(path.parent) as (back, to):
                to.write(said := await reader.readline())
                heard.append(said)
                writer.write(await back.readline())
                to.write(said := await reader.readline())
                heard.append(said)
                writer.close()

        (path.parent / "other").mkdir()
        async with await asyncio.start_server(between, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            secret = (path.parent / FILE).read_text().split()[1]
            (path.parent / "other" / FILE).write_text(f"{port} {secret}\n")
            line = await asyncio.to_thread(connected, path.parent / "other")
            assert line is not None
            line.close()
        async with dialled(path.parent) as (reader, writer):
            for said in heard:
                writer.write(said)
            await reader.readline()
            assert await reader.read() == b""


async def test_a_program_at_the_port_of_a_hub_that_is_gone_learns_nothing(tmp_path):
    heard, done = [], asyncio.Event()

    async def impostor(reader, writer):
        heard.append(await reader.readline())
        writer.write(b"0" * 64 + b" " + b"0" * 64 + b"\n")
        heard.append(await reader.read())
        writer.close()
        done.set()

    async with (
        asyncio.timeout(BOUND),
        await asyncio.start_server(impostor, "127.0.0.1", 0) as server,
    ):
        _, secret = write_down(tmp_path, server.sockets[0].getsockname()[1])
        assert await asyncio.to_thread(connected, tmp_path) is None
        await done.wait()
    assert heard[1] == b""
    assert secret.encode() not in heard[0]


@pytest.mark.parametrize("said", ["", "nothing", "70000 x", "-1 x", "9 x"])
async def test_a_file_that_leads_nowhere_is_no_hub(tmp_path, said):
    (tmp_path / FILE).write_text(said)
    assert connected(tmp_path) is None


async def test_a_hub_without_unix_sockets_writes_its_port_down_for_its_owner(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    monkeypatch.setattr(sockets, "HAS_UNIX", False)
    opened = sockets.open_sockets(0)
    file = tmp_path / "run" / FILE
    try:
        port, secret = file.read_text().split()
        assert (int(port), secret) == (opened.mcp.getsockname()[1], opened.mcp_secret)
        assert file.stat().st_mode & 0o777 == 0o600
        assert opened.api is None
    finally:
        opened.close()
    assert not file.exists()
