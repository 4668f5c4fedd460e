"""A hub with a real store and engine, for tests; only its sites are scripted."""

import asyncio
import time
from contextlib import asynccontextmanager

import pytest
import pytest_asyncio

from tabwire.config.settings import Settings
from tabwire.hub.jobs.board import JobBoard
from tabwire.hub.jobs.books import opened_books
from tabwire.hub.jobs.jobs import Jobs
from tabwire.hub.jobs.worker import Carrier
from tabwire.hub.sessions.sessions import Sessions
from tabwire.model.ask import (
    Answer,
    Answered,
    AskRequest,
    Completeness,
    Phase,
    PhaseBegan,
    Step,
    TextCame,
)
from tabwire.model.job import Asker, Door
from tabwire.queue.memory import MemoryEngine
from tabwire.store.rows import Owner

ME = Asker("agent-1", Door.MCP, "claude-code", "/project")
WHY = AskRequest("grok", "Why is the sky blue?")
DEAD = Owner(2**22 + 1, 1.0)  # no pid is that high
TEST_SECONDS = 60.0


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


class Site:
    """Answers as it is told to, in the place of `Asking.run`; what it does is kept as there."""

    def __init__(self):
        self.asked = []
        self.may_answer = asyncio.Event()
        self.fails = None
        self.unheard = None
        self.changed = asyncio.Event()
        self.stops = asyncio.Event()
        self.obeys = True

    async def result(self, books, row, entry):
        self.asked.append(row.id)
        self.changed.set()
        if self.unheard is not None:
            raise self.unheard
        entry.hear(PhaseBegan("grok", Phase.SEND, 0.0))
        await books.store.note(row.id, Step.SENT, time.time(), conversation_id="c1")
        entry.hear(PhaseBegan("grok", Phase.ANSWERING, 0.0))
        entry.hear(TextCame("grok", "Beca", False, False, 0.0))
        await self.may_answer.wait()
        if self.fails is not None:
            await books.rest(row, self.fails, sent=getattr(self.fails, "pending", False))
            return self.fails
        entry.hear(TextCame("grok", "use.", False, False, 0.0))
        answer = answer_for(row)
        await books.keep(row, answer)
        entry.hear(Answered("grok", answer, 0.0))
        return answer

    def stop_site(self):
        """Its Stop is pressed."""
        self.stops.set()
        if self.obeys:
            self.may_answer.set()

    async def until_asked(self, count):
        async with asyncio.timeout(TEST_SECONDS):
            while len(self.asked) < count:
                self.changed.clear()
                await self.changed.wait()


def answer_for(row, text="Because.", completeness=Completeness.COMPLETE):
    return Answer(
        row.id, "grok", row.request.prompt, text, completeness, "end of turn",
        conversation_id="c1", url="https://grok.com/c/c1",
    )  # fmt: skip


class Hub:
    """The parts under test, joined as `hub/process/assembly.py` does."""

    def __init__(self, books, site, width):
        self.books, self.site = books, site
        self.board = JobBoard(time.time)
        self.engine = MemoryEngine(width=width)
        self.sessions = Sessions(books.store, Settings())
        self.jobs = Jobs(books, self.engine, self.board)
        self.carrier = Carrier(books, self.board, None, self.sessions)

        async def result(row, entry, _tabs):
            entry.control.add(site)
            return await site.result(books, row, entry)

        self.carrier._result = result


@asynccontextmanager
async def running(site, width=3):
    async with opened_books() as books:
        hub = Hub(books, site, width)
        await hub.engine.start(hub.carrier.carry)
        try:
            yield hub
        finally:
            await hub.engine.stop(1.0)


@pytest_asyncio.fixture
async def site():
    return Site()


@pytest_asyncio.fixture
async def hub(site):
    async with running(site) as hub:
        yield hub


async def waited(hub, job):
    (now,) = await hub.jobs.wait([job.id], TEST_SECONDS)
    assert now.at_rest, now
    return now


async def heard(hub, job, after=0):
    async with asyncio.timeout(TEST_SECONDS):
        return [news async for news in hub.jobs.news(job.id, after=after)]
