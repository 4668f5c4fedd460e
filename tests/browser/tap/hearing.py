"""What a tap told, kept and waited for; and a tab on a local server with a tap on it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from browser.tap.server import Server
from tabwire.browser.tap.events import (
    BytesCame,
    Request,
    RequestLeft,
    ResponseBegan,
    ResponseEnded,
    TapEvent,
)
from tabwire.browser.tap.tap import Tap
from tabwire.cdp.connection import Session

SECONDS = 45.0  # one test, on a machine with others at work

T = TypeVar("T")


@dataclass
class Heard:
    """One request, from what was told of it."""

    requests: list[Request] = field(default_factory=list)
    began: ResponseBegan | None = None
    chunks: list[bytes] = field(default_factory=list)
    ends: list[ResponseEnded] = field(default_factory=list)

    @property
    def body(self) -> bytes:
        return b"".join(self.chunks)

    @property
    def how(self) -> str:
        (end,) = self.ends
        assert end.size == len(self.body)
        return end.how


class Hearing:
    """Give `hear` to a tap."""

    def __init__(self) -> None:
        self.events: list[TapEvent] = []
        self._waiters: list[tuple[Callable[[], Any], asyncio.Future[Any]]] = []

    def hear(self, event: TapEvent) -> None:
        self.events.append(event)
        for check, future in list(self._waiters):
            if not future.done() and (found := check()):
                future.set_result(found)

    async def until(self, check: Callable[[], T]) -> T:
        """Wait until it is true of what was heard."""
        if found := check():
            return found
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        waiter = (check, future)
        self._waiters.append(waiter)
        try:
            async with asyncio.timeout(SECONDS):
                return await future
        finally:
            self._waiters.remove(waiter)

    def all_of(self, kind: type[T]) -> list[T]:
        return [event for event in self.events if isinstance(event, kind)]

    def every(self, path: str) -> list[Heard]:
        """Each request whose first URL has this path, with all that belongs to it."""
        heard: dict[str, Heard] = {}
        for event in self.events:
            if isinstance(event, RequestLeft):
                request = event.request
                if request.id in heard or _path(request.url) == path:
                    heard.setdefault(request.id, Heard()).requests.append(request)
            elif (one := heard.get(getattr(event, "id", ""))) is not None:
                if isinstance(event, ResponseBegan):
                    assert one.began is None
                    one.began = event
                elif isinstance(event, BytesCame):
                    assert not one.ends
                    one.chunks.append(event.chunk)
                elif isinstance(event, ResponseEnded):
                    one.ends.append(event)
        return list(heard.values())

    def of(self, path: str) -> Heard:
        (one,) = self.every(path)
        return one

    async def ended(self, path: str, count: int = 1) -> Heard:
        """The request for this path, once so many of them are over; the newest."""
        await self.until(lambda: sum(bool(one.ends) for one in self.every(path)) >= count)
        return self.every(path)[-1]

    async def came(self, path: str, body: bytes) -> None:
        """Wait until these bytes were told, and no others."""
        await self.until(lambda: [one.body for one in self.every(path)] == [body])


def _path(url: str) -> str:
    return "/" + url.split("/", 3)[-1].partition("?")[0]


class Loaded(msgspec.Struct):
    name: str = ""


async def go(session: Session, url: str) -> None:
    """Go there and wait until it is loaded."""
    await session.call("Page.enable")
    await session.call("Page.setLifecycleEventsEnabled", {"enabled": True})
    with session.subscribe(["Page.lifecycleEvent"]) as life:
        loader = (await session.call("Page.navigate", {"url": url}))["loaderId"]
        async with asyncio.timeout(SECONDS):
            async for event in life:
                said = event.read()
                if said["loaderId"] == loader and said["name"] == "load":
                    return


async def run(session: Session, script: str) -> Any:
    """Run this in the page and wait for what it promises."""
    said = await session.call(
        "Runtime.evaluate",
        {"expression": script, "awaitPromise": True, "returnByValue": True},
        seconds=SECONDS,
    )
    assert "exceptionDetails" not in said, said
    return said["result"].get("value")


def interesting(request: Request) -> bool:
    """All but what a browser asks by itself."""
    return request.kind not in ("Document", "Other", "Script")


@asynccontextmanager
async def tapped(
    session: Session, wanted: Callable[[Request], bool] = interesting
) -> AsyncIterator[Hearing]:
    """A tap on this session."""
    hearing = Hearing()
    tap = Tap(session, wanted=wanted, hear=hearing.hear)
    await tap.arm()
    hearing.tap = tap
    try:
        yield hearing
    finally:
        tap.close()


@asynccontextmanager
async def tab_on(server: Server, session: Session, path: str = "/") -> AsyncIterator[Hearing]:
    """The page of a server, with a tap on it."""
    await go(session, server.url(path))
    async with tapped(session) as hearing:
        yield hearing
