"""Who has a conversation read once more, and when: one reader at a time.

A reading is always the page's own: the conversation is opened in a background tab, and what the
page loads there is heard like everything else. Several tabs may want the same conversation; the
first has the lease of it, and all hear what it reads. Nothing here says whether a conversation
is ready: fusion's plan asks for readings, and fusion's gate judges them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from tabwire.capture.lease import Leases
from tabwire.hub.logs import get_log
from tabwire.model.errors import TabwireError
from tabwire.sites.known import SITES

READ_SECONDS = 20.0  # for a page to load a conversation; then its tab is closed
MAX_AT_ONCE = 3  # background tabs of this kind: a person has a hundred chats open and restarts

Key = tuple[str, str]  # site and conversation


@dataclass(slots=True)
class _Flight:
    owner: str
    tab: int | None = None
    heard: asyncio.Event = field(default_factory=asyncio.Event)


class Rereads:
    """`read` opens a tab at an address and says which, `close` closes it; `start` runs what
    takes time."""

    def __init__(
        self,
        read: Callable[[str], Awaitable[int]],
        close: Callable[[int], Awaitable[None]],
        *,
        start: Callable[[Coroutine[Any, Any, None]], None],
        clock: Callable[[], float],
    ) -> None:
        self._read = read
        self._close = close
        self._start = start
        self._clock = clock
        self._leases = Leases()
        self._flying: dict[Key, _Flight] = {}
        self.done = 0

    def want(self, key: Key, owner: str) -> bool:
        """Have it read, unless somebody already does; whether a reading was begun."""
        if key in self._flying or len(self._flying) >= MAX_AT_ONCE:
            return False
        claim = self._leases.claim("/".join(key), owner, self._clock(), READ_SECONDS)
        if not claim.acquired:
            return False
        flight = self._flying[key] = _Flight(owner)
        self._start(self._fly(key, flight))
        return True

    def heard(self, key: Key) -> None:
        """The conversation was read, in whichever tab."""
        if (flight := self._flying.get(key)) is not None:
            flight.heard.set()

    def is_ours(self, key: Key | None, tab: int) -> bool:
        """Whether a page is one that we had opened to read this conversation."""
        flight = self._flying.get(key) if key is not None else None
        return flight is not None and flight.tab in (None, tab)

    async def _fly(self, key: Key, flight: _Flight) -> None:
        site, conversation_id = key
        try:
            async with asyncio.timeout(READ_SECONDS):
                flight.tab = await self._read(SITES[site].page.chat.format(conversation_id))
                await flight.heard.wait()
                self.done += 1
        except TimeoutError:
            get_log().info("a conversation was not read again in time", site=site)
        except (TabwireError, ConnectionError) as exc:
            get_log().info("a conversation could not be read again", site=site, error=exc)
        finally:
            del self._flying[key]
            self._leases.release("/".join(key), flight.owner)
            if flight.tab is not None:
                await self._closed(flight.tab)

    async def _closed(self, tab: int) -> None:
        try:
            async with asyncio.timeout(READ_SECONDS):
                await self._close(tab)
        except (TimeoutError, TabwireError, ConnectionError) as exc:
            get_log().info("a tab that read a conversation could not be closed", error=exc)
