"""`tabwire dom`: which elements of a page a selector finds."""

import asyncio
import sys
from typing import Annotated

import msgspec
import typer

from tabwire.doors.cli.browser.option import BROWSER, say_waiting
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import local_hub
from tabwire.model.exits import COMPLETE, FAILED


def dom(
    tab: Annotated[
        str,
        typer.Argument(metavar="SITE|URL|TAB", help="chatgpt, gemini or grok; a URL; or a tab ID."),
    ],
    selector: Annotated[
        str,
        typer.Argument(metavar="SELECTOR", help="A CSS selector. Shadow roots are searched too."),
    ],
    browser: BROWSER = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number.")] = 20,
    html: Annotated[
        bool, typer.Option("--html", help="Also print the HTML of each element.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per element.")
    ] = False,
) -> None:
    """Show which elements of a chat page match a CSS selector.

    Prints the tag, attributes, visibility and beginning of the text of each element. Values of
    input fields (passwords, tokens) are never shown.

    Exit codes: 0 found, 1 nothing matches.

    Examples:

      tabwire dom chatgpt '[data-turn-key]'

      tabwire dom gemini 'message-content' --browser lab --json
    """
    found = asyncio.run(
        local_hub().browsers.dom(
            tab, selector, browser=browser, limit=limit, html=html, on_wait=say_waiting
        )
    )
    if as_json:
        for one in found.elements:
            sys.stdout.buffer.write(msgspec.json.encode(one) + b"\n")
    else:
        from rich.console import Console

        console = Console(highlight=False, soft_wrap=True)
        more = f", showing the first {len(found.elements)}" if found.count > limit else ""
        console.print(f"{found.count} found{more}", markup=False)
        for one in found.elements:
            marks = " ".join(f'{name}="{value}"' for name, value in one["attributes"].items())
            hidden = "" if one["visible"] else "  (not visible)"
            console.print(harmless(f"<{one['tag']} {marks}>{hidden}"), style="cyan", markup=False)
            for extra in (one["text"], one.get("html")):
                if extra:
                    console.print(harmless(f"  {extra}"), markup=False)
    raise typer.Exit(COMPLETE if found.count else FAILED)
