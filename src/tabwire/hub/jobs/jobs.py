"""Jobs, for the doors: hand one in, wait for it, hear of it, stop it, find it again.

Doors are waiters. A job goes on when nobody waits any more, and its answer is kept.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Coroutine, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from tabwire.hub.jobs.ask_runner import check
from tabwire.hub.jobs.board import FAR, Entry, JobBoard
from tabwire.hub.jobs.books import Books, is_alive
from tabwire.hub.jobs.worker import job_of
from tabwire.model.ask import LAB, Answered, AskRequest, Step
from tabwire.model.job import Asker, Job, JobState, NoSuchJob
from tabwire.model.job_events import JobEvent, StateChanged
from tabwire.queue.engine import Engine
from tabwire.store.rows import UNFINISHED, Attempt

JUST_FINISHED_SECONDS = 60.0
"""The same question of the same agent so soon after its answer is a client that tries again."""

STOP_SECONDS = 10.0  # for a site to stop writing after its Stop was pressed

T = TypeVar("T")

_begun: set[asyncio.Task[Any]] = set()
"""Held until they end: the loop alone would forget them."""


async def to_the_end(doing: Coroutine[Any, Any, T]) -> T:
    """Do it in a task of its own, and wait for that; who is cancelled here stops only waiting.

    A client that gives up cancels what waits for it, at every place where it waits. Between a job
    that is on disk and the queue that carries it out, that would leave a job nobody carries.
    """
    task = asyncio.get_running_loop().create_task(doing)
    _begun.add(task)
    task.add_done_callback(_over)
    return await asyncio.shield(task)


def _over(task: asyncio.Task[Any]) -> None:
    _begun.discard(task)
    if not task.cancelled():
        task.exception()  # looked at, also where nobody waits for it any more


class Jobs:
    """All jobs of this hub. `lab`: it asks stand-ins of the sites, and lists only such jobs;
    a hub that asks the sites lists none of them."""

    def __init__(self, books: Books, engine: Engine, board: JobBoard, *, lab: bool = False) -> None:
        self._lab = lab
        self._books = books
        self._store = books.store
        self._engine = engine
        self._board = board

    async def go_on(self) -> None:
        """Take up what a hub before this one left behind."""
        await self._store.abandon(time.time(), is_alive)
        for row in await self._store.waiting():
            if row.owner == self._books.owner or not is_alive(row.owner):
                await self._begin(row)

    @property
    def under_way(self) -> int:
        """How many are not at rest."""
        return len(self._board.active())

    def tell_all(self, words: str) -> None:
        """A word to everybody who waits: a person has to let us into the browser, say."""
        for entry in self._board.active():
            entry.note(words)

    async def submit(
        self, requests: Sequence[AskRequest], asker: Asker, *, again: bool = False
    ) -> tuple[Job, ...]:
        """Put questions to their sites; one job for each, in order, on disk when this returns.

        The same question (site, conversation, prompt, files, `client_key`) that is on its way or
        was just answered gives that job, with `joined` set. Raises `BadAsk` for what cannot be
        meant; then none of them is begun.
        """
        for request in requests:
            check(request)
        return await to_the_end(self._submit(requests, asker, again=again))

    async def _submit(
        self, requests: Sequence[AskRequest], asker: Asker, *, again: bool
    ) -> tuple[Job, ...]:
        jobs = []
        for request in requests:
            now = time.time()
            if self._lab:
                request = replace(request, browser=LAB)
            row, fresh = await self._store.begin(
                request,
                self._books.owner,
                now,
                again=again,
                asker=asker,
                queued=True,
                done_after=now - JUST_FINISHED_SECONDS,
            )
            entry = await self._seen_to(row)
            job = job_of(row) if entry is None else entry.job
            jobs.append(replace(job, joined=not fresh))
        return tuple(jobs)

    async def job(self, job_id: str) -> Job | None:
        """As it is now."""
        if (entry := self._board.get(job_id)) is not None:
            return entry.job
        row = await self._store.attempt(job_id)
        return None if row is None else job_of(row)

    async def wait(self, job_ids: Sequence[str], seconds: float | None = None) -> tuple[Job, ...]:
        """As they are when all of them rest, or when the time is over. Raises `NoSuchJob`."""
        entries = [await self._entry(job_id) for job_id in job_ids]
        try:
            async with asyncio.timeout(seconds):
                for entry in entries:
                    if isinstance(entry, Entry):
                        await entry.rests.wait()
        except TimeoutError:
            pass  # as they are
        return tuple(one.job if isinstance(one, Entry) else one for one in entries)

    async def news(self, job_id: str, *, after: int = 0) -> AsyncIterator[JobEvent]:
        """What happened since the event with that number, then what happens; ends when it rests.

        Before a hub was restarted is not known any more: its numbers go on all the same.
        Raises `NoSuchJob`.
        """
        entry = await self._entry(job_id)
        if isinstance(entry, Entry):
            async for one in entry.news(after):
                yield one
        else:
            for one in _last_words(entry, await self._row(job_id)):
                if one.number > after:
                    yield one

    async def stop(self, job_id: str) -> Job:
        """Press the site's Stop; what was written until then is the answer. Raises `NoSuchJob`."""
        entry = await self._entry(job_id)
        if not isinstance(entry, Entry) or entry.job.at_rest:
            return entry.job if isinstance(entry, Entry) else entry
        if (await self._row(job_id)).step is Step.NEW:
            return await self.cancel(job_id)
        entry.control.stop_site()
        await _at_most(STOP_SECONDS, entry.rests)
        return entry.job

    async def cancel(self, job_id: str) -> Job:
        """Nobody wants it any more: not begun if it waits, stopped at the site if it runs."""
        return await to_the_end(self._cancel(job_id))

    async def _cancel(self, job_id: str) -> Job:
        row = await self._row(job_id)
        if not await self._store.cancel(job_id, time.time()):
            return job_of(await self._row(job_id))
        entry = self._board.get(job_id)
        if entry is not None:
            entry.be(job_of(await self._row(job_id)))
            if row.step is not Step.NEW:
                entry.control.stop_site()
                await _at_most(STOP_SECONDS, entry.over)
        await self._engine.drop(job_id)
        row = await self._row(job_id)
        if entry is not None:
            entry.be(job_of(row))
            entry.end()
        return job_of(row)

    async def resume(self, job_id: str) -> Job:
        """Look again for the answer of one that rests and may have been sent. Nothing is sent
        twice; one that cannot be gone on with stays as it is. Raises `NoSuchJob`."""
        row = await self._row(job_id)
        may = row.state in (JobState.INPUT_REQUIRED, JobState.FAILED) and row.step in UNFINISHED
        if may and row.step is not Step.NEW:
            await self._wake(row)
            row = await self._row(job_id)
        entry = self._board.get(job_id)
        return job_of(row) if entry is None else entry.job

    async def changed(self, seen: int) -> int:
        """How often anything happened to a job here, when it is more often than was seen."""
        return await self._board.changes.after(seen)

    async def recent(
        self,
        limit: int = 20,
        *,
        states: Collection[JobState] = (),
        site: str | None = None,
        agent: str | None = None,
        before: str | None = None,
    ) -> tuple[Job, ...]:
        """The newest, newest first; `before` is the id of the last one seen."""
        rows = await self._store.jobs(
            limit, states=states, site=site, agent=agent, before=before, lab=self._lab
        )
        return tuple(self._now(row) for row in rows)

    async def search(
        self, words: str, *, site: str | None = None, limit: int = 20
    ) -> tuple[Job, ...]:
        """Jobs whose question or answer has these words, newest first."""
        rows = await self._store.search(words, site=site, limit=limit, lab=self._lab)
        return tuple(self._now(row) for row in rows)

    # --- inside ----------------------------------------------------------------------------------

    def _now(self, row: Attempt) -> Job:
        entry = self._board.get(row.id)
        return job_of(row) if entry is None or entry.over.is_set() else entry.job

    async def _row(self, job_id: str) -> Attempt:
        row = await self._store.attempt(job_id)
        if row is None:
            raise NoSuchJob(job_id)
        return row

    async def _entry(self, job_id: str) -> Entry | Job:
        """Its entry while it is under way; as it rests, else."""
        if (entry := self._board.get(job_id)) is not None:
            return entry
        row = await self._row(job_id)
        return await self._begin(row) if row.state is JobState.WORKING else job_of(row)

    async def _seen_to(self, row: Attempt) -> Entry | None:
        """Somebody carries it out, also where the same is asked again and its answer may be
        found by now. Its entry; None where it rests."""
        if row.state is JobState.WORKING:
            return await self._begin(row)
        if row.state is JobState.INPUT_REQUIRED and row.step in UNFINISHED:
            return await self._wake(row)
        return None

    async def _wake(self, row: Attempt) -> Entry:
        return await to_the_end(self._woken(row))

    async def _woken(self, row: Attempt) -> Entry:
        await self._store.queue(row.id)
        row = await self._row(row.id)
        if (entry := self._board.get(row.id)) is not None:
            entry.wake()
        return await self._begin(row)

    async def _begin(self, row: Attempt) -> Entry:
        return await to_the_end(self._begun(row))

    async def _begun(self, row: Attempt) -> Entry:
        entry = self._board.put(job_of(row), row.carried)
        if row.position is None:
            await self._store.queue(row.id)
            row = await self._row(row.id)
        assert row.position is not None
        await self._engine.add(row.id, lane=row.request.site, position=row.position)
        return entry


async def _at_most(seconds: float, event: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        pass


def _last_words(job: Job, row: Attempt) -> tuple[JobEvent, ...]:
    """Of a job that rested before this hub began, or long ago."""
    number, site, when = max(1, row.carried) * FAR - 1, job.request.site, job.updated_at
    at = time.monotonic() - (time.time() - when)
    words = [JobEvent(job.id, number, when, StateChanged(site, job.state, job.error, at))]
    if job.answer is not None:
        answered = Answered(site, job.answer, at)
        words.insert(0, JobEvent(job.id, number - 1, when, answered))
    return tuple(words)
