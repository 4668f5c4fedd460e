"""What a person said of the browser to use -> a line to it, for as long as it is needed.

Whoever works in the process of a hub passes the hub's own lines (`HubLines`): a second line would
start a second browser with the same profile, or ask the person twice.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from tabwire.browser.choose import Address, Attach, Auto, Choice, Extension, Lab, parse_choice
from tabwire.browser.find import SETTING, Machine, find_browser, this_machine
from tabwire.browser.launch import Launch
from tabwire.browser.line import BrowserLine, open_line
from tabwire.browser.profile import named_profile
from tabwire.config.home import home
from tabwire.config.settings import Settings, settings
from tabwire.hub.browsers.lab_file import is_lab_browser, lab_endpoint

if TYPE_CHECKING:
    from tabwire.hub.browsers.routes import InUse

Say = Callable[[str], None]


class HubLines(Protocol):
    """The lines of a hub to its browsers, for whoever works in its process (routes.py)."""

    async def serves(self, said: str | None, *, only_running: bool) -> bool:
        """Whether what was said of a browser means one of these lines; with `only_running`, one
        that needs no browser to be started."""

    def line(self, said: str | None = None) -> AbstractAsyncContextManager[BrowserLine]:
        """The line to what was said. Raises where there is none."""

    async def tabs_in_use(self) -> "Sequence[InUse]":
        """The tabs that somebody uses now."""


@asynccontextmanager
async def reached_browser(
    said: str | None,
    *,
    hub_lines: HubLines | None = None,
    only_running: bool = False,
    on_wait: Say | None = None,
) -> AsyncIterator[BrowserLine]:
    """A line to the chosen browser; `said` None means what the settings say.

    `hub_lines`: those of the hub in whose process this is called. `only_running`: do not start a
    browser, because one just started has nothing to show.
    """
    if hub_lines is not None and await hub_lines.serves(said, only_running=only_running):
        async with hub_lines.line(said) as line:
            yield line
        return
    async with own_line(
        said,
        settings(),
        in_hub=hub_lines is not None,
        only_running=only_running,
        on_wait=on_wait,
    ) as line:
        yield line


@asynccontextmanager
async def own_line(
    said: str | None,
    now: Settings,
    *,
    in_hub: bool = False,
    only_running: bool = False,
    on_wait: Say | None = None,
) -> AsyncIterator[BrowserLine]:
    """A line of one's own to the chosen browser, by these settings. To the extension it goes
    through the hub, unless this is the hub (`in_hub`)."""
    choice = chosen(said, now)
    if isinstance(choice, Extension) and not in_hub:
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
