"""Something that runs beside a block and ends with it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def beside(
    work: Coroutine[Any, Any, Any], broke: Callable[[BaseException], None]
) -> AsyncIterator[None]:
    """Run `work` for the length of the block. Where it fails, `broke` is told and the block
    goes on: whoever waits in it decides. What the block itself raises is raised as it is.
    """

    async def told() -> None:
        try:
            await work
        except Exception as exc:  # noqa: BLE001  whatever it is, whoever waits must know
            broke(exc)

    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(told())
            try:
                yield
            finally:
                task.cancel()
    except BaseExceptionGroup as exc:
        (found,) = exc.exceptions  # `told` raises nothing, so it is the block's own
        raise found from found.__cause__
    finally:
        work.close()  # a block that never waits ends before its work began
