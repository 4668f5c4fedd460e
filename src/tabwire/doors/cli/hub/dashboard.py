"""`tabwire dashboard`: the hub, to look at in a browser."""

import asyncio
import os
import sys
import webbrowser
from typing import Annotated

import typer

from tabwire.doors.cli.json_lines import write
from tabwire.hub import remote_hub


def dashboard(
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the URL without opening it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Open the dashboard: hub, extension, pairing and questions.

    Starts the hub if necessary. The URL works once, within one minute; the browser that opens it
    stays signed in for twelve hours. Keep the URL secret: it grants access.

    If no browser can be opened, the URL is printed; it works in any browser on this machine.

    Examples:

      tabwire dashboard

      tabwire dashboard --no-open --json
    """
    address = asyncio.run(remote_hub().dashboard())
    url, seconds = address.url, address.seconds
    opened = not no_open and _open(url)
    if as_json:
        write([{"url": url, "seconds": seconds, "opened": opened}])
    elif opened:
        plain = url.partition("/enter/")[0]
        print(f"opened in your browser: {plain}/")
        print("If no window appears: tabwire dashboard --no-open", file=sys.stderr)
    else:
        print(url, flush=True)
        if not no_open:
            print("Could not open a browser.", file=sys.stderr)
        print(f"Open this URL within {seconds:.0f} s. It works once.", file=sys.stderr)


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
