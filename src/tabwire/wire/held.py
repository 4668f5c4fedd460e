"""Bytes waiting for the rest of their record, bounded.

Pieces are kept apart and joined once, so a long record in one-byte chunks stays linear.
"""

from tabwire.wire.records import MAX_UNREAD, Unread


def over_long(record: bytes, limit: int, size: int) -> Unread:
    """What is said of a record of `size` bytes that went over its limit."""
    return Unread(record[: min(limit, MAX_UNREAD)], f"longer than {limit} bytes", size)


class Held:
    """Pieces of one unfinished record. What goes over `limit` is counted, not kept."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pieces: list[bytes] = []
        self._kept = 0
        self._dropped = 0

    @property
    def size(self) -> int:
        """How many bytes of the record have arrived, kept or not."""
        return self._kept + self._dropped

    def add(self, piece: bytes) -> None:
        """Keep another piece, as far as there is room."""
        room = self._limit - self._kept
        if len(piece) > room:
            self._dropped += len(piece) - room
            piece = piece[:room]
        if piece:
            self._pieces.append(piece)
            self._kept += len(piece)

    def take(self) -> bytes | Unread:
        """The record, and start anew; `Unread` where it went over the limit."""
        record = b"".join(self._pieces)
        dropped = self._dropped
        self._pieces, self._kept, self._dropped = [], 0, 0
        return over_long(record, self._limit, len(record) + dropped) if dropped else record
