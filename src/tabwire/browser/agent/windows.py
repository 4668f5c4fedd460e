"""All windows of a debugging port, listed in one loop for everybody who asks.

The list is asked for and never subscribed to. A window that comes back under another id is the
same one (window.py), so it is not given out again.
"""

import asyncio
from collections.abc import AsyncGenerator

from tabwire.browser.agent.header import called
from tabwire.browser.agent.targets import Loading, at_port, windows_at
from tabwire.browser.agent.window import AgentWindow
from tabwire.model.errors import BrowserNotReachable
from tabwire.sites.antigravity.page import Window

LIST_SECONDS = 2.0
"""How often the list is asked for new windows."""

GONE_SECONDS = 35.0
"""After this a window that stays away is forgotten; a run in it has ended by then."""


class PortWindows:
    """The windows of a port, by the id they were first listed with."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.windows: dict[str, AgentWindow] = {}
        self._loading = Loading()
        self._waiting: list[asyncio.Queue[AgentWindow | Exception]] = []
        self._listing: asyncio.Task[None] | None = None

    async def each(self) -> AsyncGenerator[AgentWindow, None]:
        """Every window that is there, and every one that comes, until `aclose`."""
        found: asyncio.Queue[AgentWindow | Exception] = asyncio.Queue()
        for one in self.windows.values():
            found.put_nowait(one)
        self._waiting.append(found)
        if self._listing is None:
            self._listing = asyncio.get_running_loop().create_task(self._list())
        try:
            while True:
                window = await found.get()
                if isinstance(window, Exception):
                    raise window
                yield window
        finally:
            self._waiting.remove(found)
            if not self._waiting and self._listing is not None:
                self._listing.cancel()
                self._listing = None

    async def _list(self) -> None:
        try:
            while True:
                await self.look()
                await asyncio.sleep(LIST_SECONDS)
        except Exception as exc:  # noqa: BLE001  whoever waits for windows raises it
            self._listing = None
            for waiting in self._waiting:
                waiting.put_nowait(exc)

    async def look(self) -> None:
        """Ask for the list once, and give out what is new in it."""
        try:
            there = await windows_at(self.port)
        except BrowserNotReachable:
            there = ()
        ids = {one.id for one in there}
        for key, known in tuple(self.windows.items()):
            if known.ended is not None or (not known.is_used and key not in ids):
                del self.windows[key]
        new = [one for one in there if not self._loading.has(one) and not self._is_known(one)]
        for found in await called(new):
            window = AgentWindow(at_port(self.port, found), found, give_up_seconds=GONE_SECONDS)
            self.windows[found.id] = window
            for waiting in self._waiting:
                waiting.put_nowait(window)

    def _is_known(self, window: Window) -> bool:
        if window.id in self.windows:
            return True
        # a known window that comes back under another id is recognised by its name
        return any(one.may_become(window) or one.is_at(window.id) for one in self.windows.values())
