"""Read only what is new of a chunk that repeats the whole answer.

Theory of operation. Every chunk of a stream holds the answer so far, so an answer of
200 KB is sent 500 times over. A chunk's bytes are those of the chunk before, up to the
place where the text ended; there the new text stands. We cut the known text out of the
bytes and parse what is left: it is a chunk like any other, whose text is the growth.

    …[["rc_1",["known text, and more"],null,…   the chunk
    …[["rc_1",[", and more"],null,…             what is parsed

(with every quote written \\" because the payload is JSON in a JSON string). The place is
safe: the text ended there once, so it is between two characters and inside no escape.

Payloads repeat the answer a second time, as plain paragraphs at index 26 that nobody
reads. `_Tail` follows the brackets and strings after the text as far as the bytes stay
the same, and so knows a stretch from inside one string of that element to inside another
at the same depth: cut out, it leaves a valid element with fewer paragraphs.

Any doubt (other bytes, another candidate, an unusual escape, text or JSON that only a
forgiving parser reads) means no shortcut: the caller parses the chunk in full, which
gives the same signals, only later. A property test holds the two together.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from tabwire.sites.gemini.fields import at
from tabwire.wire.framed import Chunk
from tabwire.wire.text import NotJson, read_json

MIN_TEXT = 128  # bytes of known text worth a shortcut; also longer than a card's address
MIN_CUT = 512  # bytes of repeated paragraphs worth cutting
MAX_MISSES = 16  # full reads in a row after which this stream is not worth preparing for
REPEATED = 22  # elements from the candidates (4) to the repeated paragraphs (26)
_CHECKPOINTS = 8  # paragraphs that may be rewritten without following the tail anew

# The inside of a string of the payload, as it is written inside the chunk's own string.
# \u0022 and \u005c would be a quote and a backslash in disguise: left out, so a doubt.
_INSIDE = re.compile(
    rb'(?:[^"\\]++|\\\\(?:[^"\\]|\\["\\/])|\\u(?!0022|005[cC])[0-9a-fA-F]{4}|\\[bfnrt/])*+'
)
_BETWEEN = re.compile(rb'[^"\\\[\]{},]*+')
_QUOTE = rb"\""

_read_strictly = msgspec.json.Decoder().decode


@dataclass(frozen=True, slots=True)
class Shorter:
    """A chunk without what was known: its one record, and the payload in it."""

    records: Any
    payload: Any


@dataclass(frozen=True, slots=True)
class OnlyGrew:
    """A chunk that is the one before it, but for this text at the end of its text."""

    text: str


@dataclass(frozen=True, slots=True)
class _Known:
    """The text of the candidate shown: its id and all else before it stand before `begin`."""

    base: int  # where the envelope begins in the payload
    begin: int  # the text's first byte in the chunk, and the byte after its last
    end: int


class Shortcut:
    """Ask `shorten` first; after a full parse tell `learn` what was read."""

    def __init__(self) -> None:
        self._known: _Known | None = None
        self._last = b""  # the chunk in which it is known
        self._tail = _Tail()
        self._misses = 0

    def shorten(self, chunk: Chunk) -> Shorter | OnlyGrew | None:
        """The chunk without what is known, or None where it must be read in full."""
        known, self._known = self._known, None
        if known is None or chunk.shared < known.end:
            return None
        raw, last = chunk.raw, self._last
        inside = _INSIDE.match(raw, known.end)
        end = inside.end() if inside else -1
        if raw[end : end + 2] != _QUOTE:
            return None
        shorter: Shorter | OnlyGrew | None = None
        if len(raw) - end == len(last) - known.end and raw.endswith(memoryview(last)[known.end :]):
            shorter = _read_growth(raw[known.end : end])
        if shorter is None:
            self._tail.follow(raw, end, _same_after(chunk, known.end, end))
            shorter = _parse(self._tail.cut(raw, known.begin, known.end, end), known.base)
        if shorter is not None:
            self._known = replace(known, end=end)
            self._last = raw
            self._misses = 0
        return shorter

    def learn(self, raw: bytes, candidate_id: str, base: int) -> None:
        """A chunk was read in full: find its text, to know it in the next one.

        That the right string was found is proven by cutting it out: the text at the
        candidate's place must then be empty.
        """
        if self._misses >= MAX_MISSES:
            return
        opening = b'[[\\"' + candidate_id.encode("utf-8", "replace") + b'\\",[\\"'
        begin = raw.find(opening) + len(opening)
        inside = _INSIDE.match(raw, begin) if begin >= len(opening) else None
        if inside is None or inside.end() - begin < MIN_TEXT:
            return
        self._misses += 1
        known = _Known(base, begin, inside.end())
        proof = _parse(raw[:begin] + raw[known.end :], base)
        if proof is not None and at(proof.payload, base + 4, 0, 1, 0) == "":
            self._known = known
            self._last = raw
            self._tail = _Tail()


def _same_after(chunk: Chunk, old_end: int, new_end: int) -> int:
    """How many bytes after the text are those that followed it in the previous chunk."""
    if old_end == new_end:
        return chunk.shared - old_end
    again = chunk.again
    # The first new byte may be a backslash as the closing quote's is: one byte of play.
    if again and again.at - again.of == new_end - old_end and again.of - old_end <= 1:
        return again.of + again.size - old_end
    return 0


def _read_growth(inside: bytes) -> OnlyGrew | None:
    try:
        inner = _read_strictly(b'"' + inside + b'"')
        text = read_json(f'"{inner}"')
    except (NotJson, ValueError):
        return None
    return OnlyGrew(text) if isinstance(text, str) else None


def _parse(raw: bytes, base: int) -> Shorter | None:
    try:
        records = _read_strictly(raw)
    except (ValueError, RecursionError):
        return None
    match records:
        case [["wrb.fr", None, str(inner), *rest]] if not any(rest):
            pass
        case _:
            return None  # several records, or one that says more than its payload
    try:
        payload = read_json(inner)
    except NotJson:
        return None
    if not isinstance(at(payload, base + 4, 0, 1, 0), str):
        return None
    return Shorter(records, payload)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where following the tail has come to; positions count from the text's end.

    It begins inside the text itself: payload, candidates, candidate and text list are
    open (depth 4), and the payload's element is the candidates'.
    """

    position: int = 0
    in_string: bool = True
    depth: int = 4
    element: int = 0
    cut_from: int = 0
    cut_to: int = 0
    cut_depth: int = 0


class _Tail:
    """The bytes after the text, followed as far as they stay the same."""

    def __init__(self) -> None:
        self._places = [_Place()]  # the last few, newest last: the tail may be rewritten

    def follow(self, raw: bytes, origin: int, same: int) -> None:
        """`same` bytes from `origin` on are as they were: go on to their end."""
        while self._places and self._places[-1].position > same:
            self._places.pop()
        place = self._places[-1] if self._places else _Place()
        if not self._places:
            self._places = [place]
        end = origin + same
        at_byte = origin + place.position
        in_string, depth, element = place.in_string, place.depth, place.element
        cut_from, cut_to, cut_depth = place.cut_from, place.cut_to, place.cut_depth
        while at_byte < end and depth > 0:
            run = (_INSIDE if in_string else _BETWEEN).match(raw, at_byte, end)
            at_byte = run.end() if run else at_byte
            byte = raw[at_byte : at_byte + 1]
            if in_string and cut_from and depth == cut_depth:
                cut_to = at_byte - origin
            if at_byte + len(byte) > end:
                break
            if byte == b"\\":
                if raw[at_byte : at_byte + 2] != _QUOTE or at_byte + 2 > end:
                    break
                at_byte += 2
                in_string = not in_string
                if in_string and element == REPEATED and depth > 1:
                    if not cut_from:
                        cut_from, cut_depth = at_byte - origin, depth
                    self._mark(
                        _Place(at_byte - origin, True, depth, element, cut_from, cut_to, cut_depth)
                    )
                continue
            if in_string or byte == b'"' or (byte in b"{}" and element == REPEATED):
                break  # the end of the payload's string, or what this element never holds
            at_byte += 1
            if byte in b"[{":
                depth += 1
            elif byte in b"]}":
                depth -= 1
            elif depth == 1:
                element += 1
                cut_from = cut_to = 0
        self._mark(_Place(at_byte - origin, in_string, depth, element, cut_from, cut_to, cut_depth))

    def cut(self, raw: bytes, begin: int, old_end: int, new_end: int) -> bytes:
        """The chunk without the known text and without the repeated paragraphs."""
        place = self._places[-1]
        if place.cut_to - place.cut_from < MIN_CUT:
            return raw[:begin] + raw[old_end:]
        first, last = new_end + place.cut_from, new_end + place.cut_to
        return b"".join((raw[:begin], raw[old_end:first], raw[last:]))

    def _mark(self, place: _Place) -> None:
        if self._places[-1].position != place.position:
            self._places.append(place)
            del self._places[:-_CHECKPOINTS]
