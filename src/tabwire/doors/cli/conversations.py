"""`tabwire conversations`: the conversations that are kept on this machine."""

import asyncio
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

import typer

from tabwire.doors.cli.ask.board import one_line
from tabwire.doors.cli.ask.request import read_sites, wrong
from tabwire.doors.cli.browser.option import LAB, LAB_BROWSER
from tabwire.doors.cli.json_lines import write
from tabwire.hub import SITE_NAMES, local_hub
from tabwire.model.captured import Captured


def conversations(
    site: Annotated[
        str | None, typer.Option("--site", metavar="SITE", help="Only conversations of this site.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Maximum number, newest first.")
    ] = 20,
    lab: LAB = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per conversation.")
    ] = False,
) -> None:
    """List the conversations saved on this machine, newest first.

    They come from the extension, from your questions, and from tabs you watched. A conversation
    is ready to export when it was read twice from the site's own record with the same result;
    otherwise the list shows what is missing.

    Reads this machine only; needs neither a browser nor a running hub.

    Examples:

      tabwire conversations

      tabwire conversations --site grok --limit 100

      tabwire conversations --json
    """
    hub = local_hub()
    sites = read_sites([site] if site else [], SITE_NAMES, "--site")
    if len(sites) > 1:
        raise wrong("expected one site; leave it out for all sites", "--site")
    most = min(limit, sys.maxsize)  # a database counts no further
    where, browser = sites[0] if sites else None, LAB_BROWSER if lab else None
    found = asyncio.run(hub.conversations.recent(most, site=where, browser=browser))
    if as_json:
        write([as_data(one) for one in found])
    elif not found:
        print("no conversations saved yet", file=sys.stderr)
    else:
        _print(found)


def as_data(one: Captured) -> dict[str, Any]:
    """A conversation as an object. Times are seconds since 1970."""
    return {
        "id": one.conversation_id,
        "site": one.site,
        "name": one.name,
        "title": one.title.text,
        "title_from": str(one.title.source) or None,
        "ready": one.ready,
        "waits_for": list(one.reasons),
        "source": str(one.source),
        "fidelity": str(one.fidelity),
        "completeness": str(one.completeness),
        "captured_from": str(one.origin),
        "model": one.model,
        "turns": one.turns,
        "created_at": one.created_at,
        "updated_at": one.updated_at,
        "first_captured_at": one.first_at,
        "captured_at": one.captured_at,
    }


def _print(found: Sequence[Captured]) -> None:
    from rich.text import Text

    from tabwire.doors.cli.ask.text_output import open_console

    console = open_console()
    for one in found:
        moment = f"{datetime.fromtimestamp(one.captured_at).astimezone():%Y-%m-%d %H:%M}"
        line = Text(f"{moment}  {one.site:<8} ")
        line.append(one_line(one.title.text or "(no title)", 80), style="bold")
        words, style = _standing(one)
        line.append(f"  {words}", style=style)
        console.print(line, soft_wrap=True)
        about = f"{one.turns} turns, from {one.origin}"
        console.print(Text(f"  {one.name}  {about}", style="dim"), soft_wrap=True)


def _standing(one: Captured) -> tuple[str, str]:
    if one.ready:
        whole = one.completeness == "complete"
        return ("ready", "green") if whole else ("ready, incomplete", "yellow")
    if one.fidelity == "degraded":
        return "only seen while it was being written", "yellow"
    return f"not ready: {', '.join(one.reasons) or 'read once'}", "yellow"
