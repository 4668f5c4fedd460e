"""What can happen while an answer is told, one step after the other.

`Say`, `Think` and `Tool` are words of the site, `Pause` is time, a `Mark` is what the wire does
besides words, a `Befall` is done to the tab from outside.
"""

from dataclasses import dataclass
from enum import StrEnum


class Wire(StrEnum):
    """What the wire does besides words."""

    # said by the site, in its own format
    HINT = "hint"  # a sign of the end that is none: the answer goes on
    ERROR = "error"  # the site gives up in the middle of its own stream
    LIMIT = "limit"  # the same, because a limit was reached
    # done to the response that carries the answer; the answer itself goes on being told
    AGAIN = "again"  # the event before comes once more
    SWAP = "swap"  # the two events that follow change places
    CUT = "cut"  # the connection breaks
    END = "end"  # the response ends properly, without the end of the turn
    # the rest arrives elsewhere
    TO_SOCKET = "to_socket"  # over a WebSocket, where the site has one
    TO_RESUME = "to_resume"  # by a second request
    TO_NOWHERE = "to_nowhere"  # nowhere: only the stored conversation will have it


CARRIER = frozenset({Wire.AGAIN, Wire.SWAP, Wire.CUT, Wire.END})


class Fate(StrEnum):
    """What befalls a tab or its browser, by the hand of whoever plays the story."""

    STOP = "stop"  # the person presses Stop
    CRASH = "crash"
    CLOSE = "close"
    RELOAD = "reload"
    LEAVE = "leave"  # the person opens another chat in the tab
    FREEZE = "freeze"
    DIALOG = "dialog"  # the page shows an alert, which the person answers a moment later
    KILL = "kill"  # the whole browser, at once
    QUIT = "quit"  # the whole browser, politely


@dataclass(frozen=True, slots=True)
class Say:
    """Tell the answer up to this share of it, piece by piece, at the plan's pace."""

    upto: float = 1.0


@dataclass(frozen=True, slots=True)
class Think:
    """Tell the plan's thoughts; where none are left, so many are made up."""

    count: int = 0


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool is called and answers: a search, a run of code. Not part of the answer."""

    name: str = "web.search"
    asks: str = "weather in the lab"
    answers: str = "It is always fine in the lab."


@dataclass(frozen=True, slots=True)
class Preamble:
    """Words before the thinking, in the same turn, which belong to the answer's message."""

    text: str = "I will look into this first, and then answer at length.\n\n"


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing is said for so long."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Mark:
    """The wire does something."""

    what: Wire


@dataclass(frozen=True, slots=True)
class Befall:
    """Something befalls the tab just now; the answer goes on."""

    what: Fate


@dataclass(frozen=True, slots=True)
class Silence:
    """Nothing is said any more, and nothing ends."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The site gives up without a word: what it has stored stays as it is."""


@dataclass(frozen=True, slots=True)
class Withhold:
    """First step only: the prompt is received, and not even the response's headers come."""


Step = Say | Think | Tool | Preamble | Pause | Mark | Befall | Silence | GiveUp | Withhold
