"""All windows of a port, each followed, as one stream of events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from tabwire.browser.agent.header import called
from tabwire.browser.agent.targets import Loading, windows_at
from tabwire.fusion.monitor_phases import MonitorProfile
from tabwire.model.agent import AgentEvent
from tabwire.model.errors import BrowserNotReachable
from tabwire.monitor.agent.follow import Follower, at_port
from tabwire.monitor.agent.runs import AGENT
from tabwire.sites.antigravity.page import Window

LIST_SECONDS = 2.0
"""How often the list is asked for new windows. It is never subscribed to."""

GONE_SECONDS = 35.0
"""After this a window that stays away is followed no more; a run in it has ended by then."""


class Windows:
    """Follows every window of a port; `followers` by the window's id."""

    def __init__(self, port: int, *, profile: MonitorProfile = AGENT, only: str = "") -> None:
        self._port = port
        self._profile = profile
        self._only = only
        self._events: asyncio.Queue[AgentEvent] = asyncio.Queue()
        self.followers: dict[str, Follower] = {}
        self._loading = Loading()
        self._tasks: set[asyncio.Task[None]] = set()

    async def events(self) -> AsyncGenerator[AgentEvent, None]:
        """Events of all windows, until `aclose`."""
        async with asyncio.TaskGroup() as group:
            listing = group.create_task(self._list(group))
            try:
                while True:
                    yield await self._events.get()
            finally:
                listing.cancel()
                for task in tuple(self._tasks):
                    task.cancel()

    async def _list(self, group: asyncio.TaskGroup) -> None:
        while True:
            await self.look(group)
            await asyncio.sleep(LIST_SECONDS)

    async def look(self, group: asyncio.TaskGroup) -> None:
        """Ask for the list once, and follow what is new in it."""
        try:
            there = await windows_at(self._port)
        except BrowserNotReachable:
            there = ()
        new = [one for one in there if not self._loading.has(one) and not self._is_followed(one)]
        for window in await called(new):
            wanted = not self._only or self._only in (window.name, window.workspace, window.id)
            if wanted:
                follower = Follower(
                    at_port(self._port, window),
                    name=window.name,
                    profile=self._profile,
                    give_up_seconds=GONE_SECONDS,
                )
                self.followers[window.id] = follower
                task = group.create_task(self._follow(window.id, follower))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _is_followed(self, window: Window) -> bool:
        if window.id in self.followers:
            return True
        # a window of before that comes back under another id finds itself by its name
        return any(
            one.window is not None
            and (
                one.window.id == window.id
                or (one.session is None and one.window.workspace == window.workspace)
            )
            for one in self.followers.values()
        )

    async def _follow(self, key: str, follower: Follower) -> None:
        try:
            async with aclosing(follower.events()) as events:
                async for event in events:
                    self._events.put_nowait(event)
        finally:
            self.followers.pop(key, None)
