"""One change at a time, whole or not at all, done even if its caller is cancelled.

Work is a plain function of a connection. It runs in a transaction that is committed when it
returns and undone when it raises. Once begun it is finished, whatever happens to the caller: a
prompt that left while somebody pressed Ctrl-C must be noted all the same. A caller that is
cancelled waits for that, and is cancelled then.

All work of a store runs in one thread of its own, one piece after the other. An asynchronous
driver was measured first: it goes to such a thread for every statement and every row, 19 times
for one answer kept, at twice the CPU.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import TypeVar

import msgspec
from sqlalchemy import Connection, Engine

from tabwire.store.errors import Place, StoreDamaged
from tabwire.store.sqlite import EXCLUSIVE

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Transactions:
    """An engine, and the thread in which it is used. `errors` names what goes wrong in it."""

    def __init__(
        self, engine: Engine, path: Place, errors: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._path = path
        self._errors = errors
        self._reading = engine
        self._changing = engine.execution_options(**{EXCLUSIVE: True})
        self._thread = ThreadPoolExecutor(1, "tabwire-store")
        self._closed = False

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Look, and see everything as it was at one moment."""
        return await self._to_the_end(self._reading, work)

    async def change(self, work: Callable[[Connection], T]) -> T:
        """Change something. While `work` runs nobody else changes anything."""
        return await self._to_the_end(self._changing, work)

    async def close(self) -> None:
        """Wait for what is under way, then let go of the file. Idempotent."""
        if self._closed:
            return
        self._closed = True
        await asyncio.wrap_future(self._thread.submit(self._reading.dispose))
        self._thread.shutdown()

    async def _to_the_end(self, engine: Engine, work: Callable[[Connection], T]) -> T:
        if self._closed:
            raise RuntimeError("this store is closed")
        # shielded: what waits for its turn in the thread must not be taken back
        begun = asyncio.wrap_future(self._thread.submit(self._whole, engine, work))
        try:
            return await asyncio.shield(begun)
        except asyncio.CancelledError:
            await asyncio.wait([begun])
            if not begun.cancelled() and (error := begun.exception()) is not None:
                logger.error("the store failed for a caller that was cancelled", exc_info=error)
            raise

    def _whole(self, engine: Engine, work: Callable[[Connection], T]) -> T:
        with self._errors():
            try:
                with engine.begin() as connection:
                    return work(connection)
            except msgspec.MsgspecError as exc:
                raise StoreDamaged(self._path, f"a row is unreadable: {exc}") from exc
