"""The store, in the words of an ask: rows, checkpoints, uses, tabs, bundles."""

import asyncio
import logging
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from tabwire.asking.background import beside
from tabwire.asking.context import TAB, Checkpoint, NotOurs, Use
from tabwire.browser.process import Mark, mark_of
from tabwire.config.home import home, home_mark, made
from tabwire.config.redaction import facts_without_secrets
from tabwire.config.settings import Settings, settings
from tabwire.hub.conversations.recorders import Records, recorder_for
from tabwire.hub.conversations.writer import Keeper
from tabwire.hub.jobs.outcome import kept_failure, state_after
from tabwire.hub.process.lock import used_by_us
from tabwire.model.ask import Answer, AskEvent, AskRequest, Press, Step, StillWaiting
from tabwire.model.ask_errors import AskError
from tabwire.model.captured import Origin
from tabwire.model.errors import Retry, TabwireError
from tabwire.model.failure import Failure
from tabwire.model.job import JobState
from tabwire.store.opening import open_store
from tabwire.store.rows import KEEP, Attempt, Holder, Owner
from tabwire.store.rows import Use as InUse
from tabwire.store.store import Store

FILE = "tabwire.db"
POLL_SECONDS = 0.25
"""Between two looks at what another process does: files tell nobody, so this is polled."""

USE_SECONDS = 2 * 3600.0  # how long a use holds without a word; it is renewed while it lasts
RENEW_SECONDS = 600.0
UNSEEN_SECONDS = 14 * 86400.0  # a tab in none of the browsers we were in: its browser ended
TELL_SECONDS = 30.0  # between two words about waiting for somebody else
LATE_SECONDS = 3600.0  # how long we wait for the same question in another process

Tell = Callable[[AskEvent], None]

logger = logging.getLogger(__name__)

_under_way: set[str] = set()
"""The attempts that this process carries out now; a pid alone cannot tell.

Of the process and not of a `Books`: their owner is the process (`Owner`), and a program that asks
the same question twice at once has two `Books`. The second waits for the first by this.
"""


@asynccontextmanager
async def opened_books(now: Settings | None = None) -> AsyncIterator["Books"]:
    """The store of this person, for the length of a block."""
    database = (now or settings()).database
    where = made(home())
    store = await open_store(database or where / FILE, home_mark())
    try:
        yield Books(store)
    finally:
        await store.close()


def kept_already() -> bool:
    """Whether there is a store: for whoever only looks, and would not make one."""
    return bool(settings().database) or (home() / FILE).exists()


class Books:
    """What is kept of asks. One per block."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.owner = _owner()
        self.conversations = Keeper(store.conversations)
        self._locks: dict[str, asyncio.Lock] = {}

    async def begin(self, request: AskRequest, *, again: bool) -> tuple[Attempt, bool]:
        """A row before anything moves; False where the same is on its way already."""
        return await self.store.begin(request, self.owner, time.time(), again=again)

    async def rest(self, row: Attempt, error: TabwireError, *, sent: bool = False) -> bool:
        """There is no answer, or half of one, and this is why. What was sent stays sent. False:
        another process took it over since we had this row, and nothing of that is true of it."""
        now = await self.store.attempt(row.id) or row
        if now.owner not in (self.owner, row.owner):
            return False
        answer = error.answer if isinstance(error, AskError) else None
        if answer is not None:
            await self.keep(row, answer, failure=kept_failure(error))
            return True
        # what may have been sent is not told as sent, nor what nobody typed as either
        step = now.step if sent and now.step is not Step.NEW else Step.FAILED
        state = state_after(error)
        await self.store.note(row.id, step, time.time(), failure=kept_failure(error), state=state)
        return True

    def claimed(self, row: Attempt) -> Callable[[str], Awaitable[bool]]:
        """Whether a conversation is the one of another ask of ours."""

        async def found(conversation_id: str) -> bool:
            known = await self.store.last(site=row.request.site, in_conversation=conversation_id)
            return known is not None and known.id != row.id

        return found

    async def keep(
        self, row: Attempt, answer: Answer, *, done: bool = True, failure: Failure | None = None
    ) -> None:
        """There is one. Until whoever asked has been told it, the ask is not `done`."""
        await self.store.keep(row.id, answer, time.time(), done=done, failure=failure)

    async def was_told(self, row: Attempt) -> None:
        """Whoever kept its answer died before anybody was told; now somebody is, and it is over.
        A living one says so itself, and may have more to keep."""
        if row.step is not Step.DONE and row.answer is not None and not self.is_worked_on(row):
            await self.keep(row, row.answer)

    async def join(self, row: Attempt, tell: Tell) -> tuple[Attempt, Answer | None]:
        """The same question is on its way: its answer, or the row to go on with ourselves."""
        until = time.monotonic() + LATE_SECONDS
        told_at = 0.0
        while time.monotonic() < until:
            now = await self.store.attempt(row.id)
            if now is None:
                break
            if now.answer is not None and (now.step is Step.DONE or now.answer.complete):
                return now, now.answer
            if now.step is Step.FAILED:
                raise AskError(
                    now.request.site,
                    now.failure.message
                    if now.failure
                    else "the same question failed in the meantime",
                    what_to_do="Ask again with --again.",
                )
            if not self.is_worked_on(now) and await self.store.take_over(
                row.id, self.owner, now.owner, time.time()
            ):
                return now, None
            if time.monotonic() - told_at > TELL_SECONDS:
                told_at = time.monotonic()
                why = (
                    f"process {now.owner.pid} is already asking the same question: waiting for "
                    "its answer"
                )
                tell(StillWaiting(now.request.site, why, told_at))
            await asyncio.sleep(POLL_SECONDS)
        raise AskError(
            row.request.site,
            "the same question is being asked by another process",
            what_to_do=f"Fetch its answer later: `tabwire fetch {row.id}`.",
            retry=Retry.RESUME,
        )

    def is_worked_on(self, row: Attempt) -> bool:
        """Whether somebody carries it out: another living process, or another task of ours."""
        if row.owner == self.owner:
            return row.id in _under_way
        return row.state is JobState.WORKING and is_alive(row.owner)

    @contextmanager
    def working_on(self, row: Attempt) -> Iterator[None]:
        """It is carried out here, in this block."""
        _under_way.add(row.id)
        try:
            yield
        finally:
            _under_way.discard(row.id)

    # --- what a flow is handed -------------------------------------------------------------

    def checkpoint(self, row: Attempt) -> Checkpoint:
        """Keeps how far this row got. A hub that slept may wake over an ask that another one has
        finished, or even be alone again by then: so `sending` is written where the row is ours
        and was not sent, in one change, and nothing is sent where it cannot be."""

        async def keep(
            step: Step,
            *,
            conversation_id: str | None = None,
            url: str | None = None,
            draft: str | None = None,
            press: Press | None = None,
        ) -> None:
            kept = await self.store.note(
                row.id,
                step,
                time.time(),
                conversation_id=conversation_id,
                url=url,
                draft=KEEP if draft is None else draft or None,
                press=press,
                whose=(self.owner,) if step is Step.SENDING else (),
            )
            if step is Step.SENDING and not kept:
                raise NotOurs(row.id)

        return keep

    def keeper(self, row: Attempt) -> Callable[[Answer], Awaitable[None]]:
        """Keeps the answer of this row."""

        async def keep(answer: Answer) -> None:
            await self.keep(row, answer, done=False)

        return keep

    def use(self, row: Attempt, tell: Tell) -> Use:
        """One ask at a time for a key, here and in all processes: also in those of other homes,
        which have other stores, and may use the same tabs and go on in the same chats."""

        @asynccontextmanager
        async def used(key: str, wait: bool) -> AsyncIterator[bool]:
            lock = self._locks.setdefault(key, asyncio.Lock())
            if lock.locked() and not wait:
                yield False
                return
            async with lock:
                taken = await self._take(key, row, tell, wait=wait)
                if taken is None:
                    yield False
                    return
                try:
                    async with (
                        beside(self._renew(taken), _not_renewed),
                        _in_no_other_home(key, row, tell, wait=wait) as free,
                    ):
                        yield free
                finally:
                    await self.store.free_use(taken)

        return used

    async def _take(self, key: str, row: Attempt, tell: Tell, *, wait: bool) -> InUse | None:
        told_at = 0.0
        while True:
            found = await self.store.take_use(
                key, self.owner, row.id, USE_SECONDS, time.time(), is_alive
            )
            if not isinstance(found, Holder):
                return found
            if not wait:
                return None
            if time.monotonic() - told_at > TELL_SECONDS:
                told_at = time.monotonic()
                why = f"this chat is in use by process {found.owner.pid}: waiting for it"
                tell(StillWaiting(row.request.site, why, told_at))
            await asyncio.sleep(POLL_SECONDS)

    async def _renew(self, use: InUse) -> None:
        """Hold it as long as it is used: an ask may take longer than a use lasts."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                if not await self.store.renew_use(use, USE_SECONDS, time.time()):
                    logger.warning("the lease of %s expired, and another process took it", use.key)
                    return
            except TabwireError as exc:  # of the disk; it holds for a while without us
                logger.warning("the lease of %s was not renewed: %s", use.key, exc)

    def records(self, row: Attempt) -> Records | None:
        """Whoever records its conversation, unless the person wants it kept by nobody."""
        if row.request.temporary:
            return None
        origin = Origin.LAB if row.request.in_lab else Origin.ASK
        return recorder_for(self.conversations.put, origin)

    def tabs(self, row: Attempt) -> "OurTabs":
        """The tabs we opened for its site."""
        return OurTabs(self.store, row.request.site, row.id)

    async def anomaly(self, facts: dict[str, object]) -> str:
        """Keep a bundle beside the store; says where. It is made to be passed on to others."""
        facts = facts_without_secrets(facts)
        folder = made(home(), "debug")
        when = time.strftime("%Y%m%d-%H%M%S")
        path = folder / f"{facts['site']}-{when}-{secrets.token_hex(3)}.json"
        await asyncio.to_thread(_write, path, msgspec.json.format(msgspec.json.encode(facts)))
        return str(path)


@dataclass(slots=True)
class OurTabs:
    """The tabs of one site. `last` is where an ask was put, `wanted` where it would rather be."""

    store: Store
    site: str
    ask: str
    wanted: str | None = None
    last: str | None = None

    async def ours(self) -> list[str]:
        """Those we opened."""
        return await self.store.our_tabs(self.site, "")

    async def own(self, target: str) -> None:
        """One more."""
        await self.store.own_tab(target, self.site, "", time.time())

    async def saw(self, there: Collection[str], closed: Collection[str]) -> None:
        """Forget those that were closed, and those nobody has seen in any browser for long."""
        ours = await self.ours()
        if closed or any(target not in there for target in ours):
            seen = [target for target in ours if target in there]
            await self.store.saw_tabs(seen, closed, time.time(), UNSEEN_SECONDS)

    async def left_in(self) -> list[str]:
        """Those this ask was in when a process died over it."""
        keys = await self.store.uses_of(self.ask)
        return [key.removeprefix(TAB) for key in keys if key.startswith(TAB)]

    async def preferred(self) -> str | None:
        """The one that whoever asks used last."""
        return self.wanted

    def asked_in(self, target: str) -> None:
        """The question is put in this one."""
        self.last = target


def _not_renewed(why: BaseException) -> None:
    logger.error("a lease is no longer renewed", exc_info=why)


def is_alive(owner: Owner) -> bool:
    """Whether that very process still runs."""
    mark = mark_of(owner.pid)
    return mark is not None and _started(mark) == owner.started


def _owner() -> Owner:
    mark = mark_of(os.getpid())
    if mark is None:
        raise RuntimeError("this process cannot be identified: its start time is unknown")
    return Owner(mark.pid, _started(mark))


def _started(mark: Mark) -> float:
    """When it started, as a number: ticks on Linux, seconds elsewhere."""
    return float(mark.started.split()[-1])


def _write(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)


@asynccontextmanager
async def _in_no_other_home(
    key: str, row: Attempt, tell: Tell, *, wait: bool
) -> AsyncIterator[bool]:
    """Whether no other home of this person uses it; `wait`: until none does."""
    told_at = 0.0
    while True:
        with used_by_us(key) as free:
            if free or not wait:
                yield free
                return
        if time.monotonic() - told_at > TELL_SECONDS:
            told_at = time.monotonic()
            why = "this chat is in use by another Tabwire home: waiting for it"
            tell(StillWaiting(row.request.site, why, told_at))
        await asyncio.sleep(POLL_SECONDS)
