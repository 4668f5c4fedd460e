"""Answers in full, once they are there: for a terminal, or as Markdown for a pipe.

On a terminal what a chat says must not drive it. Into a pipe or a file an answer goes as the
site sent it, and everything about it goes to stderr.
"""

import io
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from tabwire.doors.cli.ask.board import count
from tabwire.doors.cli.ask.json_output import Result, code_of
from tabwire.doors.cli.safe_text import harmless
from tabwire.model.ask import Answer, Completeness, Timings
from tabwire.model.exits import COMPLETE, FAILED, INTERRUPTED, LIMIT, NEEDS_YOU, PARTIAL, USAGE
from tabwire.model.products import product

if TYPE_CHECKING:
    from tabwire.hub import Comparison

# Worst first, for columns none of which has an answer.
WORST = (INTERRUPTED, FAILED, USAGE, NEEDS_YOU, LIMIT, PARTIAL, COMPLETE)
# Characters that Rich lays out in a second. Longer answers are shown as they are: 5 MB of mere
# text in its hands took three minutes.
MAX_MARKDOWN = 100_000
MAX_DEBUG = 400  # characters of one debug field; --json has all of it
_FORMULAS = re.compile(
    r"""
      (?P<code> ^(?P<fence>`{3,}|~{3,})[^\n]*\n .*? (?:^(?P=fence)[`~]*[ \t]*$|\Z)
        | (?P<ticks>`+)(?!`) .+? (?<!`)(?P=ticks)(?!`) )
    | (?P<formula> \\\( .+? \\\)
        | \\\[ .+? \\\]
        | \$\$ .+? \$\$
        | (?<![\\$\w]) \$ (?![\s$]) [^$\n]*? (?<![\s\\]) \$ (?![\d$\w]) )
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_SIGNS = re.compile(r"[!-/:-@\[-`{-~]")  # what Markdown lets a backslash stand before


def exit_code(results: Sequence[Result]) -> int:
    """What a command with these results ends with: some but not all of it is partial."""
    answers = [one for one in results if isinstance(one, Answer)]
    if answers:
        whole = len(answers) == len(results) and all(one.complete for one in answers)
        return COMPLETE if whole else PARTIAL
    codes = {one.exit_code for one in results if not isinstance(one, Answer)}
    return next((code for code in WORST if code in codes), FAILED)


def open_console(*, stderr: bool = False) -> Console:
    """A console that survives characters its terminal does not know."""
    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return Console(highlight=False, stderr=stderr, soft_wrap=False)


# --- for a person at a terminal ------------------------------------------------------------------


def show(console: Console, result: Answer, text: str, *, thinking: bool, where: str) -> None:
    """One answer on a terminal. `where`: the file it was written to instead, if it was."""
    title = " · ".join(one for one in (result.site, result.model, result.title) if one)
    console.print(Rule(Text(harmless(title), style="bold"), align="left", style="dim"))
    if result.thinking:
        for part in _thoughts(result.thinking, thinking):
            console.print(part)
    if where:
        console.print(Text(f"{count(len(text))} characters written to {harmless(where)}"))
    else:
        lay_out(console, text)
    console.print(Text(""))
    for style, words in about(result):
        # An address in one piece can be clicked.
        console.print(Text(harmless(words), style=style), soft_wrap=" " not in words)
    console.print(Text(""))


def show_so_far(console: Console, site: str, text: str) -> None:
    """What had come of an answer when we left it."""
    console.print(Rule(Text(f"{site} · so far", style="bold"), align="left", style="dim"))
    lay_out(console, text)
    console.print(Text(""))


def _thoughts(said: str, whole: bool) -> list[RenderableType]:
    if not whole:
        words = f"thinking: {count(len(said))} characters; --thinking shows them"
        return [Text(words, style="dim italic")]
    text = Text(harmless(said.strip()), style="dim italic")
    return [Padding(text, (0, 0, 0, 2)), Text("")]


def lay_out(console: Console, text: str) -> None:
    """Markdown as a terminal shows it, harmless."""
    safe = harmless(text)
    if len(safe) > MAX_MARKDOWN:
        console.file.write(f"{safe}\n")
        console.file.flush()
    else:
        console.print(
            Markdown(formulas_kept(safe), hyperlinks=False)
        )  # a link shows where it leads


def about(answer: Answer) -> list[tuple[str, str]]:
    """(style, line) of what the answer is worth, how we know, how long it took, where it is."""
    worth = str(answer.completeness).replace("_", " ")
    style = "green" if answer.complete else "yellow"
    proof = f" · evidence: {', '.join(answer.evidence)}" if answer.evidence else ""
    lines = [(style, f"{worth}: {answer.why}{proof}")]
    if answer.lab:
        lines.append(
            (
                "yellow",
                f"asked in the lab: a local replica of {product(answer.site)} answered",
            )
        )
    if answer.completeness is Completeness.PARTIAL:
        said = answer.conversation_id or answer.id
        lines.append(("yellow", f"fetch the rest: tabwire fetch {said} --site {answer.site}"))
    lines += [("yellow", f"check this: {one}") for one in answer.suspicious]
    lines += [("yellow", f"! {one}") for one in answer.problems]
    lines += [
        ("yellow", f"{one.source} has a different text of {count(len(one.text))} characters")
        for one in answer.others
    ]
    if took := times(answer.timings):
        lines.append(("dim", took))
    if answer.url:
        lines.append(("dim", f"{answer.url}{' (in the browser of the lab)' if answer.lab else ''}"))
    lines += [("dim", line) for line in debug_lines(answer.debug)]
    return lines


def times(timings: Timings) -> str:
    """The timings a person wants to know; --json has all of them."""
    named = (
        ("sent after", _sum(timings)),
        ("first token after", timings.first_token),
        ("end detected after", timings.detect),
        ("total", timings.total),
    )
    return " · ".join(f"{name} {_span(one)}" for name, one in named if one is not None)


def _sum(timings: Timings) -> float | None:
    parts = (timings.connect, timings.navigate, timings.wait_input, timings.input, timings.send)
    known = [one for one in parts if one is not None]
    return sum(known) if timings.send is not None else None


def _span(milliseconds: float) -> str:
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    return f"{milliseconds / 1000:.1f} s"


def debug_lines(debug: dict[str, Any] | None) -> list[str]:
    """--debug, one field per line."""
    lines = []
    for name, value in (debug or {}).items():
        words = " ".join(str(value).split())
        lines.append(f"{name}: {words[:MAX_DEBUG]}{'…' if len(words) > MAX_DEBUG else ''}")
    return lines


# --- for a pipe or a file ------------------------------------------------------------------------


def as_markdown(answers: Sequence[tuple[Answer, str]], *, headings: bool, thinking: bool) -> bytes:
    """(answer, its text) as they go into a pipe, each ended by a line end."""
    parts = []
    for answer, text in answers:
        head = f"# {answer.site}\n\n" if headings else ""
        if thinking and answer.thinking:
            head += "".join(f"> {line}".rstrip() + "\n" for line in answer.thinking.splitlines())
            head += "\n"
        parts.append(head + (text if text.endswith("\n") else f"{text}\n"))
    return "\n".join(parts).encode("utf-8", "replace")


def tell_about(answer: Answer) -> None:
    """On stderr what a pipe's reader should not get."""
    for _, words in about(answer):
        print(harmless(f"{answer.site}: {words}"), file=sys.stderr)


def complain(site: str, error: Exception) -> None:
    """A block on stderr: what happened, what to do, and the names to look it up by."""
    console = open_console(stderr=True)
    interrupted = getattr(error, "exit_code", FAILED) == INTERRUPTED
    what = harmless(str(error))
    says_it = site and what.lower().startswith((f"{site} ", f"{site}: "))
    line = Text("" if says_it else f"{site or 'tabwire'}: ", style="bold")
    line.append(what, style="yellow" if interrupted else "red")
    console.print(line, soft_wrap=True)
    if act := getattr(error, "what_to_do", ""):
        console.print(Text(f"  {harmless(act)}"), soft_wrap=True)
    names = [f"code {code_of(error)}"]
    if attempt := getattr(error, "attempt_id", None):
        names.append(f"attempt {attempt}")
        if (answer := getattr(error, "answer", None)) is not None:
            kept = "The answer" if answer.complete else "The partial answer"
            console.print(Text(f"  {kept} is saved: `tabwire fetch {attempt}`."), soft_wrap=True)
    if conversation := getattr(error, "conversation_id", None):
        names.append(f"conversation {conversation}")
    console.print(Text(f"  {harmless(' · '.join(names))}", style="dim"), soft_wrap=True)
    for words in debug_lines(getattr(error, "debug", None)):
        console.print(Text(f"  {harmless(words)}", style="dim"), soft_wrap=True)


# --- --compare -----------------------------------------------------------------------------------


def comparison_markdown(comparison: "Comparison") -> str:
    """What all said, where they differ, what only one said."""
    lines = ["# Comparison", ""]
    if comparison.agreed:
        lines += ["## All agree", "", *(f"- {_item(one)}" for one in comparison.agreed), ""]
    if comparison.differ:
        lines += ["## Differences", ""]
        for one in comparison.differ:
            lines += [f"- **{site}**: {_item(said)}" for site, said in one.texts.items()]
            lines.append("")
    for sites in dict.fromkeys(one.sites for one in comparison.shared):
        said = [one.text for one in comparison.shared if one.sites == sites]
        lines += [f"## Only {' and '.join(sites)}", "", *(f"- {_item(one)}" for one in said), ""]
    for site, alone in comparison.only.items():
        if alone:
            lines += [f"## Only {site}", "", *(f"- {_item(one)}" for one in alone), ""]
    if len(lines) == 2:
        lines += ["Nothing to compare.", ""]
    return "\n".join(lines)


def _item(sentence: str) -> str:
    """A sentence, or a block of several lines, inside a list."""
    return sentence.strip().replace("\n", "\n  ")


def formulas_kept(markdown: str) -> str:
    r"""The same text, whose formulas come out of Markdown as they went in.

    To Markdown `\(` is a bracket, `\\` one backslash and `_` the beginning of emphasis, so a
    formula would lose half of its signs. Inside a formula each of them is escaped once more.
    """
    return _FORMULAS.sub(_kept, markdown)


def _kept(found: re.Match[str]) -> str:
    formula = found["formula"]
    return found[0] if formula is None else _SIGNS.sub(lambda sign: f"\\{sign[0]}", formula)
