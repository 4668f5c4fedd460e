"""`tabwire doctor`: is everything as it should be, and if not, what helps."""

import asyncio
import sys
from typing import Annotated

import msgspec
import typer

from tabwire.doors.cli.browser.option import BROWSER, say_waiting
from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import SITE_NAMES, Check, local_hub
from tabwire.model.exits import COMPLETE, FAILED, NEEDS_YOU

MARKS = {"good": ("✓", "green"), "warn": ("!", "yellow"), "bad": ("✗", "bold red")}


def doctor(
    sites: Annotated[
        list[str] | None,
        typer.Argument(metavar="SITE", help="chatgpt, gemini, grok. Default: all."),
    ] = None,
    browser: BROWSER = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per check.")
    ] = False,
) -> None:
    """Check the browser, the profile and each site: reachable, logged in, readable.

    Opens each site in a background tab, checks it and closes the tab. Nothing is typed or sent;
    only whether you are logged in is read. Each check prints its result and, if it failed, what
    to do.

    Exit codes: 0 everything works, 1 a check failed, 4 a login or a challenge needs you.

    Examples:

      tabwire doctor

      tabwire doctor chatgpt --browser attach --json
    """
    hub = local_hub()
    wanted = sites or list(SITE_NAMES)
    for site in wanted:
        if site not in SITE_NAMES:
            what = f"{site!r}: expected one of {', '.join(SITE_NAMES)}"
            raise typer.BadParameter(what, param_hint="SITE")
    checks: list[Check] = []

    async def run() -> None:
        async for check in hub.browsers.doctor(wanted, browser=browser, on_wait=say_waiting):
            checks.append(check)
            _print(check, as_json)

    asyncio.run(run())
    bad = [check for check in checks if check.result == "bad"]
    needs_you = bad and all(check.needs_you for check in bad)
    raise typer.Exit(NEEDS_YOU if needs_you else FAILED if bad else COMPLETE)


def _print(check: Check, as_json: bool) -> None:
    if as_json:
        sys.stdout.buffer.write(msgspec.json.encode(check) + b"\n")
        sys.stdout.buffer.flush()
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    mark, style = MARKS[check.result]
    about = f"{check.site} {check.name}" if check.site else check.name
    line = Text(f"{mark} ", style=style)
    line.append(f"{about:<20}", style="bold")
    line.append(harmless(check.says))
    console.print(line)
    if check.remedy:
        console.print(Text(f"  → {check.remedy}", style=style))
