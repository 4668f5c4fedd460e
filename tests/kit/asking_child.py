"""One ask in a process of its own, which may die at a given point of it.

    python -m kit.asking_child BROWSER SITE PROMPT [DIES]

Each event is a line with its name, at once; the last line is the result as JSON. `DIES` is the
name of an event, of a phase, or of a step that was just put on disk: there the process is gone
as by `kill -9`, without a word to anybody.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from tabwire.hub import LocalHub
from tabwire.hub.jobs.books import Books
from tabwire.model.ask import Answer, AskEvent, AskRequest, PhaseBegan, Step


def die() -> None:
    """At once."""
    os.kill(os.getpid(), signal.SIGKILL)


def die_when_kept(dies: str, end: Callable[[], None] = die) -> None:
    """Die as soon as this step is on disk; or whatever `end` does."""
    checkpoint = Books.checkpoint

    def dying(self: Books, row: Any) -> Any:
        keep = checkpoint(self, row)

        async def kept(step: Step, **more: Any) -> None:
            await keep(step, **more)
            if f"step:{step}" == dies:
                end()

        return kept

    Books.checkpoint = dying  # type: ignore[method-assign]


async def main(browser: str, site: str, prompt: str, dies: str = "") -> None:
    """Ask, and say how it goes."""
    die_when_kept(dies)

    def tell(event: AskEvent) -> None:
        name = type(event).__name__
        phase = f"phase:{event.phase}" if isinstance(event, PhaseBegan) else ""
        print(phase or name, flush=True)
        if dies in (name, phase or name):
            die()

    (result,) = await LocalHub().asks.ask([AskRequest(site, prompt)], tell, browser=browser)
    if isinstance(result, Answer):
        told = {"complete": result.complete, "text": result.text, "problems": result.problems}
    else:
        told = {"error": result.code, "says": str(result), "retry": result.retry}
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
