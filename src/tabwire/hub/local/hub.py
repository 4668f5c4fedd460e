"""`LocalHub`: a hub in the calling process.

For a command or a program `LocalHub()` is enough: it opens browser and store for the length of
each call. The hub's own process builds one with jobs, sessions, agents and extensions that live
as long as it does (hub/process/assembly.py).
"""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from tabwire.hub.interface import Autopilot, Extensions, Jobs, Sessions
from tabwire.hub.local.asks import LocalAsks
from tabwire.hub.local.browsers import LocalBrowsers, LocalGuard
from tabwire.hub.local.records import LocalConversations, LocalSessions
from tabwire.model.errors import TabwireError

if TYPE_CHECKING:
    import asyncio

    from tabwire.config.settings import Settings
    from tabwire.hub.agents.board import Told
    from tabwire.hub.local.agents import LocalWindows
    from tabwire.hub.relay.handshake import Socket
    from tabwire.hub.relay.installation import Enter


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


class WatchedJobs(Jobs, Protocol):
    """Jobs, for a door in the hub's own process that shows them all."""

    async def changed(self, seen: int) -> int:
        """The number of changes, once it is higher than `seen`."""


class AgentEvents(Protocol):
    """What happens in Antigravity's windows, as numbered events."""

    def news(self, after: int = 0) -> "AsyncIterator[Told]":
        """What was missed since `after`, the state now, then what happens."""

    async def changed(self, seen: int) -> int:
        """The number of events, once it is higher than `seen`."""


class Relay(Extensions, Protocol):
    """Extensions as the hub's own process has them: it is the one they connect to."""

    async def serve(self, socket: "Socket", enter: "Enter | None" = None) -> None:
        """Talk to an extension over this socket until it is closed."""

    async def tunnel(self, socket: "Socket") -> None:
        """Pass the extension's browser on to a command outside the hub."""

    async def hub_id(self) -> str:
        """By which an extension knows this hub again."""

    async def changed(self, seen: int) -> int:
        """The number of changes, once it is higher than `seen`."""


class LocalAgents:
    """Antigravity in this process: its windows, and what the hub's own process has besides."""

    def __init__(
        self, autopilot: Autopilot | None = None, events: AgentEvents | None = None
    ) -> None:
        self._autopilot = autopilot
        self._events = events

    @property
    def followed(self) -> bool:
        """Whether this process follows Antigravity, as the hub's own does."""
        return self._autopilot is not None

    @property
    def windows(self) -> "LocalWindows":
        """Its windows on this machine."""
        from tabwire.hub.local.agents import LocalWindows

        return LocalWindows()

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
        jobs: WatchedJobs | None = None,
        sessions: Sessions | None = None,
        agents: LocalAgents | None = None,
        extensions: Relay | None = None,
        guests: Guests | None = None,
        started_at: float | None = None,
        lost: "asyncio.Future[TabwireError] | None" = None,
    ) -> None:
        self._settings = settings
        self._jobs = jobs
        self._sessions = LocalSessions() if sessions is None else sessions
        self.agents = LocalAgents() if agents is None else agents
        self._extensions = extensions
        self.asks = LocalAsks()
        self.conversations = LocalConversations()
        self.guard = LocalGuard()
        self.browsers = LocalBrowsers()
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
    def jobs(self) -> WatchedJobs:
        """Questions carried out for somebody."""
        if self._jobs is None:
            raise NotInThisProcess("jobs")
        return self._jobs

    @property
    def sessions(self) -> Sessions:
        """Which chats belong to which agent."""
        return self._sessions

    @property
    def extensions(self) -> Relay:
        """The extensions that are connected."""
        if self._extensions is None:
            raise NotInThisProcess("extensions")
        return self._extensions
