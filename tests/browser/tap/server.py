"""A small HTTP/1.1 server for tests of the tap: says exactly the bytes it is told to.

A test puts pages and handlers under paths. A `Drip` is a response whose bytes the test
itself lets out, one chunk at a time, and ends or cuts when it likes.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from kit.listening import listening

GIVE_UP_SECONDS = 60.0  # no test of ours lasts as long
PAGE = "<!doctype html><link rel=icon href=data:,><title>tap</title>"  # asks for nothing else


@dataclass
class Exchange:
    """One request, and the way to answer it."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes
    writer: asyncio.StreamWriter

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        return self.target.partition("?")[2]

    async def begin(self, status: int = 200, **headers: str) -> None:
        """The head of a chunked response; `content_type` means Content-Type."""
        self._head(status, {"transfer_encoding": "chunked", **headers})
        await self.writer.drain()

    async def chunk(self, data: bytes) -> None:
        self.writer.write(b"%x\r\n%s\r\n" % (len(data), data))
        await self.writer.drain()

    async def finish(self) -> None:
        self.writer.write(b"0\r\n\r\n")
        await self.writer.drain()

    async def say(self, data: bytes, status: int = 200, **headers: str) -> None:
        """A whole response at once."""
        if status not in (204, 304):
            headers["content_length"] = str(len(data))
        self._head(status, headers)
        self.writer.write(data)
        await self.writer.drain()

    def cut(self) -> None:
        """Break the connection."""
        self.writer.transport.abort()

    def _head(self, status: int, headers: dict[str, str]) -> None:
        headers = {"content_type": "text/plain", "cache_control": "no-store", **headers}
        headers.setdefault("access_control_allow_origin", "*")
        lines = [f"HTTP/1.1 {status} Said"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join([*lines, "", ""]).encode())


Handler = Callable[[Exchange], Awaitable[None]]


class Drip:
    """A response let out by hand. `asked` is set when the request is there."""

    def __init__(self, **headers: str) -> None:
        self.asked = asyncio.Event()
        self._headers = headers
        self._exchange: Exchange | None = None
        self._over = asyncio.Event()

    async def __call__(self, exchange: Exchange) -> None:
        await exchange.begin(**self._headers)
        self._exchange = exchange
        self.asked.set()
        async with asyncio.timeout(GIVE_UP_SECONDS):
            await self._over.wait()

    async def let(self, data: bytes) -> None:
        """Let out one chunk, as soon as somebody asked."""
        await (await self._asked()).chunk(data)

    async def finish(self) -> None:
        await (await self._asked()).finish()
        self._over.set()

    async def cut(self) -> None:
        (await self._asked()).cut()
        self._over.set()

    async def _asked(self) -> Exchange:
        await self.asked.wait()
        assert self._exchange is not None
        return self._exchange


@dataclass
class Server:
    """What it says to whom. `asked` are the requests that came, oldest first."""

    port: int = 0
    handlers: dict[str, Handler] = field(default_factory=dict)
    asked: list[Exchange] = field(default_factory=list)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def page(self, path: str, html: str) -> None:
        """Say this page."""
        self.file(path, html.encode(), "text/html; charset=utf-8")

    def file(self, path: str, data: bytes, mime: str = "text/plain", **headers: str) -> None:
        """Say these bytes."""

        async def said(exchange: Exchange) -> None:
            await exchange.say(data, content_type=mime, **headers)

        self.handlers[path] = said

    def drip(self, path: str, **headers: str) -> Drip:
        """A response under our hand."""
        drip = self.handlers[path] = Drip(**headers)
        return drip

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (exchange := await _next(reader, writer)) is not None:
                self.asked.append(exchange)
                handler = self.handlers.get(exchange.path, _nothing)
                await handler(exchange)
        except (ConnectionError, asyncio.IncompleteReadError, TimeoutError):
            writer.transport.abort()
        except asyncio.CancelledError:  # the test is over
            writer.transport.abort()
        finally:
            writer.close()


async def _next(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Exchange | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *rest = head.rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {
        name.lower(): value.strip() for name, _, value in (one.partition(":") for one in rest)
    }
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Exchange(method, target, headers, body, writer)


async def _nothing(exchange: Exchange) -> None:
    await exchange.say(b"nothing here", 404)


@asynccontextmanager
async def serving() -> AsyncIterator[Server]:
    """A server on a free port of this machine, gone afterwards with all its connections."""
    server = Server()
    server.page("/", PAGE)
    async with listening(server.serve, limit=64 * 1024 * 1024) as port:
        server.port = port
        yield server
