"""`Store`, the face of this room: everything others may call.

When a call returns, what it changed is on the disk. When it raises, nothing was changed. Every
`now` is in seconds since 1970, so that it means the same in the next process.
"""

from collections.abc import Callable, Collection
from functools import partial

from sqlalchemy.engine import Connection

from tabwire.model.ask import Answer, AskRequest, Phase, Press, Step
from tabwire.model.failure import Failure
from tabwire.model.job import Asker, JobState
from tabwire.store import attempt_rows, job_rows, tabs, uses
from tabwire.store.attempt_rows import (
    HAS_CONVERSATION,
    IS_UNFINISHED,
    MAY_BE_SENT,
    at_site,
    of_lab,
    with_id,
)
from tabwire.store.autopilot_rows import AutopilotRows
from tabwire.store.conversation_rows import ConversationRows
from tabwire.store.rows import KEEP, NOBODY, Attempt, Holder, Keep, Owner, Use
from tabwire.store.search import with_words
from tabwire.store.session_rows import SessionRows
from tabwire.store.transactions import Transactions


class Store:
    """An open store. `opening.py` makes one."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._read = transactions.read
        self._change = transactions.change
        self.sessions = SessionRows(transactions)  # agents and their chats
        self.conversations = ConversationRows(transactions)  # as they were captured
        self.autopilot = AutopilotRows(transactions)  # what it did, and what it asks

    async def close(self) -> None:
        """Finish what is under way and let go of the file. Idempotent."""
        await self._transactions.close()

    # --- attempts ------------------------------------------------------------------------------

    async def begin(
        self,
        request: AskRequest,
        owner: Owner,
        now: float,
        *,
        again: bool = False,
        asker: Asker = NOBODY,
        queued: bool = False,
        done_after: float | None = None,
    ) -> tuple[Attempt, bool]:
        """Write the row before anything moves. False: the same was asked already, here it is.

        The same is what is unfinished and asks the same (`attempt_rows.sameness`); also what is
        finished, where the caller gave it a name (`client_key`) or had it answered after
        `done_after`. `again` always makes a new row. `queued`: a hub shall carry it out.
        """
        work = partial(
            attempt_rows.begin,
            request=request,
            owner=owner,
            now=now,
            again=again,
            asker=asker,
            queued=queued,
            done_after=done_after,
        )
        return await self._change(work)

    async def note(
        self,
        attempt_id: str,
        step: Step,
        now: float,
        *,
        conversation_id: str | None = None,
        url: str | None = None,
        draft: str | Keep | None = KEEP,
        failure: Failure | None = None,
        state: JobState | None = None,
        press: Press | None = None,
        whose: Collection[Owner] = (),
    ) -> bool:
        """How far it got, and what became known. Steps never go back: a late one changes none,
        but the rest is kept. The state follows from the step and `failure`, unless it is given.
        False: the step was such a late one; or somebody works on it who is none of `whose`, and
        nothing was changed. Raises KeyError for an attempt that was never begun."""
        work = partial(
            attempt_rows.note,
            attempt_id=attempt_id,
            step=step,
            now=now,
            conversation_id=conversation_id,
            url=url,
            draft=draft,
            failure=failure,
            state=state,
            press=press,
            whose=whose,
        )
        return await self._change(work)

    async def keep(
        self,
        attempt_id: str,
        answer: Answer,
        now: float,
        *,
        done: bool = True,
        failure: Failure | None = None,
    ) -> None:
        """There is an answer. A later one takes its place. It is not `done` before whoever
        asked has it as well. `failure` is why it is not whole."""
        work = partial(
            attempt_rows.keep,
            attempt_id=attempt_id,
            answer=answer,
            now=now,
            done=done,
            failure=failure,
        )
        await self._change(work)

    async def take_over(self, attempt_id: str, owner: Owner, before: Owner, now: float) -> bool:
        """Go on with an attempt whose process died. False: somebody else was quicker."""
        work = partial(
            attempt_rows.take_over, attempt_id=attempt_id, owner=owner, before=before, now=now
        )
        return await self._change(work)

    async def attempt(self, attempt_id: str) -> Attempt | None:
        """The one with this id."""
        return await self._read(lambda line: attempt_rows.newest(line, with_id(attempt_id)))

    async def last(
        self,
        *,
        site: str | None = None,
        in_conversation: str | None = None,
        lab: bool | None = None,
    ) -> Attempt | None:
        """The newest that was sent, or may have been; of those that failed, one whose
        conversation is known. `lab`: only those asked in the lab, or only the others."""
        there = attempt_rows.in_conversation(in_conversation)
        which = (MAY_BE_SENT, *at_site(site), *there, *of_lab(lab))
        return await self._read(lambda line: attempt_rows.newest(line, *which))

    async def last_conversation(
        self, *, site: str | None, lab: bool | None = None
    ) -> Attempt | None:
        """The newest whose conversation is known."""
        which = (HAS_CONVERSATION, *at_site(site), *of_lab(lab))
        return await self._read(lambda line: attempt_rows.newest(line, *which))

    async def unfinished(self, *, site: str | None = None) -> list[Attempt]:
        """Those somebody works on, or died while doing so; newest first."""
        which = (IS_UNFINISHED, *at_site(site))
        return await self._read(lambda line: attempt_rows.some(line, *which))

    async def asked_in(self, site: str, conversation_id: str, now: float) -> list[Attempt]:
        """Those that ask in a conversation, have no answer yet, and may still get one: whoever
        died over one leaves it unfinished, but not for longer than it would have waited."""
        which = (IS_UNFINISHED, *at_site(site), *attempt_rows.in_conversation(conversation_id))
        found = await self._read(lambda line: attempt_rows.some(line, *which))
        return [one for one in found if one.created_at + one.request.timeout_seconds > now]

    async def recent(
        self, limit: int = 20, *, site: str | None = None, lab: bool | None = None
    ) -> list[Attempt]:
        """The newest, whatever became of them."""
        which = (*at_site(site), *of_lab(lab))
        return await self._read(lambda line: attempt_rows.some(line, *which, limit=limit))

    async def search(
        self, words: str, *, site: str | None = None, limit: int = 20, lab: bool | None = None
    ) -> list[Attempt]:
        """The newest whose question or answer has all these words."""

        def work(line: Connection) -> list[Attempt]:
            meant = (*at_site(site), *of_lab(lab))
            return attempt_rows.those(line, with_words(line, words, *meant, limit=limit))

        return await self._read(work)

    # --- as jobs of a hub -----------------------------------------------------------------------

    async def queue(self, attempt_id: str) -> None:
        """A hub shall carry it out, from where it stands."""
        await self._change(partial(job_rows.queue, attempt_id=attempt_id))

    async def take_up(
        self, attempt_id: str, owner: Owner, now: float, is_running: Callable[[Owner], bool]
    ) -> Attempt | None:
        """The row to carry out, ours from now on; None where nothing is to be done. One that
        another living process works on is given as it is."""
        work = partial(
            job_rows.take_up, attempt_id=attempt_id, owner=owner, now=now, is_running=is_running
        )
        return await self._change(work)

    async def progress(
        self,
        attempt_id: str,
        now: float,
        *,
        phase: Phase | None,
        phase_at: float | None,
        note: str,
        characters: int,
    ) -> None:
        """What it does now."""
        work = partial(
            job_rows.progress,
            attempt_id=attempt_id,
            now=now,
            phase=phase,
            phase_at=phase_at,
            note=note,
            characters=characters,
        )
        await self._change(work)

    async def cancel(self, attempt_id: str, now: float) -> bool:
        """Nobody wants it any more. False: it rested already."""
        return await self._change(partial(job_rows.cancel, attempt_id=attempt_id, now=now))

    async def waiting(self) -> list[Attempt]:
        """What a hub has to carry out, in order."""
        return await self._read(job_rows.waiting)

    async def abandon(self, now: float, is_running: Callable[[Owner], bool]) -> list[str]:
        """Have those rest whose process died and that no hub was asked to carry out."""
        return await self._change(partial(job_rows.abandon, now=now, is_running=is_running))

    async def jobs(
        self,
        limit: int,
        *,
        states: Collection[JobState] = (),
        site: str | None = None,
        agent: str | None = None,
        before: str | None = None,
        lab: bool | None = None,
    ) -> list[Attempt]:
        """The newest of those meant; `before` is the id of the last one seen."""
        meant = job_rows.which(states=states, site=site, agent=agent, before=before)
        meant += of_lab(lab)
        return await self._read(lambda line: attempt_rows.some(line, *meant, limit=limit))

    # --- use of a tab or a conversation, by one ask at a time -----------------------------------

    async def take_use(
        self,
        key: str,
        owner: Owner,
        holder: str,
        seconds: float,
        now: float,
        is_running: Callable[[Owner], bool],
    ) -> Use | Holder:
        """Have it until `free_use`, or learn who has it. One that expired, or whose process is
        dead, is free. `is_running` is called while everybody waits: it must be quick."""
        wanted = Use(key, uses.new_number(), owner, holder, now + seconds)
        work = partial(uses.take, wanted=wanted, now=now, is_running=is_running)
        return await self._change(work)

    async def free_use(self, use: Use) -> None:
        """Give it back. Idempotent."""
        await self._change(partial(uses.free, use=use))

    async def uses_of(self, holder: str) -> list[str]:
        """The keys it holds, also where its process died meanwhile and nobody took them since."""
        return await self._read(partial(uses.held, holder=holder))

    async def renew_use(self, use: Use, seconds: float, now: float) -> bool:
        """Hold it from now for `seconds`. False: it expired and another took it."""
        return await self._change(partial(uses.renew, use=use, until=now + seconds))

    # --- tabs of our own ------------------------------------------------------------------------

    async def own_tab(self, target: str, site: str, browser: str, now: float) -> None:
        """We opened this tab."""
        work = partial(tabs.own, target=target, site=site, browser=browser, now=now)
        await self._change(work)

    async def our_tabs(self, site: str, browser: str) -> list[str]:
        """Those we opened for a site in a browser, newest first. They may be closed by now."""
        return await self._read(partial(tabs.ours, site=site, browser=browser))

    async def saw_tabs(
        self, there: Collection[str], closed: Collection[str], now: float, unseen_seconds: float
    ) -> None:
        """These of ours are there, those were closed. Forgets the closed ones, and all that nobody
        saw for `unseen_seconds`: their browser is gone."""
        work = partial(tabs.saw, there=there, closed=closed, now=now, unseen_seconds=unseen_seconds)
        await self._change(work)
