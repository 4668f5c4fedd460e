"""The bytes of one response, each exactly once and in order. No I/O.

Theory of operation. The browser tells of every chunk how long it is, and the chunk itself
only once it has taken our subscription; what came before is in its reply to that. So every
byte has a place: a chunk stands behind all chunks told before it, the reply's buffer and a
body read afterwards stand at the beginning. We keep how far we have told, and of whatever
comes we tell what lies beyond. Nothing depends on the order of reply and chunks.

A chunk beyond where we have told leaves a gap: nothing is told until a buffer or the stored
body closes it.
"""

import binascii
import codecs
from contextlib import suppress

_BOM = codecs.BOM_UTF8
_WESTERN = {
    ord(character): byte
    for byte in range(0x80, 0xA0)
    if (character := bytes([byte]).decode("cp1252", "ignore"))
}
"""Where windows-1252 is not latin-1. Five bytes mean nothing in it; browsers keep them."""


class Body:
    """What was told of a response (`size` bytes) and what there is (`counted`)."""

    __slots__ = ("_held", "counted", "size")

    def __init__(self) -> None:
        self.size = 0
        self.counted = 0
        self._held: list[tuple[int, bytes]] | None = []

    @property
    def missing(self) -> int:
        """How many bytes came that were not told."""
        return max(0, self.counted - self.size)

    def hold(self) -> None:
        """Keep chunks back until a buffer comes."""
        if self._held is None:
            self._held = []

    def came(self, length: int, data: bytes | None) -> bytes:
        """A chunk was told of: what to tell now."""
        start = self.counted
        if data is None:
            self.counted = start + length
            return b""
        self.counted = start + len(data)
        if self._held is not None:
            self._held.append((start, data))
            return b""
        return self._beyond(start, data)

    def buffered(self, data: bytes) -> bytes:
        """The bytes from the beginning came: what to tell now."""
        news = [self._beyond(0, data)]
        held, self._held = self._held or (), None
        news += [self._beyond(start, chunk) for start, chunk in held]
        return b"".join(news)

    def stored(self, text: str, base64: bool, charset: str) -> bytes | None:
        """The whole body was read: what to tell now, or None if it is not that body.

        The browser hands out text decoded, so it is encoded again; its length proves it.
        """
        for data in _readings(text, base64, charset):
            if len(data) == self.counted or not self.counted:
                self.counted = len(data)
                return self._beyond(0, data)
        return None

    def _beyond(self, start: int, data: bytes) -> bytes:
        told = self.size - start
        if told < 0:
            return b""  # a gap
        news = data[told:] if told else data
        self.size += len(news)
        return news


def _readings(text: str, base64: bool, charset: str) -> list[bytes]:
    """Which bytes this may have been, likeliest first.

    Without a charset Chromium 156 reads text/plain and text/event-stream as windows-1252,
    and leaves out a mark at the beginning of UTF-8.
    """
    try:
        if base64:
            return [binascii.a2b_base64(text)]
        plain = text.encode()
    except ValueError:
        return []
    readings = [plain, _BOM + plain]
    with suppress(LookupError, UnicodeEncodeError):
        readings.append(text.encode(charset))
    with suppress(UnicodeEncodeError):
        readings.append(text.translate(_WESTERN).encode("latin-1"))
    return readings
