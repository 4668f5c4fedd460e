"""What was begun is brought to its end, also where whoever asked for it goes away meanwhile.

A client that gives up cancels what waits for it, at every place where it waits. Between a job
that is on disk and the queue that carries it out, that would leave a job which nobody carries.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_under_way: set[asyncio.Task[Any]] = set()


async def to_the_end(doing: Coroutine[Any, Any, T]) -> T:
    """Do it in a task of its own, and wait for that; who is cancelled here stops only waiting."""
    task = asyncio.get_running_loop().create_task(doing)
    _under_way.add(task)
    task.add_done_callback(_over)
    return await asyncio.shield(task)


def _over(task: asyncio.Task[Any]) -> None:
    _under_way.discard(task)
    if not task.cancelled():
        task.exception()  # looked at, also where nobody waits for it any more
