"""`tabwire history`: what was asked before."""

import asyncio
import sys
from datetime import datetime
from typing import Annotated, Any

import msgspec
import typer

from tabwire.doors.cli.ask_board import count, one_line
from tabwire.doors.cli.ask_options import read_sites, wrong
from tabwire.hub import Hub

Row = Any  # the store's `Attempt`: doors may not import it
MAX_PROMPT = 100  # characters of a prompt that are repeated
STEPS = {
    "new": ("nothing sent", "dim"),
    "sending": ("may have been sent", "yellow"),
    "sent": ("sent, no answer yet", "yellow"),
    "failed": ("failed", "red"),
}


def history(
    to: Annotated[
        str | None, typer.Option("--to", metavar="SITE", help="Only what was asked there.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, the newest first.")] = 20,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per question.")
    ] = False,
) -> None:
    """List what was asked before, the newest first.

    Everything is read from this machine; no browser is touched. The id of a question, or that
    of its conversation, is what `tabwire fetch` and `tabwire ask --continue` take.

    Examples:

      tabwire history

      tabwire history --to grok --json
    """
    hub = Hub()
    sites = read_sites([to] if to else [], hub.site_names)
    if len(sites) > 1:
        raise wrong("say one site, or none for all of them", "--to")
    found = asyncio.run(hub.history(limit, site=sites[0] if sites else None))
    if as_json:
        for one in found:
            sys.stdout.buffer.write(msgspec.json.encode(as_data(one)) + b"\n")
        return
    if not found:
        print("nothing was asked yet", file=sys.stderr)
        return
    _print(found)


def as_data(one: Row) -> dict[str, Any]:
    """A question and what came of it, without the answer's text: `tabwire fetch ID` has it."""
    answer = one.answer
    return {
        "id": one.id,
        "site": one.request.site,
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


def _print(found: tuple[Row, ...]) -> None:
    from rich.text import Text

    from tabwire.doors.cli.ask_print import open_console

    console = open_console()
    for one in found:
        when = datetime.fromtimestamp(one.created_at).astimezone()
        head = Text(f"{when:%Y-%m-%d %H:%M}  ", style="dim")
        head.append(f"{one.request.site:<8}", style="bold")
        head.append(f"{one.id}  ", style="cyan")
        head.append(*_worth(one))
        console.print(head, soft_wrap=True)
        console.print(Text(f"  {one_line(one.request.prompt, MAX_PROMPT)}"), soft_wrap=True)
        if place := one.url or one.conversation_id:
            console.print(Text(f"  {one_line(place, 200)}", style="dim"), soft_wrap=True)


def _worth(one: Row) -> tuple[str, str]:
    """What came of it, and the style to say it in."""
    if one.answer is not None:
        worth = str(one.answer.completeness).replace("_", " ")
        style = "green" if one.answer.complete else "yellow"
        return f"{worth}, {count(len(one.answer.text))} characters", style
    words, style = STEPS.get(str(one.step), (str(one.step), ""))
    return (f"{words}: {one.error_code}" if one.error_code else words), style
