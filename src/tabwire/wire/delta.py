"""ChatGPT's `delta_encoding v1`: documents patched piece by piece, over SSE.

Theory of operation. Each delta is `{c, p, o, v}`: channel, JSON pointer, operation,
value. `c`, `p` and `o` are taken from the delta before where they are missing; `v` never
is. There is one document per channel, `{message, conversation_id, error}`. Three shapes
do not follow that rule and are common:

* an object with `message` and neither `p` nor `o` begins a new document, whatever the
  delta before was;
* a bare string after a patch (or a new document) goes on where text was last appended;
* a list of `{p, o, v}` without `o` is a patch.

Frames that are no deltas (typed events, legacy full messages) pass through as `Frame`
and do not disturb the inheritance. Nothing is guessed: an operation that does not fit,
a forbidden key or an encoding other than v1 is `Unread` and changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from tabwire.wire.document import BadOperation, Document, Growing, parse_pointer
from tabwire.wire.records import MAX_WHY, Truncated, Unread
from tabwire.wire.sse import SseDecoder, SseRest
from tabwire.wire.text import NotJson, read_json

ENCODING = "v1"
MAX_CHANNELS = 1000  # documents in one stream; a long research turn showed 40
MAX_TEXT = 512 * 1024 * 1024  # characters one stream may grow by; the longest seen is 2 MB

DONE = b"[DONE]"


class Appended(msgspec.Struct, frozen=True, gc=False):
    """Text grew at a place. By far the most frequent record, hence cheap to make."""

    channel: int
    pointer: str
    text: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A new document stands in this channel, or the whole of one was changed."""

    channel: int


@dataclass(frozen=True, slots=True)
class Changed:
    """Something other than appended text happened at a place; read the document."""

    channel: int
    pointer: str


@dataclass(frozen=True, slots=True)
class Frame:
    """A JSON value that is no delta."""

    value: Any


@dataclass(frozen=True, slots=True)
class Unannounced:
    """Deltas came before the encoding was announced. Noted once; they are read as v1."""


@dataclass(frozen=True, slots=True)
class Done:
    """The stream's own last word. Not proof of a finished turn: a hand-off says it too."""


DeltaRecord = Appended | Opened | Changed | Frame | Unannounced | Done | Unread | Truncated
Emit = Callable[[DeltaRecord], object]


class _BareText(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    v: str


_BARE_KEYS = frozenset({"v", "c"})
_read_bare_text = msgspec.json.Decoder(_BareText).decode


class DeltaDecoder:
    """SSE bytes in, records out; the documents are in `documents`."""

    def __init__(self) -> None:
        self.documents: dict[int, Document] = {}
        self._events = SseDecoder()
        self._encoding: str | None = None
        self._channel = 0
        self._pointer = ""
        self._op = ""
        # Where text was last appended, and the growing text there, if still known to be.
        self._text_pointer = ""
        self._text: Growing | None = None
        self._text_channel = -1
        self._open: Growing | None = None  # that text, while a bare string would go on there
        self._room = MAX_TEXT

    def feed(self, chunk: bytes) -> list[DeltaRecord]:
        """The records these bytes complete."""
        records: list[DeltaRecord] = []
        self.feed_to(chunk, records.append)
        return records

    def feed_to(self, chunk: bytes, emit: Emit) -> None:
        """As `feed`, handing over each record while the documents stand as it left them."""
        for pair in self._events.feed_pairs(chunk):
            if isinstance(pair, Unread):
                emit(pair)
            elif not (pair[0] == "delta" and self._goes_on(pair[1], emit)):
                self._read(pair[0], pair[1], emit)

    def _goes_on(self, data: bytes, emit: Emit) -> bool:
        """The short way for `{"v": "more text"}` where the text before it stands open.

        Does exactly what the long way (`_read`) would do, for the one shape that makes
        up nearly all of a long answer; any doubt is left to the long way.
        """
        growing = self._open
        if growing is None:
            return False
        try:
            text = _read_bare_text(data).v
        except ValueError:  # any other shape, or text that only the lenient reader takes
            return False
        if len(text) > self._room:
            return False
        self._room -= len(text)
        growing.add(text)
        emit(Appended(self._channel, self._text_pointer, text))
        return True

    def close(self) -> list[DeltaRecord]:
        """A last event without its blank line counts where it is whole."""
        records: list[DeltaRecord] = []
        self.close_to(records.append)
        return records

    def close_to(self, emit: Emit) -> None:
        """As `close`, handing over each record."""
        for last in self._events.close():
            if isinstance(last, SseRest) and _is_whole(last.data):
                self._read(last.name, last.data, emit)
            elif isinstance(last, Unread | Truncated):
                emit(Truncated(last.lost) if isinstance(last, SseRest) else last)

    def _read(self, name: str, data: bytes, emit: Emit) -> None:
        if not data.strip() or name == "ping":
            return
        if data.strip() == DONE:
            emit(Done())
            return
        if name == "delta_encoding":
            self._announce(data, emit)
            return
        try:
            value = read_json(data)
        except NotJson as exc:
            emit(Unread.of(data, str(exc)))
            return
        if not isinstance(value, dict) or not _is_delta(value, named=name == "delta"):
            emit(Frame(value))
        elif self._encoding not in (None, ENCODING):
            emit(Unread.of(data, _unknown(self._encoding)))
        else:
            if self._encoding is None:
                self._encoding = ENCODING
                emit(Unannounced())
            try:
                self._apply(value, emit)
            except BadOperation as exc:
                emit(Unread.of(data, str(exc)))
            finally:
                self._open = self._text if self._bare_text_place() == self._text_place else None

    def _announce(self, data: bytes, emit: Emit) -> None:
        self._encoding = data.decode("utf-8", "replace").strip().strip('"')
        if self._encoding != ENCODING:
            self._encoding = self._encoding[:MAX_WHY]
            self._open = None  # the short way is only for v1
            emit(Unread.of(data, _unknown(self._encoding)))

    def _apply(self, delta: dict[str, Any], emit: Emit) -> None:
        value = delta.get("v")
        channel = delta.get("c", self._channel)
        if not isinstance(channel, int) or isinstance(channel, bool):
            raise BadOperation(f"channel {channel!r} is not a number")
        if isinstance(value, str) and delta.keys() <= _BARE_KEYS and channel in self.documents:
            self._channel = channel
            _, bare_place = self._bare_text_place()
            if bare_place is not None:
                self._append(channel, bare_place, value, emit)
                return
        pointer, op = self._place_of(delta, value)
        if not isinstance(pointer, str) or not isinstance(op, str):
            raise BadOperation("pointer and operation must be text")
        if channel not in self.documents and len(self.documents) >= MAX_CHANNELS:
            raise BadOperation(f"more than {MAX_CHANNELS} channels")
        self._channel, self._pointer, self._op = channel, pointer, op
        if op == "patch":
            self._patch(pointer, value, emit)
        else:
            self._operate(pointer, op, value, "v" in delta, emit)

    def _place_of(self, delta: dict[str, Any], value: Any) -> tuple[Any, Any]:
        """Pointer and operation of a delta, what is missing being inherited."""
        says_where = "p" in delta
        if "o" not in delta and not says_where and isinstance(value, dict) and "message" in value:
            return "", "add"
        if "o" not in delta and _is_patch(value):
            # Its steps have places of their own, so an append's place is not inherited.
            return delta["p"] if says_where else self._pointer * (self._op == "patch"), "patch"
        return delta.get("p", self._pointer), delta.get("o", self._op)

    def _bare_text_place(self) -> tuple[int, str | None]:
        """Where a bare string goes now; None where it follows the plain inheritance.

        After an append it goes on there. After a patch, or a new document, it goes on
        where text was last appended.
        """
        if self._op == "append":
            return self._channel, self._pointer
        if self._op == "patch" or (self._op in ("add", "replace") and not self._pointer):
            return self._channel, self._text_pointer
        return self._channel, None

    @property
    def _text_place(self) -> tuple[int, str | None]:
        return self._text_channel, self._text_pointer

    def _patch(self, outer: str, steps: Any, emit: Emit) -> None:
        if not isinstance(steps, list):
            raise BadOperation("a patch needs a list of operations")
        for step in steps:
            try:
                if not isinstance(step, dict):
                    raise BadOperation("a patch contains something that is not an operation")
                pointer, op = step.get("p", ""), step.get("o", "")
                if not isinstance(pointer, str) or not isinstance(op, str):
                    raise BadOperation("pointer and operation must be text")
                if op == "patch":
                    self._patch(outer + pointer, step.get("v"), emit)
                else:
                    self._operate(outer + pointer, op, step.get("v"), "v" in step, emit)
            except BadOperation as exc:
                emit(Unread.of(ascii(step).encode(), str(exc)))

    def _operate(self, pointer: str, op: str, value: Any, has_value: bool, emit: Emit) -> None:
        if not has_value and op != "remove":
            raise BadOperation(f"{op or 'an operation'} without a value")
        if op == "append" and isinstance(value, str):
            self._append(self._channel, pointer, value, emit)
        else:
            self._change(pointer, op, value, emit)

    def _change(self, pointer: str, op: str, value: Any, emit: Emit) -> None:
        document = self.documents.get(self._channel) or Document()
        document.apply(op, parse_pointer(pointer), value)
        self.documents[self._channel] = document
        holder = pointer.rpartition("/")[0]
        if self._text_channel == self._channel and self._text_pointer.startswith(holder):
            self._text = None  # it may have been replaced, or moved inside its list
        emit(Opened(self._channel) if not pointer else Changed(self._channel, pointer))

    def _append(self, channel: int, pointer: str, text: str, emit: Emit) -> None:
        """Text at the end of what stands at a place: a text, or a list whose item it is."""
        growing = self._text
        if growing is None or (channel, pointer) != self._text_place:
            segments = parse_pointer(pointer)
            document = self.documents.get(channel) or Document()
            growing = document.growing(segments)
            if growing is None:
                self._change(pointer, "append", text, emit)
                return
            self.documents[channel] = document
            self._text, self._text_channel, self._text_pointer = growing, channel, pointer
        if len(text) > self._room:
            raise BadOperation(f"more than {MAX_TEXT} characters of text")
        self._room -= len(text)
        growing.add(text)
        emit(Appended(channel, pointer, text))


def _unknown(encoding: str | None) -> str:
    return f"unknown delta encoding {encoding!r}"


def _is_delta(value: dict[str, Any], *, named: bool) -> bool:
    """Typed frames and whole messages are none, even under the name `delta`."""
    if "type" in value or "message" in value:
        return False
    return "v" in value or (named and ("o" in value or "p" in value))


def _is_patch(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(step, dict) and "p" in step and "o" in step for step in value)
    )


def _is_whole(data: bytes) -> bool:
    if data.strip() == DONE:
        return True
    try:
        read_json(data)
    except NotJson:
        return False
    return True
