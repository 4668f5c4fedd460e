"""The windows of Antigravity for the doors of the hub that follows them: what is done in one is
done over the attachment it has already.
"""

from tabwire.browser.agent.window import AgentWindow
from tabwire.hub.agents.agents import Agents
from tabwire.hub.agents.autopilot.desk import PilotDesk
from tabwire.hub.agents.windows import Spot
from tabwire.hub.local.agents import LocalWindows
from tabwire.model.autopilot import AutopilotState


class FollowedWindows(LocalWindows):
    """Of one hub."""

    def __init__(self, agents: Agents, pilot: PilotDesk) -> None:
        self._agents = agents
        self._pilot = pilot

    async def window_at(self, spot: Spot) -> AgentWindow:
        """The window as the hub has it attached; by itself where the hub does not follow it."""
        return await self._agents.window_at(spot.port, spot.window.id) or spot.attachable()

    async def autopilot_state(self) -> AutopilotState:
        """How the autopilot of this hub is."""
        return await self._pilot.state()
