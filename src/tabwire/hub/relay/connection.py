"""One socket that is known: what is said waits in a queue, what comes is heard or passed on."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from tabwire.cdp.carrier import Carrier
from tabwire.cdp.errors import LineFull
from tabwire.cdp.relay_frames import CHROME_SAID
from tabwire.config.logs import get_log, where
from tabwire.hub.relay.handshake import Socket
from tabwire.hub.relay.session import RelaySession, Violation

MAX_UNSENT = 64 * 1024 * 1024  # characters that wait for an extension that does not read
CLOSE_SECONDS = 2.0  # for an extension to hear why it is hung up on
NORMAL, POLICY = 1000, 1008  # codes with which a WebSocket is closed


class RelayLine:
    """A socket with a queue before it: whoever speaks does not wait."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._queue: deque[str] = deque()
        self._size = 0
        self._more = asyncio.Event()
        self._over: str | None = None
        self.patience = asyncio.timeout(None)

    def put(self, text: str) -> None:
        """Behind all that was said before. Who does not read is hung up on."""
        if self._over is not None:
            return
        self._queue.append(text)
        self._size += len(text)
        if self._size > MAX_UNSENT:
            self.hang_up("it stopped reading")
        self._more.set()

    def hang_up(self, why: str) -> None:
        """After what was said already."""
        if self._over is None:
            self._over = why
            self._more.set()
            self._hurry()

    def _hurry(self) -> None:
        """Whoever does not read cannot be told; it is not waited for."""
        # not entered yet (older Pythons assert that), or left already
        with suppress(RuntimeError, AssertionError):
            self.patience.reschedule(asyncio.get_running_loop().time() + CLOSE_SECONDS)

    async def receive(self) -> str | None:
        """The next text; None when it is over, on either side."""
        return None if self._over is not None else await self._socket.receive()

    async def write(self) -> None:
        """Say it all, until it is over."""
        while True:
            await self._more.wait()
            self._more.clear()
            while self._queue:
                text = self._queue.popleft()
                await self._socket.send(text)
                self._size -= len(text)
            if self._over is not None:
                await self._socket.close(NORMAL, self._over[:100])
                return

    async def refuse(self, why: str) -> None:
        """Close it at once."""
        self._over = self._over or why
        self._hurry()
        await self._socket.close(POLICY, why[:100])

    @property
    def over(self) -> str | None:
        """Why we are done with it."""
        return self._over


async def hear_all(session: RelaySession, line: RelayLine, clock: Callable[[], float]) -> str:
    """Hear it all; says why it ended."""
    while True:
        try:
            async with asyncio.timeout_at(session.next_deadline()):
                text = await line.receive()
        except TimeoutError:
            try:
                session.tick(clock())
            except Violation as deaf:
                await line.refuse(str(deaf))
                return str(deaf)
            continue
        if text is None:
            return line.over or "it closed the connection"
        try:
            session.hear(text, clock())
            if clock() >= session.next_deadline():  # who never stops talking is answered too
                session.tick(clock())
        except Violation as violation:
            await line.refuse(str(violation))
            return str(violation)
        except Exception as exc:  # noqa: BLE001 - a fault of whoever listens costs no tab its line
            get_log().error("a listener of the relay failed", error=exc, where=where(exc))


async def pass_through(carrier: Carrier, line: RelayLine) -> None:
    """DevTools messages between a carrier of ours and whoever is at the other end of a socket."""
    carrier.start(
        lambda message: line.put(message.decode()),
        lambda gone: line.hang_up(gone.why),
    )
    try:
        async with line.patience, asyncio.TaskGroup() as group:
            writing = group.create_task(line.write())
            try:
                while (text := await line.receive()) is not None:
                    _pass_on(carrier, line, text)
            finally:
                writing.cancel()
    except TimeoutError:
        get_log().info("a command that used the extension stopped reading")
    finally:
        await carrier.close()


def _pass_on(carrier: Carrier, line: RelayLine, text: str) -> None:
    try:
        carrier.send(text.encode())
    except LineFull as full:
        number = msgspec.json.decode(text, type=dict[str, Any]).get("id")
        told = {"id": number, "error": {"code": CHROME_SAID, "message": str(full)}}
        line.put(msgspec.json.encode(told).decode())
    except (ValueError, RecursionError):
        line.hang_up("not a DevTools command")
