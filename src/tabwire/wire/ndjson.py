"""One JSON value per line: bytes in, values out."""

from dataclasses import dataclass
from typing import Any

from tabwire.wire.lines import LineSplitter
from tabwire.wire.records import Truncated, Unread
from tabwire.wire.text import NotJson, read_json


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One line's value."""

    value: Any


class NdjsonDecoder:
    """Blank lines are skipped. A last line without its newline counts if it is whole."""

    def __init__(self) -> None:
        self._lines = LineSplitter()
        self._begun = False

    def feed(self, chunk: bytes) -> list[JsonLine | Unread]:
        """The values these bytes complete."""
        return [record for line in self._lines.feed(chunk) if (record := self._read(line))]

    def close(self) -> list[JsonLine | Unread | Truncated]:
        """The last line: a value where it is whole JSON, else what was lost."""
        lines, size = self._lines.close()
        last = self._read(lines[0]) if lines else None
        if last is None:
            return []
        return [Truncated(size)] if isinstance(last, Unread) else [last]

    def _read(self, line: bytes | Unread) -> JsonLine | Unread | None:
        if isinstance(line, Unread):
            return line
        if not self._begun:  # a file saved by hand begins with a byte order mark
            self._begun = True
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip():
            return None
        try:
            return JsonLine(read_json(line))
        except NotJson as exc:
            return Unread.of(line, str(exc))
