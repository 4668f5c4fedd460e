"""`tabwire history`: what was asked before, as a list, by its words, or one question in full."""

import asyncio
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

import typer

from tabwire.doors.cli.ask.board import count, one_line
from tabwire.doors.cli.ask.request import read_sites, wrong
from tabwire.doors.cli.browser.option import LAB, LAB_BROWSER
from tabwire.doors.cli.json_lines import write
from tabwire.hub import SITE_NAMES, Attempt, Hub, history_line, local_hub
from tabwire.model.errors import TabwireError
from tabwire.model.exits import COMPLETE
from tabwire.model.failure import LOST_CODE

WORDS = "list | search WORDS… | show ID|last"
LAST = "last"
HISTORY_LINES = "history.jsonl"  # the only value of --format
MAX_PROMPT = 100  # characters of a prompt that are repeated
STEPS = {
    "new": ("nothing sent", "dim"),
    "sending": ("may have been sent", "yellow"),
    "sent": ("sent, no answer yet", "yellow"),
    "failed": ("failed", "red"),
}


def history(
    said: Annotated[
        list[str] | None,
        typer.Argument(
            metavar=WORDS,
            help="list (default); search, for questions and answers that contain all of these "
            "words; or show, for one question in full, by its ID or `last`.",
            show_default=False,
        ),
    ] = None,
    site: Annotated[
        str | None, typer.Option("--site", metavar="SITE", help="Only questions to this site.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Maximum number, newest first.")
    ] = 20,
    every: Annotated[bool, typer.Option("--all", help="No limit.")] = False,
    lab: LAB = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print JSON Lines, one object per question; with show, including its answer.",
        ),
    ] = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="history.jsonl",
            help="Print answered questions as the lines of a chrome-ai-bridge history.jsonl, "
            "oldest first.",
        ),
    ] = None,
) -> None:
    """List, search and show earlier questions, newest first.

    Reads this machine only; needs neither a browser nor a running hub. Questions asked in the
    lab are listed only with --lab; `show` finds them in any case. `tabwire fetch` and `tabwire
    ask --continue` take the ID of a question or of its conversation.

    Search ignores case and finds parts of words, in questions and answers.

    Examples:

      tabwire history

      tabwire history search sqlite foreign key

      tabwire history show a01hq3x9k2m7c

      tabwire history show last

      tabwire history --site grok --json

      tabwire history --format history.jsonl --all > history.jsonl
    """
    hub = local_hub()
    sites = read_sites([site] if site else [], SITE_NAMES, "--site")
    if len(sites) > 1:
        raise wrong("expected one site; leave it out for all sites", "--site")
    if form not in (None, HISTORY_LINES):
        raise wrong(f"{form!r}: expected {HISTORY_LINES}", "--format")
    jsonl = form is not None
    if as_json and jsonl:
        raise wrong("use either --json or --format", "--format")
    where = sites[0] if sites else None
    most = sys.maxsize if every else min(limit, sys.maxsize)  # a database counts no further
    browser = LAB_BROWSER if lab else None
    verb, *words = said or ["list"]
    match verb, words:
        case "show", [attempt_id]:
            one = asyncio.run(_remembered(hub, attempt_id, where, browser))
            raise typer.Exit(_show(attempt_id, one, as_json=as_json, jsonl=jsonl))
        case "search", [_, *_]:
            found = asyncio.run(hub.asks.search(" ".join(words), most, site=where, browser=browser))
            nothing = "no question or answer contains these words"
        case "list", []:
            found = asyncio.run(hub.asks.history(most, site=where, browser=browser))
            nothing = "no questions yet"
        case _:
            raise _misunderstood(verb, words)
    if as_json:
        write([as_data(one) for one in found])
    elif jsonl:
        _write_as_seed(found)
    elif not found:
        print(nothing, file=sys.stderr)
    else:
        _print(found)


async def _remembered(hub: Hub, said: str, site: str | None, browser: str | None) -> Attempt | None:
    """The question with this id; `last` is the newest, whatever became of it."""
    if said != LAST:
        return await hub.asks.attempt(said)
    newest = await hub.asks.history(1, site=site, browser=browser)
    return newest[0] if newest else None


def _misunderstood(verb: str, words: Sequence[str]) -> typer.BadParameter:
    if verb == "list":
        what = f"unexpected argument {words[0]!r} after list"
    elif verb == "search":
        what = "search needs words to search for"
    elif verb == "show":
        what = "show needs the ID of one question, as `tabwire history` lists it, or last"
    else:
        what = f"{verb!r}: expected list, search or show"
    return wrong(what, WORDS)


# --- as data ---------------------------------------------------------------------------------


def as_data(one: Attempt) -> dict[str, Any]:
    """A question and what came of it, without the answer's text: `tabwire fetch ID` has it."""
    answer = one.answer
    return {
        "id": one.id,
        "site": one.request.site,
        "lab": one.request.in_lab,
        "browser": one.request.browser,
        "prompt": one.request.prompt,
        "asked_at": one.created_at,
        "step": str(one.step),
        "conversation_id": one.conversation_id,
        "url": one.url,
        "completeness": str(answer.completeness) if answer is not None else None,
        "characters": len(answer.text) if answer is not None else None,
        "error_code": one.failure.code if one.failure else None,
        "error": one.failure.message if one.failure else None,
    }


def _write_as_seed(found: Sequence[Attempt]) -> None:
    """As the file it is called for grows: in the order things were asked."""
    lines = [line for one in reversed(found) if (line := history_line(one)) is not None]
    write(lines)
    if left := len(found) - len(lines):
        print(f"{left} without an answer skipped", file=sys.stderr)


# --- one question in full --------------------------------------------------------------------


def _show(attempt_id: str, one: Attempt | None, *, as_json: bool, jsonl: bool) -> int:
    if one is None:
        nothing, none = "no questions yet", f"no question has the ID {attempt_id}"
        remedy = "`tabwire history` lists the newest; `tabwire history search` finds others."
        raise TabwireError(nothing if attempt_id == LAST else none, what_to_do=remedy)
    if jsonl:
        _write_as_seed([one])
    elif as_json:
        from tabwire.doors.cli.ask.json_output import answer_data

        answer = one.answer
        asker = {"agent": one.asker.agent, "client": one.asker.client, "project": one.asker.project}
        whole = answer_data(answer, lambda text: text) if answer is not None else None
        write([as_data(one) | {"door": str(one.asker.door), **asker, "answer": whole}])
    else:
        _print_whole(one)
    return COMPLETE


def _print_whole(one: Attempt) -> None:
    from rich.rule import Rule
    from rich.text import Text

    from tabwire.doors.cli.ask.text_output import open_console, show
    from tabwire.doors.cli.safe_text import harmless

    console = open_console()
    _print([one], whole=True)
    if one.answer is not None:
        show(console, one.answer, one.answer.text, thinking=True, where="")
        return
    console.print(Rule(style="dim"))
    if one.failure is not None:
        console.print(Text(harmless(one.failure.message), style="red"), soft_wrap=True)
    if one.step != "failed":
        console.print(Text(f"look for its answer: tabwire fetch {one.id}"), soft_wrap=True)


# --- for a person ----------------------------------------------------------------------------


def _print(found: Sequence[Attempt], *, whole: bool = False) -> None:
    from rich.text import Text

    from tabwire.doors.cli.ask.text_output import open_console
    from tabwire.doors.cli.safe_text import harmless

    console = open_console()
    for one in found:
        when = datetime.fromtimestamp(one.created_at).astimezone()
        head = Text(f"{when:%Y-%m-%d %H:%M}  ", style="dim")
        head.append(f"{one.request.site:<8}", style="bold")
        head.append(f"{one.id}  ", style="cyan")
        if one.request.in_lab:
            head.append("lab  ", style="yellow")
        head.append(*_worth(one))
        console.print(head, soft_wrap=True)
        prompt = one.request.prompt
        lines = harmless(prompt).splitlines() if whole else [one_line(prompt, MAX_PROMPT)]
        for line in lines:
            console.print(Text(f"  {line}"), soft_wrap=True)
        if place := one.url or one.conversation_id:
            console.print(Text(f"  {one_line(place, 200)}", style="dim"), soft_wrap=True)


def _worth(one: Attempt) -> tuple[str, str]:
    """What came of it, and the style to say it in."""
    if one.answer is not None:
        worth = str(one.answer.completeness).replace("_", " ")
        style = "green" if one.answer.complete else "yellow"
        return f"{worth}, {count(len(one.answer.text))} characters", style
    words, style = STEPS.get(str(one.step), (str(one.step), ""))
    if (failure := one.failure) is None:
        return words, style
    says_more = failure.code not in (words, LOST_CODE)
    more = failure.code if says_more else one_line(failure.message, MAX_PROMPT)
    return (f"{words}: {more}" if more else words), style
