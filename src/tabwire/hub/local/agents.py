"""Antigravity's windows for a command or a program, reached from this process."""

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabwire.browser.agent.lists import Conversation, What
    from tabwire.browser.agent.prompt import Sent
    from tabwire.hub.agents.status import Status
    from tabwire.hub.agents.windows import Spot
    from tabwire.model.agent import AgentEvent, Candidate
    from tabwire.monitor.agent.classic import Baseline


class LocalWindows:
    """The windows of Antigravity on this machine. A window is named by its title, its workspace
    or its id; the only one needs no name. Everything raises `ConsentNeeded` and `NoWindow`."""

    async def status(self) -> "Status":
        """Windows, panels, what is recognised, what is left of quotas."""
        from tabwire.hub.agents.status import status

        return await status()

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
    ) -> "tuple[Spot, Sent]":
        """Send a prompt once. `anyway`: also where the model's quota is known to be spent."""
        from tabwire.hub.agents.windows import send

        return await send(prompt, window, conversation=conversation, files=files, anyway=anyway)

    async def stop(self, window: str = "") -> "tuple[Spot, bool]":
        """Stop the agent; whether it ran."""
        from tabwire.hub.agents.windows import stop

        return await stop(window)

    async def new_chat(
        self, window: str = "", *, leave_running: bool = False
    ) -> "tuple[Spot, bool]":
        """Begin an empty conversation; whether one was begun."""
        from tabwire.hub.agents.windows import new_chat

        return await new_chat(window, leave_running=leave_running)

    async def conversations(self, window: str = "") -> "tuple[Spot, tuple[Conversation, ...]]":
        """Past conversations."""
        from tabwire.hub.agents.windows import conversations

        return await conversations(window)

    async def select(self, name: str, window: str = "") -> "Spot":
        """Open the conversation of exactly this name."""
        from tabwire.hub.agents.windows import select

        return await select(name, window)

    async def choices(self, what: "What", window: str = "") -> "tuple[Spot, str, tuple[str, ...]]":
        """The model or mode that is chosen, and all there are."""
        from tabwire.hub.agents.windows import choices

        return await choices(what, window)

    async def choose(self, what: "What", name: str, window: str = "") -> "tuple[Spot, str]":
        """Choose the model or mode of exactly this name."""
        from tabwire.hub.agents.windows import choose_one

        return await choose_one(what, name, window)

    async def screenshot(self, window: str = "") -> "tuple[Spot, bytes]":
        """The window as PNG."""
        from tabwire.hub.agents.windows import picture

        return await picture(window)

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
