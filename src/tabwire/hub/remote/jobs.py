"""The jobs of the hub, from another process: `Jobs` over `/api/v1`."""

import time
from collections.abc import AsyncIterator, Collection, Sequence
from urllib.parse import quote, urlencode

import msgspec

from tabwire.hub.remote.api import HELD_SECONDS, Api, read
from tabwire.model.ask import AskRequest
from tabwire.model.job import Asker, Job, JobState
from tabwire.model.job_events import JobEvent, read_job_event
from tabwire.wire.sse import SseEvent


class _Some(msgspec.Struct):
    jobs: tuple[Job, ...]


class RemoteJobs:
    """The jobs of a hub in another process."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def submit(
        self, requests: Sequence[AskRequest], asker: Asker, *, again: bool = False
    ) -> tuple[Job, ...]:
        """As `Jobs.submit`. A lost response is asked for again: the same question is one job."""
        body = {
            "requests": requests,
            "agent": asker.agent,
            "again": again,
            "door": asker.door,
            "client": asker.client,
            "project": asker.project,
        }
        return (await self._api.post("/jobs", body, _Some, repeat=not again)).jobs

    async def job(self, job_id: str) -> Job | None:
        """As `Jobs.job`."""
        status, body = await self._api.sure("GET", _path(job_id))
        return None if status == 404 else read((status, body), Job)

    async def wait(self, job_ids: Sequence[str], seconds: float | None = None) -> tuple[Job, ...]:
        """As `Jobs.wait`; a hub that is restarted meanwhile does not end it."""
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            left = HELD_SECONDS if until is None else max(0.0, until - time.monotonic())
            held = min(HELD_SECONDS, left)
            query = urlencode([("seconds", f"{held:.3f}"), *(("id", one) for one in job_ids)])
            jobs = (await self._api.get(f"/wait?{query}", _Some, held=held)).jobs
            over = until is not None and time.monotonic() >= until
            if over or all(job.at_rest for job in jobs):
                return jobs

    async def news(self, job_id: str, *, after: int = 0) -> AsyncIterator[JobEvent]:
        """As `Jobs.news`; continues from the last event where the connection was lost."""
        async for one in self._api.stream(f"{_path(job_id)}/news", after, _event):
            if one is not None:
                yield one

    async def stop(self, job_id: str) -> Job:
        """As `Jobs.stop`. Idempotent, so a lost response is asked for again."""
        return await self._api.post(f"{_path(job_id)}/stop", {}, Job, repeat=True)

    async def cancel(self, job_id: str) -> Job:
        """As `Jobs.cancel`. Idempotent."""
        return await self._api.post(f"{_path(job_id)}/cancel", {}, Job, repeat=True)

    async def resume(self, job_id: str) -> Job:
        """As `Jobs.resume`. Idempotent."""
        return await self._api.post(f"{_path(job_id)}/resume", {}, Job, repeat=True)

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
        return (await self._api.get(f"/jobs?{urlencode(said)}", _Some)).jobs

    async def search(
        self, words: str, *, site: str | None = None, limit: int = 20
    ) -> tuple[Job, ...]:
        """As `Jobs.search`."""
        said = {"words": words, "limit": str(limit), **({"site": site} if site else {})}
        return (await self._api.get(f"/jobs?{urlencode(said)}", _Some)).jobs


def _path(job_id: str) -> str:
    return f"/jobs/{quote(job_id, safe='')}"


def _event(event: SseEvent) -> tuple[int, JobEvent | None]:
    told = read_job_event(event.data, now=time.time(), monotonic=time.monotonic())
    return (0 if told is None else told.number), told
