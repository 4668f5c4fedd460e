"""`Agents`, the subject of `Hub` that is Antigravity: its windows and its autopilot.

`LocalAgents` (hub/local/hub.py) is in the calling process, `RemoteAgents` (hub/remote/autopilot.py)
reaches the hub of this person in another one.
"""

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tabwire.browser.agent.lists import Conversation, What
    from tabwire.browser.agent.prompt import Sent
    from tabwire.hub.agents.status import Status
    from tabwire.hub.agents.windows import Spot
    from tabwire.model.agent import AgentEvent, Candidate
    from tabwire.model.autopilot import (
        Answerer,
        AnswerResult,
        Approval,
        AutopilotState,
        StatisticsBySpan,
    )
    from tabwire.monitor.agent.classic import Baseline


class Autopilot(Protocol):
    """What may be clicked in Antigravity without asking, and what was asked."""

    async def state(self) -> "AutopilotState":
        """What is on, which windows it drives, how many questions wait."""

    async def turn_on(self, names: list[str], window: str = "", by: str = "") -> "AutopilotState":
        """Switch these on, in one window or in all."""

    async def turn_off(self, window: str = "", by: str = "") -> "AutopilotState":
        """Switch everything off, in one window or in all."""

    async def stop(self, why: str = "", by: str = "") -> "AutopilotState":
        """Stop everything, people's answers included, until it is switched on again."""

    async def statistics(self) -> "StatisticsBySpan":
        """Verified clicks: of this session, of this week, of all time."""

    async def approvals(self) -> "list[Approval]":
        """What waits for a person."""

    async def answer(self, said: str, *, approve: bool, who: "Answerer") -> "AnswerResult":
        """A person's answer: whether something was clicked, and what to report."""


class Windows(Protocol):
    """Antigravity's windows on this machine. One is named by its title, its workspace or its id;
    the only one needs no name. Everything raises `ConsentNeeded` and `NoWindow`."""

    async def status(self) -> "Status":
        """Windows, panels, what is recognised, what is left of quotas."""

    async def dump(self, window: str = "") -> "tuple[Spot, tuple[Candidate, ...]]":
        """Every text of a panel, with where it stands: for a bug report."""

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

    async def stop(self, window: str = "") -> "tuple[Spot, bool]":
        """Stop the agent; whether it ran."""

    async def new_chat(
        self, window: str = "", *, leave_running: bool = False
    ) -> "tuple[Spot, bool]":
        """Begin an empty conversation; whether one was begun."""

    async def conversations(self, window: str = "") -> "tuple[Spot, tuple[Conversation, ...]]":
        """Past conversations."""

    async def select(self, name: str, window: str = "") -> "Spot":
        """Open the conversation of exactly this name."""

    async def choices(self, what: "What", window: str = "") -> "tuple[Spot, str, tuple[str, ...]]":
        """The model or mode that is chosen, and all there are."""

    async def choose(self, what: "What", name: str, window: str = "") -> "tuple[Spot, str]":
        """Choose the model or mode of exactly this name."""

    async def screenshot(self, window: str = "") -> "tuple[Spot, bytes]":
        """The window as PNG."""

    def follow(self, window: str = "") -> "AsyncGenerator[AgentEvent, None]":
        """What happens in a window, as it happens."""

    def follow_classic(
        self, window: str = ""
    ) -> "AsyncGenerator[tuple[Spot, Baseline] | AgentEvent, None]":
        """One run, by polling, as the older tool did."""


class Agents(Protocol):
    """Antigravity, as the hub follows it."""

    @property
    def autopilot(self) -> Autopilot:
        """The autopilot of this hub."""

    @property
    def windows(self) -> Windows:
        """Its windows; always those of this machine."""
