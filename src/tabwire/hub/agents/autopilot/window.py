"""One window, driven: its lock, its line, the lease in its page, and a pilot.

Whoever does not hold the window's lock stands by and does nothing. While it is held, a sign of
life is given every five seconds and the lease in the page is renewed; when either cannot be
done, nothing is clicked, because the page refuses and so do we.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from tabwire.autopilot.click import LEASE_SECONDS, Clicker
from tabwire.autopilot.context import Given
from tabwire.autopilot.owner import BEAT_SECONDS, Claim, is_ours
from tabwire.autopilot.pilot import Pilot
from tabwire.autopilot.ruling import Seat
from tabwire.browser.agent.connection import PageSession, open_window
from tabwire.browser.agent.panel import PanelWatch
from tabwire.browser.agent.targets import Loading
from tabwire.hub.agents.autopilot.lock import DriverLock
from tabwire.model.agent import Panel
from tabwire.model.autopilot import (
    Answered,
    Answerer,
    Approval,
    AutopilotEvent,
    Drives,
    Halted,
    StandsBy,
)
from tabwire.model.errors import TabwireError
from tabwire.sites.antigravity.page import Window
from tabwire.store.errors import StoreError

logger = logging.getLogger(__name__)

RENEW_SECONDS = LEASE_SECONDS / 4
STAND_BY_SECONDS = 1.0
NET_SECONDS = 5.0
"""A look although nothing was heard: a page may lose its observer."""
SEAT_SECONDS = 0.5
"""The same while the window has no title yet: that it gets one is not heard of."""
BACK_SECONDS = 1.0

Find = Callable[[], Awaitable[Window | None]]


class _LockLost(Exception):
    """Another one drives this window now."""


class DrivenWindow:
    """Drives one window for as long as it is there and `run` is not cancelled."""

    def __init__(
        self,
        seat: Seat,
        find: Find,
        lock: DriverLock,
        given: Callable[[Callable[[], str]], Awaitable[Given]],
        tell: Callable[[AutopilotEvent], None],
        *,
        approval_seconds: float,
        seat_in: Callable[[Window], Seat],
        seat_now: Callable[[PageSession], Awaitable[Seat]] | None = None,
    ) -> None:
        self.seat = seat
        self._seat_in = seat_in
        self._seat_now = seat_now  # for windows that show now one project, now another
        self._document = -1  # which one of the window `seat` is of
        self._loading = Loading()
        self._session: PageSession | None = None
        self._find = find
        self._lock = lock
        self._make_given = given
        self._tell = tell
        self._approval_seconds = approval_seconds
        self._beat_at = float("-inf")
        self._holder: Claim | None = None
        self._news: asyncio.Queue[Panel | None] = asyncio.Queue()
        self._clicker: Clicker | None = None
        self._watch: PanelWatch | None = None
        self._leased = False
        self._given: Given | None = None
        self.pilot: Pilot | None = None

    @property
    def stands_by(self) -> Claim | None:
        """Who drives it instead of us."""
        return self._holder

    async def run(self) -> None:
        """Until the window is gone."""
        while await self._find() is not None:
            holder = await asyncio.to_thread(self._lock.take)
            if holder is not None:
                if self._holder is None or self._holder.number != holder.number:
                    self._tell(StandsBy(self.seat.key, holder.pid))
                self._holder = holder
                await asyncio.sleep(STAND_BY_SECONDS)
                continue
            self._holder = None
            self._beat_at = time.monotonic()
            wait = 0.0
            try:
                await self._driven()
            except* _LockLost:
                pass  # it is stood by for in the next round
            except* StoreError as lost:
                self._tell(Halted(self.seat.key, f"nothing is clicked: {lost.exceptions[0]}"))
                wait = BACK_SECONDS
            except* TabwireError as lost:
                logger.info("autopilot: %s: %s", self.seat.key, lost.exceptions[0])
                wait = BACK_SECONDS
            finally:
                self._beat_at = float("-inf")
                await asyncio.to_thread(self._lock.release)
            if (task := asyncio.current_task()) is not None and task.cancelling():
                # a group that ends by an error just then keeps the cancelling to itself
                raise asyncio.CancelledError
            await asyncio.sleep(wait)

    async def _driven(self) -> None:
        window = await self._find()
        if window is None:
            return
        self._session = session = await open_window(window)
        self._given = given = await self._make_given(self.why_not)
        try:
            session.connection.on_gone(lambda _: self._news.put_nowait(None))
            self._clicker = clicker = Clicker(session)
            self._watch = watch = PanelWatch(session, self._news.put_nowait)
            self.pilot = pilot = Pilot(
                self.seat, clicker, given, approval_seconds=self._approval_seconds
            )
            self._document = -1
            self._tell(Drives(self.seat.key))
            panel = await watch.arm()
            await self.renew()
            async with asyncio.TaskGroup() as group:
                besides = [group.create_task(self._beats()), group.create_task(self._renewals())]
                if await self._seated(pilot, watch):
                    await pilot.see(panel)
                while session.connection.gone is None:
                    await self._next(pilot, watch)
                for one in besides:
                    one.cancel()
        finally:
            await self._let_go()
            await session.connection.close()

    async def _next(self, pilot: Pilot, watch: PanelWatch) -> None:
        seated = self._seat_now is not None or self._document == watch.document
        until = time.monotonic() + (NET_SECONDS if seated else SEAT_SECONDS)
        due = min(pilot.next_deadline() or until, until)
        try:
            async with asyncio.timeout(max(due - time.monotonic(), 0.01)):
                panel = await self._news.get()
                while not self._news.empty() and panel is not None:
                    panel = self._news.get_nowait()
        except TimeoutError:
            panel = await watch.look()
        if panel is None:
            return
        panel = await watch.look(whole=True) if watch.forgotten else panel
        if await self._seated(pilot, watch):
            await pilot.see(panel)

    async def _seated(self, pilot: Pilot, watch: PanelWatch) -> bool:
        """Whether it is known where the agent works, as far as the window says it.

        An editor that opens another folder does so in another document of the same window. Within
        a document the title is not believed again: it also has names of files in it.
        """
        if self._seat_now is not None and self._session is not None:
            pilot.sit(await self._seat_now(self._session))
        elif self._document != watch.document:
            document = watch.document
            window = await self._find()
            if window is None or self._loading.has(window):
                return False
            self._document = document
            pilot.sit(self._seat_in(window))
        self.seat = pilot.seat
        return True

    async def _beats(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            if not await asyncio.to_thread(self._lock.beat):
                raise _LockLost
            self._beat_at = time.monotonic()

    async def _renewals(self) -> None:
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            await self.renew()

    async def renew(self) -> None:
        """Let the page click for a while longer, if anything may be clicked by itself at all."""
        if self._clicker is None or self._given is None:
            return
        wanted = not self.why_not() and not self._given.stopped()
        if wanted and self._given.switches().on:
            self._leased = True
            await self._clicker.lease()
        elif self._leased:
            self._leased = False
            await self._clicker.revoke()

    async def wake(self) -> None:
        """Something was switched: what is on the screen is looked at again."""
        if self._watch is not None:
            with suppress(TabwireError):
                await self.renew()
                self._news.put_nowait(await self._watch.look(whole=True))

    async def revoke(self) -> None:
        """Nothing is clicked any more when this returns, also nothing that was decided on."""
        if self._clicker is not None:
            self._leased = False
            with suppress(TabwireError):  # a page that does not answer clicks nothing either
                await self._clicker.revoke()

    def why_not(self) -> str:
        """Why we may not act in this window now; "" where we may."""
        if is_ours(self._beat_at, time.monotonic()):
            return ""
        return "another one drives this window" if self._holder else "this window is not ours now"

    async def answer(self, approval: Approval, approve: bool, who: Answerer) -> Answered:
        """Carry out a person's answer, on what the page shows now."""
        if self.pilot is None or self._watch is None:
            return Answered(False, "the window cannot be reached now; nothing was clicked")
        panel = await self._watch.look(whole=True)
        if not await self._seated(self.pilot, self._watch):
            return Answered(False, "the window is still loading; nothing was clicked")
        return await self.pilot.answer(approval, approve, who, panel)

    async def _let_go(self) -> None:
        pilot, watch = self.pilot, self._watch
        self.pilot = self._watch = None
        await self.revoke()
        self._clicker = self._given = self._session = None
        if watch is not None:
            watch.close()
        if pilot is not None:
            await pilot.lost("the line to the window was lost")
        while not self._news.empty():
            self._news.get_nowait()
