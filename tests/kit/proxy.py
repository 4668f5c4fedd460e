"""A door between us and a browser, which a test may keep shut, stall or break."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from kit.listening import listening
from tabwire.browser.endpoint import Endpoint


def _in_time(_data: bytes) -> float:
    return 0.0


class Proxy:
    """Passes bytes both ways to one port. Counts who came and said something."""

    def __init__(self, host: str, port: int) -> None:
        self.callers = 0
        self.called = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()
        self.late: Callable[[bytes], float] = _in_time  # seconds; of what comes from behind
        self._behind = (host, port)
        self._writers: list[asyncio.StreamWriter] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Break every connection, without a goodbye."""
        for writer in self._writers:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One caller."""
        self._writers.append(writer)
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            first = await reader.read(1 << 16)
            if first:
                self.callers += 1
                self.called.set()
                await self.open.wait()
                back, to = await asyncio.open_connection(*self._behind)
                self._writers.append(to)
                to.write(self.led(first))
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._pass(reader, to, self.led))
                    group.create_task(self._pass(back, writer, late=lambda data: self.late(data)))
        except* (OSError, asyncio.CancelledError):
            self.cut()
        finally:
            writer.close()

    def led(self, data: bytes) -> bytes:
        """What a caller says, as it is passed on."""
        return data

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        led: Callable[[bytes], bytes] = bytes,
        late: Callable[[bytes], float] = _in_time,
    ) -> None:
        while data := await reader.read(1 << 16):
            await self.open.wait()
            await asyncio.sleep(late(data))
            writer.write(led(data))
        writer.close()

    async def close(self) -> None:
        """Let nobody hang."""
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def proxy_to(endpoint: Endpoint) -> AsyncIterator[tuple[Proxy, Endpoint]]:
    """A proxy to a browser, and the address where it listens."""
    proxy = Proxy(endpoint.host, endpoint.port)
    async with listening(proxy.serve) as port:
        try:
            yield proxy, Endpoint("127.0.0.1", port, endpoint.path)
        finally:
            await proxy.close()
