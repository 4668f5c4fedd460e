"""All windows of a port, each followed, as one stream of events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from tabwire.browser.agent.window import AgentWindow
from tabwire.browser.agent.windows import PortWindows
from tabwire.fusion.monitor_phases import MonitorProfile
from tabwire.model.agent import AgentEvent
from tabwire.monitor.agent.follow import Follower
from tabwire.monitor.agent.runs import AGENT


class Windows:
    """Follows every window of a port; `followers` by the id a window was first listed with."""

    def __init__(self, port: PortWindows, *, profile: MonitorProfile = AGENT) -> None:
        self.port = port
        self._profile = profile
        self._events: asyncio.Queue[AgentEvent] = asyncio.Queue()
        self.followers: dict[str, Follower] = {}

    async def events(self) -> AsyncGenerator[AgentEvent, None]:
        """Events of all windows, until `aclose`."""
        async with asyncio.TaskGroup() as group:
            all_of_them = group.create_task(self._follow_each())
            try:
                while True:
                    yield await self._events.get()
            finally:
                all_of_them.cancel()

    async def _follow_each(self) -> None:
        async with asyncio.TaskGroup() as group, aclosing(self.port.each()) as windows:
            async for window in windows:
                group.create_task(self._follow(window))

    async def _follow(self, window: AgentWindow) -> None:
        key = window.listed.id if window.listed is not None else window.name
        self.followers[key] = follower = Follower(window, profile=self._profile)
        try:
            async with aclosing(follower.events()) as events:
                async for event in events:
                    self._events.put_nowait(event)
        finally:
            if self.followers.get(key) is follower:
                del self.followers[key]
