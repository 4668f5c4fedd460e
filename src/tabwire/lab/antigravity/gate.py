"""The debugging port: bytes to and from the browser's own, written down and cut at will.

The browser chooses its port itself; this one stays the same when it is started anew. What
passes is not changed, but for one header (so that messages are not packed and can be read):
addresses in `/json/list` lead back here because the browser makes them from the `Host` it is
asked by.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from tabwire.lab.serve import LOOPBACK, listen

CHUNK = 1 << 16
MOST_HEAD = 1 << 16
PACKED = re.compile(rb"\r\nsec-websocket-extensions:[^\r]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """Something a client asked of the browser."""

    path: str  # `/json/list`, or of the socket it speaks on
    method: str = ""  # of the protocol; "" where this is the request itself
    session: str = ""


class Frames:
    """What a client writes to a WebSocket -> its text messages. Control frames are left out."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._parts = bytearray()

    def feed(self, chunk: bytes) -> list[bytes]:
        """The messages that are whole now."""
        self._held += chunk
        found = []
        while (frame := self._frame()) is not None:
            last, code, body = frame
            if code in (0, 1, 2):
                self._parts += body
                if last:
                    found.append(bytes(self._parts))
                    self._parts.clear()
        return found

    def _frame(self) -> tuple[bool, int, bytes] | None:
        held = self._held
        if len(held) < 2:
            return None
        length, at = held[1] & 127, 2
        if length > 125:
            at = 4 if length == 126 else 10
            if len(held) < at:
                return None
            length = int.from_bytes(held[2:at])
        mask = bytes(held[at : at + 4]) if held[1] & 128 else b""
        at += len(mask)
        if (held[1] & 128 and len(mask) < 4) or len(held) < at + length:
            return None
        body = bytes(held[at : at + length])
        if mask:
            whole = int.from_bytes(mask * (length // 4 + 1)) >> (8 * (4 - length % 4))
            body = (int.from_bytes(body) ^ whole).to_bytes(length) if length else b""
        last, code = bool(held[0] & 128), held[0] & 15
        del held[: at + length]
        return last, code, body


class Gate:
    """The port others know. Enter it; `to` is where the browser listens, or None."""

    def __init__(self, port: int = 0) -> None:
        self.to: int | None = None
        self.asked: list[Asked] = []
        self.delay_seconds = 0.0  # of every answer of the browser
        self._socket = listen(port)
        self.port: int = self._socket.getsockname()[1]
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> "Gate":
        self._server = await asyncio.start_server(self._pass, sock=self._socket)
        return self

    async def __aexit__(self, *_exc: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await self._server.wait_closed()

    def cut(self) -> int:
        """Every connection breaks, now; how many. New ones may be made."""
        cut = list(self._open)
        for writer in cut:
            writer.transport.abort()
        return len(cut)

    def methods(self, name: str | None = None) -> list[Asked]:
        """The commands of the protocol that passed, or those of one name."""
        return [one for one in self.asked if one.method and name in (None, one.method)]

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            # a browser that is away: whoever connects is hung up on, as when nobody listens
            if self.to is not None:
                with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                    await self._carry(reader, writer, self.to)
        finally:
            self._open.discard(writer)
            writer.transport.abort()

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, to: int
    ) -> None:
        there, away = await asyncio.open_connection(LOOPBACK, to)
        self._open.add(away)
        try:
            async with asyncio.TaskGroup() as group:
                back = group.create_task(self._copy(there, writer, lambda _chunk: None))
                await self._requests(reader, away)
                away.close()
                await back
        except* OSError:
            pass  # either end broke it
        finally:
            self._open.discard(away)
            away.transport.abort()

    async def _requests(self, reader: asyncio.StreamReader, away: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                return
            path = head.split(b" ", 2)[1].decode("latin-1")
            self.asked.append(Asked(path))
            away.write(PACKED.sub(b"", head))
            if b"upgrade: websocket" in head.lower():
                frames = Frames()

                def hear(chunk: bytes, frames: Frames = frames, path: str = path) -> None:
                    self._heard(frames.feed(chunk), path)

                await self._copy(reader, away, hear)
                return

    def _heard(self, messages: list[bytes], path: str) -> None:
        for message in messages:
            with suppress(msgspec.DecodeError):
                told = msgspec.json.decode(message)
                self.asked.append(Asked(path, told.get("method", ""), told.get("sessionId", "")))

    async def _copy(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        hear: Callable[[bytes], None],
    ) -> None:
        while chunk := await reader.read(CHUNK):
            hear(chunk)
            if self.delay_seconds:
                await asyncio.sleep(self.delay_seconds)
            writer.write(chunk)
            await writer.drain()
        with suppress(OSError):
            writer.close()
