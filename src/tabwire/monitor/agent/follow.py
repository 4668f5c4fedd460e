"""One window, from attaching to its end: connect, arm, hear, let time pass, come back.

The shell around `Runs`; it decides nothing about runs. A line that is lost is dialled again with
growing distance for as long as somebody follows; what a run makes of that is in `Runs`, which
has a bound. The window is found anew each time: after a restart of the program it has another id.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from tabwire.browser.agent.connection import PageSession, open_window
from tabwire.browser.agent.panel import PanelWatch
from tabwire.browser.agent.targets import windows_at
from tabwire.fusion.monitor_phases import MonitorProfile
from tabwire.model.agent import AgentAttached, AgentEvent, AgentLost, Panel
from tabwire.model.errors import TabwireError
from tabwire.monitor.agent.runs import AGENT, Runs
from tabwire.sites.antigravity.page import Place, Window

logger = logging.getLogger(__name__)

FIRST_WAIT_SECONDS = 0.25
MAX_WAIT_SECONDS = 5.0
"""Between two tries to come back: doubled each time, up to this."""

HEARTBEAT_SECONDS = 5.0
"""A look although nothing was heard: a net under the events, as a page may lose its observer."""

Find = Callable[[], Awaitable[Window | None]]


def at_port(port: int, window: Window) -> Find:
    """Find this window again: by its id, else by its name where only one is called so. The
    stand-alone program's is called by what it shows, which the list does not tell."""

    async def find() -> Window | None:
        there = await windows_at(port)
        for one in there:
            if one.id == window.id:
                return one
        alike = [
            one
            for one in there
            if one.place is window.place
            and (one.place is Place.APP or one.workspace == window.workspace)
        ]
        return alike[0] if len(alike) == 1 else None

    return find


class Follower:
    """Follows one window. `profile` has the limits; `give_up_seconds` ends following a window
    that stays away, None never does."""

    def __init__(
        self,
        find: Find,
        *,
        name: str = "",
        profile: MonitorProfile = AGENT,
        passive: bool | None = None,
        give_up_seconds: float | None = None,
        reconnects: bool = True,
    ) -> None:
        self._find = find
        self._name = name
        self._profile = profile
        self._passive = passive
        self._give_up = give_up_seconds
        self._reconnects = reconnects
        self._states: asyncio.Queue[Panel | None] = asyncio.Queue()
        self._clock = time.monotonic
        self.runs: Runs | None = None
        self.session: PageSession | None = None
        """The line, while there is one: whoever acts in the window uses it."""
        self.watch: PanelWatch | None = None
        self.window: Window | None = None
        """The window as it was found last; after a restart it has another id."""

    @property
    def name(self) -> str:
        """What the window is called in what is told of it."""
        return self._name

    async def events(self) -> AsyncGenerator[AgentEvent, None]:
        """All that happens, until the window stays away too long or `aclose`."""
        lost_at: float | None = None
        try:
            while True:
                try:
                    async with aclosing(self._attached()) as attached:
                        async for event in attached:
                            lost_at = None
                            yield event
                    why = "the line to the window was lost"
                except TabwireError as exc:
                    why = str(exc)
                now = self._clock()
                lost_at = now if lost_at is None else lost_at
                if self.runs is not None:
                    for event in self.runs.connection(False, now, why):
                        yield event
                async with aclosing(self._away(lost_at)) as waited:
                    async for event in waited:
                        yield event
                if self._is_given_up(lost_at):
                    now = self._clock()
                    yield AgentLost(now, self._name, round(now - lost_at, 1), why)
                    return
        finally:
            await self._let_go()

    async def _attached(self) -> AsyncGenerator[AgentEvent, None]:
        """From one attaching to the loss of the line."""
        window = await self._find()
        if window is None:
            return
        self.window = window
        self._name = self._name or window.name
        self.session = session = await open_window(window)
        try:
            session.connection.on_gone(lambda _: self._states.put_nowait(None))
            self.watch = watch = PanelWatch(session, self._states.put_nowait)
            panel = await watch.arm()
            test = await watch.test()
            now = self._clock()
            yield AgentAttached(now, self._name, test, panel.conversation, panel.model)
            if self.runs is None:
                self.runs = Runs(
                    self._name, panel, now, profile=self._profile, passive=self._passive
                )
                events = self.runs.opening(now)
            else:
                events = (*self.runs.connection(True, now), *self.runs.feed(panel, now))
            for event in events:
                yield event
            while session.connection.gone is None:
                for event in await self._next(self.runs, watch):
                    yield event
        finally:
            await self._let_go()

    async def _next(self, runs: Runs, watch: PanelWatch) -> tuple[AgentEvent, ...]:
        """Wait for the next state, the next deadline or the heartbeat."""
        now = self._clock()
        deadline = runs.next_deadline()
        until = now + HEARTBEAT_SECONDS
        try:
            async with asyncio.timeout(max(min(deadline or until, until) - now, 0.0)):
                panel = await self._states.get()
        except TimeoutError:
            if deadline is not None and self._clock() >= deadline:
                return runs.tick(self._clock())
            panel = await watch.look()
        if panel is None:
            return ()
        if watch.forgotten:
            panel = await watch.look(whole=True)
        return runs.feed(panel, self._clock())

    async def _away(self, lost_at: float) -> AsyncGenerator[AgentEvent, None]:
        """Wait before the next try; the run's time goes on meanwhile."""
        spent = self._clock() - lost_at
        wait = min(FIRST_WAIT_SECONDS + spent / 2, MAX_WAIT_SECONDS)
        if self._give_up is not None:
            wait = max(min(wait, self._give_up - spent), 0.01)
        until = self._clock() + wait
        while (now := self._clock()) < until or not self._reconnects:
            deadline = self.runs.next_deadline() if self.runs else None
            if deadline is None and not self._reconnects:
                return
            await asyncio.sleep(
                max(
                    min(deadline or until, until if self._reconnects else deadline or until) - now,
                    0.01,
                )
            )
            if self.runs is not None:
                for event in self.runs.tick(self._clock()):
                    yield event

    def _is_given_up(self, lost_at: float) -> bool:
        if not self._reconnects:
            return True
        return self._give_up is not None and self._clock() >= lost_at + self._give_up

    async def _let_go(self) -> None:
        if self.watch is not None:
            self.watch.close()
            self.watch = None
        if self.session is not None:
            session, self.session = self.session, None
            await session.connection.close()
        while not self._states.empty():
            self._states.get_nowait()
