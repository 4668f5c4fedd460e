"""What happens in Antigravity, for a door that streams it: first how things are, then each event.

Of all windows, whoever was cut says the last number they saw and is told what they missed first.
One window is told from its beginning, as a watcher of its own would tell it, over the attachment
that the hub has.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Any

from tabwire.hub.agents import windows as antigravity
from tabwire.hub.agents.agents import Agents
from tabwire.hub.agents.autopilot.desk import PilotDesk
from tabwire.hub.agents.board import Told
from tabwire.hub.agents.events import as_data
from tabwire.model.agent import AgentEvent
from tabwire.model.errors import TabwireError
from tabwire.monitor.agent.follow import Follower

NOW = "now"


@dataclass(frozen=True, slots=True)
class AgentEventStream:
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

    async def of_window(self, said: str, lost_seconds: float) -> AsyncIterator[Told]:
        """How things are, then what happens in one window, until it was away for `lost_seconds`
        or Antigravity is switched off. Raises `ConsentNeeded`, `NoWindow` and `NoSuchWindow`."""
        off = self.agents.switched_off
        spot = await antigravity.window(said)
        window = await self.agents.window_at(spot.port, spot.window.id) or spot.attachable()
        with suppress(TabwireError):  # it was just lost: that is told by itself
            await window.refresh()
        follower = Follower(window, give_up_seconds=lost_seconds)
        return self._told(_until_set(follower.events(), off), await self.now())

    async def _told(
        self, events: AsyncGenerator[AgentEvent, None], now: dict[str, Any]
    ) -> AsyncIterator[Told]:
        board = self.agents.board
        yield board.told(0, now)
        number = 0
        async with aclosing(events):
            async for event in events:
                number += 1
                yield board.told(number, as_data(event, board.began))

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
            "autopilot": (await self.pilot.state()).as_data(),
            "approvals": await self.pilot.approvals(),
        }


async def _next(events: AsyncGenerator[AgentEvent, None]) -> AgentEvent | None:
    return await anext(events, None)


async def _until_set(
    events: AsyncGenerator[AgentEvent, None], over: asyncio.Event
) -> AsyncGenerator[AgentEvent, None]:
    """These events, until that is set."""
    loop = asyncio.get_running_loop()
    end = loop.create_task(over.wait())
    coming: asyncio.Task[AgentEvent | None] | None = None
    try:
        while not over.is_set():
            coming = loop.create_task(_next(events))
            await asyncio.wait((coming, end), return_when=asyncio.FIRST_COMPLETED)
            if not coming.done() or (event := coming.result()) is None:
                return
            yield event
    finally:
        tasks = [end] if coming is None else [end, coming]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await events.aclose()
