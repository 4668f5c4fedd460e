"""Conversations of asks and of watched tabs, recorded as the extension's are.

The same recorder sits beside the traffic of a tab that is followed. It begins nothing and has
nothing read again: what is heard anyway is kept, with where it came from.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tabwire.capture.recorder import Recorder
from tabwire.config.logs import get_log
from tabwire.hub.conversations.writer import Keeper
from tabwire.model.captured import Captured, Origin
from tabwire.model.errors import TabwireError
from tabwire.sites.site import Site

Records = Callable[[Site], Recorder]


def recorder_for(put: Callable[[Captured], None], origin: Origin) -> Records:
    """Whoever records a tab of a site; what it captures is put there."""

    def make(site: Site) -> Recorder:
        return Recorder(site, origin=origin, wall=time.time, captured=put)

    return make


@asynccontextmanager
async def recorded(origin: Origin) -> AsyncIterator[Records]:
    """Recorders for the length of a block. The store is opened when there is something to keep:
    to watch a tab needs no disk."""
    tray = _Tray()
    keeping = asyncio.get_running_loop().create_task(tray.keep(), name="save conversations")
    try:
        yield recorder_for(tray.put, origin)
    finally:
        keeping.cancel()
        await asyncio.wait([keeping])
        await tray.empty()


class _Tray:
    """What waits for a store that is not open yet."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], Captured] = {}
        self._more = asyncio.Event()

    def put(self, captured: Captured) -> None:
        """To be kept."""
        self._held[(captured.site, captured.conversation_id)] = captured
        self._more.set()

    async def keep(self) -> None:
        """Keep what comes, until cancelled."""
        while True:
            await self._more.wait()
            self._more.clear()
            await self.empty()

    async def empty(self) -> None:
        """Keep what is here now."""
        from tabwire.hub.jobs.books import opened_books

        if not self._held:
            return
        try:
            async with opened_books() as books:
                keeper = Keeper(books.store.conversations)
                while self._held:
                    for key, captured in tuple(self._held.items()):
                        keeper.put(captured)
                        await keeper.flush()
                        if self._held.get(key) is captured:
                            del self._held[key]
        except TabwireError as exc:
            self._held.clear()
            get_log().warn("a conversation could not be saved", error=exc)
