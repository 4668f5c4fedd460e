"""Messages of a page script -> the events a tap would have told.

Pieces of a response carry numbers, because two worlds of a page pass them on: one that comes
early waits for those before it, one that comes twice is dropped. Where a piece stays away, the
response counts as lost from there on: a gap is never closed silently.

`at` is the page's own clock in seconds since 1970. It is put on ours, never later than now and
never before what the same page told earlier, so that order is kept between tabs.
"""

import heapq
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from tabwire.browser.tap import events as t
from tabwire.capture import page_messages as m

KINDS = {"fetch": "Fetch", "xhr": "XHR", "socket": "WebSocket", "source": "EventSource"}
ENDS = {"whole": t.End.WHOLE, "failed": t.End.FAILED, "canceled": t.End.CANCELED}
MAX_OPEN = 64  # responses under way at once; a page has a handful
MAX_BYTES = 96 * 1024 * 1024  # of all of them together: one stored body may have 64 MB
MAX_EARLY = 1024  # pieces that wait for one before them
MAX_EARLY_BYTES = 16 * 1024 * 1024
PATIENCE_SECONDS = 2.0  # for pieces that are still on their way when the end is told
MAX_AGE_SECONDS = 600.0  # what was heard while the hub was away is at most so old
MISSING = "a part of the response never arrived"


@dataclass(frozen=True, slots=True, order=True)
class _Piece:
    """Bytes of a response, or a message of a socket."""

    seq: int
    data: bytes | str = field(compare=False)
    sent: bool = field(compare=False, default=False)


@dataclass(slots=True)
class _Response:
    socket: bool
    next: int = 0
    early: list[_Piece] = field(default_factory=list)
    early_bytes: int = 0
    size: int = 0
    ending: m.Ended | None = None
    give_up_at: float = 0.0


class PageTraffic:
    """One page's messages, in; events, out. `clock` is ours, `wall` in seconds since 1970.
    `midway`: the page was there before us. A socket of its may have begun to speak then; each
    of its messages says something by itself, so the first we hear is the first."""

    def __init__(
        self,
        site: str,
        *,
        hear: Callable[[t.TapEvent], None],
        clock: Callable[[], float],
        wall: Callable[[], float],
        midway: bool = False,
    ) -> None:
        self._midway = midway
        self.refused: Counter[str] = Counter()
        self._site = site
        self._hear = hear
        self._clock = clock
        self._wall = wall
        self._open: OrderedDict[str, _Response] = OrderedDict()
        self._over: OrderedDict[str, None] = OrderedDict()  # names that were used already
        self._size = 0  # bytes of responses under way
        self._last_at = float("-inf")

    def take(self, message: m.TrafficMessage) -> bool:
        """Take one message; False where it was refused, and counted."""
        match message:
            case m.Bytes():
                return self._bytes(message)
            case m.Sent():
                return self._sent(message)
            case m.Head():
                return self._head(message)
            case m.Ended():
                return self._ended(message)
            case m.Frame():
                return self._frame(message)

    def next_deadline(self) -> float | None:
        """When `tick` has something to do."""
        times = (one.give_up_at for one in self._open.values() if one.ending is not None)
        return min(times, default=None)

    def tick(self) -> None:
        """Give up pieces that stayed away."""
        now = self._clock()
        for name, one in tuple(self._open.items()):
            if one.ending is not None and one.give_up_at <= now:
                self._lose(name)

    def close(self, why: str) -> None:
        """The page is gone: nothing more of it comes."""
        for name in tuple(self._open):
            self._lose(name, why)

    # --- one message each --------------------------------------------------------------------

    def _sent(self, sent: m.Sent) -> bool:
        name = sent.attempt
        if name.partition(":")[0] != self._site:
            return self._refuse("attempt of another page")
        if name in self._open or name in self._over:
            return self._refuse("duplicate attempt")
        body = m.read_base64(sent.body) if sent.body is not None else None
        if sent.body is not None and body is None:
            return self._refuse("not base64")
        if len(self._open) >= MAX_OPEN:
            self._lose(next(iter(self._open)), "too many responses at once")
        at = self._ours(sent.at)
        socket = sent.via == "socket"
        self._open[name] = _Response(socket)
        if socket:
            self._hear(t.SocketOpened(name, sent.url, at))
        else:
            kind = KINDS[sent.via]
            self._hear(t.RequestLeft(t.Request(name, sent.method, sent.url, kind, at, body)))
        return True

    def _head(self, head: m.Head) -> bool:
        if (one := self._open.get(head.attempt)) is None or one.socket:
            return self._refuse("unknown attempt")
        self._hear(
            t.ResponseBegan(
                head.attempt,
                head.status,
                head.mime or "",
                head.url or "",
                self._ours(head.at),
                retry_after=head.retry_after or "",
            )
        )
        return True

    def _bytes(self, said: m.Bytes) -> bool:
        if (one := self._open.get(said.attempt)) is None or one.socket:
            return self._refuse("unknown attempt")
        if (chunk := m.read_base64(said.data)) is None:
            return self._refuse("not base64")
        return self._piece(said.attempt, one, _Piece(said.seq, chunk), self._ours(said.at))

    def _frame(self, said: m.Frame) -> bool:
        if (one := self._open.get(said.attempt)) is None or not one.socket:
            return self._refuse("unknown attempt")
        data: str | bytes | None = said.text
        if data is None:
            data = m.read_base64(said.data or "")
        if data is None:
            return self._refuse("not base64")
        seq = one.next if said.seq is None else said.seq
        return self._piece(said.attempt, one, _Piece(seq, data, said.sent), self._ours(said.at))

    def _piece(self, name: str, one: _Response, piece: _Piece, at: float) -> bool:
        if self._midway and one.socket and one.next == 0:
            one.next = piece.seq
        if piece.seq < one.next or any(piece.seq == early.seq for early in one.early):
            return self._refuse("duplicate piece")
        if one.ending is not None and piece.seq >= (one.ending.seqs or 0):
            return self._refuse("piece after the end")
        if piece.seq > one.next:
            heapq.heappush(one.early, piece)
            one.early_bytes += len(piece.data)
            if len(one.early) > MAX_EARLY or one.early_bytes > MAX_EARLY_BYTES:
                self._lose(name)
            return True
        self._pass_on(name, one, piece, at)
        while one.early and one.early[0].seq == one.next:
            piece = heapq.heappop(one.early)
            one.early_bytes -= len(piece.data)
            self._pass_on(name, one, piece, at)
        if self._size > MAX_BYTES:
            self._lose(name, "too much at once")
        else:
            self._maybe_end(name, one)
        return True

    def _pass_on(self, name: str, one: _Response, piece: _Piece, at: float) -> None:
        one.next += 1
        one.size += len(piece.data)
        self._size += 0 if one.socket else len(piece.data)
        if one.socket or isinstance(piece.data, str):
            self._hear(t.SocketFrame(name, piece.sent, piece.data, at))
        else:
            self._hear(t.BytesCame(name, piece.data, at))

    def _ended(self, ended: m.Ended) -> bool:
        name = ended.attempt
        if (one := self._open.get(name)) is None or one.ending is not None:
            return self._refuse("unknown attempt")
        one.ending = ended
        one.give_up_at = self._clock() + PATIENCE_SECONDS
        self._maybe_end(name, one)
        return True

    def _maybe_end(self, name: str, one: _Response) -> None:
        ended = one.ending
        if ended is None or one.early or one.next < (ended.seqs or 0):
            return
        self._forget(name)
        at = self._ours(ended.at)
        if one.socket:
            self._hear(t.SocketClosed(name, at, ended.why or ""))
        else:
            self._hear(t.ResponseEnded(name, at, ENDS[ended.how], ended.why or "", one.size))

    # --- inside ------------------------------------------------------------------------------

    def _lose(self, name: str, why: str = MISSING) -> None:
        one = self._open[name]
        self._forget(name)
        now = self._clock()
        if one.socket:
            self._hear(t.SocketClosed(name, now, why))
        else:
            self._hear(t.ResponseEnded(name, now, t.End.LOST, why, one.size))

    def _forget(self, name: str) -> None:
        gone = self._open.pop(name)
        self._size -= 0 if gone.socket else gone.size
        self._over[name] = None
        while len(self._over) > 10 * MAX_OPEN:
            self._over.popitem(last=False)

    def _ours(self, at: float) -> float:
        now = self._clock()
        age = min(max(0.0, self._wall() - at), MAX_AGE_SECONDS)
        self._last_at = min(now, max(now - age, self._last_at))
        return self._last_at

    def _refuse(self, why: str) -> bool:
        self.refused[why] += 1
        return False
