"""What a person said of the browser to use -> a line to it, for as long as it is needed."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from tabwire.browser.choose import Attach, Auto, Choice, parse_choice
from tabwire.browser.find import SETTING, Machine, find_browser, this_machine
from tabwire.browser.launch import Launch
from tabwire.browser.line import BrowserLine, open_line
from tabwire.browser.profile import named_profile
from tabwire.hub.config import Settings, settings
from tabwire.hub.home import home
from tabwire.hub.lab_file import lab_endpoint

Say = Callable[[str], None]


@asynccontextmanager
async def reached_browser(
    said: str | None, *, only_running: bool = False, on_wait: Say | None = None
) -> AsyncIterator[BrowserLine]:
    """A line to the chosen browser; `said` None means what the settings say.

    `only_running`: do not start one, because a browser just started has nothing to show.
    """
    now = settings()
    choice = chosen(said, now)
    if only_running and isinstance(choice, Auto):
        choice = Attach()
    machine = machine_with(now)
    async with open_line(
        choice, machine, wish=lambda: own_browser(machine, now), lab=lab_endpoint, on_wait=on_wait
    ) as line:
        yield line


def chosen(said: str | None, now: Settings) -> Choice:
    """The choice that holds: what was said for this once, else the setting."""
    return parse_choice(said if said is not None else now.browser)


def machine_with(now: Settings) -> Machine:
    """This machine, with the program the settings name."""
    machine = this_machine()
    if not now.program:
        return machine
    return replace(machine, environment={**machine.environment, SETTING: now.program})


def own_browser(machine: Machine, now: Settings) -> Launch:
    """The browser we start ourselves, with its own kept profile."""
    return Launch(
        find_browser(machine),
        headless=not machine.has_display,
        profile=named_profile(home(), now.profile),
    )
