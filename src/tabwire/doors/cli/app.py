"""The list of commands, and the options of `tabwire` itself."""

from typing import Annotated, Any

import typer

from tabwire import __version__
from tabwire.doors.cli.lazy import Table, lazy_commands

COMMANDS: Table = {
    "parse": (
        "Read saved chat traffic and print the conversations in it.",
        "tabwire.doors.cli.parse:parse",
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
