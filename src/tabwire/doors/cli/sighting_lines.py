"""What happens in a tab, told to a person at a terminal as it happens.

Text and thinking flow as they come; everything else is a line of its own. What a chat says
must not drive the terminal, so controls are made visible.
"""

import io
import sys

from rich.console import Console
from rich.text import Text

from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import (
    Asked,
    Befell,
    Grew,
    Judged,
    Listed,
    Moved,
    Named,
    NotStored,
    PageNotice,
    Ready,
    RequestTold,
    Rewritten,
    Sighting,
    Spent,
    StateMoved,
    Stored,
    Unheard,
    Waiting,
    Watching,
    Witnessed,
)
from tabwire.model.moments import span
from tabwire.model.products import product

MAX_PROMPT = 200  # characters of a prompt that are repeated
INDENT = " " * 11

JUDGED = {"complete": "bold green", "partial": "bold yellow", "refused": "bold red"}


class Narrator:
    """Prints sightings. One per terminal."""

    def __init__(self, console: Console | None = None) -> None:
        if console is None and isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        self._console = console or Console(highlight=False, soft_wrap=True)
        self._flowing: str | None = None  # the style of the text that is being written

    def tell(self, sighting: Sighting, seconds: float) -> None:
        """Say one thing."""
        match sighting:
            case Grew(text=text, thinking=thinking):
                self._flow(text, "dim italic" if thinking else "")
            case Rewritten(text=text, thinking=thinking):
                self._end_flow()
                self._flow(text, "dim italic" if thinking else "")
            case _:
                self._end_flow()
                for style, words in _lines(sighting):
                    self._line(seconds, words, style)

    def _flow(self, text: str, style: str) -> None:
        if self._flowing is not None and self._flowing != style:
            self._end_flow()
        self._flowing = style
        self._console.print(Text(harmless(text), style=style), end="")

    def _end_flow(self) -> None:
        if self._flowing is not None:
            self._flowing = None
            self._console.print()

    def _line(self, seconds: float, words: str, style: str) -> None:
        line = Text(f"{seconds:8.3f} s  ", style="dim")
        line.append(harmless(words), style=style)
        self._console.print(line)


def _lines(sighting: Sighting) -> list[tuple[str, str]]:
    """(style, words) of what is told in lines."""
    match sighting:
        case Watching(site=site, url=url, layout=layout, logged_in=logged_in):
            login = {True: "logged in", False: "not logged in", None: "login unknown"}[logged_in]
            return [
                ("bold", f"watching {product(site)}: {url} ({layout or 'layout unknown'}, {login})")
            ]
        case Asked(prompt=prompt):
            words = (prompt or "(unreadable prompt)").strip()
            shown = words if len(words) <= MAX_PROMPT else f"{words[:MAX_PROMPT]}…"
            return [("bold cyan", f"asked: {shown}")]
        case StateMoved(before=before, after=after, cause=cause):
            return [("cyan", f"{before} → {after} ({cause})")]
        case Judged():
            return _judged(sighting)
        case Witnessed(evidence=evidence):
            return [("green", f"more evidence: {evidence[-1]}")]
        case Ready(readiness=readiness):
            reasons = ", ".join(readiness.reasons)
            return [("magenta", f"readiness: {readiness.mode}{': ' if reasons else ''}{reasons}")]
        case Stored(title=title, messages=messages, complete=complete, why=why):
            worth = "its last answer is complete" if complete else f"not complete: {why}"
            return [("", f"loaded “{title or 'untitled'}”, {messages} messages; {worth}")]
        case NotStored(conversation_id=named, why=why):
            return [("yellow", f"conversation {named} not found: {why}")]
        case Named(conversation_id=named):
            return [("dim", f"conversation ID: {named}")]
        case Listed(conversation_ids=ids):
            return [("dim", f"loaded a list of {len(ids)} conversations")]
        case Spent(resets_in=wait):
            over = f"; resets in {span(wait)}" if wait is not None else ""
            return [("yellow", f"usage limit reached{over}")]
        case Waiting(why=why):
            return [("yellow", f"still waiting: {why}")]
        case PageNotice(kind=kind, text=text, which=which):
            return [("yellow", f"the page shows a {kind} notice: {text or which}")]
        case Moved(url=url):
            return [("dim", f"now at {url}")]
        case RequestTold():
            return [_request(sighting)]
        case Unheard(why=why):
            return [("yellow", f"not captured: {why}")]
        case Befell(words=words, over=over):
            return [("bold red" if over else "yellow", words)]
        case _:
            return []


def _judged(judged: Judged) -> list[tuple[str, str]]:
    verdict = judged.verdict
    facts = [f"{len(verdict.text)} characters"]
    facts += [fact for fact in (verdict.title, verdict.model, verdict.conversation_id) if fact]
    lines = [(JUDGED.get(verdict.judgement, ""), f"verdict: {verdict.judgement} ({verdict.why})")]
    lines.append(("dim", " · ".join(facts)))
    if verdict.refusal is not None:
        lines.append(("red", f"the site says: {verdict.refusal.message or verdict.refusal.kind}"))
    lines.append(("dim", f"evidence: {', '.join(verdict.evidence) or 'none'}"))
    lines += [("yellow", f"! {problem}") for problem in verdict.problems]
    return lines


def _request(told: RequestTold) -> tuple[str, str]:
    status = told.status if told.status is not None else "-"
    words = (
        f"{told.kind:<9} {told.method} {told.url} → {status} {told.how}, {told.bytes} bytes, "
        f"{told.characters} characters, {told.took:.3f} s"
    )
    if told.where != "page":
        words += f" ({told.where})"
    if told.like is not None:
        return "bold yellow", f"{words}  ← looks like an answer: {told.like}"
    return "dim" if told.kind in ("foreign", "ignored") else "", words
