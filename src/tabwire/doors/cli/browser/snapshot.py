"""`tabwire snapshot`: what a chat page looks like to Tabwire, kept in a folder."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from tabwire.doors.cli.browser.option import BROWSER, say_waiting
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import local_hub


def snapshot(
    tab: Annotated[
        str,
        typer.Argument(metavar="SITE|URL|TAB", help="chatgpt, gemini or grok; a URL; or a tab ID."),
    ],
    browser: BROWSER = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            file_okay=False,
            help="Folder to write to. Default: a new one in Tabwire's home.",
        ),
    ] = None,
    text: Annotated[
        bool,
        typer.Option(
            "--text",
            help="Also save the text of the page, and the answer as profile classic reads it.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object, as in snapshot.json.")
    ] = False,
) -> None:
    """Save a screenshot of a chat page and a selector report.

    Writes screenshot.png and snapshot.json: the detected layout, the contents of the page, and
    for every part which selectors matched. Attach both to a bug report when a site has changed,
    but look at them first: the screenshot shows your chat.

    Examples:

      tabwire snapshot chatgpt

      tabwire snapshot gemini --browser lab --out . --json
    """
    kept = asyncio.run(
        local_hub().browsers.snapshot(
            tab, browser=browser, folder=folder, text=text, on_wait=say_waiting
        )
    )
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(kept.data) + b"\n")
        return
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    page = kept.data["page"]
    console.print(f"{kept.data['site']}: {harmless(page['url'])}", markup=False)
    console.print(f"layout: {page['layout'] or 'not recognized'}", markup=False)

    def tell(name: str, words: str, style: str) -> None:
        console.print(f"  {name:<18} {words}", style=style, markup=False)

    for part in kept.data["parts"]:
        used = next((one for one in part["candidates"] if one["used"]), None)
        matched = f"{used['count']} x {used['css']}" if used else "no match"
        best = part["candidates"][:1] == [used]
        style = "green" if best else ("yellow" if part["candidates"] else "dim")
        tell(part["part"], matched, style)
        for one in part["candidates"]:
            if not one["used"]:
                tell("", f"{one['count']} x {one['css']}", "dim")
    console.print(f"saved in {kept.folder}", markup=False)
