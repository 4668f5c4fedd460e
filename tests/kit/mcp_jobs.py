"""A hub whose jobs do what a test says, for tests of the protocol.

It keeps the contract of `hub/jobs/jobs.py` for real: jobs are kept, the same question of the same
agent is one job, waiting wakes when a job rests, news have numbers. What it does not have is a
browser: a test says `answer(job_id, …)` where a site would.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from tabwire.config.settings import Settings
from tabwire.hub.browsers.routes import InUse
from tabwire.hub.changes import Changes
from tabwire.hub.jobs.jobs import Jobs
from tabwire.hub.local.browsers import LocalBrowsers
from tabwire.hub.local.hub import LocalHub
from tabwire.hub.relay.relays import Relays
from tabwire.hub.sessions.sessions import Chat, Session, Sessions
from tabwire.model.ask import (
    Answer,
    Answered,
    AskEvent,
    AskRequest,
    Completeness,
    Phase,
    PhaseBegan,
    Step,
    Timings,
)
from tabwire.model.ask_errors import BadAsk
from tabwire.model.errors import Retry
from tabwire.model.failure import Failure, exit_code_of
from tabwire.model.job import Asker, Job, JobState, NoSuchJob
from tabwire.model.job_events import JobEvent, StateChanged


class ScriptedJobs(Jobs):
    """Jobs that a test carries out by hand. `prompt == "now"` is answered at once."""

    def __init__(self) -> None:
        self.all: dict[str, Job] = {}
        self.told: dict[str, list[JobEvent]] = {}
        self.submitted = 0
        self._changed = asyncio.Condition()
        self._changes = Changes()

    # --- what a test says ----------------------------------------------------------------

    async def until(self, count: int) -> list[Job]:
        """The jobs there are, when there are that many."""
        async with self._changed:
            await self._changed.wait_for(lambda: len(self.all) >= count)
        return list(self.all.values())

    async def becomes(self, job_id: str, state: JobState) -> None:
        """Return when it is in this state."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.all[job_id].state is state)

    async def at(self, job_id: str, phase: Phase, characters: int = 0, ago: float = 0.0) -> None:
        """It is doing this now, and has been for `ago` seconds."""
        event = PhaseBegan(self.all[job_id].request.site, phase, time.monotonic() - ago)
        at = time.time() - ago
        await self.happens(job_id, event, phase=phase, phase_at=at, characters=characters)

    async def answer(self, job_id: str, text: str, **more: Any) -> None:
        """It has an answer."""
        job = self.all[job_id]
        answer = Answer(
            job_id,
            job.request.site,
            job.request.prompt,
            text,
            more.pop("completeness", Completeness.COMPLETE),
            "the stream said so",
            conversation_id=f"conversation-{job_id}",
            url=f"https://example.org/c/{job_id}",
            model="model-5",
            evidence=("network_stream",),
            timings=Timings(connect=1.0, wait_input=2.0, total=3.5),
            **more,
        )
        await self.happens(
            job_id,
            Answered(job.request.site, answer, time.monotonic()),
            state=JobState.COMPLETED,
            step=Step.DONE,
            answer=answer,
            conversation_id=answer.conversation_id,
            url=answer.url,
        )

    async def fail(
        self,
        job_id: str,
        code: str,
        retry: Retry,
        state: JobState = JobState.FAILED,
        *,
        what_to_do: str = "Do something about it.",
        debug: dict[str, object] | None = None,
    ) -> None:
        """It comes to nothing."""
        waits = state is JobState.INPUT_REQUIRED and retry is not Retry.RESUME
        ends_with = exit_code_of(code, needs_you=waits)
        error = Failure(code, f"it failed: {code}", what_to_do, retry, None, debug, ends_with)
        await self.happens(job_id, None, state=state, error=error)

    async def happens(
        self, job_id: str, event: AskEvent | StateChanged | None, **changes: Any
    ) -> None:
        """The job changes, and this is told of it: its state, where nothing else is."""
        async with self._changed:
            now = time.time()
            job = self.all[job_id] = replace(self.all[job_id], updated_at=now, **changes)
            state = StateChanged(job.request.site, job.state, job.error, time.monotonic())
            told = self.told.setdefault(job_id, [])
            told.append(JobEvent(job_id, len(told) + 1, now, event or state))
            self._changed.notify_all()
            self._changes.one()

    # --- the contract --------------------------------------------------------------------

    async def submit(
        self, requests: Sequence[AskRequest], asker: Asker, *, again: bool = False
    ) -> tuple[Job, ...]:
        for request in requests:
            if not request.prompt.strip():
                raise BadAsk(request.site, "the prompt is empty", "Write what you want to ask.")
        jobs = []
        for request in requests:
            same = [job for job in self.all.values() if _is_same(job.request, request)]
            if same and not again:
                jobs.append(replace(same[-1], joined=True))
                continue
            self.submitted += 1
            now = time.time()
            name = f"job-{len(self.all) + 1}"
            async with self._changed:
                self.all[name] = Job(name, request, asker, JobState.WORKING, Step.NEW, now, now)
                self._changed.notify_all()
                self._changes.one()
            if request.prompt == "now":
                await self.answer(name, f"answer of {request.site}")
            jobs.append(self.all[name])
        return tuple(jobs)

    def _known(self, job_id: str) -> None:
        if job_id not in self.all:
            raise NoSuchJob(job_id)

    async def job(self, job_id: str) -> Job | None:
        return self.all.get(job_id)

    async def wait(self, job_ids: Sequence[str], seconds: float | None = None) -> tuple[Job, ...]:
        def rest() -> bool:
            return all(self.all[one].at_rest for one in job_ids)

        for job_id in job_ids:
            self._known(job_id)
        async with self._changed:
            try:
                async with asyncio.timeout(seconds):
                    await self._changed.wait_for(rest)
            except TimeoutError:
                pass
        return tuple(self.all[one] for one in job_ids)

    async def news(self, job_id: str, *, after: int = 0) -> AsyncIterator[JobEvent]:
        number = after
        while True:
            for one in self.told.get(job_id, [])[number:]:
                number = one.number
                yield one
            if self.all[job_id].at_rest:
                return
            async with self._changed:
                await self._changed.wait()

    async def stop(self, job_id: str) -> Job:
        self._known(job_id)
        await self.answer(job_id, "as far as it got", completeness=Completeness.STOPPED)
        return self.all[job_id]

    async def resume(self, job_id: str) -> Job:
        await self.happens(job_id, None, state=JobState.WORKING, error=None)
        return self.all[job_id]

    async def cancel(self, job_id: str) -> Job:
        self._known(job_id)
        await self.happens(job_id, None, state=JobState.CANCELLED)
        return self.all[job_id]

    async def changed(self, seen: int) -> int:
        return await self._changes.after(seen)

    async def recent(
        self,
        limit: int = 20,
        *,
        states: Collection[JobState] = (),
        site: str | None = None,
        agent: str | None = None,
        before: str | None = None,
    ) -> tuple[Job, ...]:
        newest = list(reversed(self.all.values()))
        if before is not None:
            newest = newest[[job.id for job in newest].index(before) + 1 :]
        return tuple(
            job
            for job in newest
            if (not states or job.state in states)
            and site in (None, job.request.site)
            and agent in (None, job.asker.agent)
        )[:limit]

    async def search(
        self, words: str, *, site: str | None = None, limit: int = 20
    ) -> tuple[Job, ...]:
        return tuple(
            job
            for job in await self.recent(limit, site=site)
            if words in job.request.prompt or (job.answer and words in job.answer.text)
        )


def _is_same(one: AskRequest, other: AskRequest) -> bool:
    def key(request: AskRequest) -> tuple[object, ...]:
        return (
            request.site,
            request.conversation_id,
            request.prompt,
            request.files,
            request.client_key,
        )

    return key(one) == key(other)


class ScriptedSessions(Sessions):
    """Sessions in memory. `touched` are the agents that were here."""

    def __init__(self) -> None:
        self.touched: dict[str, tuple[str, str]] = {}
        self.chats: dict[str, tuple[Chat, ...]] = {}

    async def touch(self, agent: str, *, client: str = "", project: str = "") -> Session:
        self.touched[agent] = (client, project)
        found = await self.session(agent)
        assert found is not None
        return found

    async def session(self, agent: str, *, lab: bool | None = None) -> Session | None:
        if agent not in self.touched:
            return None
        client, project = self.touched[agent]
        return Session(agent, time.time(), project, client, self.chats.get(agent, ()))


class ScriptedBrowsers(LocalBrowsers):
    """Browsers that are not there: what is asked of them is noted."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[Any, ...]] = []
        self.in_use: tuple[InUse, ...] = ()  # as a test says

    async def tabs_in_use(self) -> tuple[InUse, ...]:
        """Those the test says."""
        return self.in_use

    async def snapshot(self, tab: str, **more: Any) -> Any:
        """Kept, not taken."""
        from tabwire.hub.browsers.snapshot import Kept
        from tabwire.hub.browsers.tab_choice import wanted_tab

        wanted_tab(tab)
        self.asked.append((tab, more))
        return Kept("/kept", {"site": tab, "page": {"ready": True}})

    async def dom(self, tab: str, selector: str, **more: Any) -> Any:
        """Kept, not looked for."""
        from tabwire.hub.browsers.snapshot import Elements
        from tabwire.hub.browsers.tab_choice import wanted_tab

        wanted_tab(tab)
        self.asked.append((tab, selector, more))
        return Elements(1, ({"tag": "button"},))


def scripted_hub(
    *,
    wait_seconds: float = 45,
    file_roots: tuple[Path, ...] = (),
    antigravity: str = "off",
    relays: Relays | None = None,
    browser: str = "lab",
) -> LocalHub:
    """A hub of such parts; without an extension, where none is given.

    In the lab, where nobody's terms hold: those are noted in the home of whoever runs this.
    """
    hub = LocalHub(
        Settings(
            wait_seconds=wait_seconds,
            file_roots=file_roots,
            antigravity=antigravity,
            browser=browser,
        ),
        jobs=ScriptedJobs(),
        sessions=cast(Sessions, ScriptedSessions()),
        extensions=relays,
    )
    hub.browsers = ScriptedBrowsers()
    return hub


def jobs_of(hub: LocalHub) -> ScriptedJobs:
    """Its jobs, for the test to carry out."""
    return cast(ScriptedJobs, hub.jobs)
