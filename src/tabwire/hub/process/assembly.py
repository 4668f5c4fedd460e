"""Build a hub that runs, in this process, for the length of a block.

    async with running_hub() as hub:
        (job,) = await hub.jobs.submit([AskRequest("grok", "Why?")], asker)
        (job,) = await hub.jobs.wait([job.id])

Store, engine, link and jobs are opened in this order and closed in the other. Whoever runs this
as a process of its own holds the lock of the home first (hub/process/lock.py).
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from tabwire.config.home import home, home_mark, made
from tabwire.config.logs import get_log
from tabwire.config.settings import Settings
from tabwire.config.settings import settings as settings_now
from tabwire.hub.agents.agents import Agents
from tabwire.hub.agents.autopilot.autopilot import Autopilot
from tabwire.hub.agents.autopilot.desk import PilotDesk
from tabwire.hub.agents.board import Board
from tabwire.hub.agents.event_stream import AgentEventStream
from tabwire.hub.agents.followed_windows import FollowedWindows
from tabwire.hub.browsers.access import is_lab, own_line
from tabwire.hub.browsers.link import Link
from tabwire.hub.browsers.routes import Ways
from tabwire.hub.conversations.captures import Captures
from tabwire.hub.conversations.follow_up import AfterAsks
from tabwire.hub.jobs.board import JobBoard
from tabwire.hub.jobs.books import FILE, opened_books
from tabwire.hub.jobs.jobs import Jobs
from tabwire.hub.jobs.worker import Carrier
from tabwire.hub.local.hub import Guests, LocalAgents, LocalHub
from tabwire.hub.process.backups import keep_copies
from tabwire.hub.relay.pairing import Pairing
from tabwire.hub.relay.relays import Relays
from tabwire.hub.sessions.sessions import Sessions
from tabwire.model.ask import LAB
from tabwire.model.captured import Origin
from tabwire.model.errors import TabwireError
from tabwire.queue.durable import DurableEngine
from tabwire.queue.late import LateEngine
from tabwire.queue.memory import MemoryEngine

QUEUE_FILE = "queue.db"
STOP_SECONDS = 1.5  # for jobs to let go of their tabs; clean-up as a whole has 3


@asynccontextmanager
async def running_hub(
    settings: Settings | None = None, *, durable: bool = True
) -> AsyncIterator[LocalHub]:
    """A hub. `durable`: what it is killed over is gone on with by the next one."""
    now = settings or settings_now()
    if is_lab(now.browser):
        now = replace(now, browser=LAB)
    copying = beside(keep_copies(home() / FILE)) if durable and not now.database else nullcontext()
    async with only_hub(now, durable=durable) as held, opened_books(now) as books, copying:
        board = JobBoard(time.time)
        sessions = Sessions(books.store, now, lab=is_lab(now.browser))
        engine = engine_for(now, durable=durable)
        jobs = Jobs(books, engine, board, lab=is_lab(now.browser))
        relays = Relays(Pairing())
        direct = Link(lambda: own_line(now.browser, now, in_hub=True, on_wait=jobs.tell_all))
        link = Ways(now.browser, direct, Link(relays.line), relays)
        captures = Captures(
            books.store,
            tell=relays.tell,
            reread=relays.reread,
            close_tab=relays.close_tab,
            keeper=books.conversations,
        )
        relays.captures = captures
        after = AfterAsks(
            link.line,
            books.conversations,
            origin=Origin.LAB if is_lab(now.browser) else Origin.ASK,
            busy=lambda: jobs.under_way > 0,
            is_open=lambda: link.is_open,
        )
        guests = Guests()
        news = Board()
        pilot = Autopilot(books.store.autopilot, tell=news.publish)
        agents = Agents(news, present=guests.one_more, drive=pilot.run)
        desk = PilotDesk(pilot)
        async with link, captures.running(), beside(after.run()), beside(agents.run()):
            await engine.start(Carrier(books, board, link, sessions, after).carry)
            try:
                if durable:
                    await jobs.go_on()
                    held.on_regained = jobs.go_on
                async with warmed(engine):
                    yield LocalHub(
                        now,
                        jobs=jobs,
                        sessions=sessions,
                        agents=LocalAgents(
                            desk,
                            AgentEventStream(agents, desk),
                            FollowedWindows(agents, desk),
                        ),
                        extensions=relays,
                        lines=link,
                        guests=guests,
                        lost=held.lost,
                    )
            finally:
                await engine.stop(STOP_SECONDS)
                await relays.close()


@dataclass(slots=True)
class HeldPlace:
    """The place of the one hub at a database, as this hub has it."""

    lost: "asyncio.Future[TabwireError]"
    """Set when another hub has the place: nothing is to be done any more then."""
    on_regained: Callable[[], Awaitable[None]] | None = None
    """Called when the server was away and the place is held again: a job that was due meanwhile
    failed, and another hub may have left jobs behind."""

    async def regained(self) -> None:
        """The place is held again."""
        if self.on_regained is not None:
            try:
                await self.on_regained()
            except Exception as exc:  # noqa: BLE001 - the place is watched on, whatever it was
                get_log().warn("unfinished questions were not resumed", error=exc)


@asynccontextmanager
async def only_hub(settings: Settings, *, durable: bool) -> AsyncIterator[HeldPlace]:
    """Where the store is a server's, the lock of the home is not enough."""
    held = HeldPlace(asyncio.get_running_loop().create_future())
    if not durable or not settings.database:
        yield held
        return
    from tabwire.store import postgres
    from tabwire.store.hub_place import HubPlace

    made(home())
    place = HubPlace(postgres.address(settings.database), home_mark())

    async def keep() -> None:
        held.lost.set_result(await place.kept(get_log().warn, held.regained))

    await asyncio.to_thread(place.take)
    try:
        async with beside(keep()):
            yield held
    finally:
        await asyncio.to_thread(place.leave)


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """It goes on beside what happens in this block, and ends with it."""
    task = asyncio.get_running_loop().create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


def warmed(engine: LateEngine) -> AbstractAsyncContextManager[None]:
    """The engine begins by itself soon, in this block."""
    return beside(engine.warm())


def engine_for(settings: Settings, *, durable: bool) -> LateEngine:
    """Where jobs are carried out."""
    if not durable:
        return LateEngine(MemoryEngine(width=settings.lanes))
    database = settings.database or made(home()) / QUEUE_FILE
    return LateEngine(DurableEngine(database, width=settings.lanes))
