"""Jobs in this process only, for scripts and tests. What runs when it ends is not gone on with."""

import asyncio
import logging

from tabwire.queue.engine import Carry
from tabwire.queue.lanes import Lanes

logger = logging.getLogger(__name__)


class MemoryEngine:
    """Runs jobs, and forgets them with the process."""

    def __init__(self, *, width: int) -> None:
        self._lanes = Lanes(width)
        self._carry: Carry | None = None
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._group: asyncio.TaskGroup | None = None

    async def start(self, carry: Carry) -> None:
        """Begin to work."""
        self._carry = carry
        self._group = await asyncio.TaskGroup().__aenter__()

    async def add(self, job_id: str, *, lane: str, position: int) -> None:
        """Have a job carried out. Idempotent."""
        if self._group is None:
            raise RuntimeError("this engine is not running")
        if self._lanes.take_place(job_id, lane, position):
            task = self._group.create_task(self._run(job_id), name=f"job {job_id}")
            self._tasks[job_id] = task

    async def drop(self, job_id: str) -> None:
        """It need not be carried out any more."""
        if (task := self._tasks.get(job_id)) is not None:
            task.cancel()
            await asyncio.wait([task])

    async def stop(self, seconds: float) -> None:
        """Cancel what runs."""
        group, self._group = self._group, None
        if group is None:
            return
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=seconds)
        await group.__aexit__(None, None, None)

    async def _run(self, job_id: str) -> None:
        assert self._carry is not None
        try:
            await self._lanes.turn(job_id)
            await self._carry(job_id)
        except Exception:  # the top of a task: one job must not take the others with it
            logger.exception("a job ended with an unexpected error")
        finally:
            self._lanes.leave(job_id)
            self._tasks.pop(job_id, None)
