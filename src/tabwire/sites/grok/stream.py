"""The bytes of an answer of grok.com or of Grok on x.com, as they arrive.

One JSON object per line. What ends an answer: its stored response (`modelResponse`) with
words in it, or `isSoftStop` after words. A web page in place of lines is a refusal.
"""

from tabwire.model.conversation import Conversation
from tabwire.model.problems import Problem
from tabwire.model.signals import Noted, Refusal, Signal, StreamClosed
from tabwire.sites.grok.intake import Intake
from tabwire.sites.memory import Memory
from tabwire.sites.webpages import LOOKED_AT, read_web_page
from tabwire.sites.witness import doubts
from tabwire.wire.ndjson import JsonLine, NdjsonDecoder
from tabwire.wire.records import Truncated, Unread

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
AT_ONCE = 256 * 1024  # of a huge chunk: its records need many times its size until they are taken


class GrokStream:
    """One answering response of Grok: `StreamReader`."""

    def __init__(self, url: str | None, memory: Memory) -> None:
        self._intake = Intake(url, memory)
        self._lines = NdjsonDecoder()
        self._page: _Page | None = None
        self._began = b""  # the first bytes, until they show what this is
        self._decided = False
        self._lost = 0

    def feed(self, chunk: bytes) -> list[Signal]:
        """Take the next bytes, cut anywhere."""
        if self._page is not None:
            return self._page.feed(chunk)
        if self._decided:
            return self._feed_lines(chunk)
        began = (self._began + chunk).lstrip()
        while began.startswith(BYTE_ORDER_MARK):
            began = began.removeprefix(BYTE_ORDER_MARK).lstrip()
        self._began = began
        if BYTE_ORDER_MARK.startswith(began):
            return []  # nothing yet, or a mark that is not whole: the next byte decides
        return self._decide()

    def close(self) -> list[Signal]:
        """No more bytes will come."""
        signals = [] if self._decided else self._decide()
        if self._page is not None:
            return [*signals, *self._page.close(), StreamClosed(whole=False)]
        signals += self._read(self._lines.close())
        signals += self._intake.flush()
        signals += self._intake.settle()
        found = self.conversation()
        signals += map(Noted, doubts(found.turns) if found is not None else ())
        signals.append(StreamClosed(self._intake.ended, self._lost))
        return signals

    def conversation(self) -> Conversation | None:
        """What has been read so far."""
        return self._intake.conversation()

    def _decide(self) -> list[Signal]:
        self._decided = True
        began, self._began = self._began, b""
        if began.startswith(b"<"):  # no JSON begins like this
            self._page = _Page()
            return self._page.feed(began)
        return self._feed_lines(began)

    def _feed_lines(self, chunk: bytes) -> list[Signal]:
        if len(chunk) <= AT_ONCE:
            return self._read(self._lines.feed(chunk))
        signals: list[Signal] = []
        for start in range(0, len(chunk), AT_ONCE):
            signals += self._read(self._lines.feed(chunk[start : start + AT_ONCE]))
        return signals

    def _read(
        self, records: list[JsonLine | Unread] | list[JsonLine | Unread | Truncated]
    ) -> list[Signal]:
        signals: list[Signal] = []
        for record in records:
            match record:
                case JsonLine(value):
                    signals += self._intake.take(value)
                case Unread(why=why, size=size):
                    self._lost += size
                    what = f"a line of {size} bytes could not be read ({why})"
                    signals.append(Noted(Problem(what, lossy=True)))
                case Truncated(lost):
                    self._lost += lost
                    what = f"cut off inside a record: {lost} bytes unused"
                    signals.append(Noted(Problem(what, lossy=True)))
        return signals


class _Page:
    """A web page where lines should be: told as soon as it names itself, else at its end."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._look_at = 512  # bytes; doubled after each look, so that looking stays cheap
        self._told = False

    def feed(self, chunk: bytes) -> list[Signal]:
        self._head += chunk[: LOOKED_AT - len(self._head)]
        if self._told or len(self._head) < self._look_at:
            return []
        self._look_at = 2 * len(self._head)
        is_challenge = read_web_page(bytes(self._head)).kind is Refusal.CHALLENGE
        return self.close() if is_challenge else []

    def close(self) -> list[Signal]:
        if self._told:
            return []
        self._told = True
        return [read_web_page(bytes(self._head))]
