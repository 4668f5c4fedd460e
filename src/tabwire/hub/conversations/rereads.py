"""Who has a conversation read once more, and when: one reader at a time.

A reading is always the page's own: the conversation is opened in a background tab, and what the
page loads there is heard like everything else. Several tabs may want the same conversation; the
first has the lease of it, and all hear what it reads. Nothing here says whether a conversation
is ready: fusion's plan asks for readings, and fusion's gate judges them.

Few are read at once, the others wait their turn. One that was read is wanted again within two
seconds as a rule, because two readings have to agree: it keeps its place for that long. Were it
put behind the others, its first reading would be too old when the second comes.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from tabwire.capture.lease import Leases
from tabwire.config.logs import get_log
from tabwire.model.errors import TabwireError
from tabwire.sites.known import SITES

READ_SECONDS = 20.0  # for a page to load a conversation; then its tab is closed
AGAIN_SECONDS = 2.5  # after a reading: whoever wants it once more says so within this
MAX_READS = 6  # in one turn; fusion's plan asks no oftener
MAX_AT_ONCE = 3  # background tabs of this kind: a person has a hundred chats open and restarts
MAX_WAITING = 256  # conversations that wait their turn; of more the oldest is let go
NO_TAB = -1

Key = tuple[str, str]  # site and conversation


@dataclass(slots=True)
class _Flight:
    owner: str
    tab: int | None = None  # None while one is being opened: any may be it
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    again: asyncio.Event = field(default_factory=asyncio.Event)
    settled: bool = False


class Rereads:
    """`read` opens a tab at an address and says which, `close` closes it; `start` runs what
    takes time. `wanted` says whether anybody still waits for a conversation."""

    def __init__(
        self,
        read: Callable[[str], Awaitable[int]],
        close: Callable[[int], Awaitable[None]],
        *,
        start: Callable[[Coroutine[Any, Any, None]], None],
        clock: Callable[[], float],
        wanted: Callable[[Key], bool] = lambda _key: True,
    ) -> None:
        self._read = read
        self._close = close
        self._start = start
        self._clock = clock
        self._wanted = wanted
        self._leases = Leases()
        self._flying: dict[Key, _Flight] = {}
        self._waiting: OrderedDict[Key, str] = OrderedDict()
        self.done = 0

    def want(self, key: Key, owner: str) -> bool:
        """Have it read, now or in its turn, unless somebody already does; whether it is new."""
        if (flight := self._flying.get(key)) is not None:
            flight.again.set()
            return False
        if key in self._waiting:
            return False
        if len(self._flying) < MAX_AT_ONCE:
            return self._begin(key, owner)
        self._waiting[key] = owner
        while len(self._waiting) > MAX_WAITING:
            self._waiting.popitem(last=False)
        return True

    def heard(self, key: Key) -> None:
        """The conversation was read, in whichever tab."""
        if (flight := self._flying.get(key)) is not None:
            flight.again.clear()  # who wanted it until now has it
            flight.heard.set()

    def settled(self, key: Key) -> None:
        """It needs no more readings."""
        self._waiting.pop(key, None)
        if (flight := self._flying.get(key)) is not None:
            flight.settled = True
            flight.again.set()

    def is_ours(self, key: Key | None, tab: int) -> bool:
        """Whether a page is one that we had opened to read this conversation."""
        flight = self._flying.get(key) if key is not None else None
        return flight is not None and flight.tab in (None, tab)

    def _begin(self, key: Key, owner: str) -> bool:
        claim = self._leases.claim("/".join(key), owner, self._clock(), READ_SECONDS)
        if not claim.acquired:
            return False
        flight = self._flying[key] = _Flight(owner)
        self._start(self._fly(key, flight))
        return True

    def _next(self) -> None:
        """Somebody's turn has come."""
        while self._waiting and len(self._flying) < MAX_AT_ONCE:
            key, owner = self._waiting.popitem(last=False)
            if self._wanted(key):
                self._begin(key, owner)

    async def _fly(self, key: Key, flight: _Flight) -> None:
        name = "/".join(key)
        try:
            for _ in range(MAX_READS):
                self._leases.claim(name, flight.owner, self._clock(), READ_SECONDS + AGAIN_SECONDS)
                await self._look(key, flight)
                async with asyncio.timeout(AGAIN_SECONDS):
                    await flight.again.wait()
                if flight.settled:
                    break
        except TimeoutError:
            pass  # nobody wants it once more, or its page never loaded
        except (TabwireError, ConnectionError) as exc:
            get_log().info("a conversation could not be read again", site=key[0], error=exc)
        finally:
            del self._flying[key]
            self._leases.release(name, flight.owner)
            self._next()

    async def _look(self, key: Key, flight: _Flight) -> None:
        """One reading. Raises TimeoutError where its page loads nothing."""
        site, conversation_id = key
        flight.tab = None
        flight.heard.clear()
        try:
            async with asyncio.timeout(READ_SECONDS):
                flight.tab = await self._read(SITES[site].page.chat_url(conversation_id))
                await flight.heard.wait()
                self.done += 1
        except TimeoutError:
            get_log().info("a conversation was not read again in time", site=site)
            raise
        finally:
            tab, flight.tab = flight.tab, NO_TAB
            if tab is not None:
                await self._closed(tab)

    async def _closed(self, tab: int) -> None:
        try:
            async with asyncio.timeout(READ_SECONDS):
                await self._close(tab)
        except (TimeoutError, TabwireError, ConnectionError) as exc:
            get_log().info("a tab that read a conversation could not be closed", error=exc)
