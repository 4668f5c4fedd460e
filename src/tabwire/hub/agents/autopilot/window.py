"""One window, driven: its lock, the lease in its page, and a pilot.

It listens to the window (browser/agent/window.py), which attaches and comes back by itself.

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
from tabwire.browser.agent.connection import PageSession
from tabwire.browser.agent.targets import Loading
from tabwire.browser.agent.window import AgentWindow, Attachment, WindowChange
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
from tabwire.model.errors import BrowserNotReachable, TabwireError
from tabwire.sites.antigravity.page import Window
from tabwire.store.errors import StoreError

logger = logging.getLogger(__name__)

RENEW_SECONDS = LEASE_SECONDS / 4
STAND_BY_SECONDS = 1.0
SEAT_SECONDS = 0.5
"""A look while the window has no title yet: that it gets one is not heard of."""
BACK_SECONDS = 1.0


class _LockLost(Exception):
    """Another one drives this window now."""


class DrivenWindow:
    """Drives one window for as long as it is there under this id and `run` is not cancelled."""

    def __init__(
        self,
        seat: Seat,
        window: AgentWindow,
        lock: DriverLock,
        given: Callable[[Callable[[], str]], Awaitable[Given]],
        tell: Callable[[AutopilotEvent], None],
        *,
        approval_seconds: float,
        seat_in: Callable[[Window], Seat],
        seat_now: Callable[[PageSession], Awaitable[Seat]] | None = None,
    ) -> None:
        self.seat = seat
        self._window = window
        self._target = window.listed.id if window.listed is not None else ""
        self._seat_in = seat_in
        self._seat_now = seat_now  # for windows that show now one project, now another
        self._document = -1  # which one of the window `seat` is of
        self._loading = Loading()
        self._lock = lock
        self._make_given = given
        self._tell = tell
        self._approval_seconds = approval_seconds
        self._beat_at = float("-inf")
        self._holder: Claim | None = None
        self._heard = asyncio.Event()
        self._newest: Panel | None = None  # that nobody has decided on yet
        self._clicker: Clicker | None = None
        self._attachment: Attachment | None = None
        self._leased = False
        self._given: Given | None = None
        self.pilot: Pilot | None = None

    @property
    def stands_by(self) -> Claim | None:
        """Who drives it instead of us."""
        return self._holder

    async def run(self) -> None:
        """Until the window is gone."""
        async with self._window.listening(self._hear):
            while self._window.is_at(self._target) and self._window.ended is None:
                if (attachment := self._window.attachment) is None:
                    await self._heard.wait()
                    self._heard.clear()
                else:
                    await self._turn(attachment)

    def _hear(self, change: WindowChange) -> None:
        self._newest = change if isinstance(change, Panel) else None
        self._heard.set()

    async def _turn(self, attachment: Attachment) -> None:
        """Drive it while it is attached, if nobody else does."""
        holder = await self._taken()
        if holder is not None:
            if self._holder is None or self._holder.number != holder.number:
                self._tell(StandsBy(self.seat.key, holder.pid))
            self._holder = holder
            await asyncio.sleep(STAND_BY_SECONDS)
            return
        self._holder = None
        self._beat_at = time.monotonic()
        wait = 0.0
        try:
            await self._driven(attachment)
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

    async def _taken(self) -> Claim | None:
        """Take the lock; or who has it. Where we are cancelled meanwhile, the thread may take it
        all the same: then it is released, or the next driver would wait until it is stale."""
        taking = asyncio.get_running_loop().run_in_executor(None, self._lock.take)
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            await asyncio.wait([taking])
            await asyncio.to_thread(self._lock.release)
            raise

    async def _driven(self, attachment: Attachment) -> None:
        self._given = given = await self._make_given(self.why_not)
        try:
            self._attachment = attachment
            self._clicker = clicker = Clicker(attachment.session)
            self.pilot = pilot = Pilot(
                self.seat, clicker, given, approval_seconds=self._approval_seconds
            )
            self._document = -1
            self._tell(Drives(self.seat.key))
            self._newest = await attachment.watch.look(whole=True)
            self._heard.set()
            await self.renew()
            async with asyncio.TaskGroup() as group:
                besides = [group.create_task(self._beats()), group.create_task(self._renewals())]
                while not attachment.is_gone:
                    await self._next(pilot, attachment)
                for one in besides:
                    one.cancel()
        finally:
            await self._let_go()

    async def _next(self, pilot: Pilot, attachment: Attachment) -> None:
        """Decide on the newest state of the panel, when there is one or a look is due."""
        watch = attachment.watch
        due = pilot.next_deadline()
        if self._seat_now is None and self._document != watch.document:
            soon = time.monotonic() + SEAT_SECONDS
            due = min(due or soon, soon)
        try:
            async with asyncio.timeout(due and max(due - time.monotonic(), 0.01)):
                await self._heard.wait()
            self._heard.clear()
            panel, self._newest = self._newest, None
        except TimeoutError:
            panel = await watch.look()
        if panel is not None and await self._seated(pilot, attachment):
            await pilot.see(panel)

    async def _seated(self, pilot: Pilot, attachment: Attachment) -> bool:
        """Whether it is known where the agent works, as far as the window says it.

        An editor that opens another folder does so in another document of the same window. Within
        a document the title is not believed again: it also has names of files in it.
        """
        if self._seat_now is not None:
            pilot.sit(await self._seat_now(attachment.session))
        elif self._document != attachment.watch.document:
            document = attachment.watch.document
            window = await self._listed()
            if window is None or self._loading.has(window):
                return False
            self._document = document
            pilot.sit(self._seat_in(window))
        self.seat = pilot.seat
        return True

    async def _listed(self) -> Window | None:
        """How it is listed at this moment."""
        try:
            window = await self._window.find()
        except BrowserNotReachable:
            return None
        return window if window is not None and window.id == self._target else None

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
        if self._attachment is not None:
            with suppress(TabwireError):
                await self.renew()
                self._hear(await self._attachment.watch.look(whole=True))

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
        return (
            "another process controls this window"
            if self._holder
            else "this window is not controlled by this process now"
        )

    async def answer(self, approval: Approval, approve: bool, who: Answerer) -> Answered:
        """Carry out a person's answer, on what the page shows now."""
        pilot, attachment = self.pilot, self._attachment
        if pilot is None or attachment is None:
            return Answered(False, "the window cannot be reached now; nothing was clicked")
        panel = await attachment.watch.look(whole=True)
        if not await self._seated(pilot, attachment):
            return Answered(False, "the window is still loading; nothing was clicked")
        return await pilot.answer(approval, approve, who, panel)

    async def _let_go(self) -> None:
        pilot, self.pilot = self.pilot, None
        await self.revoke()
        self._clicker = self._given = self._attachment = None
        if pilot is not None:
            await pilot.lost("the connection to the window was lost")
