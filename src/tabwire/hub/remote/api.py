"""Requests to `/api/v1` of the hub, for everything that is remote: repeated where that is safe.

A lost connection is not a lost job. Whoever waits or listens here continues at the hub that
comes next, from where it was; what would act twice is not repeated.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, TypeVar

import msgspec

from tabwire.hub.process.starter import ensure_hub
from tabwire.hub.remote.connection import LineLost, NoHub, asked, told_by
from tabwire.model.ask_errors import BadAsk
from tabwire.model.errors import TabwireError
from tabwire.model.failure import FAILED_CODE, Failure
from tabwire.model.job import NoSuchJob
from tabwire.wire.sse import SseDecoder, SseEvent

T = TypeVar("T")

BASE = "/api/v1"
HELD_SECONDS = 30.0  # that one request may wait for a job; then the next one does
BACK_SECONDS = 30.0  # for a hub that went away to come back
ENDING = 503  # the status with which a hub that is about to end sends everybody away
PAUSE_SECONDS = 0.1  # before it is looked for again


class HubSaid(TabwireError):
    """What the hub answered where it could not do as it was asked. `code` is for programs."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message, what_to_do=failure.what_to_do, retry=failure.retry)
        self.code, self.exit_code = failure.code, failure.exit_code
        self.resets_at, self.debug = failure.resets_at, failure.debug


class _Subject(msgspec.Struct):
    """Which job or site a failure is about."""

    job_id: str = ""
    site: str | None = None


class Api:
    """The API of the hub of this person. `start`: where none runs, one is started."""

    def __init__(self, *, start: bool = True) -> None:
        self._start = start

    async def get(self, path: str, kind: type[T], *, held: float = 0.0) -> T:
        """What the hub returns; `held` is how long it may wait before it does."""
        return read(await self.sure("GET", path, held=held), kind)

    async def post(
        self, path: str, body: Mapping[str, Any], kind: type[T], *, repeat: bool = False
    ) -> T:
        """What the hub returns. `repeat`: a lost response is asked for again, being idempotent."""
        return read(await self.sure("POST", path, encoded(body), repeat=repeat), kind)

    async def once(self, method: str, path: str, kind: type[T], body: bytes = b"") -> T:
        """The same, of a hub that runs now. Raises `NoHub`, `LineLost`; never starts one."""
        return read(await asked(method, BASE + path, body), kind)

    async def sure(
        self, method: str, path: str, body: bytes = b"", *, held: float = 0.0, repeat: bool = True
    ) -> tuple[int, bytes]:
        """An answer, also from a hub that has to be started or that comes back in a while."""
        until = time.monotonic() + BACK_SECONDS
        while True:
            try:
                await self._there()
                found = await asked(method, BASE + path, body, held=held)
                if found[0] != ENDING:
                    return found
                raise LineLost
            except (LineLost, NoHub) as lost:
                once = isinstance(lost, LineLost) and not repeat
                if once or time.monotonic() >= until:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    async def _there(self) -> None:
        if self._start:
            await asyncio.to_thread(ensure_hub)

    async def stream(
        self, path: str, after: int, decode: "Callable[[SseEvent], tuple[int, T]]"
    ) -> AsyncIterator[T]:
        """Events since number `after`, also across hubs: continues from the last one seen."""
        lost_at: float | None = None
        while True:
            try:
                await self._there()
                async for event in self._events(path, after):
                    lost_at = None
                    if event is None:
                        return
                    number, value = decode(event)
                    after = max(after, number)
                    yield value
            except (LineLost, NoHub):
                now = time.monotonic()
                lost_at = lost_at or now
                if now - lost_at >= BACK_SECONDS:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    async def _events(self, path: str, after: int) -> AsyncIterator[SseEvent | None]:
        decoder = SseDecoder()
        headers = {"last-event-id": str(after), "accept": "text/event-stream"}
        async with told_by("GET", BASE + path, headers) as (status, chunks):
            if status == ENDING:
                raise LineLost
            if status != 200:
                body = b"".join([chunk async for chunk in chunks])
                read((status, body), dict[str, Any])
            async for chunk in chunks:
                for event in decoder.feed(chunk):
                    if not isinstance(event, SseEvent):
                        continue
                    if event.name == "end":
                        yield None
                        return
                    yield event
        raise LineLost  # it ended without saying so


def encoded(body: Mapping[str, Any]) -> bytes:
    """A body as it is sent."""
    return msgspec.json.encode(body)


def read(answer: tuple[int, bytes], kind: type[T]) -> T:
    """The body of a response. Raises what the hub says instead."""
    status, body = answer
    if status < 400:
        return msgspec.json.decode(body, type=kind)
    try:
        failure = msgspec.json.decode(body, type=Failure)
        about = msgspec.json.decode(body, type=_Subject)
    except msgspec.DecodeError:
        what = f"the hub answered {status}"
        raise HubSaid(Failure(FAILED_CODE, what, "`tabwire logs` says more.")) from None
    if failure.code == NoSuchJob.code:
        raise NoSuchJob(about.job_id)
    if failure.code == BadAsk.code and about.site is not None:
        raise BadAsk(about.site, failure.message, failure.what_to_do)
    raise HubSaid(failure)
