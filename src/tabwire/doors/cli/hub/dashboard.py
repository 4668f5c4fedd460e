"""`tabwire dashboard`: the hub, to look at in a browser."""

import asyncio
import os
import sys
import webbrowser
from typing import Annotated

import typer

from tabwire.doors.cli.json_lines import write
from tabwire.hub.remote.hub import RemoteHub


def dashboard(
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Only print the address; open it yourself.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Open the dashboard in your browser: the hub, the extension, pairing, questions.

    Starts the hub if none runs. The address opens the dashboard once, within a minute, and in one
    browser, which then has half a day. It is as good as a key: give it to nobody.

    Where no browser can be opened the address is printed, and opens the dashboard from any
    browser of this machine.

    Exit code 0, also where it was only printed.

    Examples:

      tabwire dashboard

      tabwire dashboard --no-open --json
    """
    told = asyncio.run(RemoteHub().dashboard())
    url, seconds = str(told["url"]), float(told["seconds"])
    opened = not no_open and _open(url)
    if as_json:
        write([{"url": url, "seconds": seconds, "opened": opened}])
    elif opened:
        plain = url.partition("/enter/")[0]
        print(f"opened in your browser: {plain}/")
        print("If nothing is to be seen: tabwire dashboard --no-open", file=sys.stderr)
    else:
        print(url, flush=True)
        if not no_open:
            print("No browser could be opened from here.", file=sys.stderr)
        print(f"Open it within {seconds:.0f} s; it works once.", file=sys.stderr)


def _open(url: str) -> bool:
    """Whether a browser took it. One that draws in this very terminal is none."""
    if not _has_screen():
        return False
    try:
        return webbrowser.open(url)
    except (webbrowser.Error, OSError):
        return False


def _has_screen() -> bool:
    if os.environ.get("BROWSER") or os.name == "nt" or sys.platform == "darwin":
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"))
