"""`LocalHub`: a hub in the calling process.

For a command or a program `LocalHub()` is enough: it opens browser and store for the length of
each call. The hub's own process builds one with jobs, sessions, agents and extensions that live
as long as it does (hub/process/assembly.py).
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabwire.hub.agent_interface import Autopilot, Windows
from tabwire.hub.interface import Sessions
from tabwire.hub.local.asks import LocalAsks
from tabwire.hub.local.browsers import LocalBrowsers, LocalGuard
from tabwire.hub.local.records import LocalConversations, LocalSessions
from tabwire.hub.process_interface import AgentEvents, ServedExtensions, ServedJobs
from tabwire.model.errors import TabwireError

if TYPE_CHECKING:
    import asyncio

    from tabwire.config.settings import Settings
    from tabwire.hub.browsers.access import HubLines


class NotInThisProcess(TabwireError):
    """What only the hub's own process has was requested elsewhere."""

    def __init__(self, subject: str) -> None:
        super().__init__(
            f"this process has no {subject}: they belong to the hub's own process",
            what_to_do="Use the hub that is running: `tabwire.hub.RemoteHub`.",
        )


@dataclass(slots=True)
class Guests:
    """Who is connected. A hub that nobody uses ends after a while."""

    count: int = 0
    left_at: float = field(default_factory=time.monotonic)  # when somebody last left

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Somebody is connected, inside the block."""
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1
            self.left_at = time.monotonic()


class LocalAgents:
    """Antigravity in this process: its windows, and what the hub's own process has besides."""

    def __init__(
        self,
        autopilot: Autopilot | None = None,
        events: AgentEvents | None = None,
        windows: Windows | None = None,
    ) -> None:
        self._autopilot = autopilot
        self._events = events
        self._windows = windows

    @property
    def followed(self) -> bool:
        """Whether this process follows Antigravity, as the hub's own does."""
        return self._autopilot is not None

    @property
    def windows(self) -> Windows:
        """Its windows on this machine."""
        if self._windows is None:
            from tabwire.hub.local.agents import LocalWindows

            self._windows = LocalWindows()
        return self._windows

    @property
    def autopilot(self) -> Autopilot:
        """The autopilot of this hub."""
        if self._autopilot is None:
            raise NotInThisProcess("autopilot")
        return self._autopilot

    @property
    def events(self) -> AgentEvents:
        """What happens in its windows, for all doors of this hub."""
        if self._events is None:
            raise NotInThisProcess("agent events")
        return self._events


class LocalHub:
    """A hub in this process. Parts that it was not built with are refused when they are used."""

    def __init__(
        self,
        settings: "Settings | None" = None,
        *,
        jobs: ServedJobs | None = None,
        sessions: Sessions | None = None,
        agents: LocalAgents | None = None,
        extensions: ServedExtensions | None = None,
        lines: "HubLines | None" = None,
        guests: Guests | None = None,
        started_at: float | None = None,
        lost: "asyncio.Future[TabwireError] | None" = None,
    ) -> None:
        self._settings = settings
        self._jobs = jobs
        self._sessions = LocalSessions() if sessions is None else sessions
        self.agents = LocalAgents() if agents is None else agents
        self._extensions = extensions
        self.asks = LocalAsks(lines)
        self.conversations = LocalConversations()
        self.guard = LocalGuard()
        self.browsers = LocalBrowsers(lines, extensions.status if extensions is not None else None)
        self._lines = lines
        self.guests = Guests() if guests is None else guests
        self.started_at = time.time() if started_at is None else started_at
        self.lost = lost  # why it must not work any more, once another hub has its place

    @property
    def settings(self) -> "Settings":
        """What is set."""
        if self._settings is None:
            from tabwire.config.settings import settings

            self._settings = settings()
        return self._settings

    @property
    def jobs(self) -> ServedJobs:
        """Questions carried out for somebody."""
        if self._jobs is None:
            raise NotInThisProcess("jobs")
        return self._jobs

    @property
    def sessions(self) -> Sessions:
        """Which chats belong to which agent."""
        return self._sessions

    @property
    def lines(self) -> "HubLines":
        """Its lines to browsers: those in the same process use them instead of their own."""
        if self._lines is None:
            raise NotInThisProcess("lines to browsers")
        return self._lines

    @property
    def extensions(self) -> ServedExtensions:
        """The extensions that are connected."""
        if self._extensions is None:
            raise NotInThisProcess("extensions")
        return self._extensions
