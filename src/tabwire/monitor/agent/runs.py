"""States of a panel and time -> phases and events, one run after the other. No clock, no I/O.

Theory of operation. Between runs the machine waits: what stands in the panel is the past. A run
begins when the agent is seen at work or something new is shown. Its phases are those of
`fusion/monitor_phases.py`, with numbers for a page that reports every change: the stop control
must be gone for 2 s, seen three times, before a run is complete, and longer where a step still
runs (`endings.py`). Where the panel offers to call the turn good or bad, the run that spoke in it
is over at once. While a card asks for a decision the control is still there, and the agent is not
at work: the phase is `waiting_approval`, and no time runs. A lost window is a phase as well, with
a bound.

A conversation that was left while its run went on ends that run, for it cannot be seen any more;
that is believed only after a while, since a panel that draws itself anew is empty for a moment.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tabwire.fusion.monitor_phases import (
    MonitorProfile,
    PageMonitor,
    Phase,
    PhaseChanged,
    PhaseOutcome,
)
from tabwire.model.agent import (
    AgentCard,
    AgentEnded,
    AgentEvent,
    AgentImage,
    AgentLog,
    AgentPhase,
    AgentProgress,
    AgentQuota,
    AgentShown,
    Card,
    LogEntry,
    Panel,
    RowKind,
)
from tabwire.model.signals import PageSaw, Refusal, Refused
from tabwire.monitor.agent.endings import NO_PANEL, Endings, why_no_log
from tabwire.monitor.agent.ledger import Ledger, Reading
from tabwire.monitor.agent.streams import Streams
from tabwire.sites.antigravity.page import APPROVALS

AGENT = MonitorProfile("agent", confirmations=3, apart_seconds=1.0, closed_seconds=0.12)
"""Complete 2 s after the stop control went: it has been seen to be gone for 1.3 s. None of the
captured panels offered Good and Bad in a turn that was worked on, so with them there a pause is
enough in which the last words come."""

LEFT_SECONDS = 1.5
"""How long another conversation must be shown before the run is given up as unseen."""

SHOWN_SECONDS = 1.5
"""How long a panel must be gone before that is told: one that is drawn anew is away for less."""

_WORK = frozenset({RowKind.TOOL, RowKind.COMMAND, RowKind.THINKING, RowKind.TASK})

REPEAT_SECONDS = {"plan": 5.0, "error": 10.0}
"""A card of this kind that comes back alike within this is not told again (S0-060, S0-061)."""


class Runs:
    """One window. `feed`, `tick` and `connection` give what is to be told."""

    def __init__(
        self, window: str, panel: Panel, now: float, *, profile: MonitorProfile = AGENT,
        passive: bool | None = None,
    ) -> None:  # fmt: skip
        self.window = window
        self.number = 0
        self._profile = profile
        self._ledger = Ledger()
        self._left_at: float | None = None
        self._connected = True
        self._cards: dict[str, Card] = {}
        self._told: dict[tuple[str, str], float] = {}
        self._returning = False
        self._panel = self._elsewhere = panel
        self._shown_at: float | None = None if panel.panel else now
        self._is_shown = True
        self._busy_until: float | None = None
        self._first = self._ledger.see(panel)
        passive = panel.stop if passive is None else passive
        self._begin(now, joining=passive, cards=[one.id for one in panel.cards])

    # --- state ------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """What a watcher sees."""
        return self._monitor.phase

    @property
    def text(self) -> str:
        """The output of the run."""
        return self._streams.text

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """The log of the run."""
        return tuple(self._streams.log.values())

    @property
    def cards(self) -> tuple[Card, ...]:
        """What asks for a decision now."""
        return tuple(self._cards.values())

    @property
    def over(self) -> bool:
        """Whether the run ended; the next state of the panel may begin another."""
        return self._monitor.over

    def opening(self, now: float) -> tuple[AgentEvent, ...]:
        """What is there to tell at the beginning: a phase, and of a run that was joined all of
        its turn."""
        events: list[AgentEvent] = [AgentPhase(now, self.window, self.number, self.phase.value)]
        events += self._asked(self._panel, now)
        if self._joined:
            events += self._approval(self._panel, now)
            if self._panel.loose is not None and not self._panel.recognised:
                events += self._loose(self._panel, now)
            else:
                events += self._shown(self._panel, self._first, now)
        return tuple(events)

    # --- what happens -----------------------------------------------------------

    def feed(self, panel: Panel, now: float) -> tuple[AgentEvent, ...]:
        """The panel as it is now."""
        events = list(self._is_there(panel, now))
        if not panel.panel:
            return (*events, *self.tick(now))
        if panel.loose is not None and not panel.recognised:
            self._panel = panel
            self._endings.see(panel, now)
            return (*events, *self._loose(panel, now), *self.tick(now))
        empty = not self._ledger.turns
        reading = self._ledger.see(panel)
        if reading.foreign:
            self._left_at = now if self._left_at is None else self._left_at
            self._elsewhere = panel
            return (*events, *self.tick(now))
        self._left_at = None
        self._panel = panel
        if empty and len(reading.appended) > 1:
            self._elsewhere = panel  # not asked here: a conversation of before was opened
            return (*events, *self._left(now))
        if self.over:
            if not (panel.stop or reading.appended or _says(reading)):
                return (*events, *self._asked(panel, now), *self._late(reading, now))
            events += self._next(reading, now)
        self._endings.see(panel, now)
        events += self._asked(panel, now)
        events += self._approval(panel, now)
        events += self._shown(panel, reading, now)
        return (*events, *self.tick(now))

    def connection(self, connected: bool, now: float, why: str = "") -> tuple[AgentEvent, ...]:
        """The window was lost, or is back."""
        self._connected, self._returning = connected, connected
        events = self._outcomes(self._monitor.connection(connected, now), now)
        return tuple(
            replace(one, why=why) if isinstance(one, AgentPhase) else one for one in events
        )

    def tick(self, now: float) -> tuple[AgentEvent, ...]:
        """Let time pass."""
        if self._left_at is not None and now >= self._left_at + LEFT_SECONDS:
            return tuple(self._left(now))
        events: list[AgentEvent] = []
        if self._is_shown and self._shown_at is not None and now >= self._shown_at + SHOWN_SECONDS:
            self._is_shown = False
            events.append(AgentShown(now, self.window, shown=False, why=NO_PANEL))
        if self._busy_until is not None and now >= self._busy_until:
            self._busy_until = None
            saw = PageSaw(self._held, text=self._streams.text or None)
            events += self._outcomes(self._monitor.see(saw, now), now)
        return (*events, *self._outcomes(self._monitor.tick(now), now))

    def next_deadline(self) -> float | None:
        """When `tick` has something to do."""
        times = [self._monitor.next_deadline()]
        if self._left_at is not None:
            times.append(self._left_at + LEFT_SECONDS)
        if self._is_shown and self._shown_at is not None:
            times.append(self._shown_at + SHOWN_SECONDS)
        if not self.over:
            times.append(self._busy_until)
        return min((one for one in times if one is not None), default=None)

    # --- inside -----------------------------------------------------------------

    def _begin(self, now: float, *, joining: bool = False, cards: Iterable[str] = ()) -> None:
        self.number += 1
        self._joined = joining
        self._held = False
        self._ended = False
        self._quota_before = frozenset(self._panel.quota)
        self._endings = Endings(self._panel, (*self._cards, *cards))
        self._busy_until = None
        self._streams = Streams.after(self._ledger, joining=joining)
        loose = self._panel.loose
        self._monitor = PageMonitor(
            now, passive=joining, profile=self._profile,
            baseline_text=(loose.text if loose else None) or None,
            baseline_log=loose.logs if loose else (),
        )  # fmt: skip

    def _is_there(self, panel: Panel, now: float) -> Iterator[AgentEvent]:
        """Whether a panel is shown at all; that none is, is told after a while."""
        if panel.panel and not self._is_shown:
            yield AgentShown(now, self.window, shown=True)
        self._is_shown = self._is_shown or panel.panel
        self._shown_at = None if panel.panel else self._shown_at or now

    def _works(self, panel: Panel, now: float) -> bool:
        """Whether it is at work, or waits for a person."""
        self._monitor.how = self._endings.how(panel, self._failure())
        self._busy_until = None if panel.closed else self._endings.busy_until(panel)
        if self._busy_until is not None and self._busy_until <= now:
            self._busy_until = None
        return panel.stop or self._held or self._busy_until is not None

    def _failure(self) -> str:
        if self._monitor.quota:
            return ""
        rows = self._ledger.turns[-1].rows if self._ledger.turns else []
        return self._endings.failure(self._cards, rows, self._streams.log)

    def _next(self, reading: Reading, now: float) -> list[AgentEvent]:
        """After a run that ended: the past is all that was known before this reading."""
        fresh = frozenset(one.known.id for one in reading.changes if one.new)
        appended = {one.number for one in reading.appended}
        self._begin(now)
        known = [one for one in self._ledger.turns if one.number not in appended]
        self._streams.mark(known, fresh=fresh)
        return [AgentPhase(now, self.window, self.number, self.phase.value)]

    def _shown(self, panel: Panel, reading: Reading, now: float) -> Iterator[AgentEvent]:
        entries, images = self._streams.take(reading)
        outcomes: list[PhaseOutcome] = []
        # not where they stand in a turn of before, or something was done after the last words
        ended = panel.closed and not panel.status and self._streams.spoke_last
        saw = PageSaw(self._works(panel, now), ended, self._streams.text or None)
        if entries:
            self._monitor.log([f"{one.id}@{one.revision}" for one in entries], now)
        before = self._monitor.text
        if any(one.kind in _WORK and one.revision == 1 for one in entries):
            # it works, though its stop control came and went unseen
            outcomes += self._monitor.see(PageSaw(True), now)
        outcomes += self._monitor.see(saw, now)
        yield from self._outcomes(outcomes, now, ends=False)
        if entries:
            yield AgentLog(now, self.window, self.number, entries)
        if self._monitor.text != before:
            yield AgentProgress(now, self.window, self.number, self._monitor.text)
        for one in images:
            row = one.row
            yield AgentImage(
                now, self.window, self.number, row.src, row.text, row.width, row.height, row.token
            )
        yield from self._limits(panel, now)
        yield from self._ending(now)

    def _loose(self, panel: Panel, now: float) -> Iterator[AgentEvent]:
        """The structure is not known: by scores and words, as the seed does."""
        assert panel.loose is not None
        yield from self._asked(panel, now)
        yield from self._approval(panel, now)
        fresh = self._monitor.log(panel.loose.logs, now)
        entries = tuple(
            LogEntry(f"{self.number}.w{len(self._streams.log) + at}", RowKind.ENTRY, text)
            for at, text in enumerate(fresh, 1)
        )
        self._streams.log.update({one.id: one for one in entries})
        before = self._monitor.text
        outcomes = self._monitor.see(PageSaw(self._works(panel, now), text=panel.loose.text), now)
        yield from self._outcomes(outcomes, now, ends=False)
        if entries:
            yield AgentLog(now, self.window, self.number, entries)
        if self._monitor.text != before:
            yield AgentProgress(now, self.window, self.number, self._monitor.text)
        yield from self._limits(panel, now)
        yield from self._ending(now)

    def _waits(self, panel: Panel) -> bool:
        last = panel.open[-1].token if panel.open else 0
        return any(one.kind in APPROVALS and one.turn in (0, last) for one in panel.cards)

    def _approval(self, panel: Panel, now: float) -> list[AgentEvent]:
        """The agent waits for a person: it is at work and is not, and no time runs."""
        waits = self._waits(panel)
        if not waits and not self._held:
            return []
        self._held = waits
        return self._outcomes(self._monitor.approval(waits, now), now)

    def _late(self, reading: Reading, now: float) -> Iterator[AgentEvent]:
        """Words and rows that come when the run is over, and are of it."""
        before = self._streams.text
        entries, _ = self._streams.take(reading)
        if entries:
            yield AgentLog(now, self.window, self.number, entries)
        if self._streams.text != before:
            yield AgentProgress(now, self.window, self.number, self._streams.text)

    def _asked(self, panel: Panel, now: float) -> Iterator[AgentEvent]:
        """Cards that came, each once, and cards that went."""
        here = {one.id: one for one in panel.cards}
        if self._returning:  # the page names its cards anew: those that are alike are the same
            self._returning = False
            alike = {(one.kind, one.hash): one.id for one in self._cards.values()}
            for card in panel.cards:
                if (old := alike.pop((card.kind, card.hash), None)) is not None:
                    del self._cards[old]
                    self._cards[card.id] = card
        for card in [one for one in self._cards.values() if one.id not in here]:
            del self._cards[card.id]
            self._told[card.kind, card.hash] = now
            yield AgentCard(now, self.window, self.number, card, gone=True)
        for card in here.values():
            known = card.id in self._cards
            self._cards[card.id] = card
            if known:
                continue
            quiet = self._told.get((card.kind, card.hash), float("-inf"))
            if now - quiet >= REPEAT_SECONDS.get(card.kind, 0.0):
                yield AgentCard(now, self.window, self.number, card)

    def _limits(self, panel: Panel, now: float) -> Iterator[AgentEvent]:
        fresh = [one for one in panel.quota if one not in self._quota_before]
        self._quota_before &= frozenset(panel.quota)
        if fresh and not self._monitor.quota:
            yield AgentQuota(now, self.window, self.number, fresh[0], panel.model)
            yield from self._outcomes(self._monitor.refused(Refused(Refusal.RATE_LIMIT)), now)

    def _left(self, now: float) -> Iterator[AgentEvent]:
        """Another conversation is shown: what ran in the one before is out of sight."""
        self._left_at = None
        panel = self._elsewhere
        begun = self.phase not in (Phase.WAITING, Phase.DISCONNECTED) and not self.over
        if begun:
            yield self._end(now, Phase.TIMEOUT, "another conversation was opened in this window")
        self._ledger = Ledger()
        self._panel = panel
        self._first = self._ledger.see(panel)
        self._begin(now, joining=panel.stop, cards=[one.id for one in panel.cards])
        yield from self.opening(now)

    def _outcomes(
        self, outcomes: Iterable[PhaseOutcome], now: float, *, ends: bool = True
    ) -> list[AgentEvent]:
        told: list[AgentEvent] = [
            AgentPhase(now, self.window, self.number, one.phase.value, one.text)
            for one in outcomes
            if isinstance(one, PhaseChanged)
        ]
        return [*told, *self._ending(now)] if ends else told

    def _ending(self, now: float) -> Iterator[AgentEvent]:
        if self._monitor.over and not self._ended:
            if grown := self._streams.over():
                yield AgentLog(now, self.window, self.number, grown)
            yield self._end(now, self._monitor.phase, "")

    def _end(self, now: float, phase: Phase, why: str) -> AgentEnded:
        self._ended = True
        log = self.log
        return AgentEnded(
            now, self.window, self.number, phase.value, self._monitor.text,
            answer=self._streams.answer or self._monitor.text, log=log,
            quota=self._monitor.quota, error=self._failure(),
            why=why or self._why(phase), images=len(self._streams.images),
            lost=phase is Phase.TIMEOUT and not self._connected,
            why_no_log="" if log else why_no_log(self._panel, self._connected),
        )  # fmt: skip

    def _why(self, phase: Phase) -> str:
        if phase is not Phase.TIMEOUT:
            return ""
        return (
            "the window did not come back"
            if not self._connected
            else "nothing happened for too long"
        )


def _says(reading: Reading) -> bool:
    """Whether something is said that was not there: only that begins a run by itself."""
    return any(
        one.new and one.last and one.known.row.kind is RowKind.PROSE for one in reading.changes
    )
