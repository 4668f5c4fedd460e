"""One line to the browser, shared by all jobs of a hub.

It is opened when somebody first needs it, opened anew when it is gone, and closed when nobody
used it for a while or the hub ends; a browser we started ourselves closes with it. Chrome asks
its person at every connection, so two lines would be two dialogs.

The line is held by a task of its own: whoever opened it may be long over when it closes.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

from tabwire.browser.line import BrowserLine
from tabwire.browser.tabs import TabInfo

IDLE_SECONDS = 900.0
CLOSE_SECONDS = 2.0  # a browser that does not close by then is left to its keeper

logger = logging.getLogger(__name__)

Open = Callable[[], AbstractAsyncContextManager[BrowserLine]]


class Link:
    """The shared line. Lives inside `async with`."""

    def __init__(self, open_line: Open, *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._open = open_line
        self._idle_seconds = idle_seconds
        self._tasks: asyncio.TaskGroup | None = None
        self._held: _Held | None = None
        self._users = 0
        self._timer: asyncio.TimerHandle | None = None
        self._opening = asyncio.Lock()

    async def __aenter__(self) -> "Link":
        self._tasks = await asyncio.TaskGroup().__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks, self._tasks = self._tasks, None
        assert tasks is not None
        self._stay()
        if self._held is not None:
            await self._held.close()
        await tasks.__aexit__(None, None, None)

    @property
    def is_open(self) -> bool:
        """Whether there is a line that works."""
        return self._held is not None and self._held.works

    @property
    def in_use(self) -> tuple[tuple[TabInfo, str], ...]:
        """The tabs that are leased, each with its owner."""
        if self._held is None or not self._held.works:
            return ()
        tabs = self._held.line.tabs
        known = {one.target: one for one in tabs.known}
        return tuple(
            (known.get(held.target, TabInfo(held.target, "", "", True)), held.owner)
            for held in tabs.leases.all
        )

    @asynccontextmanager
    async def line(self) -> AsyncIterator[BrowserLine]:
        """The line, for the length of a block. Raises where no browser can be reached."""
        self._users += 1
        self._stay()
        try:
            async with self._opening:
                line = await self._some_line()
            yield line
        finally:
            self._users -= 1
            if not self._users and self._tasks is not None:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(self._idle_seconds, self._let_go)

    async def _some_line(self) -> BrowserLine:
        held = self._held
        if held is None or not (held.works or held.opens):
            if held is not None:
                await held.close()
            if self._tasks is None:
                raise RuntimeError("this hub has ended")
            self._held = held = _Held()
            held.task = self._tasks.create_task(held.hold(self._open), name="browser connection")
        # who gives up here does not stop it: a person may be about to press Allow
        return await asyncio.shield(held.opened)

    def _let_go(self) -> None:
        if self._held is not None:
            self._held.over.set()

    def _stay(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Held:
    """One line while it is open."""

    def __init__(self) -> None:
        self.opened: asyncio.Future[BrowserLine] = asyncio.get_running_loop().create_future()
        self.over = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    async def hold(self, open_line: Open) -> None:
        """Open it, and keep it until it is over."""
        try:
            async with open_line() as line:
                line.connection.on_gone(lambda _gone: self.over.set())
                self.opened.set_result(line)
                await self.over.wait()
        except asyncio.CancelledError:
            raise
        except Exception as exc:  # noqa: BLE001  the top of a task: who waits for the line is told
            if self.opened.done():
                logger.warning("the browser connection did not close cleanly: %s", exc)
            else:
                self.opened.set_exception(exc)
                self.opened.exception()  # also where nobody waits any more
        finally:
            self.over.set()
            self.opened.cancel()

    @property
    def line(self) -> BrowserLine:
        """It is open."""
        return self.opened.result()

    @property
    def opens(self) -> bool:
        """Whether it is still being opened."""
        return not self.opened.done() and not self.over.is_set()

    @property
    def works(self) -> bool:
        """Whether it can still be used."""
        if not self.opened.done() or self.opened.cancelled() or self.over.is_set():
            return False
        return self.opened.exception() is None and self.line.connection.gone is None

    async def close(self) -> None:
        """Close it, and wait for that, but not for ever."""
        assert self.task is not None
        if not self.opened.done():
            self.task.cancel()
        self.over.set()
        _done, late = await asyncio.wait([self.task], timeout=CLOSE_SECONDS)
        for task in late:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.wait([task], timeout=CLOSE_SECONDS)
