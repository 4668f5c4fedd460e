"""What happens to a job, as server-sent events: `id` is the number of the event, `event` its name.

Whoever lost the line says the last number it saw, in `Last-Event-ID`, and goes on from there.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

import msgspec
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from tabwire.doors.http.codec import Wrong
from tabwire.hub import Ending, Guests

ALIVE_SECONDS = 15.0  # after which a comment says that we are still here
HEADERS = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]


class Told(Protocol):
    """One thing that happened: to a job, in Antigravity, or a change of the dashboard."""

    @property
    def number(self) -> int:
        """By which whoever lost the line says how far they heard."""

    @property
    def kind(self) -> str:
        """What it is."""


class NewsStream:
    """Tells news as they come, until there are no more or nobody listens.

    A hub that ends breaks off without the last event, `end`: the next hub goes on. `data` says
    what of each goes out as JSON: all of it, unless it is told otherwise.
    """

    def __init__(
        self,
        news: AsyncIterator[Any],
        guests: Guests,
        ending: Ending,
        data: Callable[[Any], Any] = lambda one: one,
    ) -> None:
        self._news: AsyncIterator[Told] = news
        self._data = data
        self._guests = guests
        self._ending = ending
        self._sending = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """As an ASGI response."""
        with self._guests.one_more():
            await self._serve(receive, send)

    async def _serve(self, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await self._send(send, b": news\n\n")  # leaves now, not with the first news
        async with asyncio.TaskGroup() as group:
            telling = group.create_task(self._tell(send))
            others = (
                group.create_task(_until_gone(receive)),
                group.create_task(self._stay_alive(send)),
                group.create_task(self._ending.asked()),
            )
            await asyncio.wait((telling, *others), return_when=asyncio.FIRST_COMPLETED)
            for task in (telling, *others):
                task.cancel()

    async def _tell(self, send: Send) -> None:
        async for one in self._news:
            data = msgspec.json.encode(self._data(one), enc_hook=str)
            kind = one.kind.encode()
            await self._send(send, b"id: %d\nevent: %s\ndata: %s\n\n" % (one.number, kind, data))
        await self._send(send, b"event: end\ndata: {}\n\n", more=False)

    async def _stay_alive(self, send: Send) -> None:
        while True:
            await asyncio.sleep(ALIVE_SECONDS)
            await self._send(send, b": still here\n\n")

    async def _send(self, send: Send, body: bytes, *, more: bool = True) -> None:
        async with self._sending:
            await send({"type": "http.response.body", "body": body, "more_body": more})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def last_seen(request: Request) -> int:
    """The number after which events are wanted. Raises `Wrong`."""
    said = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
    if not (said.isascii() and said.isdigit()) or len(said) > 15:
        raise Wrong(f"invalid Last-Event-ID: {said[:50]!r}", "Send the id of the last event.")
    return int(said)
