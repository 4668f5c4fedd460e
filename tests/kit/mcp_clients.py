"""Clients on the line: the official Python client, over the same socket a pump uses."""

import asyncio
import json
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.message import SessionMessage
from mcp_types import Implementation

from tabwire.doors.mcp.connection import messages
from tabwire.doors.mcp.server import McpDoor
from tabwire.hub.local.hub import LocalHub

ERAS = {"2025-11-25": "legacy", "2026-07-28": "2026-07-28"}
"""Both eras of the protocol, as the client names them."""

Streams = tuple[
    MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]
]


@asynccontextmanager
async def serving(hub: LocalHub, path: Path, *, beat: float = 0.02) -> AsyncIterator[McpDoor]:
    """A hub's door at a socket, inside the block; afterwards nobody listens there."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen(50)
    door = McpDoor(hub, beat=beat)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(door.serve_socket(listening))
        try:
            yield door
        finally:
            task.cancel()
            path.unlink()


@asynccontextmanager
async def on_the_line(path: Path, **hello: Any) -> AsyncIterator[Streams]:
    """A connection as a pump makes it, as the streams of a client."""
    reader, writer = await asyncio.open_unix_connection(str(path), limit=32 << 20)
    said = {"version": "1", "cwd": "", "pid": os.getpid(), "started": time.time(), "agent": ""}
    writer.write(json.dumps(said | hello).encode() + b"\n")
    try:
        async with messages(reader, writer) as streams:
            yield streams
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


@asynccontextmanager
async def client_of(
    path: Path, era: str = "legacy", *, name: str = "test-client", **hello: Any
) -> AsyncIterator[Client]:
    """The official client on such a line."""
    async with Client(
        on_the_line(path, **hello),
        mode=era,
        client_info=Implementation(name=name, version="1"),
    ) as client:
        yield client


def pump_parameters(
    home: Path, *, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> StdioServerParameters:
    """How a client starts `tabwire mcp`."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "tabwire", "mcp"],
        cwd=str(cwd or home),
        env={**pump_environment(home), **(environment or {})},
    )


def pump_environment(home: Path) -> dict[str, str]:
    """The environment of a pump whose hub lives in `home`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TABWIRE_")}
    return kept | {"TABWIRE_HOME": str(home)}


STARTS_NO_HUB = (
    "import sys, tabwire.hub.process.starter as spawning; spawning.ensure_hub = lambda: None\n"
    "from tabwire.doors.mcp.pump import main; sys.exit(main())"
)


@asynccontextmanager
async def pumping(
    home: Path, *, program: str = STARTS_NO_HUB, stdout: int = asyncio.subprocess.PIPE
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A pump whose stdin and stdout are the test's. It looks for a hub, and starts none."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program),
        cwd=home,
        env=pump_environment(home),
        stdin=asyncio.subprocess.PIPE,
        stdout=stdout,
        stderr=asyncio.subprocess.PIPE,
        limit=32 << 20,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        # waits until both pipes are at their end: nothing of it is left behind
        await process.communicate()


async def said_by(process: asyncio.subprocess.Process) -> dict[str, Any]:
    """The next message of a pump."""
    assert process.stdout is not None
    message: dict[str, Any] = json.loads(await process.stdout.readline())
    return message


def say(process: asyncio.subprocess.Process, **message: Any) -> None:
    """A message to a pump."""
    assert process.stdin is not None
    process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def introduce(process: asyncio.subprocess.Process, name: str = "test-client") -> None:
    """The handshake of the older era."""
    information = {"name": name, "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": information}
    say(process, id=0, method="initialize", params=params)
    say(process, method="notifications/initialized")
