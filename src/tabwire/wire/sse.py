"""Server-sent events: bytes in, events out.

Knows the framing and nothing of any site. Chunks may be cut anywhere, even inside a
character or between CR and LF. Data stays bytes: whoever reads it decodes it once.

Theory of operation: events are blocks between blank lines, so we look for `\\n\\n` and
read a block when it is whole. The last newline of what is held is kept back and put in
front of the next chunk; a blank line is then always found inside one chunk.
"""

from dataclasses import dataclass, field

from tabwire.wire.held import Held, over_long
from tabwire.wire.lines import NewlineUnifier
from tabwire.wire.records import MAX_LINE, Truncated, Unread

MESSAGE = "message"  # the name of an event that does not say its name

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event: its name, and its data lines joined with LF."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class SseRest(Truncated):
    """The end of a stream that has no blank line after it, with the data it holds.

    Files saved by hand lose their last newlines, so a reader that can tell a whole
    record from half of one may still use the data.
    """

    data: bytes = field(default=b"", compare=False)
    name: str = field(default=MESSAGE, compare=False)


class SseDecoder:
    """Blocks without data (comments, pings, bare names) give no event."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._newlines = NewlineUnifier()
        self._held = Held(limit)
        self._owes_newline = False
        self._begun = False

    def feed(self, chunk: bytes) -> list[SseEvent | Unread]:
        """The events these bytes complete."""
        return [
            block if isinstance(block, Unread) else SseEvent(*block)
            for block in self.feed_pairs(chunk)
        ]

    def feed_pairs(self, chunk: bytes) -> list[tuple[str, bytes] | Unread]:
        """As `feed`, without making an object of each event: the fast way for readers."""
        chunk = self._newlines.feed(chunk)
        if self._owes_newline and chunk:
            self._owes_newline = False
            chunk = b"\n" + chunk
        *whole, rest = chunk.split(b"\n\n")
        pairs: list[tuple[str, bytes] | Unread] = []
        if whole:
            self._held.add(whole[0])
            whole[0] = b""
            first = self._held.take()
            if isinstance(first, Unread):
                pairs.append(first)
            else:
                whole[0] = first if self._begun else first.removeprefix(_BOM)
            self._begun = True
            for block in whole:
                # Nearly every block of a long answer has this shape: see bench.
                if (
                    block[:19] == b"event: delta\ndata: "
                    and block.find(b"\n", 19) < 0
                    and len(block) <= self._limit
                ):
                    pairs.append(("delta", block[19:]))
                elif len(block) > self._limit:
                    pairs.append(over_long(block, self._limit, len(block)))
                elif block:
                    pair = _read_block(block)
                    if pair is not None:
                        pairs.append(pair)
        if rest[-1:] == b"\n":
            self._owes_newline = True
            rest = rest[:-1]
        self._held.add(rest)
        return pairs

    def close(self) -> list[SseEvent | Unread | Truncated]:
        """What had no blank line after it."""
        lost = self._held.size
        last = self._held.take()
        self._owes_newline = False
        if isinstance(last, Unread):
            return [last, Truncated(lost)]
        pair = _read_block(last if self._begun else last.removeprefix(_BOM))
        if pair is not None:
            return [SseRest(lost, pair[1], pair[0])]
        told = any(line.strip() and line[:1] != b":" for line in last.split(b"\n"))
        return [Truncated(lost)] if told else []


def _read_block(block: bytes) -> tuple[str, bytes] | None:
    name = MESSAGE
    data: list[bytes] = []
    for line in block.split(b"\n"):
        field_name, colon, value = line.partition(b":")
        if value[:1] == b" ":
            value = value[1:]
        if field_name == b"data" and (colon or line):
            data.append(value)
        elif field_name == b"event":
            name = value.decode("utf-8", "replace") or MESSAGE
    return (name, b"\n".join(data)) if data else None
