"""Three columns that grow as their sites answer; without a terminal, one line per change."""

from collections.abc import Callable
from dataclasses import dataclass, field

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from tabwire.model.ask import (
    Amended,
    Answer,
    Answered,
    AskEvent,
    ConversationKnown,
    Failed,
    PhaseBegan,
    PromptLeft,
    StillWaiting,
    TextCame,
)
from tabwire.model.phases import PHASE_WORDS, QUEUED

LEAST_WIDTH = 24
MOST_LINES = 26  # of a column while it grows: a large screen need not be filled
SHOWN_THINKING = 2  # lines
BORDER = 4  # characters a panel takes from each line; and two lines
REFRESH = 12  # pictures per second: more than that nobody sees

Wrapped = Callable[[str, str], list[Text]]
"""A text and a style -> lines of one column."""


@dataclass(slots=True)
class Column:
    """What is known of one site."""

    name: str
    doing: str = QUEUED
    text: str = ""
    thinking: str = ""
    answer: Answer | None = None
    error: Exception | None = None
    steps: list[tuple[float, str]] = field(default_factory=list)  # seconds, and what happened
    seconds: float = 0.0

    def take(self, event: AskEvent, began: float) -> str | None:
        """Keep up with the ask; gives a line worth telling, if there is one."""
        self.seconds = event.at - began
        line = self._taken(event)
        if line is not None:
            self.steps.append((self.seconds, line))
        return line

    def _taken(self, event: AskEvent) -> str | None:
        match event:
            case PhaseBegan(phase=phase):
                self.doing = PHASE_WORDS[phase]
                return self.doing
            case PromptLeft():
                return "the request left with the prompt in it"
            case ConversationKnown(conversation_id=named):
                return f"conversation {named}"
            case StillWaiting(why=why):
                return why
            case TextCame(text=text, thinking=True, anew=anew):
                self.thinking = text if anew else self.thinking + text
            case TextCame(text=text, anew=anew):
                self.text = text if anew else self.text + text
            case Answered(answer=answer):
                self.answer = answer
                evidence = ", ".join(answer.evidence)
                return f"{answer.completeness}: {answer.why}; evidence: {evidence}"
            case Amended(answer=answer):
                before = self.answer.evidence if self.answer is not None else ()
                self.answer = answer
                more = [one for one in answer.evidence if one not in before]
                return f"one more witness: {', '.join(more)}" if more else None
            case Failed(error=error):
                self.error, self.doing = error, "failed"
                return str(error)
        return None

    def drawn(self, console: Console, width: int, lines: int | None) -> list[Text]:
        """The column as it stands, in lines: at most so many, of the text the end; or all."""
        inside = width - BORDER

        def wrapped(text: str, style: str) -> list[Text]:
            return list(Text(text, style=style).wrap(console, inside, tab_size=4))

        above = [Text.assemble((self.doing, "bold cyan"), (f"  {self.seconds:5.2f} s", "dim"))]
        thoughts = wrapped(self.thinking, "dim italic")
        above += thoughts if lines is None else thoughts[-SHOWN_THINKING:]
        below = self._verdict(wrapped)
        text = wrapped(self.text, "") if self.text else []
        if lines is not None:
            room = max(0, lines - 2 - len(above) - len(below))
            text = text[len(text) - min(room, len(text)) :]
        return [*above, *text, *below]

    def _verdict(self, wrapped: Wrapped) -> list[Text]:
        if self.error is not None:
            return wrapped(str(self.error), "bold red")
        if self.answer is None:
            return []
        style = "bold green" if self.answer.complete else "bold yellow"
        below = wrapped(f"{self.answer.completeness}: {self.answer.why}", style)
        for one in self.answer.evidence:
            below += wrapped(f"· {one}", "green")
        for one in self.answer.problems:
            below += wrapped(f"! {one}", "yellow")
        return below


class Show:
    """The columns on a console. `with` it; at the end each stands there whole."""

    def __init__(self, names: tuple[str, ...], console: Console, began: float) -> None:
        self.columns = {name: Column(name) for name in names}
        self._console = console
        self._began = began
        self._over = False
        self._live: Live | None = None

    def __enter__(self) -> "Show":
        if self._console.is_terminal:
            self._live = Live(
                get_renderable=self._drawn, console=self._console, refresh_per_second=REFRESH
            )
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        if self._live is not None:
            self._live.stop()

    def tell(self, event: AskEvent) -> None:
        """Something happened in one column."""
        line = self.columns[event.site].take(event, self._began)
        if line is not None and self._live is None:
            when = f"{event.at - self._began:7.3f} s"
            self._console.print(Text(f"{when}  {event.site:<8} {line}"), soft_wrap=True)

    def _drawn(self) -> RenderableType:
        width = max(LEAST_WIDTH, self._console.width // len(self.columns) - 1)
        most = None if self._over else min(MOST_LINES, self._console.height - 1)
        drawn = {name: one.drawn(self._console, width, most) for name, one in self.columns.items()}
        height = most or max(map(len, drawn.values())) + 2
        return Columns(
            [
                Panel(Group(*lines), title=name, width=width, height=height)
                for name, lines in drawn.items()
            ]
        )
