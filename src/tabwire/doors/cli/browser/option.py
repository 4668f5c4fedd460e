"""The option every command has that speaks to a browser, and what is said while it waits."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from tabwire.hub import Hub, local_hub
from tabwire.model.errors import TabwireError


def _checked(said: str | None) -> str | None:
    """An invalid choice is refused before anything is opened."""
    if said is not None:
        try:
            local_hub().asks.check_browser(said)
        except TabwireError as error:
            raise typer.BadParameter(f"{error}. {error.what_to_do}") from error
    return said


BROWSER = Annotated[
    str | None,
    typer.Option(
        "--browser",
        callback=_checked,
        metavar="NAME",
        help="Browser to use. extension: your Chrome, through the extension. attach or "
        "attach=URL: a running browser with remote debugging. launch: Tabwire's own browser. "
        "lab: the browser of the lab. auto: the first of extension, attach and launch that "
        "works. Default: the setting `browser`.",
    ),
]


LAB_BROWSER = "lab"
LAB = Annotated[
    bool,
    typer.Option("--lab", help="Show only what belongs to the lab. By default it is left out."),
]


def say_waiting(words: str) -> None:
    """Tell the person at the terminal what the command waits for."""
    print(f"tabwire: {words}", file=sys.stderr, flush=True)


def say_terms(hub: Hub, sites: Sequence[str], browser: str | None) -> None:
    """What the providers' terms say, at the first use of each site; never on stdout."""
    for sentence in hub.asks.first_words(sites, browser=browser):
        say_waiting(sentence)
