"""The commands of `tabwire lab`. Bodies are imported when a command runs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

HELP = "Local stand-ins for the sites: see Tabwire work without an account."

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (
        "Ask in three tabs of a real browser and show what the wire tells, live.",
        "tabwire.lab.cli:demo",
    ),
    "open": (
        "Open a browser in which the sites are the lab's, to type in by hand.",
        "tabwire.lab.cli:lab_open",
    ),
    "serve": (
        "Serve the stand-ins alone, for a browser that you start yourself.",
        "tabwire.lab.cli:lab_serve",
    ),
}


class Site(StrEnum):
    """What the lab can play."""

    CHATGPT = "chatgpt"
    GEMINI = "gemini"
    GROK = "grok"


Port = Annotated[
    int,
    typer.Option(min=0, max=65535, help="Where the lab listens; 0 lets the system choose."),
]
LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        dir_okay=False,
        help="Append every prompt the lab receives to this file, one JSON object per line.",
    ),
]


def demo(
    to: Annotated[
        Path,
        typer.Option("--to", metavar="FILE", dir_okay=False, help="The page to save."),
    ] = Path("tabwire-demo.html"),
) -> None:
    """Ask in three tabs of a real browser and show what the wire tells, live.

    Starts the lab and a headless browser of our own, lets a scripted person ask one question
    in a tab of each site, shows states, text and verdicts as they come, and saves a page with
    a screenshot of each tab. Nothing leaves this machine and nothing stays running.

    Exit code 0: three complete answers, each the lab's own text, and three prompts in its
    ledger. 1: something was different.
    """
    from rich.console import Console

    from tabwire.lab.demo.play import run

    raise typer.Exit(0 if run(Console(highlight=False), to) else 1)


def lab_open(
    headless: Annotated[
        bool, typer.Option("--headless", help="Without a window, even where one can be shown.")
    ] = False,
    site: Annotated[
        list[Site] | None,
        typer.Option("--site", help="A site to open; may be repeated. Without it: all of them."),
    ] = None,
    port: Port = 0,
    ledger: LedgerFile = None,
) -> None:
    """Open a browser in which the sites are the lab's, to type in by hand.

    The browser is one of our own with an empty profile. In it chatgpt.com, gemini.google.com
    and grok.com are local stand-ins, and no other address can be reached: nothing you type
    leaves this machine.

    A line of the prompt can direct the answer, everything in it optional:
    `lab: pieces=50 every=0.02 first=0.1 think=3 seed=7 chars=12` asks for 50 pieces of 12
    characters, one every 0.02 s, the first after 0.1 s, with three thoughts before them.

    While it runs, `--browser lab` leads other commands to this browser. Close it or press
    Ctrl-C to end the lab; nothing is left behind.
    """
    from tabwire.lab.open import open_lab, run_until_told

    sites = [str(one) for one in dict.fromkeys(site or Site)]
    run_until_told(open_lab(sites, headless=headless, port=port, ledger=ledger, say=_say))


def lab_serve(
    port: Port = 0,
    ledger: LedgerFile = None,
    json: Annotated[
        bool,
        typer.Option("--json", help="Say where it listens, and the flags, as one line of JSON."),
    ] = False,
) -> None:
    """Serve the stand-ins alone, for a browser that you start yourself.

    Prints the flags a browser must be started with (and an empty profile) to see them under
    the sites' real names. The certificate is made anew at each start and known to that browser
    only. `tabwire lab open` does all this for you.

    Runs until Ctrl-C or SIGTERM.
    """
    from tabwire.lab.open import run_until_told, serve_lab
    from tabwire.lab.told import as_json, in_words

    run_until_told(serve_lab(port, ledger, lambda lab: _say((as_json if json else in_words)(lab))))


def _say(line: str) -> None:
    # at once, even into a pipe: whoever started us waits for this line
    print(line, flush=True)
