"""What is known of each column while its site is asked. Nothing is printed here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tabwire.doors.cli.safe_text import harmless
from tabwire.model.ask import (
    Amended,
    Answer,
    Answered,
    AskEvent,
    AskRequest,
    ConversationKnown,
    Failed,
    Phase,
    PhaseBegan,
    PromptLeft,
    StillWaiting,
    TextCame,
)
from tabwire.model.phases import PHASE_WORDS

TAIL = 20_000  # characters of the end that are kept at hand for drawing: several screens


@dataclass(slots=True)
class Growing:
    """A text that comes in pieces: the whole once it is wanted, its end at any time."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    end: str = ""

    def take(self, text: str, *, anew: bool) -> None:
        """One more piece, or another text in the place of all before."""
        if anew:
            self.pieces.clear()
            self.length, self.end = 0, ""
        self.pieces.append(text)
        self.length += len(text)
        self.end = (self.end + text)[-TAIL:]

    def __str__(self) -> str:
        return "".join(self.pieces)


@dataclass(slots=True)
class Column:
    """One site's part."""

    site: str
    temporary: bool = False
    browser: str | None = None  # as it was said for this question
    phase: Phase | None = None
    phase_at: float = 0.0
    began: float = 0.0
    ended: float | None = None
    note: str = ""
    text: Growing = field(default_factory=Growing)
    thinking: Growing = field(default_factory=Growing)
    maybe_sent: bool = False  # Send may have been pressed
    sent: bool = False
    attempt_id: str | None = None
    conversation_id: str | None = None
    url: str | None = None
    answer: Answer | None = None
    error: Exception | None = None

    def take(self, event: AskEvent) -> None:
        """Keep up with what happens."""
        match event:
            case PhaseBegan(phase=phase, at=at, note=note):
                self.phase, self.phase_at, self.note = phase, at, note
                self.maybe_sent = self.maybe_sent or phase is Phase.SEND
            case PromptLeft(attempt_id=attempt_id, conversation_id=conversation_id):
                self.sent, self.attempt_id = True, attempt_id
                self.conversation_id = conversation_id or self.conversation_id
            case ConversationKnown():
                self.attempt_id = event.attempt_id
                self.conversation_id, self.url = event.conversation_id, event.url
            case TextCame(text=text, thinking=thinking, anew=anew):
                (self.thinking if thinking else self.text).take(text, anew=anew)
                self.note = ""
                self.sent = True  # an answer begins: that may be told before that it left
            case StillWaiting(why=why):
                self.note = f"still waiting: {why}"
            case Answered(answer=answer, at=at) | Amended(answer=answer, at=at):
                self.answer, self.ended = answer, at
            case Failed(error=error, at=at):
                self.error, self.ended = error, at

    @property
    def over(self) -> bool:
        """Whether nothing more is waited for."""
        return self.answer is not None or self.error is not None

    def words(self, now: float) -> str:
        """What it is doing, and since when: `thinking 12 s`."""
        if self.error is not None:
            return "failed"
        if self.answer is not None:
            worth = str(self.answer.completeness).replace("_", " ")
            took = max(0.0, (self.ended or now) - self.began)
            return f"{worth} · {count(len(self.answer.text))} characters · {took:.1f} s"
        if self.phase is None:
            return f"starting {max(0.0, now - self.began):.0f} s"
        seconds = f"{max(0.0, now - self.phase_at):.0f} s"
        said = PHASE_WORDS[self.phase]
        if self.phase is Phase.ANSWERING:
            return f"{said} · {count(self.text.length)} characters · {seconds}"
        return f"{said} {seconds}"


class Board:
    """All columns, in the order in which they were asked for."""

    def __init__(self, requests: Sequence[AskRequest], clock: Callable[[], float]) -> None:
        self.clock = clock
        self.began = clock()
        self.columns: dict[str, Column] = {}
        for request in requests:
            self._add(request.site, request.temporary, request.browser)

    def take(self, event: AskEvent) -> Column:
        """Keep up; gives the column it happened in. `fetch` learns the site only by events."""
        column = self.columns.get(event.site) or self._add(event.site, temporary=False)
        column.take(event)
        return column

    def _add(self, site: str, temporary: bool, browser: str | None = None) -> Column:
        column = Column(site, temporary, browser, began=self.began)
        self.columns[site] = column
        return column


def count(number: int) -> str:
    """4812 as `4 812`: read in a glance."""
    return f"{number:,}".replace(",", "\N{NO-BREAK SPACE}")


def one_line(text: str, most: int) -> str:
    """The text as one harmless line of at most so many characters."""
    words = " ".join(harmless(text[: most * 4]).split())
    return words if len(words) <= most else f"{words[: most - 1]}…"
