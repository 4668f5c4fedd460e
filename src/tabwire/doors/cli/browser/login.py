"""`tabwire login`: a window of Tabwire's own browser in which a person logs in."""

import asyncio
import sys
from typing import Annotated

import typer

from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import SITE_NAMES, local_hub
from tabwire.model.exits import COMPLETE, NEEDS_YOU
from tabwire.model.products import product


def login(
    site: Annotated[str, typer.Argument(metavar="SITE", help="chatgpt, gemini or grok.")],
) -> None:
    """Open Tabwire's own browser so that you can log in to a site.

    You log in yourself. Nothing you type is read, nothing is copied from your other browsers,
    and the login stays in the profile that `--browser launch` uses. The command ends when you are
    logged in or when you close the window.

    Exit codes: 0 logged in, 1 no window could be opened, 4 the window was closed too early.

    Examples:

      tabwire login chatgpt
    """
    hub = local_hub()
    name = site.strip().lower()
    if name not in SITE_NAMES:
        what = f"{site!r}: expected one of {', '.join(SITE_NAMES)}"
        raise typer.BadParameter(what, param_hint="SITE")
    logged_in = asyncio.run(hub.browsers.login(name, say=_say))
    if logged_in:
        _say(f"logged in to {product(name)}; ask with `tabwire ask … --to {name} --browser launch`")
    else:
        _say(f"the window was closed before you were logged in to {product(name)}")
    raise typer.Exit(COMPLETE if logged_in else NEEDS_YOU)


def _say(words: str) -> None:
    print(harmless(f"tabwire: {words}"), file=sys.stderr, flush=True)
