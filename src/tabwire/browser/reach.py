"""A choice -> a browser to speak to, for as long as it is needed. Every command goes through here.

`auto` looks for a browser of the person that has remote debugging switched on, and starts one
of our own when there is none; before that a hub looks for the extension, which is its alone
(hub/browsers/routes.py). It never ends in the lab: what is meant for a replica must not reach
a real site, nor the other way round.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tabwire.browser.attach import find_endpoint, read_port_file
from tabwire.browser.choose import Attach, Auto, Choice, Extension, Lab, LaunchOwn
from tabwire.browser.endpoint import Endpoint, listens
from tabwire.browser.find import Machine
from tabwire.browser.launch import Launch, Launched, launched
from tabwire.browser.profile import holder_of
from tabwire.model.errors import BrowserNotReachable, ExtensionNotConnected


@dataclass(frozen=True, slots=True)
class Reached:
    """A browser to speak to. `own` is the one we started, which goes when we are done."""

    endpoint: Endpoint
    whose: str  # in words
    dialog: bool = False  # the person is asked at each connection, so hold one
    own: Launched | None = None


@asynccontextmanager
async def reached(
    choice: Choice,
    machine: Machine,
    *,
    wish: Callable[[], Launch],
    lab: Callable[[], Awaitable[Endpoint]] | None = None,
) -> AsyncIterator[Reached]:
    """Reach the chosen browser for the length of a block. One we attached to stays as it is.

    `wish` says what to start and is asked only if need be, since finding a browser may fail.
    `lab` knows where the lab's browser listens.
    """
    found = await _running(choice, machine, lab)
    if found is not None:
        yield found
        return
    wanted = wish()
    if (ours := await _ours(wanted)) is not None:
        yield ours
        return
    async with launched(wanted) as own:
        yield Reached(own.endpoint, f"Tabwire's own {own.wish.browser.name}", own=own)


async def _ours(wanted: Launch) -> Reached | None:
    """The browser that has this profile open already: the hub's, say, or another command's. Two
    cannot share a profile, so it is used, and left to whoever started it."""
    if wanted.profile is None or holder_of(wanted.profile) is None:
        return None
    endpoint = read_port_file(str(wanted.profile))
    if endpoint is None or not await listens(endpoint.host, endpoint.port):
        return None
    return Reached(endpoint, f"Tabwire's own {wanted.browser.name}, which is already running")


async def _running(
    choice: Choice, machine: Machine, lab: Callable[[], Awaitable[Endpoint]] | None
) -> Reached | None:
    """The browser that runs already, or None where one has to be started."""
    match choice:
        case LaunchOwn():
            return None
        case Extension():  # the hub has a line of its own to it, and others go through the hub
            why = "only the hub can use it"
            raise ExtensionNotConnected(why, "Start the hub: `tabwire serve`.")
        case Lab():
            if lab is None:
                raise BrowserNotReachable(
                    "no lab is running", what_to_do="Start the lab, then try again."
                )
            return Reached(await lab(), "the lab's browser")
        case Attach():
            attached = await find_endpoint(choice, machine)
        case Auto():
            try:
                attached = await find_endpoint(Attach(), machine)
            except BrowserNotReachable:
                return None
    return Reached(attached.endpoint, attached.whose, attached.dialog)
