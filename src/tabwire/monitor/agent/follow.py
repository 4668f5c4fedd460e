"""One window, followed: what happens in it as events of runs.

The shell around `Runs`; it decides nothing about runs. The window attaches and comes back by
itself (browser/agent/window.py); what a run makes of a loss is in `Runs`, which has a bound.
"""

import asyncio
import time
from collections.abc import AsyncGenerator

from tabwire.browser.agent.window import AgentWindow, Attachment, Ended, Lost, WindowChange
from tabwire.fusion.monitor_phases import MonitorProfile
from tabwire.model.agent import AgentAttached, AgentEvent, AgentLost
from tabwire.model.errors import TabwireError
from tabwire.monitor.agent.runs import AGENT, Runs


class Follower:
    """Follows one window. `profile` has the limits. `give_up_seconds`: for how long a window that
    is away is waited for, where that is not what the window itself was made with."""

    def __init__(
        self,
        window: AgentWindow,
        *,
        profile: MonitorProfile = AGENT,
        passive: bool | None = None,
        give_up_seconds: float | None = None,
    ) -> None:
        self.window = window
        self._profile = profile
        self._passive = passive
        self._give_up = give_up_seconds
        self._changes: asyncio.Queue[WindowChange] = asyncio.Queue()
        self._clock = time.monotonic
        self._lost: Lost | None = None
        self._lost_at = 0.0
        self.runs: Runs | None = None

    @property
    def name(self) -> str:
        """What the window is called in what is told of it."""
        return self.window.name

    async def events(self) -> AsyncGenerator[AgentEvent, None]:
        """All that happens, until the window stays away too long or `aclose`."""
        patience = self._give_up or 0.0
        async with self.window.listening(self._changes.put_nowait, patience_seconds=patience):
            while True:
                change = await self._next()
                for event in self._events(change):
                    yield event
                if isinstance(change, Ended):
                    return

    async def _next(self) -> WindowChange | None:
        """What is heard next; None at the next deadline of a run."""
        deadline = self._next_deadline()
        try:
            async with asyncio.timeout(deadline and max(deadline - self._clock(), 0.0)):
                return await self._changes.get()
        except TimeoutError:
            return self._given_up()

    def _next_deadline(self) -> float | None:
        times = [self.runs.next_deadline() if self.runs is not None else None]
        if self._lost is not None and self._give_up is not None:
            times.append(self._lost_at + self._give_up)
        return min((one for one in times if one is not None), default=None)

    def _given_up(self) -> Ended | None:
        away = self._clock() - self._lost_at
        if self._lost is None or self._give_up is None or away < self._give_up:
            return None
        return Ended(self._lost.error, away)

    def _events(self, change: WindowChange | None) -> tuple[AgentEvent, ...]:
        now, runs = self._clock(), self.runs
        if isinstance(change, Lost):
            self._lost_at = now if self._lost is None else self._lost_at
            self._lost = change
        match change:
            case Attachment():
                self._lost = None
                return self._attached(change, now)
            case Ended(error=error, seconds=seconds):
                if not isinstance(error, TabwireError):
                    raise error
                return (AgentLost(now, self.name, round(seconds, 1), str(error)),)
            case _ if runs is None:
                return ()
            case None:
                return runs.tick(now)
            case Lost(error=error):
                return runs.connection(False, now, str(error))
            case _:
                return runs.feed(change, now)

    def _attached(self, attachment: Attachment, now: float) -> tuple[AgentEvent, ...]:
        panel = attachment.panel
        told = AgentAttached(now, self.name, attachment.test, panel.conversation, panel.model)
        if self.runs is None:
            self.runs = Runs(self.name, panel, now, profile=self._profile, passive=self._passive)
            return (told, *self.runs.opening(now))
        return (told, *self.runs.connection(True, now), *self.runs.feed(panel, now))
