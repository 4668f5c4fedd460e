"""The list of commands, and the options of `tabwire` itself."""

from typing import Annotated, Any

import typer

from tabwire import __version__
from tabwire.doors.cli.lazy import Table, lazy_commands

COMMANDS: Table = {
    "ask": (
        "Ask a question in real tabs and bring back the proven answers.",
        "tabwire.doors.cli.ask:ask",
    ),
    "fetch": (
        "Fetch the answer to a question that was asked before.",
        "tabwire.doors.cli.fetch:fetch",
    ),
    "history": (
        "List what was asked before, the newest first.",
        "tabwire.doors.cli.history:history",
    ),
    "login": (
        "Open a window of Tabwire's own browser, to log in at a site once.",
        "tabwire.doors.cli.login:login",
    ),
    "parse": (
        "Read saved chat traffic and print the conversations in it.",
        "tabwire.doors.cli.parse:parse",
    ),
    "watch": (
        "Follow a chat tab and tell what its answers are worth.",
        "tabwire.doors.cli.watch:watch",
    ),
    "tabs": ("List the chat tabs of the browser.", "tabwire.doors.cli.tabs:tabs"),
    "snapshot": (
        "Keep a picture of a chat page and of how our selectors do on it.",
        "tabwire.doors.cli.snapshot:snapshot",
    ),
    "dom": (
        "Show which elements of a chat page a CSS selector finds.",
        "tabwire.doors.cli.dom:dom",
    ),
    "doctor": (
        "Check the browser, the profile, and each site: reached, logged in, readable.",
        "tabwire.doors.cli.doctor:doctor",
    ),
}


def build() -> Any:
    """The `tabwire` command with the doors' commands; whoever calls may add more."""
    app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]})
    app.callback()(tabwire)
    group = typer.main.get_group(app)
    for command in lazy_commands(COMMANDS):
        group.add_command(command)
    return group


def tabwire(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=lambda wanted: _say_version() if wanted else None,
            is_eager=True,
            help="Print the version and leave.",
        ),
    ] = False,
) -> None:
    """Wire the AI chat tabs you already have open to everything else you use."""


def _say_version() -> None:
    typer.echo(f"tabwire {__version__}")
    raise typer.Exit
