"""Carry out one job, from wherever it stands: new, perhaps sent, sent, or answered already.

The engine calls `carry` once for each job, and again in the next process where this one died.
How far it got is looked up first; what was sent is never sent again (hub/jobs/ask_runner.py).
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from tabwire.cdp.relay_shapes import CLIENT, Client
from tabwire.hub.browsers.routes import Ways
from tabwire.hub.conversations.follow_up import AfterAsks
from tabwire.hub.jobs.ask_runner import Asking
from tabwire.hub.jobs.board import Entry, JobBoard
from tabwire.hub.jobs.books import Books, OurTabs, is_alive
from tabwire.hub.jobs.outcome import kept_failure
from tabwire.hub.sessions.sessions import Sessions
from tabwire.model.ask import Answer, Answered, Phase, PhaseBegan, Step
from tabwire.model.ask_errors import AskError, ConversationGone
from tabwire.model.errors import Retry, TabwireError
from tabwire.model.job import Job, JobState
from tabwire.store.rows import Attempt

PROGRESS_SECONDS = 0.5
"""What a job does is written down this long after it began to: the send fence goes first."""

logger = logging.getLogger(__name__)


class Carrier:
    """Carries jobs out, over the one line of the hub."""

    def __init__(
        self,
        books: Books,
        board: JobBoard,
        link: Ways,
        sessions: Sessions,
        after: AfterAsks | None = None,
    ) -> None:
        self._after = after
        self._books = books
        self._board = board
        self._link = link
        self._sessions = sessions

    async def carry(self, job_id: str) -> None:
        """What an engine calls. Returns when the job rests; cancelled, it can be gone on with."""
        store = self._books.store
        row = await store.take_up(job_id, self._books.owner, time.time(), is_alive)
        if row is None:
            await self._settle(job_id)
            return
        entry = self._board.put(job_of(row), row.carried)
        tabs = self._books.tabs(row)
        async with self._progress_kept(entry):
            try:
                tabs.wanted = await self._tab_of(row)
                result = await self._result(row, entry, tabs)
            except Exception as exc:  # the top of a job: nobody must wait for it for ever
                logger.exception("a job failed unexpectedly")
                result = await self._fell(row, entry, exc)
        await self._remember(row, result, tabs.last)
        self._read_later(row, result)
        # Last of all, and nothing is waited for after it: whoever hears that the job rests may
        # put it in again at once, and the engine must have let go of it by then.
        await self._settle(job_id)

    def _read_later(self, row: Attempt, result: Answer | TabwireError) -> None:
        """The site's own record of it, once it is quiet."""
        named = result.conversation_id if isinstance(result, Answer) else None
        if named is not None and self._after is not None and not row.request.temporary:
            self._after.asked(row.request.site, named)

    async def _tab_of(self, row: Attempt) -> str | None:
        """The tab this agent used last at this site."""
        if not row.asker.agent:
            return None
        lab = row.request.in_lab
        session = await self._sessions.session(row.asker.agent, lab=lab)
        chat = session.chat_in(row.request.site, lab=lab) if session is not None else None
        return chat.tab if chat is not None else None

    async def _result(self, row: Attempt, entry: Entry, tabs: OurTabs) -> Answer | TabwireError:
        if row.answer is not None and row.answer.complete:
            # it was kept, and whoever kept it died before anybody was told
            await self._books.keep(row, row.answer)
            entry.hear(Answered(row.request.site, row.answer, time.monotonic()))
            return row.answer
        began = time.monotonic()
        entry.hear(PhaseBegan(row.request.site, Phase.CONNECT, began))
        ours = row.owner == self._books.owner
        lines = partial(self._link.line, self._where(row))
        token = CLIENT.set(Client(row.asker.client or row.asker.agent or "tabwire", row.id))
        try:
            async with lines() as line:
                asking = Asking(self._books, entry.hear, line, lines, entry.control, began, tabs)
                result = await asking.run(row, fresh=ours)
        except TabwireError as exc:
            await self._rest(row, exc)
            return exc
        finally:
            CLIENT.reset(token)
        if isinstance(result, Answer) and not ours:
            await self._books.keep(row, result)  # another process had it
        return result

    def _where(self, row: Attempt) -> str | None:
        """Our own browser, for what a command asked in another one; but never for the lab's."""
        said = row.request.browser
        return said if row.request.in_lab or self._link.has(said) else None

    async def _rest(self, row: Attempt, error: TabwireError) -> None:
        """Without a browser, or for a fault of ours. What may have been sent stays so."""
        now = await self._books.store.attempt(row.id)
        step = row.step if now is None else now.step
        await self._books.rest(row, error, sent=step in (Step.SENDING, Step.SENT))

    async def _fell(self, row: Attempt, entry: Entry, exc: Exception) -> TabwireError:
        """A fault of ours, or the disk is full. Where that cannot even be written down, those
        who wait learn it all the same, and the next hub takes the job up again."""
        error = exc if isinstance(exc, TabwireError) else _unexpected(row, exc)
        try:
            await self._rest(row, error)
        except TabwireError:
            logger.exception("the end of a job was not saved")
            failure = kept_failure(error)
            entry.be(replace(entry.job, state=JobState.FAILED, error=failure))
        return error

    async def _settle(self, job_id: str) -> None:
        """What the store knows is what everybody hears last."""
        row = await self._books.store.attempt(job_id)
        if row is not None and (entry := self._board.get(job_id)) is not None:
            if row.state is not JobState.WORKING:
                entry.be(job_of(row))
            entry.end()

    async def _remember(self, row: Attempt, result: Answer | TabwireError, tab: str | None) -> None:
        """Where this agent goes on at this site; or that it cannot go on there."""
        agent, request = row.asker.agent, row.request
        if not agent or request.temporary:
            return
        try:
            if isinstance(result, ConversationGone):
                await self._sessions.forget(agent, request.site, lab=request.in_lab)
            elif isinstance(result, Answer) and result.url is not None:
                named = result.conversation_id
                await self._sessions.used(
                    agent,
                    request.site,
                    url=result.url,
                    conversation_id=named,
                    tab=tab,
                    lab=request.in_lab,
                )
        except TabwireError as exc:
            logger.warning("the session of an agent was not saved: %s", exc)

    @asynccontextmanager
    async def _progress_kept(self, entry: Entry) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            keeping = group.create_task(self._keep_progress(entry))
            try:
                yield
            finally:
                keeping.cancel()

    async def _keep_progress(self, entry: Entry) -> None:
        while True:
            await entry.changed.wait()
            await asyncio.sleep(PROGRESS_SECONDS)
            entry.changed.clear()
            job = entry.job
            try:
                await self._books.store.progress(
                    job.id,
                    time.time(),
                    phase=job.phase,
                    phase_at=job.phase_at,
                    note=job.note,
                    characters=job.characters,
                )
            except TabwireError as exc:
                logger.warning("the progress of a job was not saved: %s", exc)


def _unexpected(row: Attempt, exc: Exception) -> AskError:
    error = AskError(
        row.request.site,
        f"an internal error in Tabwire: {type(exc).__name__}",
        what_to_do="See `tabwire logs`, and report what it says to the authors.",
        retry=Retry.SAME if row.step is Step.NEW else Retry.RESUME,
    )
    error.pending = row.step is not Step.NEW
    return error


def job_of(row: Attempt) -> Job:
    """A row, as the doors see it."""
    return Job(
        id=row.id,
        request=row.request,
        asker=row.asker,
        state=row.state,
        step=row.step,
        created_at=row.created_at,
        updated_at=row.updated_at,
        phase=row.phase,
        phase_at=row.phase_at,
        note=row.note,
        characters=len(row.answer.text) if row.answer is not None else row.characters,
        conversation_id=row.conversation_id,
        url=row.url,
        answer=row.answer,
        error=None if row.state is JobState.WORKING else row.failure,
    )
