"""What a person said of the browser to use -> a line to it, for as long as it is needed.

In a hub that runs there is one line for all (`shared`): two would start two browsers with one
profile, or ask the person twice.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tabwire.browser.choose import Address, Attach, Auto, Choice, Extension, Lab, parse_choice
from tabwire.browser.find import SETTING, Machine, find_browser, this_machine
from tabwire.browser.launch import Launch
from tabwire.browser.line import BrowserLine, open_line
from tabwire.browser.profile import named_profile
from tabwire.config.home import home
from tabwire.config.settings import Settings, settings
from tabwire.hub.browsers.lab_file import is_lab_browser, lab_endpoint

if TYPE_CHECKING:
    from tabwire.hub.browsers.routes import InUse, Ways

Say = Callable[[str], None]


@asynccontextmanager
async def reached_browser(
    said: str | None, *, only_running: bool = False, on_wait: Say | None = None
) -> AsyncIterator[BrowserLine]:
    """A line to the chosen browser; `said` None means what the settings say.

    `only_running`: do not start one, because a browser just started has nothing to show.
    """
    for ways in reversed(_shared):
        if ways.has(said) and (ways.is_open or not only_running):
            async with ways.line(said) as line:
                yield line
            return
    async with own_line(said, settings(), only_running=only_running, on_wait=on_wait) as line:
        yield line


_shared: "list[Ways]" = []
"""The ways of the hubs in this process."""


def in_hub() -> bool:
    """Whether a hub is in this process."""
    return bool(_shared)


def tabs_in_use() -> "list[InUse]":
    """The tabs that are used by the hubs in this process, and by whom."""
    return [one for ways in _shared for one in ways.in_use]


@contextmanager
def shared(ways: "Ways") -> Iterator[None]:
    """In this block whoever wants a browser of the hub has its line."""
    _shared.append(ways)
    try:
        yield
    finally:
        _shared.remove(ways)


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
    if isinstance(choice, Extension) and not in_hub():
        from tabwire.hub.relay.tunnel import line_by_hub

        async with line_by_hub() as line:
            yield line
        return
    if only_running and isinstance(choice, Auto):
        choice = Attach()
    machine = machine_with(now)
    async with open_line(
        choice, machine, wish=lambda: own_browser(machine, now), lab=lab_endpoint, on_wait=on_wait
    ) as line:
        yield line


def check_browser(said: str) -> None:
    """Raise `BadChoice` for what means no browser; nothing is opened."""
    parse_choice(said)


def is_lab(said: str | None) -> bool:
    """Whether the sites are stand-ins there; None means what the settings say."""
    return isinstance(chosen(said, settings()), Lab)


def chosen(said: str | None, now: Settings) -> Choice:
    """The choice that holds: what was said for this once, else the setting. Whoever attaches to
    the browser of the lab means the lab, however the address is written."""
    choice = parse_choice(said if said is not None else now.browser)
    match choice:
        case Attach(Address(host, port, path)) if is_lab_browser(host, port, path):
            return Lab()
    return choice


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
