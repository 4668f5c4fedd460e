"""The agents of Antigravity, in the hub: followed while the person allows it, for all doors.

Theory of operation. Every few seconds it is asked whether the person still allows it; where not,
everything is let go of at once. While it is allowed each window is followed, and what happens is
published on a board that any door may listen to. Where the settings say so, the language server
is asked what is left. When a model that was used up is back, whoever hooked in is asked first
(the queue); if nobody takes it and `antigravity_auto_continue` is on, `Continue` is sent: once
for each time it came back, in windows that use that model, where nothing runs and the last thing
we saw was not an answer brought to its end.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AbstractContextManager, aclosing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from tabwire.browser.agent.drive import driving
from tabwire.browser.agent.prompt import send_prompt
from tabwire.browser.agent.targets import Found, NoWindow, find_windows
from tabwire.browser.agent.window import AgentWindow
from tabwire.browser.agent.windows import LIST_SECONDS, PortWindows
from tabwire.config.settings import Settings, settings
from tabwire.hub.agents.board import Board
from tabwire.hub.agents.consent import ConsentNeeded, require_consent
from tabwire.hub.agents.language_server import NoLanguageServer, read_allowance
from tabwire.model.agent import (
    AgentAttached,
    AgentEnded,
    AgentEvent,
    AgentPhase,
    AgentQuota,
    Panel,
)
from tabwire.model.errors import TabwireError
from tabwire.monitor.agent.follow import Follower
from tabwire.monitor.agent.windows import Windows
from tabwire.monitor.agent_quota import Allowance
from tabwire.monitor.agent_quota_watch import (
    Continued,
    QuotaBack,
    QuotaChanged,
    QuotaWatch,
)
from tabwire.sites.antigravity.page import APPROVALS, PORTS

logger = logging.getLogger(__name__)

CONTINUE = "Continue"
ALLOWED_SECONDS = 2.0
"""How often the person's word is looked at: off is off within this."""

SCAN_SECONDS = 10.0
"""How often ports are looked at for an Antigravity that was started since."""

LISTED_SECONDS = LIST_SECONDS + 1.0
"""How long a window that was opened just now may take to be followed."""

GLANCE_SECONDS = 0.05

Back = Callable[[QuotaBack], Awaitable[bool]]


@dataclass(slots=True)
class _Seen:
    """What is remembered of a window."""

    model: str = ""
    finished: bool = False  # the last run we saw said all it had to say
    stopped: bool = False  # … or somebody stopped it


@dataclass(slots=True)
class Agents:
    """All of it. `read` asks for the allowance; `on_back` are asked in turn when a model is back,
    and the first that takes it keeps `Continue` from being sent."""

    board: Board = field(default_factory=Board)
    quota: QuotaWatch = field(default_factory=QuotaWatch)
    on_back: list[Back] = field(default_factory=list)
    read: Callable[[], Awaitable[Allowance]] = read_allowance
    now: Callable[[], Settings] = settings
    clock: Callable[[], float] = time.time
    present: Callable[[], AbstractContextManager[None]] = nullcontext
    """A hub that is used stays: inside this block Antigravity is followed."""
    drive: Callable[[PortWindows], Awaitable[None]] | None = None
    """Who clicks in the windows of a port, until cancelled: the autopilot."""
    _seen: dict[str, _Seen] = field(default_factory=dict)
    _ports: dict[int, Windows] = field(default_factory=dict)
    _hurry: asyncio.Event = field(default_factory=asyncio.Event)
    switched_off: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the person takes their word back; the next time has another event."""

    def blocks(self, model: str) -> bool:
        """Whether nothing should be sent to this model now: for the queue."""
        return self.quota.blocks(model, self.clock())

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            if not _allowed():
                await asyncio.sleep(ALLOWED_SECONDS)
                continue
            try:
                async with asyncio.TaskGroup() as group:
                    tasks = [group.create_task(self._follow()), group.create_task(self._poll())]
                    while _allowed():
                        await asyncio.sleep(ALLOWED_SECONDS)
                    for task in tasks:
                        task.cancel()
                self.switched_off.set()
                self.switched_off = asyncio.Event()
            except* Exception:  # the top of a task: the hub has other work, and this begins anew
                logger.exception("following Antigravity failed; restarting")
                await asyncio.sleep(SCAN_SECONDS)

    # --- windows ----------------------------------------------------------------

    async def _follow(self) -> None:
        async with asyncio.TaskGroup() as group:
            while True:
                with suppress(NoWindow):
                    for found in await self._new_ports():
                        group.create_task(self.follow_port(found.port))
                await asyncio.sleep(SCAN_SECONDS)

    async def _new_ports(self) -> tuple[Found, ...]:
        """Ports with windows, those left out that are listed already."""
        port = self.now().antigravity_port
        if port:
            return () if port in self._ports else await find_windows(port)
        ports = [one for one in PORTS if one not in self._ports]
        return await find_windows(ports=ports)

    async def follow_port(self, port: int) -> None:
        """Follow all windows of one port, and drive them, until cancelled."""
        self._ports[port] = windows = Windows(PortWindows(port))
        try:
            with self.present():
                async with asyncio.TaskGroup() as group:
                    if self.drive is not None:
                        group.create_task(self._driven(windows.port))
                    async with aclosing(windows.events()) as events:
                        async for event in events:
                            await self.heard(event)
        finally:
            self._ports.pop(port, None)

    async def _driven(self, port: PortWindows) -> None:
        assert self.drive is not None
        await self.drive(port)

    async def heard(self, event: AgentEvent) -> None:
        """Something happened in a window."""
        self.board.publish(event)
        seen = self._seen.setdefault(event.window, _Seen())
        now = self.clock()
        match event:
            case AgentAttached(model=model):
                seen.model = model
            case AgentPhase(phase="thinking"):
                seen.finished = seen.stopped = False
            case AgentPhase(phase="generating"):
                seen.finished = seen.stopped = False
                await self._told(self.quota.ran(seen.model, now))
            case AgentQuota(text=text, model=model):
                seen.model = model or seen.model
                self._hurry.set()
                await self._told(self.quota.banner(seen.model, text, now))
            case AgentEnded(phase=phase, quota=quota, error=error):
                seen.finished = phase == "complete" and not quota and not error
                seen.stopped = phase == "stopped"
            case _:
                pass

    async def window_at(self, port: int, target: str) -> AgentWindow | None:
        """The window with this id as it is attached here; None where it is not followed. One that
        was opened just now is waited for."""
        until = time.monotonic() + LISTED_SECONDS
        while (windows := self._ports.get(port)) is not None:
            for one in windows.port.windows.values():
                if one.is_at(target) and one.ended is None:
                    return one
            if time.monotonic() >= until:
                return None
            await asyncio.sleep(GLANCE_SECONDS)
        return None

    def windows(self) -> list[dict[str, Any]]:
        """Those that are followed now, as they are."""
        found: list[dict[str, Any]] = []
        for port, key, one in self._followers():
            window, name = one.window.listed, one.name
            attached = self.board.attached.get(name)
            if window is None or attached is None:
                continue
            found.append(
                {
                    "window": name,
                    "port": port,
                    "id": key,
                    "place": window.place.value,
                    "phase": self.board.phases.get(name, ""),
                    "conversation": attached.conversation,
                    "model": self._seen[name].model if name in self._seen else attached.model,
                }
            )
        return found

    def _followers(self) -> Iterable[tuple[int, str, Follower]]:
        for port, windows in self._ports.items():
            for key, follower in windows.followers.items():
                yield port, key, follower

    # --- what is left -----------------------------------------------------------

    async def _poll(self) -> None:
        while True:
            with suppress(NoLanguageServer):
                await self.poll()
            self._hurry.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(self.now().antigravity_quota_seconds):
                    await self._hurry.wait()

    async def poll(self) -> None:
        """Ask once what is left, where that is wanted, and tell what changed."""
        await self._told(self.quota.tick(self.clock()))
        if self.now().antigravity_quota != "on":
            return
        allowance = await self.read()
        using = tuple(dict.fromkeys([one async for one in self._models()]))
        await self._told(self.quota.reading(allowance, self.clock(), using))

    async def _models(self) -> AsyncIterator[str]:
        for _, _, follower in tuple(self._followers()):
            with suppress(TabwireError):
                attachment = follower.window.attachment
                if attachment and (model := (await attachment.watch.look()).model):
                    yield model

    async def _told(self, events: Iterable[QuotaChanged | QuotaBack]) -> None:
        for event in events:
            self.board.publish(replace(event, at=time.monotonic()))
            if isinstance(event, QuotaBack):
                await self._back(event)

    async def _back(self, event: QuotaBack) -> None:
        for hook in self.on_back:
            if await hook(event):
                return
        if self.now().antigravity_auto_continue != "on":
            return
        for _, _, follower in tuple(self._followers()):
            if follower.window.attachment is not None:
                self.board.publish(await self._continue(follower, event.model))

    async def _continue(self, follower: Follower, model: str) -> Continued:
        name = follower.name
        seen = self._seen.get(name, _Seen())
        sent, why = False, ""
        try:
            require_consent()
            async with driving(follower.window) as driver:
                panel = await driver.look()
                why = why_not(panel, model, finished=seen.finished, stopped=seen.stopped)
                if not why:
                    await send_prompt(driver, CONTINUE)
                    sent = True
        except TabwireError as exc:  # not tried again: once for each reset
            why = str(exc)
        return Continued(time.monotonic(), name, model, sent, why)


def why_not(panel: Panel, model: str, *, finished: bool, stopped: bool = False) -> str:
    """Why `Continue` would be wrong here; "" where it is right."""
    if panel.model != model:
        return f"this window uses {panel.model or 'a model whose name cannot be read'}"
    if panel.stop:
        return "the agent is already working"
    if any(one.kind in APPROVALS for one in panel.cards):
        return "the agent is waiting for a decision"
    if not panel.turns:
        return "there is nothing to continue"
    if stopped:
        return "its last run was stopped"
    return "its last run was completed" if finished else ""


def _allowed() -> bool:
    try:
        require_consent()
    except (ConsentNeeded, TabwireError):
        return False
    return True
