"""The hub's jobs, from another process: the same words as `Jobs`, over the hub's socket.

A line that is lost is no lost job. Whoever waits or listens here goes on at the hub that comes
next, from where it was; what would act twice is not repeated by itself.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import msgspec

from tabwire.hub.process.starter import ensure_hub
from tabwire.hub.remote.connection import LineLost, NoHub, asked, told_by
from tabwire.model.ask import AskRequest
from tabwire.model.ask_errors import BadAsk
from tabwire.model.errors import Retry, TabwireError
from tabwire.model.exits import FAILED
from tabwire.model.job import Asker, Job, JobState, News
from tabwire.wire.sse import SseDecoder, SseEvent

T = TypeVar("T")

BASE = "/api/v1"
HELD_SECONDS = 30.0  # that one request may wait for a job; then the next one does
BACK_SECONDS = 30.0  # for a hub that went away to come back
ENDING = 503  # the status with which a hub that is about to end sends everybody away
PAUSE_SECONDS = 0.1  # before it is looked for again


class HubSaid(TabwireError):
    """What the hub answered where it could not do as it was asked. `code` is for programs."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__(
            str(told.get("message", "the hub refused")),
            what_to_do=str(told.get("what_to_do", "`tabwire logs` says more.")),
            retry=Retry(told.get("retry", "no")),
        )
        self.code = str(told.get("code", "failed"))
        self.exit_code = int(told.get("exit_code", FAILED))


class HubStatus(msgspec.Struct, frozen=True):
    """What a hub says of itself."""

    version: str
    pid: int
    port: int
    home: str
    browser: str
    started_at: float
    uptime_seconds: float
    guests: int
    working: list[dict[str, str]]


class _Some(msgspec.Struct):
    jobs: tuple[Job, ...]


class RemoteHub:
    """A hub in another process. `start`: where none runs, one is started."""

    def __init__(self, *, start: bool = True) -> None:
        self._start = start

    async def status(self) -> HubStatus:
        """What it says of itself. Raises `NoHub`; never starts one."""
        return _read(await asked("GET", f"{BASE}/status"), HubStatus)

    async def shutdown(self, *, restart: bool = False) -> int:
        """Tell it to end; its pid. Raises `NoHub`."""
        told = _read(
            await asked("POST", f"{BASE}/shutdown", _body(restart=restart)), dict[str, int]
        )
        return told["pid"]

    async def submit(
        self, requests: Sequence[AskRequest], asker: Asker, *, again: bool = False
    ) -> tuple[Job, ...]:
        """As `Jobs.submit`. A lost answer is asked for again: the same question is one job."""
        body = _body(
            requests=requests,
            agent=asker.agent,
            again=again,
            door=asker.door,
            client=asker.client,
            project=asker.project,
        )
        found = await self._sure("POST", f"{BASE}/jobs", body, repeat=not again)
        return _read(found, _Some).jobs

    async def job(self, job_id: str) -> Job | None:
        """As `Jobs.job`."""
        status, body = await self._sure("GET", _path(job_id))
        return None if status == 404 else _read((status, body), Job)

    async def wait(self, job_ids: Sequence[str], seconds: float | None = None) -> tuple[Job, ...]:
        """As `Jobs.wait`; a hub that is restarted meanwhile does not end it."""
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            left = HELD_SECONDS if until is None else max(0.0, until - time.monotonic())
            held = min(HELD_SECONDS, left)
            query = urlencode([("seconds", f"{held:.3f}"), *(("id", one) for one in job_ids)])
            found = await self._sure("GET", f"{BASE}/wait?{query}", held=held)
            jobs = _read(found, _Some).jobs
            over = until is not None and time.monotonic() >= until
            if over or all(job.at_rest for job in jobs):
                return jobs

    async def news(self, job_id: str, *, after: int = 0) -> AsyncIterator[News]:
        """As `Jobs.news`; goes on from the last one where the line was lost."""
        lost_at: float | None = None
        while True:
            try:
                await self._there()
                async for one in self._told(job_id, after):
                    lost_at = None
                    if one is None:
                        return
                    after = max(after, one.number)
                    yield one
            except (LineLost, NoHub):
                now = time.monotonic()
                lost_at = lost_at or now
                if now - lost_at >= BACK_SECONDS:
                    raise
            await asyncio.sleep(PAUSE_SECONDS)

    async def _told(self, job_id: str, after: int) -> AsyncIterator[News | None]:
        decoder = SseDecoder()
        headers = {"last-event-id": str(after), "accept": "text/event-stream"}
        async with told_by("GET", f"{_path(job_id)}/news", headers) as (status, chunks):
            if status == ENDING:
                raise LineLost
            if status != 200:
                body = b"".join([chunk async for chunk in chunks])
                _read((status, body), dict[str, Any])
            async for chunk in chunks:
                for event in decoder.feed(chunk):
                    if not isinstance(event, SseEvent):
                        continue
                    if event.name == "end":
                        yield None
                        return
                    yield msgspec.json.decode(event.data, type=News)
        raise LineLost  # it ended without saying so

    async def stop(self, job_id: str) -> Job:
        """As `Jobs.stop`. Twice is once, so a lost answer is asked for again."""
        return _read(await self._sure("POST", f"{_path(job_id)}/stop", b"{}"), Job)

    async def cancel(self, job_id: str) -> Job:
        """As `Jobs.cancel`."""
        return _read(await self._sure("POST", f"{_path(job_id)}/cancel", b"{}"), Job)

    async def recent(
        self,
        limit: int = 20,
        *,
        states: Collection[JobState] = (),
        site: str | None = None,
        agent: str | None = None,
        before: str | None = None,
    ) -> tuple[Job, ...]:
        """As `Jobs.recent`."""
        said = [("limit", str(limit)), *(("state", str(one)) for one in states)]
        named = {"site": site, "agent": agent, "before": before}
        said += [(name, value) for name, value in named.items() if value]
        return _read(await self._sure("GET", f"{BASE}/jobs?{urlencode(said)}"), _Some).jobs

    async def search(
        self, words: str, *, site: str | None = None, limit: int = 20
    ) -> tuple[Job, ...]:
        """As `Jobs.search`."""
        said = {"words": words, "limit": str(limit), **({"site": site} if site else {})}
        return _read(await self._sure("GET", f"{BASE}/jobs?{urlencode(said)}"), _Some).jobs

    async def dashboard(self) -> dict[str, Any]:
        """An address that opens the dashboard in a browser, once, and how long it does."""
        return _read(await self._sure("POST", f"{BASE}/dashboard", b"{}"), dict[str, Any])

    async def extensions(self) -> dict[str, Any]:
        """As `Relays.status`. Raises `NoHub` where none runs and none shall be started."""
        return _read(await self._sure("GET", f"{BASE}/extensions"), dict[str, Any])

    async def extension_dump(self) -> dict[str, Any]:
        """As `Relays.dump`."""
        return _read(await self._sure("GET", f"{BASE}/extensions/dump"), dict[str, Any])

    async def pair_extension(self) -> dict[str, Any]:
        """As `Relays.pair`."""
        return _read(await self._sure("POST", f"{BASE}/extensions/pair", b"{}"), dict[str, Any])

    async def paired_extension(self, seconds: float = HELD_SECONDS) -> dict[str, Any]:
        """As `Relays.paired`."""
        path = f"{BASE}/extensions/paired?seconds={seconds:g}"
        return _read(await self._sure("GET", path, held=seconds), dict[str, Any])

    async def use_extension(self, name: str) -> dict[str, Any]:
        """As `Relays.use`."""
        found = await self._sure("POST", f"{BASE}/extensions/use", _body(name=name))
        return _read(found, dict[str, Any])

    async def forget_extension(self, name: str) -> dict[str, Any]:
        """As `Relays.forget`. A lost answer is not asked for again: the name would be unknown."""
        path = f"{BASE}/extensions/forget"
        return _read(await self._sure("POST", path, _body(name=name), repeat=False), dict[str, Any])

    async def _sure(
        self, method: str, path: str, body: bytes = b"", *, held: float = 0.0, repeat: bool = True
    ) -> tuple[int, bytes]:
        """An answer, also from a hub that has to be started or that comes back in a while."""
        until = time.monotonic() + BACK_SECONDS
        while True:
            try:
                await self._there()
                found = await asked(method, path, body, held=held)
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


async def said_of(
    hub: RemoteHub,
    method: str,
    path: str,
    body: Mapping[str, Any],
    kind: type[T],
    *,
    wait: bool = True,
) -> T:
    """One question about something else than jobs. `wait`: also for a hub that is started or
    comes back. What was asked of it is never repeated."""
    said = msgspec.json.encode(body) if method == "POST" else b""  # unread, it would break the line
    if not wait:
        return _read(await asked(method, path, said), kind)
    return _read(await hub._sure(method, path, said, repeat=False), kind)


def _path(job_id: str) -> str:
    return f"{BASE}/jobs/{quote(job_id, safe='')}"


def _body(**fields: Any) -> bytes:
    return msgspec.json.encode(fields)


def _read(answer: tuple[int, bytes], kind: type[T]) -> T:
    status, body = answer
    if status < 400:
        return msgspec.json.decode(body, type=kind)
    try:
        told = msgspec.json.decode(body, type=dict[str, Any])
    except msgspec.DecodeError:
        told = {"message": f"the hub answered {status}"}
    if told.get("code") == "no_such_job":
        raise KeyError(told.get("message"))
    error = HubSaid(told)
    if isinstance(site := told.get("site"), str) and error.code == BadAsk.code:
        raise BadAsk(site, str(error), error.what_to_do) from None
    raise error
