"""One run as seed 000 polls it: every two seconds, four evaluations, three confirmations.

Sections 3 and 4 of the seed as they stand: the baseline by text, entries of 300 characters known
by their first 200, 300 s for the whole run. Kept to compare with, and for panels nobody knows.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from tabwire.fusion.monitor_phases import (
    MONITOR_CLASSIC,
    POLL_SECONDS,
    MonitorProfile,
    PageMonitor,
    PhaseChanged,
    PhaseOutcome,
)
from tabwire.model.agent import (
    AgentEnded,
    AgentEvent,
    AgentLog,
    AgentPhase,
    AgentProgress,
    LogEntry,
    RowKind,
)
from tabwire.model.errors import TabwireError
from tabwire.model.signals import PageSaw, Refusal, Refused

logger = logging.getLogger(__name__)

T = TypeVar("T")
Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]


class Looks(Protocol):
    """What is needed of a panel: `browser.agent_classic.ClassicPanel`."""

    async def stop(self) -> bool:
        """Whether the control to stop is in sight."""
        ...

    async def quota(self) -> bool:
        """Whether a limit is said to be reached."""
        ...

    async def text(self) -> str | None:
        """The newest answer."""
        ...

    async def logs(self) -> tuple[str, ...]:
        """All log entries."""
        ...


@dataclass(frozen=True, slots=True)
class Baseline:
    """What stood in the panel before the prompt was sent."""

    text: str | None = None
    logs: tuple[str, ...] = ()


class ClassicRun:
    """One run. `connected` says whether there is a line to the window; without it no poll."""

    def __init__(
        self,
        panel: Looks,
        *,
        window: str = "",
        profile: MonitorProfile = MONITOR_CLASSIC,
        poll_seconds: float = POLL_SECONDS,
        connected: Callable[[], bool] = lambda: True,
        clock: Clock = time.monotonic,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._panel = panel
        self._window = window
        self._profile = profile
        self._poll_seconds = poll_seconds
        self._connected = connected
        self._clock = clock
        self._sleep = sleep
        self._log: list[LogEntry] = []

    async def baseline(self) -> Baseline:
        """Two evaluations: the text and the entries that are there already."""
        return Baseline(await self._panel.text(), await self._panel.logs())

    async def events(
        self, baseline: Baseline | None = None, *, passive: bool = False
    ) -> AsyncGenerator[AgentEvent, None]:
        """Follow the run to its end. With a baseline passed in nothing is evaluated first."""
        before = await self.baseline() if baseline is None else baseline
        monitor = PageMonitor(
            self._clock(),
            baseline_text=before.text,
            baseline_log=before.logs,
            passive=passive,
            profile=self._profile,
        )
        yield AgentPhase(self._clock(), self._window, 1, monitor.phase.value)
        while not monitor.over:
            await self._sleep(self._poll_seconds)
            now = self._clock()
            if self._connected() is (monitor.phase.value == "disconnected"):
                for event in self._told(monitor.connection(self._connected(), now), now):
                    yield event
            if self._connected():
                for event in await self._poll(monitor):
                    yield event
            for event in self._told(monitor.tick(self._clock()), self._clock()):
                yield event
        yield self._ended(monitor)

    async def _poll(self, monitor: PageMonitor) -> list[AgentEvent]:
        """Stop, quota, text, logs. One that fails is left out; the next poll comes."""
        stop = await self._asked(self._panel.stop, False)
        quota = await self._asked(self._panel.quota, False)
        text = await self._asked(self._panel.text, None)
        nothing: tuple[str, ...] = ()
        logs = await self._asked(self._panel.logs, nothing)
        now = self._clock()
        events: list[AgentEvent] = []
        if quota:
            events += self._told(monitor.refused(Refused(Refusal.RATE_LIMIT)), now)
        before = monitor.text
        outcomes = monitor.see(PageSaw(stop, text=text), now)
        fresh = monitor.log(logs, now)
        if fresh:
            entries = self._entries(fresh)
            self._log += entries
            events.append(AgentLog(now, self._window, 1, entries))
        if monitor.text != before:
            events.append(AgentProgress(now, self._window, 1, monitor.text))
        return [*events, *self._told(outcomes, now)]

    async def _asked(self, look: Callable[[], Awaitable[T]], instead: T) -> T:
        try:
            return await look()
        except TabwireError as exc:
            logger.debug("one poll failed: %s", exc)
            return instead

    def _entries(self, texts: Iterable[str]) -> tuple[LogEntry, ...]:
        begun = len(self._log)
        return tuple(
            LogEntry(f"1.{begun + at}", RowKind.ENTRY, text) for at, text in enumerate(texts, 1)
        )

    def _told(self, outcomes: Iterable[PhaseOutcome], now: float) -> list[AgentEvent]:
        return [
            AgentPhase(now, self._window, 1, one.phase.value, one.text)
            for one in outcomes
            if isinstance(one, PhaseChanged)
        ]

    def _ended(self, monitor: PageMonitor) -> AgentEnded:
        return AgentEnded(
            self._clock(), self._window, 1, monitor.phase.value, monitor.text, answer=monitor.text,
            log=tuple(self._log), quota=monitor.quota,
            why_no_log="" if self._log else "no text of the panel looked like a log",
        )  # fmt: skip
