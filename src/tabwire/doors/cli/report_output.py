"""How a report is shown: as one JSON line, or for a person."""

import io
import sys

import msgspec
from rich.console import Console, Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import Report, ToldMessage
from tabwire.model.conversation import Role

MAX_THINKING = 2000  # characters of reasoning shown to a person; --json has all of it

NAMES = {Role.USER: "You", Role.ASSISTANT: "Assistant"}


def as_line(report: Report) -> bytes:
    """The report as one line of JSON, as `docs/parse.md` promises it."""
    told = {
        "file": report.file,
        "site": report.site,
        "kind": report.kind,
        "conversation_id": report.conversation_id,
        "title": report.title,
        "model": report.model,
        "complete": report.complete,
        "terminal": report.terminal,
        "evidence": report.evidence,
        "messages": report.messages,
        "problems": report.problems,
    }
    return msgspec.json.encode(told) + b"\n"


def complain(report: Report) -> None:
    """Why there is nothing to show, for the person at the terminal."""
    for problem in report.problems:
        print(harmless(f"{report.file}: {problem}"), file=sys.stderr)


def as_text(report: Report) -> None:
    """Print the report for a person."""
    if report.conversation_id is None and not report.messages:
        complain(report)
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a console may know few characters
    console = Console(highlight=False)
    console.print(_head(report))
    for message in report.messages:
        console.print(_spoken(message))
    for problem in report.problems:
        console.print(Text(f"! {harmless(problem)}", style="yellow"))
    console.print()


def _head(report: Report) -> RenderableType:
    title = Text(harmless(report.title or "(no title)"), style="bold")
    facts = (report.site, report.model, report.conversation_id, report.kind)
    if report.complete:
        verdict = Text(f"complete: {', '.join(report.evidence)}", style="green")
    else:
        over = "ended, not complete" if report.terminal else "not complete"
        verdict = Text(f"{over}: {report.reason}", style="yellow")
    about = harmless(" · ".join(fact for fact in facts if fact))
    return Group(title, Text(about, style="dim"), verdict)


def _spoken(message: ToldMessage) -> RenderableType:
    is_user = message.role is Role.USER
    name = NAMES.get(message.role, "Author unknown")
    who = Text(name, style="bold cyan" if is_user else "bold magenta")
    lines: list[RenderableType] = [Text(), who]
    if message.thinking:
        thinking = harmless(message.thinking)
        if len(thinking) > MAX_THINKING:
            thinking = f"{thinking[:MAX_THINKING]}… ({len(thinking)} characters; --json has all)"
        lines.append(Padding(Text(thinking, style="dim italic"), (0, 0, 0, 2)))
    text = harmless(message.text)
    body = Text(text) if is_user else Markdown(text)
    lines.append(Padding(body, (0, 0, 0, 2)))
    return Group(*lines)
