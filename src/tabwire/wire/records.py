"""What every decoder may say besides its own records, and how much each may hold."""

from dataclasses import dataclass

MAX_LINE = 64 * 1024 * 1024
"""Longest line kept. Longest real one seen: 93 KB; a canonical body on one line with
pictures inside has been reported at 20 MB. Beyond this the line is `Unread`."""

MAX_UNREAD = 2048
"""How much of an unreadable record is kept to show: enough to recognise it."""

MAX_WHY = 200
"""Characters of a reason: it may quote what it complains about."""

MAX_DEPTH = 200
"""Deepest JSON nesting accepted. Deepest real one seen: 21 (a Gemini candidate)."""


@dataclass(frozen=True, slots=True)
class Truncated:
    """The stream ended inside a record; `lost` bytes of it had arrived."""

    lost: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that could not be read: its beginning, its size, and why."""

    raw: bytes
    why: str
    size: int = 0

    @classmethod
    def of(cls, raw: bytes, why: str) -> "Unread":
        """Keep the beginning only: an unreadable record may be huge."""
        return cls(bytes(raw[:MAX_UNREAD]), why[:MAX_WHY], len(raw))
