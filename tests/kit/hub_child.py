"""A hub in a process of its own, which may die at a given point of a job.

    python -m kit.hub_child BROWSER [DIES] [SITE PROMPT]…

Puts these questions in, if any, goes on with what a hub before it left, and ends when all rest.
Each news is a line with its kind; the last line is a list of the jobs as JSON, but for news that
come while the hub ends. `DIES` is the name of an event, of a phase, or of a step that was just put
on disk (`kit.asking_child`): there the process is gone as by `kill -9`. Two more points:
`submitted`, when a job's id is known, and `taken`, when it was just taken up. Where BROWSER is the
extension's, it may dial in.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from kit.asking_child import die, die_when_kept
from tabwire.config.settings import Settings, settings
from tabwire.doors.http.serving import HttpDoor
from tabwire.hub.browsers.routes import EXTENSION
from tabwire.hub.jobs.board import Entry
from tabwire.hub.local.hub import LocalHub
from tabwire.hub.process.assembly import beside, running_hub
from tabwire.hub.process.daemon import Ending
from tabwire.hub.process.sockets import open_sockets
from tabwire.model.ask import AskEvent, AskRequest, PhaseBegan
from tabwire.model.job import Asker, Door, Job
from tabwire.store.store import Store

ASKER = Asker("child", Door.PYTHON)


def die_when_heard(dies: str) -> None:
    """Die at this event, or at this phase, of any job; each is a line first."""
    hear = Entry.hear

    def dying(self: Entry, event: AskEvent) -> None:
        name = f"phase:{event.phase}" if isinstance(event, PhaseBegan) else type(event).__name__
        print(name, flush=True)
        if name == dies:
            die()
        hear(self, event)

    Entry.hear = dying  # type: ignore[method-assign]


def die_when_taken(dies: str) -> None:
    """Die as soon as a job was taken up."""
    take_up = Store.take_up

    async def dying(self: Store, *given: Any) -> Any:
        row = await take_up(self, *given)
        if dies == "taken":
            die()
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


async def main(browser: str, dies: str = "", *questions: str) -> None:
    """Ask, and say how it goes."""
    die_when_kept(dies)
    die_when_heard(dies)
    die_when_taken(dies)
    pairs = zip(questions[::2], questions[1::2], strict=True)
    async with hub_with_doors(settings(browser=browser)) as hub:
        await hub.jobs.submit([AskRequest(*pair) for pair in pairs], ASKER)
        if dies == "submitted":
            die()
        if dies:  # the end of the last job must not be the end of us
            await asyncio.Event().wait()
        jobs = await hub.jobs.recent(100)
        jobs = await hub.jobs.wait([job.id for job in jobs])
        print(json.dumps([told(job) for job in jobs]), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
