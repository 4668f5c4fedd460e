"""An open way to one browser, for as long as it is needed: one socket, and its tabs.

Chrome's own switch for remote debugging asks the person at each connection. So there is one,
held for the whole block, and one patient try: a second would be a second dialog.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tabwire.browser.choose import Choice
from tabwire.browser.endpoint import Endpoint
from tabwire.browser.find import Machine
from tabwire.browser.launch import Launch, Launched
from tabwire.browser.reach import Reached, reached
from tabwire.browser.tabs import Tabs
from tabwire.cdp.carrier import Carrier
from tabwire.cdp.connection import Connection
from tabwire.cdp.errors import CannotConnect
from tabwire.cdp.websocket import WebSocketCarrier, connect
from tabwire.model.errors import BrowserNotReachable
from tabwire.sites.page import Timings

CONNECT_SECONDS = Timings().connect_seconds
"""How long a browser may take that asks nobody."""

DIALOG_SECONDS = 120.0
"""How long a person may take to find Chrome's dialog and press Allow."""

ALLOW = "Click Allow in the dialog that Chrome shows."


@dataclass(frozen=True, slots=True)
class BrowserLine:
    """One connection to one browser. `own` is the browser where we started it."""

    connection: Connection
    tabs: Tabs
    whose: str  # in words
    own: Launched | None = None


@asynccontextmanager
async def open_line(
    choice: Choice,
    machine: Machine,
    *,
    wish: Callable[[], Launch],
    lab: Callable[[], Awaitable[Endpoint]] | None = None,
    on_wait: Callable[[str], None] | None = None,
    dialog_seconds: float = DIALOG_SECONDS,
) -> AsyncIterator[BrowserLine]:
    """Reach the chosen browser and speak to it for the length of a block.

    `on_wait` is told what a person has to do before it goes on. One we started is asked to
    close itself at the end; one we attached to stays as it is.
    """
    async with reached(choice, machine, wish=wish, lab=lab) as browser:
        if browser.dialog and on_wait is not None:
            on_wait(f"Waiting for access to {browser.whose}. {ALLOW}")
        async with Connection(await _dial(browser, dialog_seconds)) as connection:
            try:
                tabs = Tabs(connection)
                await tabs.discover()
                yield BrowserLine(connection, tabs, browser.whose, browser.own)
            finally:
                if browser.own is not None:
                    await browser.own.stop(lambda: connection.call("Browser.close"))


@asynccontextmanager
async def line_over(carrier: Carrier, whose: str) -> AsyncIterator[BrowserLine]:
    """The same over a carrier that is there already: the extension's, say."""
    async with Connection(carrier) as connection:
        tabs = Tabs(connection)
        await tabs.discover()
        yield BrowserLine(connection, tabs, whose)


async def _dial(browser: Reached, dialog_seconds: float) -> WebSocketCarrier:
    if not browser.dialog:
        return await connect(browser.endpoint.url, seconds=CONNECT_SECONDS, wait="connect")
    try:
        return await connect(browser.endpoint.url, seconds=dialog_seconds)
    except CannotConnect as exc:
        raise BrowserNotReachable(
            f"{browser.whose} denied access: {exc}", what_to_do=f"Try again. {ALLOW}"
        ) from exc
