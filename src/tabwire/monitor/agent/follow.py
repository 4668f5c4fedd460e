"""One window, followed: what happens in it as events of runs.

The shell around `Runs`; it decides nothing about runs. The window attaches and comes back by
itself (browser/agent/window.py); what a run makes of a loss is in `Runs`, which has a bound.
"""

import asyncio
import time
from collections.abc import AsyncGenerator

from tabwire.browser.agent.window import AgentWindow, Attachment, Ended, Lost, News
from tabwire.fusion.monitor_phases import MonitorProfile
from tabwire.model.agent import AgentAttached, AgentEvent, AgentLost
from tabwire.model.errors import TabwireError
from tabwire.monitor.agent.runs import AGENT, Runs


class Follower:
    """Follows one window. `profile` has the limits."""

    def __init__(
        self,
        window: AgentWindow,
        *,
        profile: MonitorProfile = AGENT,
        passive: bool | None = None,
    ) -> None:
        self.window = window
        self._profile = profile
        self._passive = passive
        self._news: asyncio.Queue[News] = asyncio.Queue()
        self._clock = time.monotonic
        self.runs: Runs | None = None

    @property
    def name(self) -> str:
        """What the window is called in what is told of it."""
        return self.window.name

    async def events(self) -> AsyncGenerator[AgentEvent, None]:
        """All that happens, until the window stays away too long or `aclose`."""
        async with self.window.listening(self._news.put_nowait):
            while True:
                news = await self._next()
                for event in self._events(news):
                    yield event
                if isinstance(news, Ended):
                    return

    async def _next(self) -> News | None:
        """What is heard next; None at the next deadline of a run."""
        deadline = self.runs.next_deadline() if self.runs is not None else None
        try:
            async with asyncio.timeout(deadline and max(deadline - self._clock(), 0.0)):
                return await self._news.get()
        except TimeoutError:
            return None

    def _events(self, news: News | None) -> tuple[AgentEvent, ...]:
        now, runs = self._clock(), self.runs
        match news:
            case Attachment():
                return self._attached(news, now)
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
                return runs.feed(news, now)

    def _attached(self, attachment: Attachment, now: float) -> tuple[AgentEvent, ...]:
        panel = attachment.panel
        told = AgentAttached(now, self.name, attachment.test, panel.conversation, panel.model)
        if self.runs is None:
            self.runs = Runs(self.name, panel, now, profile=self._profile, passive=self._passive)
            return (told, *self.runs.opening(now))
        return (told, *self.runs.connection(True, now), *self.runs.feed(panel, now))
