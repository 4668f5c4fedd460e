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
from tabwire.hub import Hub
from tabwire.model.errors import TabwireError
from tabwire.model.exits import COMPLETE

Row = Any  # the store's `Attempt`: doors may not import it
WORDS = "list | search WORDS… | show ID|last"
LAST = "last"
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
            help="list, which is what happens anyway; search, for questions and answers that "
            "have all these words; or show, for one question in full, by its id or last.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="SITE", help="Only what was asked there.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, the newest first.")] = 20,
    every: Annotated[bool, typer.Option("--all", help="As many as there are.")] = False,
    lab: LAB = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print JSON Lines, one object per question; show has its answer too."
        ),
    ] = False,
    jsonl: Annotated[
        bool,
        typer.Option(
            "--jsonl",
            help="Print answered questions as lines of a history.jsonl, the oldest first.",
        ),
    ] = False,
) -> None:
    """List, search and show what was asked before, the newest first.

    Everything is read from this machine; no browser is touched, and no hub needs to run. What
    was asked in the lab is listed with --lab only, and shown by its id in any case. The id
    of a question, or that of its conversation, is what `tabwire fetch` and `tabwire ask
    --continue` take.

    A word is found wherever it stands, in capitals or not, in the question or in the answer.

    Examples:

      tabwire history

      tabwire history search sqlite foreign key

      tabwire history show a01hq3x9k2m7c

      tabwire history show last

      tabwire history --to grok --json

      tabwire history --jsonl --all > history.jsonl
    """
    hub = Hub()
    sites = read_sites([to] if to else [], hub.site_names)
    if len(sites) > 1:
        raise wrong("say one site, or none for all of them", "--to")
    if as_json and jsonl:
        raise wrong("--json and --jsonl are two shapes; choose one", "--jsonl")
    site = sites[0] if sites else None
    most = sys.maxsize if every else min(limit, sys.maxsize)  # a database counts no further
    browser = LAB_BROWSER if lab else None
    verb, *words = said or ["list"]
    match verb, words:
        case "show", [attempt_id]:
            one = asyncio.run(_remembered(hub, attempt_id, site, browser))
            raise typer.Exit(_show(attempt_id, one, as_json=as_json, jsonl=jsonl))
        case "search", [_, *_]:
            found = asyncio.run(
                hub.search_history(" ".join(words), most, site=site, browser=browser)
            )
            nothing = "nothing was asked or answered with these words"
        case "list", []:
            found = asyncio.run(hub.history(most, site=site, browser=browser))
            nothing = "nothing was asked yet"
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


async def _remembered(hub: Hub, said: str, site: str | None, browser: str | None) -> Row | None:
    """The question with this id; `last` is the newest, whatever became of it."""
    if said != LAST:
        return await hub.remembered(said)
    newest = await hub.history(1, site=site, browser=browser)
    return newest[0] if newest else None


def _misunderstood(verb: str, words: Sequence[str]) -> typer.BadParameter:
    if verb == "list":
        what = f"{words[0]!r} after list: nothing follows it"
    elif verb == "search":
        what = "say the words to search for"
    elif verb == "show":
        what = "say the id of one question, as `tabwire history` shows it, or last"
    else:
        what = f"{verb!r} is none of list, search and show"
    return wrong(what, WORDS)


# --- as data ---------------------------------------------------------------------------------


def as_data(one: Row) -> dict[str, Any]:
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
        "error_code": one.error_code,
        "error": one.error,
    }


def _write_as_seed(found: Sequence[Row]) -> None:
    """As the file it is called for grows: in the order things were asked."""
    from tabwire.hub.jobs.history_lines import history_line

    lines = [line for one in reversed(found) if (line := history_line(one)) is not None]
    write(lines)
    if left := len(found) - len(lines):
        print(f"{left} without an answer left out", file=sys.stderr)


# --- one question in full --------------------------------------------------------------------


def _show(attempt_id: str, one: Row | None, *, as_json: bool, jsonl: bool) -> int:
    if one is None:
        nothing, none = "nothing was asked yet", f"no question has the id {attempt_id}"
        remedy = "`tabwire history` lists the newest, `tabwire history search` finds others."
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


def _print_whole(one: Row) -> None:
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
    if one.error:
        console.print(Text(harmless(one.error), style="red"), soft_wrap=True)
    if one.step != "failed":
        console.print(Text(f"tabwire fetch {one.id} looks for its answer"), soft_wrap=True)


# --- for a person ----------------------------------------------------------------------------


def _print(found: Sequence[Row], *, whole: bool = False) -> None:
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
            head.append("in the lab  ", style="yellow")
        head.append(*_worth(one))
        console.print(head, soft_wrap=True)
        prompt = one.request.prompt
        lines = harmless(prompt).splitlines() if whole else [one_line(prompt, MAX_PROMPT)]
        for line in lines:
            console.print(Text(f"  {line}"), soft_wrap=True)
        if place := one.url or one.conversation_id:
            console.print(Text(f"  {one_line(place, 200)}", style="dim"), soft_wrap=True)


def _worth(one: Row) -> tuple[str, str]:
    """What came of it, and the style to say it in."""
    if one.answer is not None:
        worth = str(one.answer.completeness).replace("_", " ")
        style = "green" if one.answer.complete else "yellow"
        return f"{worth}, {count(len(one.answer.text))} characters", style
    words, style = STEPS.get(str(one.step), (str(one.step), ""))
    more = one.error_code if one.error_code != words else one_line(one.error or "", MAX_PROMPT)
    return (f"{words}: {more}" if more else words), style
