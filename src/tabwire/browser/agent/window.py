"""One window of Antigravity: attached once and watched once, for everybody who needs it.

Theory of operation. Whoever follows, drives or sends is a listener. While there is one, the
window is attached: its page's socket is opened, its panel is watched, and each state of the panel
goes to every listener, in the order of the socket. A socket that is lost is opened again, with a
growing delay, until `give_up_seconds` have passed; the window is looked up anew for that, because
it has another id after a restart of the program. When the last listener leaves, all is let go of.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

from tabwire.browser.agent.connection import PageSession, open_window
from tabwire.browser.agent.panel import PanelWatch
from tabwire.browser.agent.targets import Find, is_alike
from tabwire.model.agent import Panel, SelfTest
from tabwire.model.errors import TabwireError
from tabwire.sites.antigravity.page import Window

FIRST_WAIT_SECONDS = 0.25
MAX_WAIT_SECONDS = 5.0
"""Between two attempts to attach again: it grows with the time the window is away, up to this."""

HEARTBEAT_SECONDS = 5.0
"""A look although nothing was heard: a page may lose its observer."""

LOST = "the connection to the window was lost"
OPEN = "Make sure that the window is open; Tabwire reconnects automatically."


@dataclass(eq=False, slots=True)
class Attachment:
    """The socket to a window's page, and the watch over its panel."""

    window: Window
    session: PageSession
    watch: PanelWatch
    panel: Panel
    """As it was heard of last."""
    test: SelfTest
    """What was recognised when it was attached, or refreshed last."""
    heard_at: float = field(default_factory=time.monotonic)
    heard: int = 0
    missed: int = 0

    @property
    def is_gone(self) -> bool:
        """Whether nothing can be asked over it any more."""
        return self.session.connection.gone is not None


@dataclass(frozen=True, slots=True)
class Lost:
    """The window is not attached: the socket was lost, or could not be opened again."""

    error: TabwireError


@dataclass(frozen=True, slots=True)
class Ended:
    """The window stayed away too long, or watching it failed. Nothing follows."""

    error: Exception
    seconds: float = 0.0
    """How long it was away."""


WindowChange = Attachment | Panel | Lost | Ended
Hear = Callable[[WindowChange], None]


class AgentWindow:
    """A window. `listed` is how it was listed last; `find` looks it up again, and at first, too,
    where nobody says how it is listed now."""

    def __init__(
        self,
        find: Find,
        listed: Window | None = None,
        *,
        name: str = "",
        give_up_seconds: float | None = None,
    ) -> None:
        self.find = find
        self.listed = listed
        self.is_there = listed is not None
        self.name = name or (listed.name if listed else "")
        self.attachment: Attachment | None = None
        self.ended: Ended | None = None
        self._is_fresh = listed is not None
        self._give_up = give_up_seconds
        self._listeners: list[Hear] = []
        self._patience: list[float] = []
        self._running: asyncio.Task[None] | None = None
        self._signal = asyncio.Event()  # the socket is gone, or a state was missed
        self._away_since: float | None = None

    @property
    def is_used(self) -> bool:
        """Whether somebody listens."""
        return bool(self._listeners)

    def may_become(self, other: Window) -> bool:
        """Whether it is away, and might come back as this one."""
        away = self.is_used and self._away_since is not None
        return away and self.listed is not None and is_alike(self.listed, other)

    def is_at(self, target: str) -> bool:
        """Whether it is there, under this id."""
        return self.is_there and self.listed is not None and self.listed.id == target

    @asynccontextmanager
    async def listening(self, hear: Hear, *, patience_seconds: float = 0.0) -> AsyncIterator[None]:
        """Tell `hear` all that happens, inside the block, and first of all that it is attached.
        It is called in the receive loop and must not wait. A window that is away is not given up
        before `patience_seconds`."""
        if self.ended is not None:
            hear(self.ended)
        elif self.attachment is not None:
            hear(self.attachment)
        self._listeners.append(hear)
        self._patience.append(patience_seconds)
        if self._running is None and self.ended is None:
            self._away_since = None
            self._running = asyncio.get_running_loop().create_task(self._run())
        try:
            yield
        finally:
            self._listeners.remove(hear)
            self._patience.remove(patience_seconds)
            if not self._listeners:
                await self._stop()

    @asynccontextmanager
    async def attached(self) -> AsyncIterator[Attachment]:
        """The window, attached at least for the length of a block. Raises why it cannot be."""
        waiting: asyncio.Future[Attachment] = asyncio.get_running_loop().create_future()

        def hear(change: WindowChange) -> None:
            if waiting.done():
                return
            if isinstance(change, Attachment):
                waiting.set_result(change)
            elif isinstance(change, Lost | Ended):
                waiting.set_exception(change.error)

        async with self.listening(hear):
            yield await waiting

    async def refresh(self) -> None:
        """Look at the panel and test it now, where it is attached: whoever begins to listen gets
        the state of this moment. Raises what a look raises."""
        attachment = self.attachment
        if attachment is not None:
            attachment.test = await attachment.watch.test()
            await self._look(attachment)

    # --- attaching, and attaching again --------------------------------------------------------

    async def _run(self) -> None:
        try:
            while True:
                error = TabwireError(LOST, what_to_do=OPEN)
                try:
                    await self._attach()
                except TabwireError as exc:
                    error = exc
                now = time.monotonic()
                since = self._away_since = self._away_since or now
                self._tell(Lost(error))
                await asyncio.sleep(self._wait(now - since))
                away = time.monotonic() - since
                give_up = self._give_up_seconds
                if give_up is not None and away >= give_up:
                    self._end(error, away)
                    return
        except Exception as exc:  # noqa: BLE001  whoever listens raises it
            self._end(exc)

    async def _attach(self) -> None:
        """From one attaching to the loss of the socket."""
        window = await self._found()
        if window is None:
            return
        session = await open_window(window)
        session.connection.on_gone(lambda _: self._signal.set())
        early: list[Panel] = []
        watch = PanelWatch(session, early.append, missed=self._signal.set)
        attachment = None
        try:
            panel = await watch.arm()
            attachment = Attachment(window, session, watch, panel, await watch.test())
            hear = partial(self._heard, attachment)
            watch.hear = hear
            self.attachment, self._away_since = attachment, None
            self._tell(attachment)
            for one in early:
                hear(one)
            while not attachment.is_gone:
                await self._next(attachment)
        finally:
            if self.attachment is attachment:
                self.attachment = None
            watch.close()
            await session.connection.close()

    async def _found(self) -> Window | None:
        if self._is_fresh:
            self._is_fresh = False
            return self.listed
        try:
            window = await self.find()
        except TabwireError:
            self.is_there = False
            raise
        self.is_there = window is not None
        self.listed = window or self.listed
        self.name = self.name or (window.name if window else "")
        return window

    async def _next(self, attachment: Attachment) -> None:
        """Wait for the loss, or until a look is due, and take that."""
        watch = attachment.watch
        due = attachment.heard_at + HEARTBEAT_SECONDS - time.monotonic()
        if due > 0 and watch.missed == attachment.missed:
            with suppress(TimeoutError):
                async with asyncio.timeout(due):
                    await self._signal.wait()
            self._signal.clear()
            return
        await self._look(attachment)

    async def _look(self, attachment: Attachment) -> None:
        watch = attachment.watch
        heard, attachment.missed = attachment.heard, watch.missed
        panel = await watch.look(whole=watch.forgotten)
        if attachment.heard == heard:  # else the page told of something newer meanwhile
            watch.hear(panel)

    def _heard(self, attachment: Attachment, panel: Panel) -> None:
        attachment.panel, attachment.heard_at = panel, time.monotonic()
        attachment.heard += 1
        self._tell(panel)

    def _wait(self, away: float) -> float:
        wait = min(FIRST_WAIT_SECONDS + away / 2, MAX_WAIT_SECONDS)
        give_up = self._give_up_seconds
        return wait if give_up is None else max(min(wait, give_up - away), 0.01)

    @property
    def _give_up_seconds(self) -> float | None:
        return None if self._give_up is None else max(self._give_up, *self._patience, 0.0)

    def _tell(self, change: WindowChange) -> None:
        for hear in tuple(self._listeners):
            hear(change)

    def _end(self, error: Exception, seconds: float = 0.0) -> None:
        self.ended = Ended(error, seconds)
        self._tell(self.ended)

    async def _stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.cancel()
            await asyncio.wait([running])
