"""What a story is: what the site does, in which shape its page is, and what must come of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tabwire.lab.stories.steps import Fate, Say, Step, Think

SITES = ("chatgpt", "gemini", "grok")
PLAIN: tuple[Step, ...] = (Think(), Say())


class Refuse(StrEnum):
    """How a site says no to a request, each in its own words."""

    LIMIT = "limit"  # too many messages; no word of when it is over
    LIMIT_UNTIL = "limit_until"  # the same with the time at which it is over
    LIMIT_ASKED = "limit_asked"  # no word of it, but the site tells who asks when it is over
    LOGIN = "login"  # 401: the session is over
    CHALLENGE = "challenge"  # 403 with a page that asks whether one is human
    BLOCKED = "blocked"  # 403: not allowed
    FAULT = "fault"  # 500: something went wrong


@dataclass(frozen=True, slots=True)
class Direction:
    """What the page itself does when it has shown so many characters of the answer.

    `do` is one of the directions the pages know: `flicker` (Stop goes and comes, `times`, each
    for `seconds`), `flash` (the action bar comes for `seconds` and goes), `reload`, `leave` (to
    another chat), `toast` (an error with Retry), `overlay`, `rename` (Stop gets a label nobody
    knows), `aloud` (a read-aloud control that says Stop), `shrink` (most of the shown text goes
    for `seconds`), `poll` (asks the server whether it is done).
    """

    do: str
    at: int = 0
    seconds: float = 0.7
    times: int = 1


class Outcome(StrEnum):
    """What whoever watches must come to say."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    STOPPED = "stopped"  # partial, by the person's own hand
    LIMIT = "limit"
    LOGIN = "login"
    CHALLENGE = "challenge"
    ERROR = "error"
    NOTHING = "nothing"  # nothing was asked, or nothing is known yet: no verdict at all
    LOST = "lost"  # the tab is gone: partial, and told why


@dataclass(frozen=True, slots=True)
class Story:
    """One way in which a site behaves."""

    name: str
    about: str  # one sentence for people
    faults: tuple[str, ...] = ()  # of the fault list: F01 to F34
    script: tuple[Step, ...] = PLAIN
    stage: Mapping[str, Any] = field(default_factory=dict)  # wishes over the page's stage
    page: tuple[Direction, ...] = ()
    refuse: Refuse | None = None
    outcome: Outcome = Outcome.COMPLETE
    sites: tuple[str, ...] = SITES
    answer: str = ""  # which kind of answer, see lab/answers.py; "" leaves it to the prompt
    asks: bool = True  # whether a person can ask at all while it plays
    fate: Fate | None = None  # what befalls the tab, where something does
