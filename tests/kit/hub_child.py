"""A hub in a process of its own, which may die at a given point of a job.

    python -m kit.hub_child BROWSER [DIES] [SITE PROMPT]…

Puts these questions in, if any, goes on with what a hub before it left, and ends when all rest.
Each news is a line with its kind; the last line is a list of the jobs as JSON, but for news that
come while the hub ends. `DIES` is the name of an event, of a phase, or of a step that was just put
on disk (`kit.asking_child`): there the process is gone as by `kill -9`. More points: `submitted`,
when a job's id is known, `due`, when it is about to be taken up, `taken`, when it just was, and
`rests`, when that last line is out. With `freeze:` before the point it stands still there, as a
laptop that sleeps, and goes on at SIGCONT. Where BROWSER is the extension's, it may dial in.

A hub whose place another one took says `lost: …` and ends. With `ELSEWHERE` in its environment it
knows no process but itself, as a hub on another machine.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from kit.asking_child import die, die_when_kept
from tabwire.browser import process
from tabwire.config.settings import Settings, settings
from tabwire.doors.http.serving import HttpDoor
from tabwire.hub.browsers.routes import EXTENSION
from tabwire.hub.jobs import books
from tabwire.hub.jobs.board import Entry
from tabwire.hub.local.hub import LocalHub
from tabwire.hub.process.assembly import beside, running_hub
from tabwire.hub.process.daemon import Ending
from tabwire.hub.process.sockets import open_sockets
from tabwire.model.ask import AskEvent, AskRequest, PhaseBegan
from tabwire.model.job import Asker, Door, Job
from tabwire.store.errors import StoreHeld
from tabwire.store.store import Store

ASKER = Asker("child", Door.PYTHON)
FREEZE = "freeze:"


def freeze() -> None:
    """Stand still, with all threads, until SIGCONT."""
    os.kill(os.getpid(), signal.SIGSTOP)


def know_nobody() -> None:
    """As on a machine where none of the processes run that others wrote of."""
    mark_of = process.mark_of

    def own_mark(pid: int) -> process.Mark | None:
        return mark_of(pid) if pid == os.getpid() else None

    books.mark_of = own_mark  # type: ignore[attr-defined]


def die_when_heard(dies: str, end: Callable[[], None]) -> None:
    """Die at this event, or at this phase, of any job; each is a line first."""
    hear = Entry.hear

    def dying(self: Entry, event: AskEvent) -> None:
        name = f"phase:{event.phase}" if isinstance(event, PhaseBegan) else type(event).__name__
        print(name, flush=True)
        if name == dies:
            end()
        hear(self, event)

    Entry.hear = dying  # type: ignore[method-assign]


def die_when_taken(dies: str, end: Callable[[], None], may: asyncio.Event) -> None:
    """Die before a job is taken up, or as soon as it was. None is before it `may` be."""
    take_up = Store.take_up

    async def dying(self: Store, *given: Any) -> Any:
        await may.wait()
        if dies == "due":
            end()
        row = await take_up(self, *given)
        if dies == "taken":
            end()
        return row

    Store.take_up = dying  # type: ignore[assignment, method-assign]


def told(job: Job) -> dict[str, Any]:
    """A job, as the test wants it."""
    answer = job.answer
    return {
        "id": job.id,
        "state": job.state,
        "prompt": job.request.prompt,
        "text": answer.text if answer is not None else None,
        "complete": answer.complete if answer is not None else None,
        "error": job.error.message if job.error is not None else None,
    }


@asynccontextmanager
async def hub_with_doors(now: Settings) -> AsyncIterator[LocalHub]:
    """A hub; with a door where it needs one to have a browser."""
    async with running_hub(now) as hub:
        if now.browser != EXTENSION:
            yield hub
            return
        sockets = open_sockets(now.port)
        try:
            async with beside(HttpDoor(hub, sockets, Ending()).serve()):
                yield hub
        finally:
            sockets.close()


async def rested(hub: LocalHub, jobs: Sequence[Job]) -> tuple[Job, ...]:
    """All of them, when they rest. Raises what says that another hub has the place."""
    loop = asyncio.get_running_loop()
    resting = loop.create_task(hub.jobs.wait([job.id for job in jobs]))
    lost = hub.lost or loop.create_future()
    await asyncio.wait([resting, lost], return_when=asyncio.FIRST_COMPLETED)
    if lost.done():
        resting.cancel()
        raise lost.result()
    return await resting


async def main(browser: str, said: str = "", *questions: str) -> None:
    """Ask, and say how it goes."""
    dies, end = said.removeprefix(FREEZE), freeze if said.startswith(FREEZE) else die
    if os.environ.get("ELSEWHERE"):
        know_nobody()
    die_when_kept(dies, end)
    die_when_heard(dies, end)
    waits = asyncio.Event()  # a server that goes away meanwhile is nothing to us then
    if end is die:
        waits.set()
    else:
        from tabwire.store import postgres  # its driver takes a tenth of a second to import

        postgres.FREE_SECONDS = 0.2  # nobody is waited for who will not go
    die_when_taken(dies, end, waits)
    pairs = zip(questions[::2], questions[1::2], strict=True)
    async with hub_with_doors(settings(browser=browser)) as hub:
        await hub.jobs.submit([AskRequest(*pair) for pair in pairs], ASKER)
        if dies == "submitted":
            end()
        if dies and end is die:  # the end of the last job must not be the end of us
            await asyncio.Event().wait()
        jobs = await hub.jobs.recent(100)
        waits.set()
        try:
            jobs = await rested(hub, jobs)
        except StoreHeld as lost:
            print(f"lost: {lost}", flush=True)
            return
        print(json.dumps([told(job) for job in jobs]), flush=True)
        if dies == "rests":
            end()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
