"""`tabwire login`: a window of Tabwire's own browser in which a person logs in."""

import asyncio
import sys
from typing import Annotated

import typer

from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import Hub
from tabwire.model.exits import COMPLETE, NEEDS_YOU


def login(
    site: Annotated[str, typer.Argument(metavar="SITE", help="chatgpt, gemini or grok.")],
) -> None:
    """Open a window of Tabwire's own browser, to log in at a site once.

    You log in by hand. Nothing you type is read, nothing is copied from your other browsers,
    and the login stays in the profile that `--browser launch` uses. The command ends when the
    site shows you logged in, or when you close the window.

    Exit code 0: logged in. 4: the window was closed before. 1: no window could be opened.

    Examples:

      tabwire login chatgpt
    """
    hub = Hub()
    name = site.strip().lower()
    if name not in hub.site_names:
        what = f"{site!r} is none of {', '.join(hub.site_names)}"
        raise typer.BadParameter(what, param_hint="SITE")
    logged_in = asyncio.run(hub.login(name, say=_say))
    if logged_in:
        _say(f"logged in at {name}; ask with `tabwire ask … --to {name} --browser launch`")
    else:
        _say(f"the window was closed and {name} did not show you logged in")
    raise typer.Exit(COMPLETE if logged_in else NEEDS_YOU)


def _say(words: str) -> None:
    print(harmless(f"tabwire: {words}"), file=sys.stderr, flush=True)
