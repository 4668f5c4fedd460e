"""`tabwire snapshot`: what a chat page looks like to Tabwire, kept in a folder."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from tabwire.doors.cli.browser.option import BROWSER, say_waiting
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import Hub


def snapshot(
    tab: Annotated[
        str,
        typer.Argument(
            metavar="SITE|URL|TAB", help="chatgpt, gemini or grok; an address; or a tab's id."
        ),
    ],
    browser: BROWSER = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            file_okay=False,
            help="The folder to write to. Default: a new one in the home.",
        ),
    ] = None,
    text: Annotated[
        bool,
        typer.Option(
            "--text",
            help="Also keep the text of the whole page, and the answer as profile classic has it.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what snapshot.json holds, as JSON.")
    ] = False,
) -> None:
    """Keep a picture of a chat page and of how our selectors do on it.

    Writes screenshot.png and snapshot.json: the layout that was recognised, what stands on
    the page, and for every part which selector matched and which did not. Attach it to a
    report when a site has changed; look at it first, the screenshot shows your chat.

    Examples:

      tabwire snapshot chatgpt

      tabwire snapshot gemini --browser lab --out . --json
    """
    kept = asyncio.run(
        Hub().snapshot(tab, browser=browser, folder=folder, text=text, on_wait=say_waiting)
    )
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(kept.data) + b"\n")
        return
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    page = kept.data["page"]
    console.print(f"{kept.data['site']}: {harmless(page['url'])}", markup=False)
    console.print(f"layout: {page['layout'] or 'none recognised'}", markup=False)

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
    console.print(f"kept in {kept.folder}", markup=False)
