"""The HTTP door of a scripted hub, in this process, and raw bytes sent to it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kit.mcp_jobs import ScriptedJobs, jobs_of, scripted_hub
from tabwire.config.home import run_folder
from tabwire.doors.http.access import App
from tabwire.doors.http.serving import HttpDoor
from tabwire.hub.local.hub import LocalHub
from tabwire.hub.process.daemon import Ending
from tabwire.hub.process.lock import socket_path
from tabwire.hub.process.sockets import API, open_sockets
from tabwire.hub.process.token import made_token

ANSWER_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back: bytes, taken apart as far as they go."""

    raw: bytes

    @property
    def status(self) -> int:
        """0 where the line was closed without a word."""
        words = self.raw.split(b" ", 2)
        return int(words[1]) if len(words) == 3 else 0

    @property
    def head(self) -> bytes:
        """Everything before the body, in small letters."""
        return self.raw.partition(b"\r\n\r\n")[0].lower()

    @property
    def json(self) -> Any:
        """The body."""
        return msgspec.json.decode(self.raw.partition(b"\r\n\r\n")[2])


@dataclass(frozen=True, slots=True)
class Open:
    """A door that is open."""

    hub: LocalHub
    jobs: ScriptedJobs
    port: int
    token: str
    socket: Path
    ending: Ending
    headers: dict[str, str] = field(default_factory=dict)

    async def ask(
        self, method: str, path: str, body: bytes = b"", *, local: bool = False, **more: str | None
    ) -> Answered:
        """A request as it should be, but for `more`: a header by its name, None to leave it out."""
        said: dict[str, str | None] = {
            "host": f"127.0.0.1:{self.port}",
            "authorization": f"Bearer {self.token}",
            "connection": "close",
        }
        if method == "POST":
            said |= {"content-type": "application/json", "content-length": str(len(body))}
        said |= {name.replace("_", "-"): value for name, value in more.items()}
        lines = [f"{name}: {value}" for name, value in said.items() if value is not None]
        head = "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode("latin-1")
        return await self.raw(head + body, local=local)

    async def raw(self, data: bytes, *, local: bool = False) -> Answered:
        """These bytes, and all that comes back until the hub hangs up."""
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await (
                asyncio.open_unix_connection(str(self.socket))
                if local
                else asyncio.open_connection("127.0.0.1", self.port)
            )
            try:
                writer.write(data)
                await writer.drain()
                return Answered(await reader.read(-1))
            except ConnectionError:  # it hung up while we still spoke
                return Answered(b"")
            finally:
                writer.close()


@asynccontextmanager
async def open_door(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    mcp: App | None = None,
    file_roots: tuple[Path, ...] = (),
    hub: LocalHub | None = None,
) -> AsyncIterator[Open]:
    """An open door, inside the block; of the same hub as before, where it is given."""
    monkeypatch.setenv("TABWIRE_HOME", str(home))
    run_folder()
    hub = hub or scripted_hub(file_roots=file_roots)
    sockets, ending = open_sockets(0), Ending()
    door = HttpDoor(hub, sockets, ending, mcp=mcp)
    try:
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(door.serve())
            path = socket_path(API)
            yield Open(hub, jobs_of(hub), sockets.port, made_token(), path, ending)
            ending.ask("the test is over")
            serving.cancel()
    finally:
        sockets.close()
