"""Bytes to lines, whatever the cut.

Only new bytes are searched, so one very long line in one-byte chunks stays linear.
"""

from tabwire.wire.held import Held, over_long
from tabwire.wire.records import MAX_LINE, Unread


class LineSplitter:
    """Feed bytes, get whole lines without their ends (LF or CRLF)."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._held = Held(limit)

    def feed(self, chunk: bytes) -> list[bytes | Unread]:
        """The lines these bytes complete."""
        head, newline, rest = chunk.partition(b"\n")
        self._held.add(head)
        if not newline:
            return []
        lines = [_bare(self._held.take())]
        if rest:
            *whole, last = rest.split(b"\n")
            limit = self._limit
            lines.extend(
                _bare(line) if len(line) <= limit else over_long(line, limit, len(line))
                for line in whole
            )
            self._held.add(last)
        return lines

    def close(self) -> tuple[list[bytes | Unread], int]:
        """An unfinished last line, if any: (the line, how many bytes it had)."""
        size = self._held.size
        return ([_bare(self._held.take())], size) if size else ([], 0)


def _bare(line: bytes | Unread) -> bytes | Unread:
    return line[:-1] if isinstance(line, bytes) and line[-1:] == b"\r" else line


class NewlineUnifier:
    """CRLF and lone CR become LF, also where a cut falls between CR and LF."""

    def __init__(self) -> None:
        self._after_cr = False

    def feed(self, chunk: bytes) -> bytes:
        """The same bytes with one kind of line end."""
        if self._after_cr and chunk:
            self._after_cr = False
            if chunk[:1] == b"\n":
                chunk = chunk[1:]
        if b"\r" in chunk:
            self._after_cr = chunk[-1:] == b"\r"
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return chunk
