"""What happens in Antigravity, numbered, for whoever listens; kept for a while for whoever was cut.

Numbers rise and are never used again: those of a hub begin with the time it started, in
milliseconds, so the next hub's are above all of before. What is kept is bounded by count and by
bytes. Of the output of a run, which each event tells whole, only the newest is kept: whoever
missed the others missed no word.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from tabwire.hub import event_log as event_lines
from tabwire.hub.agents.events import Heard, as_data
from tabwire.hub.changes import Changes
from tabwire.model.agent import AgentAttached, AgentPhase, AgentProgress

MAX_WAITING = 2000  # events that a slow listener may leave lying; then the oldest go
MAX_KEPT = 2000  # events; a busy window makes some ten a second
MAX_BYTES = 8 << 20  # of them all: the end of a run holds its whole log

GAP = "gap"
AWAY = "you were disconnected for longer than events are kept"
ANOTHER = "the hub was restarted since: earlier events are not known here"


class Told(msgspec.Struct, frozen=True):
    """One event as it goes out: `data` is its JSON."""

    number: int
    kind: str
    data: msgspec.Raw


class Board:
    """What happens, for whoever listens, and how each window is now."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._listeners: list[asyncio.Queue[Heard]] = []
        self._kept: dict[int, Told] = {}
        self._bytes = 0
        self._outputs: dict[tuple[str, int], int] = {}  # the newest of each run that is kept
        self._changes = Changes()
        self.began = time.monotonic()
        self.began_at = clock()
        self._first = self.number = int(self.began_at * 1000)
        self._lost = self._first  # up to this number nothing is known any more
        self.phases: dict[str, str] = {}
        self.attached: dict[str, AgentAttached] = {}

    def publish(self, event: Heard) -> None:
        """Tell everybody. One that does not listen loses the oldest, and nobody waits for it."""
        window = getattr(event, "window", "")
        event_lines.of_agent(event, self.phases.get(window, ""))
        if isinstance(event, AgentPhase):
            self.phases[event.window] = event.phase
        elif isinstance(event, AgentAttached):
            self.attached[event.window] = event
        self._keep(event)
        for one in self._listeners:
            if one.qsize() >= MAX_WAITING:
                one.get_nowait()
            one.put_nowait(event)

    async def changed(self, seen: int) -> int:
        """How many events there were, when there are more than these."""
        return await self._changes.after(seen)

    @contextmanager
    def listening(self) -> Iterator[AsyncIterator[Heard]]:
        """Everything published inside the block, in order."""
        queue: asyncio.Queue[Heard] = asyncio.Queue()
        self._listeners.append(queue)

        async def heard() -> AsyncIterator[Heard]:
            while True:
                yield await queue.get()

        try:
            yield heard()
        finally:
            self._listeners.remove(queue)

    # --- numbered --------------------------------------------------------------------------------

    def told(self, number: int, data: dict[str, Any]) -> Told:
        """Something to tell under that number that is no event of its own."""
        return Told(number, data["event"], msgspec.Raw(msgspec.json.encode(data)))

    def seconds(self) -> float:
        """Now, as events count."""
        return round(time.monotonic() - self.began, 6)

    def missed(self, seen: int) -> list[Told]:
        """What came after that number, with a `gap` first where some of it is not known."""
        if self._lost <= seen <= self.number:
            return self._after(seen)
        another = not self._first <= seen <= self.number
        gap = {"event": GAP, "seconds": self.seconds(), "after": seen}
        gap["why"] = ANOTHER if another else AWAY
        return [self.told(self._lost, gap), *self._after(self._lost)]

    async def news(self, seen: int) -> AsyncIterator[Told]:
        """What comes after that number, for as long as somebody listens. Whoever listens too
        slowly is told of the gap."""
        changes = 0
        while True:
            for one in self.missed(seen):
                yield one
                seen = one.number
            if not self._after(seen) and seen >= self._lost:
                changes = await self._changes.after(changes)

    def _after(self, seen: int) -> list[Told]:
        fresh: list[Told] = []
        for number in reversed(self._kept):
            if number <= seen:
                break
            fresh.append(self._kept[number])
        return fresh[::-1]

    def _keep(self, event: Heard) -> None:
        self.number += 1
        one = self.told(self.number, as_data(event, self.began))
        if isinstance(event, AgentProgress):
            run = (event.window, event.run)
            self._drop(self._outputs.pop(run, 0))
            self._outputs[run] = one.number
        self._kept[one.number] = one
        self._bytes += len(one.data)
        while len(self._kept) > MAX_KEPT or (self._bytes > MAX_BYTES and len(self._kept) > 1):
            self._lost = next(iter(self._kept))
            self._drop(self._lost)
        self._outputs = {run: at for run, at in self._outputs.items() if at in self._kept}
        self._changes.one()

    def _drop(self, number: int) -> None:
        if (one := self._kept.pop(number, None)) is not None:
            self._bytes -= len(one.data)
