"""A page and a long answer under a site's name, as fast as loopback goes.

The lab's replicas write their answers piece by piece, which takes longer than reading them: what
a page pays for being listened to would not show. Here the answer lies ready.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from tabwire.lab.certificate import make_certificate
from tabwire.lab.serve import LOOPBACK, flags_for_lab

HOST = "chatgpt.com"
ANSWER = "/backend-api/f/conversation"
PAGE = b"<!doctype html><html lang=en><title>fast</title><p>ready</p>"
PIECE = 16 * 1024  # what a TLS record holds


Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def fast_site(answer: bytes) -> AsyncIterator[tuple[str, ...]]:
    """The flags of a browser in which it is that site."""
    certificate = make_certificate((HOST,))
    context = certificate.context()
    context.set_alpn_protocols(["http/1.1"])
    server = await asyncio.start_server(_serving(answer), LOOPBACK, 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    async with server:
        yield flags_for_lab(port, certificate.spki, (HOST,))


def _serving(answer: bytes) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await reader.readexactly(_length(head))
                path = head.split(b" ", 2)[1].decode()
                if path == ANSWER:
                    _head(writer, b"text/event-stream", len(answer))
                    for start in range(0, len(answer), PIECE):
                        writer.write(answer[start : start + PIECE])
                        await writer.drain()
                else:
                    body = PAGE if path == "/" else b""
                    _head(writer, b"text/html", len(body))
                    writer.write(body)
        except (asyncio.IncompleteReadError, ConnectionError, ssl.SSLError):
            pass  # the browser has gone
        finally:
            writer.close()

    return serve


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


def _head(writer: asyncio.StreamWriter, kind: bytes, size: int) -> None:
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n" % (kind, size)
    )
