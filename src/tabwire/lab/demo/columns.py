"""Three columns that change as their tabs do; without a terminal, one line per change."""

from dataclasses import dataclass, field, replace

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from tabwire.fusion.verdict import Verdict
from tabwire.monitor import told
from tabwire.monitor.told import Sighting

SHOWN_LINES = 14  # of the end of an answer
SHOWN_THINKING = 2
REFRESH = 12  # pictures per second: more than that nobody sees


@dataclass(slots=True)
class Column:
    """What is known of one tab."""

    name: str
    state: str = "opening"
    prompt: str = ""
    text: str = ""
    thinking: str = ""
    verdict: Verdict | None = None
    states: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def take(self, sighting: Sighting, began: float) -> str | None:
        """Keep up with the tab; gives a line worth telling, if there is one."""
        self.seconds = sighting.at - began
        match sighting:
            case told.Watching(layout=layout):
                self.state = "watching"
                return f"watching ({layout})"
            case told.Asked(prompt=prompt):
                self.prompt = prompt or ""
                return f"asked: {self.prompt}"
            case told.StateMoved(after=after, cause=cause):
                self.state = str(after)
                self.states.append(f"{self.seconds:.2f} s  {after} ({cause})")
                return f"{after} ({cause})"
            case told.Grew(text=text, thinking=thinking):
                if thinking:
                    self.thinking += text
                else:
                    self.text += text
            case told.Rewritten(text=text, thinking=thinking):
                if thinking:
                    self.thinking = text
                else:
                    self.text = text
            case told.Judged(verdict=verdict):
                self.verdict = verdict
                evidence = ", ".join(verdict.evidence)
                return f"verdict: {verdict.judgement} ({verdict.why}); evidence: {evidence}"
            case told.Witnessed(evidence=evidence):
                if self.verdict is not None:
                    self.verdict = replace(self.verdict, evidence=evidence)
                return f"one more witness: {evidence[-1]}"
            case told.Befell(words=words):
                return words
        return None

    def drawn(self, width: int) -> RenderableType:
        """The column as it stands."""
        head = Text(f"{self.state}", style="bold cyan")
        head.append(f"  {self.seconds:5.2f} s", style="dim")
        body = Text(_tail(self.text, SHOWN_LINES, width - 4))
        parts: list[RenderableType] = [head]
        if self.prompt:
            parts.append(Text(self.prompt, style="italic"))
        if self.thinking:
            shown = _tail(self.thinking, SHOWN_THINKING, width - 4)
            parts.append(Text(shown, style="dim italic"))
        parts.append(body)
        if self.verdict is not None:
            style = "bold green" if self.verdict.complete else "bold yellow"
            parts.append(Text(f"{self.verdict.judgement}: {self.verdict.why}", style=style))
            parts += [Text(f"· {one}", style="green") for one in self.verdict.evidence]
        return Panel(Group(*parts), title=self.name, width=width, height=SHOWN_LINES + 12)


class Show:
    """The columns on a console. `with` it."""

    def __init__(self, names: tuple[str, ...], console: Console, began: float) -> None:
        self.columns = {name: Column(name) for name in names}
        self._console = console
        self._began = began
        self._live: Live | None = None

    def __enter__(self) -> "Show":
        if self._console.is_terminal:
            self._live = Live(
                get_renderable=self._drawn, console=self._console, refresh_per_second=REFRESH
            )
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def tell(self, name: str, sighting: Sighting) -> None:
        """Something happened in one tab."""
        line = self.columns[name].take(sighting, self._began)
        if line is not None and self._live is None:
            when = f"{sighting.at - self._began:7.3f} s"
            self._console.print(Text(f"{when}  {name:<8} {line}"), soft_wrap=True)

    def _drawn(self) -> RenderableType:
        width = max(24, self._console.width // len(self.columns) - 1)
        return Columns([column.drawn(width) for column in self.columns.values()])


def _tail(text: str, lines: int, width: int) -> str:
    """The end of a text, in so many lines of a column."""
    wrapped: list[str] = []
    for line in text.splitlines():
        pieces = [line[i : i + width] for i in range(0, len(line), width)]
        wrapped += pieces or [""]
    return "\n".join(wrapped[-lines:])
