"""A server of a test, gone afterwards with everybody who came.

A browser opens connections ahead and says nothing on them. One that is still open when the loop
of its test ends is told as a fault of whichever test runs next.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

Visit = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(
    visit: Visit, *, limit: int = 1 << 16, tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Serve on a free port of this machine: its number."""
    writers: list[asyncio.StreamWriter] = []
    visits: set[asyncio.Task[None]] = set()

    async def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        visits.add(task)
        writers.append(writer)
        await visit(reader, writer)

    server = await asyncio.start_server(come, "127.0.0.1", 0, limit=limit, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.sleep(0)  # who was just let in gets a task
        for task in visits:
            task.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        for writer in writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
