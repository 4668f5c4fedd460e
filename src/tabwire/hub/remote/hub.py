"""`RemoteHub`: the hub of this person in another process, over `/api/v1`.

Jobs, the autopilot and the extensions are the other process's. What lies in this person's home
or on this machine is the same from every process: the store (conversations, sessions), the
guard's rules, browsers. For these it has what `LocalHub` has.
"""

from typing import TYPE_CHECKING

import msgspec

from tabwire.hub.local.browsers import LocalBrowsers, LocalGuard
from tabwire.hub.local.records import LocalConversations, LocalSessions
from tabwire.hub.remote.api import Api, encoded
from tabwire.hub.remote.asks import RemoteAsks
from tabwire.hub.remote.autopilot import RemoteAgents
from tabwire.hub.remote.extensions import RemoteExtensions
from tabwire.hub.remote.jobs import RemoteJobs

if TYPE_CHECKING:
    from tabwire.config.settings import Settings


class WorkingJob(msgspec.Struct, frozen=True):
    """A question in progress."""

    id: str
    site: str


class HubStatus(msgspec.Struct, frozen=True):
    """What a hub says of itself."""

    version: str
    pid: int
    port: int
    home: str
    browser: str
    started_at: float
    uptime_seconds: float
    guests: int
    working: tuple[WorkingJob, ...]


class DashboardAddress(msgspec.Struct, frozen=True):
    """A URL that opens the dashboard in a browser, once, within so many seconds."""

    url: str
    seconds: float


class RemoteHub:
    """A hub in another process. `start`: where none runs, one is started."""

    def __init__(self, *, start: bool = True) -> None:
        self._api = Api(start=start)
        self.jobs = RemoteJobs(self._api)
        self.asks = RemoteAsks(self.jobs)
        self.conversations = LocalConversations()
        self.sessions = LocalSessions()
        self.agents = RemoteAgents(self._api)
        self.guard = LocalGuard()
        self.browsers = LocalBrowsers()
        self.extensions = RemoteExtensions(self._api)

    @property
    def settings(self) -> "Settings":
        """What is set for this process; the hub may have been started with other settings."""
        from tabwire.config.settings import settings

        return settings()

    async def status(self) -> HubStatus:
        """What it says of itself. Raises `NoHub`; never starts one."""
        return await self._api.once("GET", "/status", HubStatus)

    async def shutdown(self, *, restart: bool = False) -> int:
        """Tell it to end; its pid. Raises `NoHub`."""
        body = encoded({"restart": restart})
        return (await self._api.once("POST", "/shutdown", dict[str, int], body))["pid"]

    async def dashboard(self) -> DashboardAddress:
        """An address that opens the dashboard in a browser, once, and how long it does."""
        return await self._api.post("/dashboard", {}, DashboardAddress, repeat=True)
