"""The seam: what brings messages to a browser and back.

A carrier knows nothing of what it carries. The websocket is one, a script in memory is
one, an extension that dials in is one (relay.py).

What a relay owes. An extension speaks `chrome.debugger`, which knows tabs and no browser,
and numbers neither sessions nor commands. Its relay makes up the difference:

* A session for each tab it attaches to, with an id of its own making: first the event
  `Target.attachedToTarget` (sessionId, targetInfo.targetId), without a session, then that
  id on every message of the tab, both ways. The sessions of frames and workers inside have
  ids of the browser's own and come by the tab's own `Target.setAutoAttach`.
* `Target.detachedFromTarget` when the debugger left a tab: closed, replaced, or the person
  said no. Everything that waits on the tab ends with it.
* A reply to every command, at once where it is no: an error for what it does not allow or
  `chrome.debugger` denies (`Target.getTargets`, `Browser.*`, all that names no session),
  code -32001 for a session it does not know. Silence costs the caller its whole bound. Tabs
  it can list, open or close by its own means it may answer for under the `Target` names.
* The order of the browser, replies among events: a reply is passed on in its callback.

A crash is told by `Inspector.targetCrashed`, for which the tab's session says
`Inspector.enable`; `Target.targetCrashed` is the browser's to tell, and there is none.
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
        `ended` says so. Raises `LineFull` where too much waits to be read: what waits to be
        written has a bound."""

    async def close(self) -> None:
        """Let go, within a bound. `ended` has been called when this returns."""

    @property
    def gone(self) -> Gone | None:
        """Why the line is no more, or None while it stands."""


class Delivery:
    """What every carrier needs: keep the order, hold early messages, end exactly once.

    A carrier calls `deliver` with every whole message. It is whoever wants them at the time,
    not a method that asks who: one step less between the line and its reader.
    """

    def __init__(self) -> None:
        self.gone: Gone | None = None
        self._early: list[bytes] = []
        self._ended: Callable[[Gone], None] | None = None
        self.deliver: Callable[[bytes], None] = self._early.append

    def start(self, received: Callable[[bytes], None], ended: Callable[[Gone], None]) -> None:
        """Hand over what came early, then go on as messages come."""
        early, self._early = self._early, []
        self._ended = ended
        if self.gone is None:
            self.deliver = received
        for message in early:
            received(message)
        if self.gone is not None:
            ended(self.gone)

    def end(self, gone: Gone) -> None:
        """The line is no more, and no message comes after. The first reason stays."""
        if self.gone is None:
            self.gone = gone
            self.deliver = _too_late
            if self._ended is not None:
                self._ended(gone)


def _too_late(message: bytes) -> None:
    """What comes after the end is nobody's."""
