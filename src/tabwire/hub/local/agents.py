"""Antigravity's windows for a command or a program, reached from this process."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.browser.agent import lists
from tabwire.browser.agent.drive import Driver, driving
from tabwire.browser.agent.lists import Conversation, What
from tabwire.browser.agent.prompt import Sent, send_prompt
from tabwire.browser.agent.window import AgentWindow
from tabwire.hub.agents import windows as antigravity
from tabwire.hub.agents.consent import require_consent
from tabwire.hub.agents.windows import Draft, Spot

if TYPE_CHECKING:
    from tabwire.hub.agents.status import Status
    from tabwire.model.agent import AgentEvent, Candidate
    from tabwire.model.autopilot import AutopilotState
    from tabwire.monitor.agent.classic import Baseline


class LocalWindows:
    """The windows of Antigravity on this machine. A window is named by its title, its workspace
    or its id; the only one needs no name. Everything raises `ConsentNeeded` and `NoWindow`."""

    async def window_at(self, spot: Spot) -> AgentWindow:
        """The window, to be attached for as long as it is used here."""
        return spot.attachable()

    async def autopilot_state(self) -> "AutopilotState":
        """How the autopilot of this person's hub is."""
        from tabwire.hub.remote.api import Api
        from tabwire.hub.remote.autopilot import RemoteAutopilot

        return await RemoteAutopilot(Api(start=False)).state()

    @asynccontextmanager
    async def _driven(self, window: str) -> AsyncIterator[tuple[Spot, Driver]]:
        """The window that is meant, to act in, for the length of a block."""
        spot = await antigravity.window(window)
        require_consent()
        async with driving(await self.window_at(spot)) as driver:
            yield spot, driver

    async def status(self) -> "Status":
        """Windows, panels, what is recognised, what is left of quotas."""
        from tabwire.hub.agents.status import status

        return await status(self.window_at, self.autopilot_state)

    async def dump(self, window: str = "") -> "tuple[Spot, tuple[Candidate, ...]]":
        """Every text of a panel, with where it stands: for a bug report."""
        from tabwire.hub.agents.status import dump

        return await dump(window)

    async def send(
        self,
        prompt: str,
        window: str = "",
        *,
        conversation: str = "",
        files: Sequence[Path] = (),
        anyway: bool = False,
    ) -> tuple[Spot, Sent]:
        """Send a prompt once. `anyway`: also where the model's quota is known to be spent."""
        async with self._driven(window) as (spot, driver):
            if not anyway:
                await antigravity.check_quota((await driver.look()).model)
            return spot, await send_prompt(
                driver, prompt, conversation=conversation, files=files, keep=Draft(spot).keep
            )

    async def stop(self, window: str = "") -> tuple[Spot, bool]:
        """Stop the agent; whether it ran."""
        async with self._driven(window) as (spot, driver):
            return spot, await driver.stop()

    async def new_chat(self, window: str = "", *, leave_running: bool = False) -> tuple[Spot, bool]:
        """Begin an empty conversation; whether one was begun."""
        async with self._driven(window) as (spot, driver):
            return spot, await driver.new_chat(leave_running=leave_running)

    async def conversations(self, window: str = "") -> tuple[Spot, tuple[Conversation, ...]]:
        """Past conversations."""
        async with self._driven(window) as (spot, driver):
            return spot, await lists.list_conversations(driver)

    async def select(self, name: str, window: str = "") -> Spot:
        """Open the conversation of exactly this name."""
        async with self._driven(window) as (spot, driver):
            await lists.select_conversation(driver, name)
        return spot

    async def choices(self, what: What, window: str = "") -> tuple[Spot, str, tuple[str, ...]]:
        """The model or mode that is chosen, and all there are."""
        async with self._driven(window) as (spot, driver):
            now, names = await lists.list_choices(driver, what)
            return spot, now, names

    async def choose(self, what: What, name: str, window: str = "") -> tuple[Spot, str]:
        """Choose the model or mode of exactly this name."""
        async with self._driven(window) as (spot, driver):
            return spot, await lists.choose(driver, what, name)

    async def screenshot(self, window: str = "") -> tuple[Spot, bytes]:
        """The window as PNG."""
        async with self._driven(window) as (spot, driver):
            return spot, await driver.picture()

    def follow(self, window: str = "") -> "AsyncGenerator[AgentEvent, None]":
        """What happens in a window, as it happens."""
        from tabwire.hub.agents.events import follow

        return follow(window)

    def follow_classic(
        self, window: str = ""
    ) -> "AsyncGenerator[tuple[Spot, Baseline] | AgentEvent, None]":
        """One run, by polling, as the older tool did."""
        from tabwire.hub.agents.events import follow_classic

        return follow_classic(window)
