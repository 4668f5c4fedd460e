"""A hub whose store and jobs are still being opened: doors may serve it already.

Opening them takes longer than everything else together, and a client's first words need none of
it. So the doors are handed parts that wait: whatever is called on one is called on the real part
once that is there.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, cast

from tabwire.hub.running import RunningHub

if TYPE_CHECKING:
    from tabwire.config.settings import Settings
    from tabwire.hub.agents.autopilot.desk import PilotDesk
    from tabwire.hub.agents.news import AgentNews
    from tabwire.hub.jobs.jobs import Jobs
    from tabwire.hub.relay.relays import Relays
    from tabwire.hub.sessions.sessions import Sessions

STREAMS = frozenset({"news"})
"""Methods that tell one thing after the other; all others are awaited."""


class Later:
    """Stands for a part of a hub. Only for methods that are awaited or iterated."""

    def __init__(self, real: "asyncio.Future[RunningHub]", part: str) -> None:
        self._real = real
        self._part = part

    def __getattr__(self, name: str) -> Any:
        async def called(*given: Any, **named: Any) -> Any:
            return await getattr(await self._there(), name)(*given, **named)

        async def told(*given: Any, **named: Any) -> AsyncIterator[Any]:
            async for one in getattr(await self._there(), name)(*given, **named):
                yield one

        if name.startswith("_"):
            raise AttributeError(name)
        return told if name in STREAMS else called

    async def _there(self) -> Any:
        return getattr(await asyncio.shield(self._real), self._part)


def hub_to_be(now: "Settings", real: "asyncio.Future[RunningHub]") -> RunningHub:
    """The hub as doors see it, before it is there and afterwards."""
    from tabwire.hub.face import Hub

    jobs, sessions = cast("Jobs", Later(real, "jobs")), cast("Sessions", Later(real, "sessions"))
    relays = cast("Relays", Later(real, "relays"))
    pilot = cast("PilotDesk", Later(real, "pilot"))
    news = cast("AgentNews", Later(real, "agent_news"))
    return RunningHub(now, jobs, sessions, Hub(), time.time(), relays, pilot=pilot, agent_news=news)
