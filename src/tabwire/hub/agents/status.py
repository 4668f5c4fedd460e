"""How Antigravity is now: its windows, their panels, what is recognised, what is left.

One look at each window, all at once; nothing is pressed or typed. A window that does not answer
says so in its own row and spoils no other.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tabwire.browser.agent.classic import ClassicPanel
from tabwire.browser.agent.connection import open_window
from tabwire.browser.agent.window import AgentWindow
from tabwire.config.settings import settings
from tabwire.hub.agents import windows as antigravity
from tabwire.hub.agents.consent import consent, require_consent
from tabwire.hub.agents.language_server import NoLanguageServer, read_allowance
from tabwire.hub.agents.windows import Spot
from tabwire.model.agent import Candidate, Panel, RowKind, SelfTest
from tabwire.model.autopilot import AutopilotState
from tabwire.model.errors import TabwireError
from tabwire.monitor.agent_quota import Allowance, Quota
from tabwire.sites.antigravity.page import APPROVALS

__all__ = ["Quota", "Status", "WindowStatus", "dump", "missing_parts", "status"]

LOOK_SECONDS = 10.0

WindowAt = Callable[[Spot], Awaitable[AgentWindow]]

NEEDED = ("root", "turns", "composer", "user", "prose")
"""Parts without which a panel that holds a conversation is not read; others come and go."""


@dataclass(frozen=True, slots=True)
class WindowStatus:
    """One window. `phase` as a watcher would see it; "" and a `problem` where it cannot be seen."""

    spot: Spot
    phase: str = ""
    conversation: str = ""
    model: str = ""
    mode: str = ""
    asks: tuple[str, ...] = ()
    """Kinds of the cards that wait for a decision."""
    quota: Quota | None = None
    banners: tuple[str, ...] = ()
    test: SelfTest | None = None
    problem: str = ""

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        window, taken = self.spot.window, self.test.taken if self.test else None
        return {
            "name": window.name,
            "workspace": window.workspace,
            "place": window.place.value,
            "port": self.spot.port,
            "id": window.id,
            "phase": self.phase,
            "conversation": self.conversation,
            "model": self.model,
            "mode": self.mode,
            "asks": list(self.asks),
            "quota": None if self.quota is None else quota_data(self.quota),
            "banners": list(self.banners),
            "pack": self.test.pack if self.test else None,
            "recognised": bool(self.test and self.test.recognised),
            "found": list(taken.found) if taken else [],
            "missing": list(taken.missing) if taken else [],
            "problem": self.problem,
        }


@dataclass(frozen=True, slots=True)
class Status:
    """All of it."""

    since: str
    windows: tuple[WindowStatus, ...]
    allowance: Allowance | None = None
    quota_problem: str = ""
    autopilot: AutopilotState = field(default_factory=AutopilotState)

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "consent": self.since,
            "windows": [one.as_data() for one in self.windows],
            "quota": None if self.allowance is None else allowance_data(self.allowance),
            "quota_problem": self.quota_problem,
            "autopilot": self.autopilot.as_data(),
        }


def quota_data(quota: Quota) -> dict[str, Any]:
    """One allowance for JSON."""
    return {
        "state": quota.state.value,
        "remaining": quota.remaining,
        "resets_at": quota.resets_at,
    }


def allowance_data(allowance: Allowance) -> dict[str, Any]:
    """The server's numbers for JSON."""
    return {
        "plan": allowance.plan,
        "credits": allowance.credits,
        "models": [
            {"label": one.label, "model": one.model, **quota_data(one.quota)}
            for one in allowance.models
        ],
        "pools": [
            {"name": one.name, "group": one.group, "window": one.window, **quota_data(one.quota)}
            for one in allowance.pools
        ],
    }


async def status(
    window_at: WindowAt, autopilot_state: Callable[[], Awaitable[AutopilotState]]
) -> Status:
    """Everything, with one look. Raises `ConsentNeeded` and `NoWindow`."""
    given = require_consent()
    spots, (allowance, problem), pilot = await asyncio.gather(
        antigravity.windows(), _allowance(), autopilot_state()
    )
    rows = await asyncio.gather(*(_looked(spot, window_at, allowance) for spot in spots))
    return Status(given.at, tuple(rows), allowance, problem, pilot)


async def _allowance() -> tuple[Allowance | None, str]:
    if settings().antigravity_quota != "on":
        return None, ""
    try:
        return await read_allowance(), ""
    except NoLanguageServer as exc:
        return None, str(exc)


async def _looked(spot: Spot, window_at: WindowAt, allowance: Allowance | None) -> WindowStatus:
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            panel, test = await _look(await window_at(spot))
    except TimeoutError:
        return WindowStatus(spot, problem=f"it did not answer within {LOOK_SECONDS:g} s")
    except TabwireError as exc:
        return WindowStatus(spot, problem=str(exc))
    quota = allowance.of(panel.model) if allowance is not None and panel.model else None
    return WindowStatus(
        spot,
        phase_of(panel),
        panel.conversation,
        panel.model,
        panel.mode,
        tuple(one.kind for one in panel.cards if one.kind in APPROVALS),
        quota,
        panel.quota,
        test,
        "" if panel.panel else "no agent panel is open in this window",
    )


async def _look(window: AgentWindow) -> tuple[Panel, SelfTest]:
    had = window.attachment
    async with window.attached() as attachment:
        if attachment is had:  # for longer than this look
            await window.refresh()
        return attachment.panel, attachment.test


def phase_of(panel: Panel) -> str:
    """How far the run in a panel is, as far as one look tells."""
    if not panel.panel:
        return ""
    if any(one.kind in APPROVALS for one in panel.cards):
        return "waiting_approval"
    if panel.stop:
        rows = panel.open[-1].rows if panel.open else ()
        return "generating" if any(one.kind is RowKind.PROSE for one in rows) else "thinking"
    return "quota_reached" if panel.quota else "waiting"


def missing_parts(test: SelfTest) -> tuple[str, ...]:
    """Parts that should be there and are not; nothing where no conversation is shown."""
    taken = test.taken
    if taken is None:
        return ()
    found = set(taken.found)
    needed = NEEDED if "user" in found or "prose" in found else ("root", "composer")
    return tuple(part for part in needed if part not in found)


def agreed() -> str:
    """The day the person agreed; "" where they did not."""
    given = consent()
    return given.at if given else ""


async def dump(said: str = "") -> tuple[Spot, tuple[Candidate, ...]]:
    """Every text of the panel that might be an answer or a log, with how each is taken:
    DUMP_ALL_TEXTS of seed 000."""
    spot = await antigravity.window(said)
    session = await open_window(spot.window)
    try:
        panel = ClassicPanel(session)
        await panel.arm()
        return spot, await panel.dump()
    finally:
        await session.connection.close()
