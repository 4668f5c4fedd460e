"""The commands of `tabwire lab`. Bodies are imported when a command runs."""

from typing import Annotated

import typer

HELP = "Local stand-ins for the sites: see Tabwire work without a browser or an account."

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (
        "Play a scripted answer of each site and show the states as they change.",
        "tabwire.lab.cli:demo",
    ),
}


def demo(
    speed: Annotated[
        float, typer.Option(min=0.1, help="How many times as fast as the script says.")
    ] = 1.0,
) -> None:
    """Play a scripted answer of each site and show the states as they change."""
    from rich.console import Console

    from tabwire.lab.demo import run

    run(speed, Console())
