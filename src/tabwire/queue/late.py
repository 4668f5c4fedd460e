"""An engine that begins to work when there is first something to do.

Starting a durable one takes half a second of the processor, just when a hub was started by
somebody who waits for its first word. So it starts with the first job, or a moment later.
"""

import asyncio
import logging

from tabwire.model.errors import TabwireError
from tabwire.queue.engine import Carry, Engine

WARM_SECONDS = 3.0  # after the start of a hub that has nothing to do yet

logger = logging.getLogger(__name__)


class LateEngine:
    """Another engine, begun late."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._carry: Carry | None = None
        self._runs = False
        self._beginning: asyncio.Task[None] | None = None

    async def start(self, carry: Carry) -> None:
        """It may begin when it is needed."""
        self._carry = carry

    async def add(self, job_id: str, *, lane: str, position: int) -> None:
        """Have a job carried out; on disk when this returns."""
        await self._begin()
        await self._engine.add(job_id, lane=lane, position=position)

    async def drop(self, job_id: str) -> None:
        """It need not be carried out any more."""
        if self._runs:
            await self._engine.drop(job_id)

    async def stop(self, seconds: float) -> None:
        """Begin nothing more."""
        self._carry = None
        if self._beginning is not None:
            await asyncio.wait([self._beginning])
        if self._runs:
            await self._engine.stop(seconds)

    async def warm(self, seconds: float = WARM_SECONDS) -> None:
        """Begin after a moment, so that the first job need not wait for that."""
        await asyncio.sleep(seconds)
        try:
            await self._begin()
        except (TabwireError, RuntimeError) as exc:
            logger.warning("the queue did not start: %s", exc)  # the first job will say so

    async def _begin(self) -> None:
        """Whoever waits may give up; the beginning goes on, for the next one."""
        if self._beginning is None or (self._beginning.done() and not self._runs):
            if self._carry is None:
                raise RuntimeError("this engine is not running")
            self._beginning = asyncio.get_running_loop().create_task(self._start(self._carry))
        await asyncio.shield(self._beginning)

    async def _start(self, carry: Carry) -> None:
        await self._engine.start(carry)
        self._runs = True
