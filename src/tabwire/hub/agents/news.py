"""What happens in Antigravity, for a door that streams it: first how things are, then each event.

Whoever was cut says the last number they saw and is told what they missed first.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from tabwire.hub.agents.agents import Agents
from tabwire.hub.agents.autopilot.desk import PilotDesk
from tabwire.hub.agents.board import Told

NOW = "now"


@dataclass(frozen=True, slots=True)
class AgentNews:
    """Of one hub."""

    agents: Agents
    pilot: PilotDesk

    async def news(self, after: int = 0) -> AsyncIterator[Told]:
        """What was missed since `after`, then how things are, then what happens, without end."""
        board = self.agents.board
        until = board.number  # taken first: what happens while we look is told afterwards
        for one in board.missed(after) if after else ():
            yield one
            until = max(until, one.number)
        yield board.told(until, await self.now())
        async for one in board.news(until):
            yield one

    async def changed(self, seen: int) -> int:
        """How many events there were, when there are more than these."""
        return await self.agents.board.changed(seen)

    async def now(self) -> dict[str, Any]:
        """Windows with their phases, the autopilot, what waits for a person."""
        board = self.agents.board
        return {
            "event": NOW,
            "seconds": board.seconds(),
            "began_at": board.began_at,
            "windows": self.agents.windows(),
            "autopilot": await self.pilot.state(),
            "approvals": await self.pilot.approvals(),
        }
