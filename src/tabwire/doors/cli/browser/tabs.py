"""`tabwire tabs`: which chat tabs the browser has."""

import asyncio
import sys
from typing import Annotated

import msgspec
import typer

from tabwire.doors.cli.browser.option import BROWSER, say_waiting
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import local_hub


def tabs(
    browser: BROWSER = None,
    every: Annotated[bool, typer.Option("--all", help="Also list tabs of other sites.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per tab.")
    ] = False,
) -> None:
    """List the chat tabs open in the browser.

    Read-only: no tab is opened, attached to or changed. `tabwire watch`, `snapshot` and `dom`
    accept the ID of a tab.

    Examples:

      tabwire tabs --browser lab

      tabwire tabs --all --json
    """
    found = asyncio.run(local_hub().browsers.tabs(browser, every=every, on_wait=say_waiting))
    if as_json:
        for row in found:
            sys.stdout.buffer.write(msgspec.json.encode(row) + b"\n")
        return
    if not found:
        print("no chat tabs open" if not every else "no tabs open", file=sys.stderr)
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for row in found:
        line = Text(f"{row.site or '-':<8} ", style="bold")
        line.append(row.id, style="cyan")
        line.append(f"  {harmless(row.title)}")
        console.print(line)
        console.print(Text(f"{'':<8} {harmless(row.url)}", style="dim"))
