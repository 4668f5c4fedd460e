"""Ctrl-C while a site writes: what was sent goes on without us, so we say how to get it.

The first one leaves. With --stop-site the first one waits a moment for a second, which
presses the site's own Stop.
"""

import asyncio
import shlex
import signal
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tabwire.doors.cli.ask.board import Column, count
from tabwire.model.ask_errors import AskError
from tabwire.model.errors import Retry, TabwireError
from tabwire.model.exits import INTERRUPTED
from tabwire.model.products import product

AGAIN_SECONDS = 3.0  # in which a second Ctrl-C means: stop the site
STOPPED_SECONDS = 20.0  # a stopped site ends its answer; longer than that nobody waits
CODE = "interrupted"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Over(Generic[T]):
    """How it ended. `result` is None where we left before the end."""

    result: T | TabwireError | None
    interrupted: bool = False


class CtrlC:
    """Ctrl-C as something to wait for, instead of an exception in the middle of anything.

    `with` it, from before anything is shown: a person who sees something may press it.
    """

    def __init__(self) -> None:
        self._pressed = asyncio.Event()
        self._before: Any = None
        self._ours = False

    def __enter__(self) -> "CtrlC":
        loop = asyncio.get_running_loop()
        try:
            loop.add_signal_handler(signal.SIGINT, self._pressed.set)
        except NotImplementedError:  # Windows
            self._before = signal.signal(
                signal.SIGINT, lambda *_: loop.call_soon_threadsafe(self._pressed.set)
            )
        self._ours = True
        return self

    def __exit__(self, *_: object) -> None:
        self.give_back()

    def give_back(self) -> None:
        """From here on it is Python's own again: nobody is kept from leaving."""
        if not self._ours:
            return
        self._ours = False
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        else:
            asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)

    async def before(self, task: asyncio.Task[Any], seconds: float | None = None) -> bool:
        """Whether it is pressed before the task ends, and before so many seconds are over."""
        async with asyncio.TaskGroup() as group:
            pressed = group.create_task(self._pressed.wait())
            await asyncio.wait(
                {task, pressed}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
            pressed.cancel()
        was = self._pressed.is_set()
        self._pressed.clear()
        return was


async def until_over(
    asking: Coroutine[Any, Any, T],
    keys: CtrlC,
    *,
    say: Callable[[str], None],
    stop: Callable[[], None] | None = None,
    writing: Callable[[], bool] = lambda: False,
) -> Over[T]:
    """Carry it out, or leave at Ctrl-C. `stop` presses Stop; `writing`: is there anything to?"""
    async with asyncio.TaskGroup() as group:
        task = group.create_task(_told(asking))
        if not await keys.before(task):
            return Over(await task)
        if stop is not None and writing():
            say(f"press Ctrl-C again within {AGAIN_SECONDS:.0f} s to click Stop on the sites")
            if await keys.before(task, AGAIN_SECONDS):
                stop()
                say("stopping; press Ctrl-C again to exit without waiting")
                await keys.before(task, STOPPED_SECONDS)
        keys.give_back()
        if task.done():
            return Over(task.result(), interrupted=True)
        task.cancel()
        await asyncio.wait({task})
    return Over(None, interrupted=True)


async def _told(asking: Coroutine[Any, Any, T]) -> T | TabwireError:
    try:
        return await asking
    except TabwireError as error:
        return error


def left(column: Column) -> AskError:
    """What becomes of a column that was left before its end."""
    site = column.site
    name = product(site)
    if column.sent:
        came = f" ({count(column.text.length)} characters so far)" if column.text.length else ""
        what = f"interrupted after the prompt was sent; {name} is still writing{came}"
        act = f"Fetch the answer: `{fetch_command(column)}`."
        if column.temporary:
            act = "This is a temporary chat: the answer is only in its tab."
    elif column.maybe_sent:
        what = f"interrupted; it is not known whether the prompt reached {name}"
        act = f"Check before you ask again: `{fetch_command(column)}`."
    else:
        what, act = f"interrupted before anything was sent to {name}", "Ask again."
    sent = column.sent or column.maybe_sent
    error = AskError(site, what, what_to_do=act, retry=Retry.RESUME if sent else Retry.SAME)
    error.attempt_id = column.attempt_id
    error.conversation_id = column.conversation_id
    return interrupted(error)


def interrupted(error: AskError) -> AskError:
    """The error as one that Ctrl-C made: no class of its own, for nobody ever catches it."""
    error.code = CODE
    error.exit_code = INTERRUPTED
    return error


def fetch_command(column: Column) -> str:
    """How to get this column's answer later."""
    said = column.conversation_id or column.attempt_id or "last"
    return f"tabwire fetch {said} --site {column.site}{in_browser(column.browser)}"


def in_browser(said: str | None) -> str:
    """What to add to a command, where a browser was said for the one before it."""
    return "" if said is None else f" --browser {shlex.quote(said)}"
