"""The option every command has that speaks to a browser, and what is said while it waits."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from tabwire.hub import Hub
from tabwire.model.errors import TabwireError


def _checked(said: str | None) -> str | None:
    """A choice that cannot be meant is refused before anything is opened."""
    if said is not None:
        from tabwire.hub.browsers.access import check_browser

        try:
            check_browser(said)
        except TabwireError as error:
            raise typer.BadParameter(f"{error}. {error.what_to_do}") from error
    return said


BROWSER = Annotated[
    str | None,
    typer.Option(
        "--browser",
        callback=_checked,
        metavar="auto|extension|launch|attach[=URL]|lab",
        help="Which browser: your Chrome through the extension, else one that runs with remote "
        "debugging, else our own (auto); the extension alone (extension); our own (launch); one "
        "that runs, at an address if given (attach); the lab's (lab). "
        "Default: the setting `browser`.",
    ),
]


LAB_BROWSER = "lab"
LAB = Annotated[
    bool, typer.Option("--lab", help="Only what is of the lab; without it, nothing is.")
]


def say_waiting(words: str) -> None:
    """Tell the person at the terminal what is waited for."""
    print(f"tabwire: {words}", file=sys.stderr, flush=True)


def say_terms(hub: Hub, sites: Sequence[str], browser: str | None) -> None:
    """What the providers' terms say, at the first use of each site; never on stdout."""
    for sentence in hub.first_words(sites, browser=browser):
        say_waiting(sentence)
