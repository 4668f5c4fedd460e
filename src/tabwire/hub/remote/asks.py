"""Ask through the hub's own process, and hear of it as if it happened here.

A command is a waiter on jobs like every other door: it may be killed, and the answer is kept. A
hub is used where the setting `hub` allows it, where it has the browser that is meant, and where
it is of our own version; else the command asks on its own, as it always could.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tabwire import __version__
from tabwire.config.settings import settings
from tabwire.hub.interface import Say
from tabwire.hub.local.asks import LocalAsks
from tabwire.hub.process.starter import ensure_hub
from tabwire.model.ask import (
    Amended,
    Answer,
    Answered,
    AskEvent,
    AskRequest,
    Failed,
    Phase,
    PhaseBegan,
    PromptLeft,
    Step,
    StillWaiting,
)
from tabwire.model.ask_errors import AnswerTimedOut, AskError
from tabwire.model.errors import ExtensionNotConnected, Retry, TabwireError
from tabwire.model.failure import error_of as error_from
from tabwire.model.job import Asker, Door, Job, JobState
from tabwire.model.job_events import StateChanged

if TYPE_CHECKING:
    from tabwire.hub.jobs.ask_runner import AskControl
    from tabwire.hub.remote.hub import RemoteHub
    from tabwire.hub.remote.jobs import RemoteJobs
    from tabwire.store.rows import Attempt

AGENT = "terminal"  # who asks where nobody gave it a name
EXTENSION = "extension"
CANCEL_SECONDS = 3.0  # for the hub to let go of what was not sent yet
STATUS_SECONDS = 5.0  # for a hub to say what it has; one that hangs keeps no answer from anybody

Tell = Callable[[AskEvent], None]


async def hub_for(browser: str | None, *, say: Say) -> "RemoteHub | None":
    """The hub to ask through, started if need be; None where the command is on its own. The
    extension is the hub's alone: who means it is told why where there is no such hub."""
    from tabwire.hub.remote.hub import RemoteHub

    now = settings()
    by_extension = EXTENSION in (browser, None if browser else now.browser)
    if by_extension and now.hub == "off":
        why = "only the hub can use it, and the setting `hub` is off"
        raise ExtensionNotConnected(why, 'Set hub = "auto", or choose another --browser.')
    if now.hub == "off" or browser not in (None, now.browser, EXTENSION):
        return None
    hub = RemoteHub()
    try:
        await asyncio.to_thread(ensure_hub)
        status = await hub.status()
    except TabwireError as exc:  # it did not start, or was just about to end
        if by_extension:
            raise
        say(f"{exc}; asking without it")
        return None
    if status.version != __version__:
        if by_extension:
            why = f"the hub has version {status.version}, this command {__version__}"
            raise ExtensionNotConnected(why, "Run `tabwire restart`.")
        say(f"the hub has version {status.version}; asking without it (`tabwire restart`)")
        return None
    return hub if by_extension or status.browser == now.browser else None


class RemoteAsks(LocalAsks):
    """Questions carried out by the hub's own process: whoever waits may be killed meanwhile."""

    def __init__(self, jobs: "RemoteJobs") -> None:
        super().__init__()
        self._jobs = jobs

    async def ask(
        self,
        requests: Sequence[AskRequest],
        tell: Tell,
        *,
        browser: str | None = None,
        on_wait: Say | None = None,  # noqa: ARG002  the jobs' own events say it
        control: "AskControl | None" = None,
        again: bool = False,
    ) -> tuple[Answer | AskError, ...]:
        """One result per request, in order. Left before the end, what was not sent is not."""
        if browser == EXTENSION:  # else it is the hub's own choice
            requests = [replace(one, browser=EXTENSION) for one in requests]
        asker = Asker(settings().agent_id or AGENT, Door.CLI)
        jobs = await self._jobs.submit(requests, asker, again=again)
        columns = [_Column(self._jobs, job, tell) for job in jobs]
        try:
            async with asyncio.TaskGroup() as group:
                if control is not None:
                    for column in columns:
                        control.add(_Stop(column, group))
                asking = [group.create_task(column.run()) for column in columns]
                await asyncio.wait(asking)
        except asyncio.CancelledError:
            await asyncio.gather(*(column.leave() for column in columns))
            raise
        return tuple(one.result() for one in asking)

    async def fetch(
        self,
        said: str,
        *,
        site: str | None = None,
        browser: str | None = None,
        tell: Tell = lambda _event: None,
        on_wait: Say | None = None,
    ) -> Answer:
        """An answer asked for before. A hub that runs and has its question gives it, over the
        connection that it has; what the hub cannot go on with is read from here."""
        from tabwire.hub.jobs.retrieval import fetch

        async def follow(row: "Attempt", where: str | None) -> Answer | None:
            return await self._followed(row, where, tell)

        return await fetch(
            said, site=site, browser=browser, tell=tell, on_wait=on_wait, follow=follow
        )

    async def _followed(self, row: "Attempt", browser: str | None, tell: Tell) -> Answer | None:
        """What the hub gives; None where it has nothing to give, or leaves it to us."""
        from tabwire.hub.jobs.retrieval import FETCH_SECONDS

        listened = row.state is JobState.WORKING
        if not _can_be_followed(row, FETCH_SECONDS) or not await _hub_has(row, browser):
            return None
        job = await (self._jobs.job(row.id) if listened else self._jobs.resume(row.id))
        if job is None:
            return None
        column = _Column(self._jobs, job, tell)
        try:
            async with asyncio.timeout(FETCH_SECONDS):
                result = await column.follow()
        except TimeoutError:
            site = row.request.site
            late = AnswerTimedOut(site, FETCH_SECONDS, "the answer is still being written")
            late.attempt_id, late.conversation_id = row.id, column.job.conversation_id
            late.lab = row.request.in_lab
            raise late from None
        if isinstance(result, Answer):
            return result
        if not column.job.at_rest or (listened and result.retry is Retry.RESUME):
            return None  # nobody looks for it any more, and it may be there
        raise result


def _can_be_followed(row: "Attempt", seconds: float) -> bool:
    """Whether the hub has it in its queue, or can look for its answer as long as a fetch waits.
    Only what was surely sent: of what may not have been, the hub may send it."""
    if row.state is JobState.WORKING:
        return row.position is not None
    may_resume = row.state in (JobState.INPUT_REQUIRED, JobState.FAILED)
    return may_resume and row.step is Step.SENT and row.request.timeout_seconds >= seconds


async def _hub_has(row: "Attempt", browser: str | None) -> bool:
    """Whether a hub of our version runs and has the browser that is meant. Starts none."""
    from tabwire.hub.remote.hub import RemoteHub

    now = settings()
    asked, meant = row.request.browser or now.browser, browser or now.browser
    if now.hub == "off" or asked != meant or meant not in (now.browser, EXTENSION):
        return False
    try:
        async with asyncio.timeout(STATUS_SECONDS):
            status = await RemoteHub(start=False).status()
    except (TabwireError, TimeoutError):
        return False
    return status.version == __version__ and (meant == EXTENSION or status.browser == now.browser)


@dataclass(slots=True)
class _Column:
    """One job, told as the ask it is."""

    jobs: "RemoteJobs"
    job: Job
    tell: Tell
    may_be_sent: bool = False
    answer: Answer | None = None

    async def run(self) -> Answer | AskError:
        """Until it rests."""
        site = self.job.request.site
        if self.job.joined:
            why = "the same question was asked just now: this is its answer (--again asks it again)"
            self.tell(StillWaiting(site, why, time.monotonic()))
        result = await self.follow()
        if isinstance(result, AskError):
            self.tell(Failed(site, result, time.monotonic()))
        return result

    async def follow(self) -> Answer | AskError:
        """What becomes of it. An answer is told, a failure is left to the caller."""
        async for told in self.jobs.news(self.job.id):
            self._hear(told.event)
        job = await self._look()
        if job.answer is not None and job.state is not JobState.FAILED:
            self._given(job.answer)
            return job.answer
        return error_of(job)

    async def leave(self) -> None:
        """Nobody waits any more. What was sent goes on; what was not is not sent later on."""
        if self.may_be_sent or self.job.joined or self.answer is not None:
            return
        try:
            async with asyncio.timeout(CANCEL_SECONDS):
                job = await self.jobs.cancel(self.job.id)
            if job.step in (Step.NEW, Step.FAILED):
                return
        except (TabwireError, TimeoutError):
            pass  # nobody knows: it counts as perhaps sent
        self.tell(PhaseBegan(self.job.request.site, Phase.SEND, time.monotonic()))

    async def _look(self) -> Job:
        found = await self.jobs.job(self.job.id)
        if found is not None:
            self.job = replace(found, joined=self.job.joined)  # known here alone
        return self.job

    def _hear(self, event: AskEvent | StateChanged) -> None:
        """Pass it on as it is. How the job ends is looked up when nothing more is told."""
        match event:
            case StateChanged():
                return
            case Answered(answer=answer) | Amended(answer=answer):
                if answer == self.answer:
                    return  # a hub that was restarted tells it again
                self.answer = answer
            case PromptLeft() | PhaseBegan(phase=Phase.SEND):
                self.may_be_sent = True
        self.tell(event)

    def _given(self, answer: Answer) -> None:
        site, at = self.job.request.site, time.monotonic()
        kind = Answered if self.answer is None else Amended
        self._hear(kind(site, answer, at))


@dataclass(frozen=True, slots=True)
class _Stop:
    """The hand on one job, for whoever presses Ctrl-C twice."""

    column: _Column
    group: asyncio.TaskGroup

    def stop_site(self) -> None:
        """Have the site's Stop pressed."""
        if self.column.answer is None:
            self.group.create_task(self._stopped())

    async def _stopped(self) -> None:
        with suppress(TabwireError):  # whoever waits hears of a lost hub by itself
            await self.column.jobs.stop(self.column.job.id)


def error_of(job: Job) -> AskError:
    """Why a job has no answer, as the error of an ask."""
    failure, site = job.error, job.request.site
    if failure is None:
        what = "it was cancelled" if job.state is JobState.CANCELLED else "it has no answer"
        error = AskError(site, what, what_to_do="Ask again.", retry=Retry.SAME)
    else:
        error = error_from(failure, site)
    error.pending = job.state is JobState.INPUT_REQUIRED and error.retry is Retry.RESUME
    error.attempt_id, error.conversation_id, error.answer = job.id, job.conversation_id, job.answer
    error.lab = job.request.in_lab
    return error
