"""The two ways of a hub to a browser: its own line, or the extension in the person's Chrome.

`auto` means the extension where one is connected, asked anew for every job: a person who installs
it need not restart anything. Who says `extension` means it, and is told why where there is none.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tabwire.browser.choose import Auto, Extension, parse_choice
from tabwire.browser.line import BrowserLine
from tabwire.browser.tabs import TabInfo
from tabwire.hub.browsers.link import Link
from tabwire.hub.conversations.follow_up import OWNER as READING
from tabwire.hub.relay.relays import Relays
from tabwire.model.errors import BadChoice

EXTENSION, OWN = "extension", "browser"


@dataclass(frozen=True, slots=True)
class InUse:
    """A tab that is used, and by whom: a job, or somebody with another name."""

    target: str
    url: str
    title: str
    way: str  # `extension` or `browser`
    job: str = ""
    by: str = ""


class Ways:
    """Both links. Lives inside `async with`."""

    def __init__(self, said: str, direct: Link, relay: Link, relays: Relays) -> None:
        self._said = said
        self._direct = direct
        self._relay = relay
        self._relays = relays

    async def __aenter__(self) -> "Ways":
        await self._direct.__aenter__()
        await self._relay.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._relay.__aexit__()
        await self._direct.__aexit__()

    @property
    def is_open(self) -> bool:
        """Whether there is a line that works, or would at once."""
        choice = parse_choice(self._said)
        by_relay = isinstance(choice, Auto | Extension) and self._relays.usable
        return by_relay or self._direct.is_open

    async def serves(self, said: str | None, *, only_running: bool) -> bool:
        """Whether what was said of a browser means one of ours; with `only_running`, one whose
        line needs no browser to be started."""
        return self.has(said) and (self.is_open or not only_running)

    async def tabs_in_use(self) -> list[InUse]:
        """The tabs that somebody uses now: jobs by their lease, commands by their session."""
        direct = [_leased(tab, owner, OWN) for tab, owner in self._direct.in_use]
        relayed = [_leased(tab, owner, EXTENSION) for tab, owner in self._relay.in_use]
        taken = {one.target for one in relayed}
        others = [
            InUse(one.target, one.url, one.title, EXTENSION, by=client.shown)
            for one in self._relays.in_use
            if one.target not in taken
            for client in one.clients
        ]
        return direct + relayed + others

    def has(self, said: str | None) -> bool:
        """Whether what was said of a browser means one of ours."""
        return said in (None, self._said, EXTENSION)

    @asynccontextmanager
    async def line(self, said: str | None = None) -> AsyncIterator[BrowserLine]:
        """The line to what was said, or to what the hub was told. Raises where there is none."""
        if not self.has(said):  # a job may come over HTTP: it does not choose where we attach
            raise BadChoice(f"this hub uses {self._said}, not {said!r}")
        choice = parse_choice(said if said is not None else self._said)
        by_relay = isinstance(choice, Extension) or (
            isinstance(choice, Auto) and await self._relays.wait_early()
        )
        async with (self._relay if by_relay else self._direct).line() as line:
            yield line


def _leased(tab: TabInfo, owner: str, way: str) -> InUse:
    """By the owner of its lease, which is a job, or the hub itself that reads."""
    by = {"by": owner} if owner == READING else {"job": owner}
    return InUse(tab.target, tab.url, tab.title, way, **by)
