"""The option every command has that speaks to a browser, and what is said while it waits."""

import sys
from typing import Annotated

import typer

BROWSER = Annotated[
    str | None,
    typer.Option(
        "--browser",
        metavar="auto|extension|launch|attach[=URL]|lab",
        help="Which browser: your Chrome through the extension, else one that runs with remote "
        "debugging, else our own (auto); the extension alone (extension); our own (launch); one "
        "that runs, at an address if given (attach); the lab's (lab). "
        "Default: the setting `browser`.",
    ),
]


def say_waiting(words: str) -> None:
    """Tell the person at the terminal what is waited for."""
    print(f"tabwire: {words}", file=sys.stderr, flush=True)
