"""A hub that runs: what doors in the same process are handed."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

    from tabwire.config.settings import Settings
    from tabwire.hub.agents.agents import Agents
    from tabwire.hub.agents.autopilot.desk import PilotDesk
    from tabwire.hub.agents.news import AgentNews
    from tabwire.hub.conversations.captures import Captures
    from tabwire.hub.face import Hub
    from tabwire.hub.jobs.jobs import Jobs
    from tabwire.hub.relay.relays import Relays
    from tabwire.hub.sessions.sessions import Sessions
    from tabwire.model.errors import TabwireError


@dataclass(slots=True)
class Guests:
    """Who is connected. A hub nobody uses leaves after a while."""

    count: int = 0
    left_at: float = field(default_factory=time.monotonic)  # when somebody last left

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Somebody is here, inside the block."""
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1
            self.left_at = time.monotonic()


@dataclass(frozen=True, slots=True)
class RunningHub:
    """Everything a door needs. `face` does what needs no job: tabs, snapshots, doctor."""

    settings: "Settings"
    jobs: "Jobs"
    sessions: "Sessions"
    face: "Hub"
    started_at: float
    relays: "Relays"
    guests: Guests = field(default_factory=Guests)
    captures: "Captures | None" = None  # none in a hub that is still being opened
    agents: "Agents | None" = None  # likewise: those of Antigravity
    pilot: "PilotDesk | None" = None  # and what clicks for them
    agent_news: "AgentNews | None" = None  # and all that happens there
    lost: "asyncio.Future[TabwireError] | None" = None  # why it must not work any more
