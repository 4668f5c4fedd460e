"""One extension, over all its sockets: nothing is heard twice, nothing missed unnoticed. No I/O.

Theory of operation. The extension numbers its frames 1, 2, 3… for as long as its worker lives (a
`boot`). We take each number once, in order, and say now and then how far we have come (`ack`).
After a cut it says again what we do not have yet, and we say again what it has not answered yet;
it carries each request out once, by its id. A gap can only be a fault of somebody, so the socket
is closed and the extension says it all again. A new boot has forgotten what it had not said, so
whoever listens is told that something was `missed`.

Time is an argument. `hear` and `tick` return nothing and raise `Violation` where the socket has
to be closed; what is to be sent goes to the `send` of the socket that is there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from tabwire.cdp.errors import LineFull
from tabwire.cdp.relay_frames import (
    NOTHING,
    Frame,
    Trouble,
    Unreadable,
    number_of,
    read_frame,
    write_verb,
)
from tabwire.cdp.relay_shapes import Done, OnDone

ACK_FRAMES = 64
ACK_SECONDS = 0.2
PING_SECONDS = 20.0
"""Of quiet, after which we say something: Chrome ends a silent worker after 30."""

DEAF_SECONDS = 35.0
"""Without a word a line is dead, whatever the socket says."""

MAX_JOINED = 64 * 1024 * 1024
"""Characters of a message that came in pieces: the longest body that we read of a page."""

MAX_WAITING = 64 * 1024 * 1024
"""Characters of requests that wait for an answer. The largest is a prompt of a few MB."""

GONE = -32099
"""Our own code: the extension did not come back."""


class Violation(Exception):
    """The other side says what cannot be. Its socket is closed; the hub goes on."""


class Listener(Protocol):
    """Who hears what the extension says by itself."""

    def heard(self, frame: Frame) -> None:
        """One event, in the order of the line. Must not wait."""

    def missed(self) -> None:
        """Events of before were lost with a worker."""


@dataclass(slots=True)
class _Request:
    text: str
    done: OnDone


class RelaySession:
    """What is known of the line to one install. `send` is None while there is no socket."""

    def __init__(self, install: str, listener: Listener, *, first_id: int = 1) -> None:
        self.install = install
        self.boot = ""
        self.have = 0
        self.chrome = ""
        self.version = ""
        self.over: str | None = None  # why it never comes back
        self._listener = listener
        self._send: Callable[[str], None] | None = None
        self._next = first_id
        self._waiting: dict[int, _Request] = {}
        self._waiting_size = 0
        self._pieces: list[str] = []
        self._pieces_size = 0
        self._acked = 0
        self._ack_at: float | None = None
        self._heard_at = self._sent_at = 0.0

    @property
    def connected(self) -> bool:
        """Whether there is a socket."""
        return self._send is not None

    @property
    def product(self) -> str:
        """The browser, as it would name itself."""
        return f"Chrome/{self.chrome or 'unknown'}"

    @property
    def waiting(self) -> int:
        """Requests without an answer."""
        return len(self._waiting)

    # --- sockets come and go -------------------------------------------------------------

    def resume(self, boot: str, last: int) -> int:
        """A socket came with this worker, which has heard requests up to `last`. Says which
        number we have. Nothing is sent before `opened`."""
        if boot != self.boot:
            known, self.boot = self.boot, boot
            self.have = self._acked = 0
            self._drop_pieces()
            if known:
                self._listener.missed()
        self._next = max(self._next, last + 1)
        return self.have

    def opened(self, send: Callable[[str], None], now: float) -> None:
        """It is ready. What waits for an answer is said again, in its order."""
        self._send = send
        self._heard_at = self._sent_at = now
        self._acked, self._ack_at = self.have, None
        for request in tuple(self._waiting.values()):
            send(request.text)

    def closed(self, send: Callable[[str], None]) -> bool:
        """That socket is gone. Whether it was the one in use."""
        ours = self._send == send
        if ours:
            self._send = None
        return ours

    def end(self, why: str) -> None:
        """It does not come back. Whoever waits is told."""
        self.over, self._send = why, None
        waiting, self._waiting = self._waiting, {}
        self._waiting_size = 0
        for request in waiting.values():
            request.done(Trouble(GONE, why))

    # --- out -----------------------------------------------------------------------------

    def do(self, verb: str, arguments: dict[str, Any], done: OnDone) -> None:
        """Have a verb carried out, once. Where there is no socket it waits for one."""
        if self.over is not None:
            done(Trouble(GONE, self.over))
            return
        if self._waiting_size > MAX_WAITING:
            raise LineFull(self._waiting_size)
        number = self._next
        self._next += 1
        text = write_verb(verb, number, arguments)
        self._waiting[number] = _Request(text, done)
        self._waiting_size += len(text)
        self.say(text)

    def say(self, text: str) -> None:
        """Straight to the socket, where there is one."""
        if self._send is not None:
            self._send(text)

    # --- in ------------------------------------------------------------------------------

    def hear(self, text: str, now: float) -> None:
        """One frame. Raises `Violation`."""
        self._heard_at = now
        try:
            frame = read_frame(text)
        except Unreadable as exc:
            if number_of(text) == self.have + 1:
                self._took(self.have + 1, now)  # else it would be said again for ever
            raise Violation(f"a frame that cannot be read: {exc}") from None
        if frame.n is None:
            self._hear_sign(frame)
            return
        if frame.n <= self.have:
            return  # said again after a cut
        if frame.n != self.have + 1:
            raise Violation(f"frame {frame.n} arrived after {self.have}")
        whole = frame
        if frame.piece is not None:
            joined = self._join(frame)
            self._took(frame.n, now)
            if joined is None:
                return
            try:
                whole = read_frame(joined)
            except Unreadable as exc:
                raise Violation(f"a message sent in pieces cannot be read: {exc}") from None
            if whole.n is not None or whole.piece is not None:
                raise Violation("a message sent in pieces contains a piece")
        else:
            if self._pieces:
                raise Violation("a message sent in pieces was not finished")
            self._took(frame.n, now)
        self._take(whole)

    def _hear_sign(self, frame: Frame) -> None:
        if frame.ping is not None:
            self.say(msgspec.json.encode({"pong": frame.ping}).decode())
        elif frame.pong is None:
            raise Violation("a frame without a number")

    def _take(self, frame: Frame) -> None:
        if frame.re is not None:
            self._answered(frame)
        elif frame.on is not None:
            self._listener.heard(frame)
        else:
            raise Violation("neither a reply nor an event")

    def _answered(self, frame: Frame) -> None:
        request = self._waiting.pop(frame.re or 0, None)
        if request is None:
            return  # answered before a cut, and again after it
        self._waiting_size -= len(request.text)
        said: Done = frame.error if frame.error is not None else frame.ok or NOTHING
        request.done(said)

    def _join(self, frame: Frame) -> str | None:
        piece = frame.piece or ""
        self._pieces_size += len(piece)
        if self._pieces_size > MAX_JOINED:
            self._drop_pieces()
            raise Violation("a message sent in pieces is too long")
        self._pieces.append(piece)
        if frame.more:
            return None
        whole = "".join(self._pieces)
        self._drop_pieces()
        return whole

    def _drop_pieces(self) -> None:
        self._pieces, self._pieces_size = [], 0

    # --- time ----------------------------------------------------------------------------

    def _took(self, number: int, now: float) -> None:
        self.have = number
        if self.have - self._acked >= ACK_FRAMES:
            self._ack()
        elif self._ack_at is None:
            self._ack_at = now + ACK_SECONDS

    def _ack(self) -> None:
        self._acked, self._ack_at = self.have, None
        self.say(f'{{"ack":{self.have}}}')

    @property
    def _ping_at(self) -> float:
        return max(self._sent_at, self._heard_at) + PING_SECONDS

    def next_deadline(self) -> float:
        """When to `tick` at the latest, while there is a socket."""
        found = min(self._ping_at, self._heard_at + DEAF_SECONDS)
        return found if self._ack_at is None else min(found, self._ack_at)

    def tick(self, now: float) -> None:
        """Do what is due. Raises `Violation` where nothing was heard for too long."""
        if now >= self._heard_at + DEAF_SECONDS:
            raise Violation(f"nothing was received for {DEAF_SECONDS:g} s")
        if self._ack_at is not None and now >= self._ack_at:
            self._ack()
        if now >= self._ping_at:
            self._sent_at = now
            self.say(f'{{"ping":{self._next}}}')
