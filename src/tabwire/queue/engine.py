"""The port behind which jobs run. Product truth is never kept behind it: only that there is work.

A job is carried out by `carry(job_id)`. An engine calls it once for each `add`, in the order of
their positions and at most `width` at a time in a lane, and calls it again in the next process
if this one died before it returned. So `carry` must look how far a job got before it acts.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol

Carry = Callable[[str], Awaitable[None]]


class Engine(Protocol):
    """Runs jobs."""

    async def start(self, carry: Carry) -> None:
        """Begin to work, first of all on what a process that died left behind."""
        ...

    async def add(self, job_id: str, *, lane: str, position: int) -> None:
        """Have a job carried out. When this returns it will be, whatever happens. Idempotent."""
        ...

    async def drop(self, job_id: str) -> None:
        """It need not be carried out any more: a waiting one is not begun, and the task of a
        running one is cancelled."""
        ...

    async def stop(self, seconds: float) -> None:
        """Begin nothing more; cancel what runs, so that the next process goes on with it."""
        ...
