"""Gemini's framed JSON: bytes in, chunks out.

    )]}'
                                            blank
    160                                     a length line
    [["wrb.fr",null,"[null,[…"]]            a chunk: one JSON array
    26
    [["e",4,null,null,216]]                 the closing frame

The length counts UTF-16 units from the newline after the digits to the newline after
the chunk, both included. We frame by line and believe a length only where it helps: a
chunk with raw newlines inside needs it, a chunk on one line does not. So a length that
lies is said (`LengthLied`) and costs nothing. The closing frame states how many bytes
the whole body has (`Closed`): the one check that catches a body cut between two chunks.

A stream repeats its whole answer in every chunk, so 200 KB of text arrive as 59 MB.
Nothing here may look at every byte of that more than a few times at memory speed:
each chunk is compared with the one before it, and what is new is all that is counted.
The comparison travels with the chunk (`shared`, `again`) for readers with the same wish.
Chunks are not parsed here for the same reason.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tabwire.wire.held import Held
from tabwire.wire.records import MAX_LINE, Truncated, Unread
from tabwire.wire.text import NotJson, read_json

PREFIX = b")]}'"

MAX_LENGTH_DIGITS = 12
"""Digits of a length line. Six are the most seen; twelve are a terabyte."""

AGAIN_FROM = 1024
"""Rest of a chunk worth a second comparison. Below this, looking costs more than it saves."""

ANCHOR = 48
"""Bytes of the previous chunk searched for after new text, to find where it goes on."""

COUNTED = 64 * 1024
"""Bytes counted at once: what fits a processor's cache is counted twice as fast."""

_CONTINUATION = bytes(range(0x80, 0xC0))
_NOT_FOUR_BYTES = bytes(range(0xF0))
_CLOSING = re.compile(rb'\["e",\s*(\d+),\s*null,\s*null,\s*(\d+)[^\[\]"]*\]\s*\]\s*$')
_CLOSING_TAIL = 120  # bytes at the end of a chunk that can hold a closing frame


@dataclass(frozen=True, slots=True)
class Again:
    """`size` bytes at `at` equal those of the previous chunk at `of`, which is `shared`."""

    at: int
    of: int
    size: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk's bytes, and how they repeat the previous chunk's.

    The first `shared` bytes are the same; then something is new; from `again` on the
    previous chunk goes on. Both say nothing of meaning and may be 0 and None.
    """

    raw: bytes
    shared: int = field(default=0, compare=False)
    again: Again | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class LengthLied:
    """A length line that does not fit its chunk. The chunk was read nevertheless."""

    declared: int
    found: int


@dataclass(frozen=True, slots=True)
class Closed:
    """The closing frame: records and bytes the whole body should have, and bytes seen."""

    records: int
    declared_bytes: int
    seen_bytes: int


FramedRecord = Chunk | LengthLied | Closed | Unread | Truncated


class FramedDecoder:
    """Prefix and length lines may be missing; chunks may hold raw newlines."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._partial = Held(limit)
        self._limit = limit
        self._seen_bytes = 0
        self._at_end = False
        self._begun = False  # anything but blank lines was seen
        self._declared: int | None = None  # a length line waiting for its chunk
        self._declared_size = 0  # bytes of that line
        self._held: list[bytes] = []  # lines of a chunk with raw newlines inside
        self._held_units = 0
        self._held_size = 0
        self._last = b""  # the previous chunk and its length
        self._last_units = 0
        self._rest = 0  # bytes of the chunk before it after what they shared, once and twice
        self._rest_again = 0

    def feed(self, chunk: bytes) -> list[FramedRecord]:
        """The records these bytes complete."""
        return list(self.read(chunk))

    def read(self, chunk: bytes) -> Iterator[FramedRecord]:
        """As `feed`, one at a time, so that a huge body is never held twice.

        Take all of them: what is not taken is not read.
        """
        begin = 0
        while begin < len(chunk):
            newline = chunk.find(b"\n", begin)
            piece = chunk[begin:newline] if newline >= 0 else chunk[begin:]
            self._seen_bytes += len(piece) + (newline >= 0)
            if newline < 0:
                self._partial.add(piece)
                return
            begin = newline + 1
            if self._partial.size:
                self._partial.add(piece)
                yield from self._line(self._partial.take())
            else:
                yield from self._line(piece)

    def close(self) -> list[FramedRecord]:
        """What the end leaves: a last chunk without its newline, or what was cut."""
        self._at_end = True
        rest, self._held = self._held, []
        records: list[FramedRecord] = []
        if self._partial.size:
            last = self._partial.take()
            if isinstance(last, Unread):
                records.append(last)
            else:
                rest.append(last if self._begun else last.removeprefix(PREFIX))
        elif self._declared is not None and not rest:
            return [Truncated(self._declared_size)]
        lost = 0
        for line in [joined] if _whole(joined := b"\n".join(rest)) else rest:
            if _whole(line):
                records.extend(self._line(line))
                continue
            self._declared = None
            if line[:1] == b"[" or _is_length(line) or PREFIX.startswith(line):
                lost += len(line)
            elif line.strip():
                records.append(Unread.of(line, "neither a length nor a chunk"))
        return [*records, Truncated(lost)] if lost else records

    def _line(self, line: bytes | Unread) -> Iterator[FramedRecord]:
        if isinstance(line, Unread):
            yield from self._recover()
            yield line
            return
        line = line.removesuffix(b"\r")
        if self._held:
            yield from self._go_on(line)
        elif self._declared is None:
            yield from self._unannounced(line)
        else:
            yield from self._announced(line, self._declared)

    def _unannounced(self, line: bytes) -> Iterator[FramedRecord]:
        """A line no length line spoke of: a length line itself, or a chunk all the same."""
        if not self._begun:
            line = line.removeprefix(b"\xef\xbb\xbf").removeprefix(PREFIX)
            self._begun = bool(line.strip())
        if _is_length(line):
            self._declared = int(line)
            self._declared_size = len(line) + 1
        elif line[:1] == b"[":
            yield from self._chunk(line)
        elif line.strip() not in (b"", PREFIX):
            yield Unread.of(line, "neither a length nor a chunk")

    def _announced(self, line: bytes, declared: int) -> Iterator[FramedRecord]:
        if not line.strip():
            return  # a blank line more than the format has
        shared, again, units = self._compare(line)
        if units + 2 == declared:
            yield from self._emit(line, shared, again, units)
        elif units + 2 < declared and line[:1] == b"[" and not _whole(line):
            self._hold(line, units)  # the rest may follow after a raw newline
        else:
            self._declared = None
            yield LengthLied(declared, units + 2)
            yield from self._unannounced(line)

    def _go_on(self, line: bytes) -> Iterator[FramedRecord]:
        """A further line of a chunk that was not whole on its first.

        No JSON has a line of digits before a line that opens a list: that is a new frame.
        """
        declared = self._declared or 0
        new_frame = line[:1] == b"[" and _is_length(self._held[-1])
        self._hold(line, _units(line))
        found = self._held_units + 2
        if found == declared and not new_frame:
            raw = b"\n".join(self._held)
            self._held = []
            yield from self._chunk(raw)
        elif found >= declared or new_frame or self._held_size > self._limit:
            yield from self._recover()

    def _hold(self, line: bytes, units: int) -> None:
        if not self._held:
            self._held_units, self._held_size = -1, 0
        self._held_units += units + 1
        self._held_size += len(line) + 1
        self._held.append(line)

    def _recover(self) -> Iterator[FramedRecord]:
        """The length lied or the chunk is broken: read what is held line by line."""
        held, self._held = self._held, []
        if self._declared is not None:
            yield LengthLied(self._declared, self._held_units + 2 if held else 0)
            self._declared = None
        for before, line in zip([b"", *held], held, strict=False):
            if line[:1] == b"[" and not _is_length(before) and not _whole(line):
                yield Unread.of(line, "an incomplete chunk")
            else:
                yield from self._line(line)

    def _chunk(self, raw: bytes) -> Iterator[FramedRecord]:
        yield from self._emit(raw, *self._compare(raw))

    def _emit(
        self, raw: bytes, shared: int, again: Again | None, units: int
    ) -> Iterator[FramedRecord]:
        self._begun = True
        self._declared = None
        self._last, self._last_units = raw, units
        yield Chunk(raw, shared, again)
        if closing := _CLOSING.search(raw, max(0, len(raw) - _CLOSING_TAIL)):
            records, declared = map(int, closing.groups())
            seen = self._seen_bytes
            if self._at_end and declared == seen + 1:
                seen = declared  # only the very last newline is missing: editors take it
            yield Closed(records, declared, seen)

    def _compare(self, raw: bytes) -> tuple[int, Again | None, int]:
        """How this chunk repeats the last one, and its length in UTF-16 units.

        What follows the growing text tends to keep its length, which tells where to look.
        """
        last = self._last
        shared = common_bytes(last, raw, guess=len(last) - self._rest)
        self._rest = len(last) - shared
        if min(self._rest, len(raw) - shared) < AGAIN_FROM:
            gone = _units(last[shared:])
            return shared, None, self._last_units + _units(raw[shared:]) - gone
        at = raw.find(last[shared : shared + ANCHOR], shared)
        if at < 0:
            return shared, None, self._last_units + _units(raw[shared:]) - _units(last[shared:])
        size = common_bytes(last, raw, shared, at, guess=self._rest - self._rest_again)
        self._rest_again = self._rest - size
        new = _units(raw[shared:at]) + _units(raw[at + size :])
        gone = _units(last[shared + size :])
        return shared, Again(at, shared, size), self._last_units + new - gone


def common_bytes(
    one: bytes, other: bytes, one_from: int = 0, other_from: int = 0, *, guess: int = 0
) -> int:
    """How many bytes are the same from here on: a search by halves, at memory speed.

    A guess that is right, or a little short, spares most of the search.
    """
    view = memoryview(one)[one_from:]
    same, end = 0, min(len(one) - one_from, len(other) - other_from)
    differs = end + 1
    if 0 < guess <= end:
        if other.startswith(view[:guess], other_from):
            same, step = guess, 1
            while same < end:
                reach = min(same + step, end)
                if not other.startswith(view[same:reach], other_from + same):
                    differs = reach
                    break
                same, step = reach, step * 4
        else:
            differs = guess
    while differs - same > 1:
        middle = (same + differs) // 2
        if other.startswith(view[same:middle], other_from + same):
            same = middle
        else:
            differs = middle
    return same


def _units(raw: bytes) -> int:
    """UTF-16 units of UTF-8 bytes: one per character, two where it takes four bytes.

    Counted byte by byte, so a piece cut inside a character adds up with its other half.
    """
    if raw.isascii():
        return len(raw)
    units = 0
    for begin in range(0, len(raw), COUNTED):
        leads = raw[begin : begin + COUNTED].translate(None, _CONTINUATION)
        units += len(leads) + len(leads.translate(None, _NOT_FOUR_BYTES))
    return units


def _is_length(line: bytes) -> bool:
    plain = line.strip()
    return plain.isdigit() and len(plain) <= MAX_LENGTH_DIGITS


def _whole(line: bytes) -> bool:
    """Whether this is one JSON array from its first to its last byte."""
    if line[:1] != b"[":
        return False
    try:
        read_json(line)
    except NotJson:
        return False
    return True
