"""The seam: what brings messages to a browser and back.

A carrier knows nothing of what it carries. The websocket is one, a script in memory is
one, an extension that dials in will be one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Gone:
    """Why the line is no more, and whether it was our wish."""

    why: str
    by_us: bool = False


class Carrier(Protocol):
    """A line to a browser, already open. One message is one `bytes`, whole.

    After `start`, `received` is called for every message in the order of the line, inside
    the receive loop: nothing else happens between a message and the one behind it. What
    came before `start` is delivered first. `ended` is called exactly once, last.
    """

    def start(self, received: Callable[[bytes], None], ended: Callable[[Gone], None]) -> None:
        """Begin to deliver."""

    def send(self, message: bytes) -> None:
        """Put a message on the line, in order. On a line that is gone: nothing happens,
        `ended` says so."""

    async def close(self) -> None:
        """Let go, within a bound. `ended` has been called when this returns."""

    @property
    def gone(self) -> Gone | None:
        """Why the line is no more, or None while it stands."""


class Delivery:
    """What every carrier needs: keep the order, hold early messages, end exactly once."""

    def __init__(self) -> None:
        self.gone: Gone | None = None
        self._early: list[bytes] = []
        self._received: Callable[[bytes], None] = self._early.append
        self._ended: Callable[[Gone], None] | None = None

    def start(self, received: Callable[[bytes], None], ended: Callable[[Gone], None]) -> None:
        """Hand over what came early, then go on as messages come."""
        early, self._early = self._early, []
        self._received, self._ended = received, ended
        for message in early:
            received(message)
        if self.gone is not None:
            ended(self.gone)

    def deliver(self, message: bytes) -> None:
        """One whole message. After the end there are none."""
        if self.gone is None:
            self._received(message)

    def end(self, gone: Gone) -> None:
        """The line is no more. The first reason is the one that stays."""
        if self.gone is None:
            self.gone = gone
            if self._ended is not None:
                self._ended(gone)
