"""Waiting for one answer the classic way: when to begin, when to give up, when to read.

Four small machines, each for one stretch of the way. Polls and time in, outcomes out:

Beginning    nobody told us of a question: does this poll show that an answer is awaited?
Following    an answer is awaited: is it over, is the site stuck, has the person left?
RenderWait   it is over: is its text on the page?
"""

from dataclasses import dataclass
from enum import StrEnum

from tabwire.sites.classic import (
    ANSWER_SECONDS,
    FIRST_OUTPUT_SECONDS,
    Classic,
    Conditions,
    Decision,
    Look,
    Poll,
    Rung,
    pick,
)


class StuckBy(StrEnum):
    """Why a site is called stuck; the seed's names of its two errors."""

    STOP_BUTTON = "GEMINI_STUCK_STOP_BUTTON"  # the stop control does not go away
    NO_RESPONSE = "GEMINI_STUCK_NO_RESPONSE"  # no answer begins


@dataclass(frozen=True, slots=True)
class Stuck:
    """The site hangs: `seconds` went by with nothing that should have happened."""

    by: StuckBy
    seconds: float


@dataclass(frozen=True, slots=True)
class TimedOut:
    """Too long. `rung` is what stood there, or `answer` the number of where to look."""

    waiting_for: str
    seconds: float
    rung: Rung | None = None
    answer: int | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """The tab shows another conversation: its answers are not the one awaited."""

    url: str


def has_left(classic: Classic, before: str, url: str) -> bool:
    """Whether a tab shows another conversation than before. A new one gets its address while
    it is answered; that is no leaving."""
    known = classic.conversation_in_url(before)
    return known is not None and known != classic.conversation_in_url(url)


def _grown(before: Poll, poll: Poll) -> bool:
    return poll.questions > before.questions or poll.answers > before.answers


class Beginning:
    """For a watcher: tells from polls that somebody asked, and what to count from.

    Opening another conversation brings new questions and answers at once, all of them old.
    That is no beginning, unless the stop control shows that one is still being written.
    """

    def __init__(self) -> None:
        self._before: Poll | None = None

    def feed(self, poll: Poll) -> int | None:
        """The number of answers before the one now awaited, or None while none is."""
        before, self._before = self._before, poll
        if before is not None and before.url == poll.url and _grown(before, poll):
            return before.answers
        if not poll.stop:
            return None
        begun = poll.answers > 0 and poll.answers >= poll.questions  # the newest is being written
        return poll.answers - 1 if begun else poll.answers


class Following:
    """From the question to the end of its answer, or to the reason why there is none."""

    def __init__(self, classic: Classic, initial_answers: int, now: float) -> None:
        self._classic = classic
        self._conditions = Conditions(classic, initial_answers)
        self._initial = initial_answers
        self._began = now
        self._url = ""
        self._answer: int | None = None
        self._alive = False  # the site has shown that it works on an answer

    def feed(self, poll: Poll, now: float) -> Decision | Stuck | TimedOut | Left | None:
        """Take the next poll."""
        before, self._url = self._url, poll.url
        if has_left(self._classic, before, poll.url):
            return Left(poll.url)
        new = poll.answers > self._initial
        self._answer = poll.answers if new else None
        self._alive = self._alive or poll.stop or new
        decision = self._conditions.feed(poll, now)
        return self.tick(now) or decision  # one that brings no text comes again at each poll

    def tick(self, now: float) -> Stuck | TimedOut | None:
        """No poll came, but time went by."""
        seconds = now - self._began
        if self._classic.can_be_stuck and not self._alive and seconds >= FIRST_OUTPUT_SECONDS:
            return Stuck(StuckBy.NO_RESPONSE, seconds)
        if seconds >= ANSWER_SECONDS:
            return TimedOut("the end of the answer", seconds, answer=self._answer)
        return None


class RenderWait:
    """From the end of an answer to its text: the site may draw it much later.

    The seed's seconds count from when the stop control is gone, so while it is still there
    (its fourth condition does not ask) they have not begun. While thinking may be skipped,
    or the page says it still writes, what stands there is not the answer yet.
    """

    def __init__(self, classic: Classic, decision: Decision) -> None:
        self._classic = classic
        self._seconds = classic.render_seconds
        self._url = decision.url
        self._decided = self._stop_gone = decision.at
        self._found: Rung | None = None

    def feed(self, look: Look, now: float) -> Rung | TimedOut | Left | None:
        """Take one attempt to read; the text if it may be believed."""
        poll = look.poll
        if has_left(self._classic, self._url, poll.url):
            return Left(poll.url)
        self._url = poll.url
        found = pick(self._classic, look)
        self._found = found or self._found
        if poll.stop:
            self._stop_gone = now
        if found and not (poll.stop or poll.still_generating):
            return found
        return self.tick(now)

    def tick(self, now: float) -> TimedOut | None:
        """Nothing could be read, but time went by."""
        too_long = now - self._stop_gone >= self._seconds
        if too_long or now - self._decided >= self._seconds + ANSWER_SECONDS:
            return TimedOut("the text of the answer", now - self._decided, self._found)
        return None
