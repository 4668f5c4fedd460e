"""What a person said of the browser to use -> a line to it, for as long as it is needed.

In a hub that runs there is one line for all (`shared`): two would start two browsers with one
profile, or ask the person twice.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace

from tabwire.browser.choose import Attach, Auto, Choice, parse_choice
from tabwire.browser.find import SETTING, Machine, find_browser, this_machine
from tabwire.browser.launch import Launch
from tabwire.browser.line import BrowserLine, open_line
from tabwire.browser.profile import named_profile
from tabwire.hub.config import Settings, settings
from tabwire.hub.home import home
from tabwire.hub.lab_file import lab_endpoint
from tabwire.hub.link import Link

Say = Callable[[str], None]


@asynccontextmanager
async def reached_browser(
    said: str | None, *, only_running: bool = False, on_wait: Say | None = None
) -> AsyncIterator[BrowserLine]:
    """A line to the chosen browser; `said` None means what the settings say.

    `only_running`: do not start one, because a browser just started has nothing to show.
    """
    for link, theirs in reversed(_shared):
        if said in (None, theirs) and (link.is_open or not only_running):
            async with link.line() as line:
                yield line
            return
    async with own_line(said, settings(), only_running=only_running, on_wait=on_wait) as line:
        yield line


_shared: list[tuple[Link, str]] = []
"""The links of the hubs in this process, and what each was told of its browser."""


@contextmanager
def shared(link: Link, said: str) -> Iterator[None]:
    """In this block whoever wants that browser has the line of the hub."""
    _shared.append((link, said))
    try:
        yield
    finally:
        _shared.remove((link, said))


@asynccontextmanager
async def own_line(
    said: str | None,
    now: Settings,
    *,
    only_running: bool = False,
    on_wait: Say | None = None,
) -> AsyncIterator[BrowserLine]:
    """A line of one's own to the chosen browser, by these settings."""
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
