"""The right to use a tab, for a while: one user per tab.

A lease says who (an owner's name, and the process by pid and start time) and until when. One
that has expired, or whose process is dead, is free. Everything a lease says is data (`Held`),
so that one process can later keep the book for many; on one machine they share the clock.
"""

import itertools
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from tabwire.browser.errors import TabLeased
from tabwire.browser.process import Mark, is_running, mark_of


@dataclass(frozen=True, slots=True)
class Held:
    """Who may use a tab, and until when (monotonic seconds)."""

    target: str
    owner: str
    holder: Mark
    until: float
    number: int  # no two leases have the same: an old one cannot give back a new one's tab


class Leases:
    """The book. Who takes and gives is one loop; nothing here waits."""

    def __init__(
        self,
        *,
        clock: Callable[[], float] = time.monotonic,
        running: Callable[[Mark], bool] = is_running,
    ) -> None:
        self._clock = clock
        self._running = running
        self._held: dict[str, Held] = {}
        self._numbers = itertools.count(1)

    def holder(self, target: str) -> Held | None:
        """Who has this tab now. A lease that is over is struck out."""
        held = self._held.get(target)
        if held is None:
            return None
        if held.until <= self._clock() or not self._running(held.holder):
            del self._held[target]
            return None
        return held

    @property
    def all(self) -> tuple[Held, ...]:
        """Every lease that holds."""
        return tuple(held for target in list(self._held) if (held := self.holder(target)))

    def take(self, target: str, owner: str, seconds: float, *, by: Mark | None = None) -> "Lease":
        """Lease a tab to `owner` in process `by` (ours). Raises `TabLeased` where it is taken,
        even by the same owner: two asks of one person are two users."""
        if (held := self.holder(target)) is not None:
            raise self._taken(held)
        mark = by or _own_mark()
        held = Held(target, owner, mark, self._clock() + seconds, next(self._numbers))
        self._held[target] = held
        return Lease(self, held)

    def renew(self, held: Held, seconds: float) -> Held:
        """Hold it from now for `seconds`. One that expired comes back if nobody took the tab."""
        now = self.holder(held.target)
        if now is not None and now.number != held.number:
            raise self._taken(now)
        renewed = replace(held, until=self._clock() + seconds)
        self._held[held.target] = renewed
        return renewed

    def release(self, held: Held) -> None:
        """Give it back. Idempotent; another's lease stays."""
        now = self._held.get(held.target)
        if now is not None and now.number == held.number:
            del self._held[held.target]

    def forget(self, target: str) -> None:
        """The tab is gone, so nobody has it."""
        self._held.pop(target, None)

    def _taken(self, held: Held) -> TabLeased:
        left = held.until - self._clock()
        return TabLeased(held.target, held.owner, held.holder.pid, left)


class Lease:
    """A tab that is ours for a while. `with` or `async with` gives it back."""

    def __init__(self, book: Leases, held: Held) -> None:
        self._book = book
        self.held = held
        self.released = False

    def __enter__(self) -> "Lease":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    async def __aenter__(self) -> "Lease":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.release()

    def renew(self, seconds: float) -> None:
        """Hold it from now for `seconds`. Raises `TabLeased` where it expired and another
        took it meanwhile."""
        if self.released:
            raise ValueError("this lease was released")
        self.held = self._book.renew(self.held, seconds)

    def release(self) -> None:
        """Give it back. Idempotent."""
        self.released = True
        self._book.release(self.held)


def _own_mark() -> Mark:
    mark = mark_of(os.getpid())
    if mark is None:
        raise RuntimeError("this process cannot be identified: its start time is unknown")
    return mark
