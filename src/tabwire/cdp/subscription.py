"""A bounded queue of events that says what it had to leave out.

Theory of operation. A reader that falls behind must not make memory grow without end, nor
may it believe it saw everything. So when the queue is full the newest event is left out and
counted, and a `Missed` stands in the queue at exactly the place of the gap. Events that end
something (a load, a tab, a session) still get in, into a reserve of the same size: a reader
that never hears the end waits forever. Past the reserve even those are counted, apart.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from tabwire.cdp.errors import CdpError
from tabwire.cdp.protocol import Event

TERMINAL = frozenset(
    {
        "Inspector.detached",
        "Inspector.targetCrashed",
        "Network.loadingFailed",
        "Network.loadingFinished",
        "Network.webSocketClosed",
        "Page.frameDetached",
        "Runtime.executionContextDestroyed",
        "Target.detachedFromTarget",
        "Target.targetCrashed",
        "Target.targetDestroyed",
    }
)
"""Events after which nothing more comes about their subject."""

QUEUE_EVENTS = 10_000
"""Events kept for one reader: one busy tab sends 20 a second, so minutes of not reading."""

QUEUE_BYTES = 64 * 1024 * 1024
"""Bytes kept for one reader: the largest body held whole, 20 MB as base64, twice over."""


@dataclass(frozen=True, slots=True)
class Missed:
    """Here `count` events are missing; `terminal` of them ended something."""

    count: int
    terminal: int = 0


@dataclass(slots=True)
class _Gap:
    count: int = 0
    terminal: int = 0


class Subscription:
    """Events in order, for one reader: `async for item in subscription`.

    When the line or the session goes, what is queued is read first and then the reason is
    raised. After `close` the iteration just stops.
    """

    def __init__(
        self,
        stop: Callable[["Subscription"], None],
        *,
        session: str | None,
        limit: int,
        limit_bytes: int,
        terminal: frozenset[str],
    ) -> None:
        self.session = session
        self._stop = stop
        self._limit = limit
        self._limit_bytes = limit_bytes
        self._terminal = terminal
        self._queue: deque[Event | _Gap] = deque()
        self._events = 0
        self._bytes = 0
        self._waiter: asyncio.Future[None] | None = None
        self._over = False
        self._reason: CdpError | None = None

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> Event | Missed:
        while not self._queue:
            if self._reason is not None:
                raise self._reason
            if self._over:
                raise StopAsyncIteration
            if self._waiter is not None:
                raise RuntimeError("a subscription can only have one reader")
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        item = self._queue.popleft()
        if isinstance(item, _Gap):
            return Missed(item.count, item.terminal)
        self._events -= 1
        self._bytes -= item.size
        return item

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def queued(self) -> int:
        """How many events wait to be read."""
        return self._events

    def offer(self, event: Event) -> None:
        """Take one event, or write down that it was left out. Never waits."""
        if self._events >= self._limit or self._bytes >= self._limit_bytes:
            ends = event.method in self._terminal
            if not ends or self._events >= 2 * self._limit:
                self._miss(ends)
                return
        self._queue.append(event)
        self._events += 1
        self._bytes += event.size
        self._wake()

    def end(self, reason: CdpError) -> None:
        """No more will come, because of this."""
        if not self._over:
            self._over, self._reason = True, reason
            self._wake()

    def close(self) -> None:
        """Stop listening and drop what is queued."""
        self._stop(self)
        self._over, self._reason = True, None
        self._queue.clear()
        self._events = self._bytes = 0
        self._wake()

    def _miss(self, ends: bool) -> None:
        last = self._queue[-1]
        if not isinstance(last, _Gap):
            last = _Gap()
            self._queue.append(last)
        last.count += 1
        last.terminal += ends

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
