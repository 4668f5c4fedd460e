"""The hub's process: `ServedHub` as the doors inside it have it, `RunningHub` as others do.

HTTP, MCP and the dashboard serve in the hub's process and show all of it, so they need more of some
subjects than a client does. Adding to this file is a decision, as it is for `Hub` (interface.py).
"""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Protocol

from tabwire.hub.agent_interface import Agents
from tabwire.hub.interface import Browsers, Extensions, Hub, Jobs

if TYPE_CHECKING:
    from tabwire.hub.agents.board import Told
    from tabwire.hub.browsers.routes import InUse
    from tabwire.hub.local.hub import Guests, LocalHub
    from tabwire.hub.relay.handshake import Socket
    from tabwire.hub.relay.installation import Enter
    from tabwire.hub.remote.hub import DashboardAddress, HubStatus, RemoteHub


class ServedJobs(Jobs, Protocol):
    """Jobs, for a door that shows them all."""

    async def changed(self, seen: int) -> int:
        """The number of changes, once it is higher than `seen`."""


class AgentEvents(Protocol):
    """What happens in Antigravity's windows, as numbered events."""

    def news(self, after: int = 0) -> "AsyncIterator[Told]":
        """What was missed since `after`, the state now, then what happens."""

    async def of_window(self, said: str, lost_seconds: float) -> "AsyncIterator[Told]":
        """The state now, then what happens in one window, as a watcher of its own tells it, until
        it was away for `lost_seconds`. Raises `NoSuchWindow`."""

    async def changed(self, seen: int) -> int:
        """The number of events, once it is higher than `seen`."""


class ServedAgents(Agents, Protocol):
    """Antigravity, where it is followed."""

    @property
    def followed(self) -> bool:
        """Whether this process follows Antigravity, as the hub's own does."""

    @property
    def events(self) -> AgentEvents:
        """What happens in its windows, for all doors of this hub."""


class ServedBrowsers(Browsers, Protocol):
    """Browsers, and who uses their tabs."""

    async def tabs_in_use(self) -> "tuple[InUse, ...]":
        """The tabs that this hub uses now, and for whom."""


class ServedExtensions(Extensions, Protocol):
    """Extensions, where they connect to."""

    async def serve(self, socket: "Socket", enter: "Enter | None" = None) -> None:
        """Talk to an extension over this socket until it is closed."""

    async def tunnel(self, socket: "Socket") -> None:
        """Pass the extension's browser on to a command outside the hub."""

    async def hub_id(self) -> str:
        """By which an extension knows this hub again."""

    async def changed(self, seen: int) -> int:
        """The number of changes, once it is higher than `seen`."""


class ServedHub(Hub, Protocol):
    """A hub as the doors in its own process have it."""

    @property
    def jobs(self) -> ServedJobs:
        """Questions carried out for somebody."""

    @property
    def agents(self) -> ServedAgents:
        """Antigravity."""

    @property
    def browsers(self) -> ServedBrowsers:
        """Browsers and tabs."""

    @property
    def extensions(self) -> ServedExtensions:
        """The extension in the person's own browser."""

    @property
    def guests(self) -> "Guests":
        """Who is connected; a door says so of its clients."""

    @property
    def started_at(self) -> float:
        """When it started, as seconds since 1970."""


class RunningHub(Hub, Protocol):
    """The hub's process, from another one. A hub in the calling process ends with it, and says
    of itself what the caller knows: so these are no subjects of `Hub`."""

    async def status(self) -> "HubStatus":
        """What it says of itself. Raises `NoHub`; never starts one."""

    async def shutdown(self, *, restart: bool = False) -> int:
        """Tell it to end; its pid. Raises `NoHub`."""

    async def dashboard(self) -> "DashboardAddress":
        """An address that opens the dashboard in a browser, once, and how long it does."""


if TYPE_CHECKING:  # both classes are what they claim to be
    _local: type[Hub] = LocalHub
    _served: type[ServedHub] = LocalHub
    _remote: type[Hub] = RemoteHub
    _running: type[RunningHub] = RemoteHub
