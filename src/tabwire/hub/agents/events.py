"""What happens in windows of Antigravity, for whoever watches; and the same as JSON.

Nothing is pressed, typed or sent.
"""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from tabwire.browser.agent.classic import ClassicPanel
from tabwire.browser.agent.connection import open_window
from tabwire.config.settings import settings
from tabwire.hub.agents import windows as antigravity
from tabwire.hub.agents.windows import Spot
from tabwire.model.agent import (
    AgentAttached,
    AgentCard,
    AgentEnded,
    AgentEvent,
    AgentImage,
    AgentLog,
    AgentLost,
    AgentPhase,
    AgentProgress,
    AgentQuota,
    AgentShown,
    LogEntry,
)
from tabwire.model.agent_events import NAMES
from tabwire.model.autopilot import (
    Asked,
    AutopilotEvent,
    Closed,
    Did,
    Drives,
    Halted,
    StandsBy,
)
from tabwire.model.errors import TabwireError
from tabwire.monitor.agent.callbacks import Callbacks as Callbacks  # for the library
from tabwire.monitor.agent.classic import Baseline, ClassicRun
from tabwire.monitor.agent.follow import Follower
from tabwire.monitor.agent_quota_watch import Continued, QuotaBack, QuotaChanged, QuotaEvent

__all__ = [
    "AgentAttached",
    "AgentCard",
    "AgentEnded",
    "AgentEvent",
    "AgentImage",
    "AgentLog",
    "AgentLost",
    "AgentPhase",
    "AgentProgress",
    "AgentQuota",
    "AgentShown",
    "Baseline",
    "Continued",
    "LogEntry",
    "QuotaBack",
    "QuotaChanged",
    "QuotaEvent",
    "as_data",
    "follow",
    "follow_classic",
]

EVENTS: dict[type, str] = {
    **NAMES,
    QuotaChanged: "quota",
    QuotaBack: "quota_back",
    Continued: "continued",
    Asked: "approval",
    Closed: "approval_over",
    Did: "audit",
    Halted: "autopilot_halted",
    StandsBy: "stands_by",
    Drives: "drives",
}


DEFAULT, CLASSIC = "default", "classic"


async def follow(said: str = "") -> AsyncGenerator[AgentEvent, None]:
    """All that happens in one window, for as long as somebody listens. Comes back by itself
    after a loss; `disconnected` is a phase. One that stays away too long ends it (`AgentLost`)."""
    spot = await antigravity.window(said)
    seconds = settings().antigravity_lost_seconds
    follower = Follower(spot.attachable(give_up_seconds=seconds))
    async with aclosing(follower.events()) as events:
        async for event in events:
            yield event


async def follow_classic(
    said: str = "",
) -> AsyncGenerator[tuple[Spot, Baseline] | AgentEvent, None]:
    """One run as seed 000 polls it. First the window and what stood there before."""
    spot = await antigravity.window(said)
    session = await open_window(spot.window)
    try:
        panel = ClassicPanel(session)
        await panel.arm()
        run = ClassicRun(panel, window=spot.name, connected=lambda: session.connection.gone is None)
        baseline = await run.baseline()
        yield spot, baseline
        async with aclosing(run.events(baseline)) as events:
            async for event in events:
                yield event
    finally:
        await session.connection.close()


async def call_back(callbacks: Callbacks, said: str = "", *, profile: str = DEFAULT) -> None:
    """Tell one window's runs by callbacks, until cancelled; with `classic`, one run as polled."""
    if profile not in (DEFAULT, CLASSIC):
        raise TabwireError(
            f"invalid profile {profile!r}", what_to_do=f"Choose {DEFAULT} or {CLASSIC}."
        )
    source = follow_classic(said) if profile == CLASSIC else follow(said)
    async with aclosing(source) as events:
        async for event in events:
            if not isinstance(event, tuple):
                callbacks(event)


Heard = AgentEvent | QuotaEvent | AutopilotEvent
"""Everything that is published of Antigravity."""


def as_data(event: Heard, began: float) -> dict[str, Any]:
    """One event as an object for JSON: `event` names it, `seconds` count from `began`; what the
    autopilot tells has no time of its own and is told at once."""
    at = getattr(event, "at", None)
    data: dict[str, Any] = {
        "event": EVENTS[type(event)],
        "seconds": round((time.monotonic() if at is None else at) - began, 6),
    }
    for one in fields(event):
        if one.name != "at":
            data[one.name] = _plain(getattr(event, one.name))
    return data


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value
