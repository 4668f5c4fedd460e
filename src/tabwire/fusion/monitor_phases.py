"""The page-only monitor: a run followed by its stop control and its text alone.

Theory of operation. Where no wire can be read (the Antigravity panel), the page is all
there is. A run waits, thinks once the stop control shows, generates once new text shows,
and is complete once the control has been gone several times running. Phases say how far a
run is, not what its answer is worth: a run that ends without text is `complete` with an
empty text, and no verdict is drawn from it.

The stop control flickers, so its absence must be confirmed. Text that still changes does
not reset the count: trailing words come after the control is gone, and resetting would
never end. A page that reports every mutation could confirm three times in a blink, so
absences count only when they are apart; `tick` counts for a page that has fallen silent.

Some pages say by themselves that a turn is over: they offer to call it good or bad. Where the
profile trusts that, it takes the place of the count, once the page has been so, with the same
words, for a moment.

Text equal to the baseline, the answer that stood there before, is suppressed until
something new was seen; log entries of the baseline likewise. An entry is known by its
beginning and by which of its equals it is, so a command that is run twice is told twice.

`disconnected` and `waiting_approval` lie over the run and give it back as it was.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tabwire.model.signals import PageSaw, Refusal, Refused

STOP_GONE_CONFIRMATIONS = 3  # the seed's count; one absence is often a re-render
POLL_SECONDS = 2.0  # the seed's pace; three absences then span at least four seconds
MAX_RUN_SECONDS = 300.0  # the seed's limit, counted from the start whatever happens
INACTIVE_SECONDS = 900.0  # ours: counted from the last sign of life, never while it works
RECONNECT_SECONDS = 30.0  # the promise "back": after this we stop hoping and say so
LOG_KEY_CHARS = 200  # an entry's beginning is its identity: its end may still grow
MAX_LOG_KEYS = 5000  # of one run; beyond it entries are told without being remembered


class Phase(StrEnum):
    """How far a run is."""

    WAITING = "waiting"
    THINKING = "thinking"
    GENERATING = "generating"
    COMPLETE = "complete"
    TIMEOUT = "timeout"
    QUOTA_REACHED = "quota_reached"
    STOPPED = "stopped"  # somebody stopped it
    FAILED = "failed"  # an error was its last word
    WAITING_APPROVAL = "waiting_approval"
    DISCONNECTED = "disconnected"


class PhaseCause(StrEnum):
    """What happened to a run."""

    STOP_SHOWN = "stop_shown"
    TEXT_CHANGED = "text_changed"
    STOP_GONE = "stop_gone"  # confirmed
    STOPPED = "stopped"  # the same, and somebody stopped it
    FAILED = "failed"  # the same, with an error
    TIME_OUT = "time_out"
    QUOTA = "quota"  # the limit was reached before any text came


_ENDS = {
    PhaseCause.STOP_GONE: Phase.COMPLETE,
    PhaseCause.STOPPED: Phase.STOPPED,
    PhaseCause.FAILED: Phase.FAILED,
    PhaseCause.TIME_OUT: Phase.TIMEOUT,
    PhaseCause.QUOTA: Phase.QUOTA_REACHED,
}
PHASES: dict[Phase, dict[PhaseCause, Phase]] = {
    Phase.WAITING: {
        PhaseCause.STOP_SHOWN: Phase.THINKING,
        PhaseCause.TEXT_CHANGED: Phase.GENERATING,
        **_ENDS,
    },
    Phase.THINKING: {PhaseCause.TEXT_CHANGED: Phase.GENERATING, **_ENDS},
    Phase.GENERATING: _ENDS,
    Phase.COMPLETE: {},
    Phase.TIMEOUT: {},
    Phase.QUOTA_REACHED: {},
    Phase.STOPPED: {},
    Phase.FAILED: {},
}
ENDED = frozenset(_ENDS.values())
_CONFIRMED = {
    Phase.COMPLETE: PhaseCause.STOP_GONE,
    Phase.STOPPED: PhaseCause.STOPPED,
    Phase.FAILED: PhaseCause.FAILED,
}


@dataclass(frozen=True, slots=True)
class MonitorProfile:
    """How a run is followed. A limit of None waits for ever.

    `apart_seconds`: absences of the stop control closer than this count once.
    `closed_seconds`: how long a page that shows the end of the turn must stay as it is.
    """

    name: str
    confirmations: int = STOP_GONE_CONFIRMATIONS
    apart_seconds: float = POLL_SECONDS
    inactive_seconds: float | None = INACTIVE_SECONDS
    run_seconds: float | None = None
    reconnect_seconds: float = RECONNECT_SECONDS
    closed_seconds: float | None = None


MONITOR_DEFAULT = MonitorProfile("default")
# Every sight is a poll, two seconds after the last: each absence counts.
MONITOR_CLASSIC = MonitorProfile(
    "classic", apart_seconds=0.0, inactive_seconds=None, run_seconds=MAX_RUN_SECONDS
)


@dataclass(frozen=True, slots=True)
class PhaseChanged:
    """The phase a watcher sees changed; `text` is the newest text of this run."""

    phase: Phase
    text: str


@dataclass(frozen=True, slots=True)
class Progressed:
    """New text of this run."""

    text: str


PhaseOutcome = PhaseChanged | Progressed


class PageMonitor:
    """One run. `passive` joins a run that is already generating."""

    def __init__(
        self,
        now: float,
        *,
        baseline_text: str | None = None,
        baseline_log: Iterable[str] = (),
        passive: bool = False,
        profile: MonitorProfile = MONITOR_DEFAULT,
    ) -> None:
        self.text = ""
        self.quota = False
        self.stop_gone = 0
        self.how = Phase.COMPLETE
        """As what it ends once its end is confirmed: complete, stopped or failed."""
        self._run = Phase.GENERATING if passive else Phase.WAITING
        self._profile = profile
        self._baseline = baseline_text
        self._log = Counter(map(_log_key, baseline_log))
        self._begun = passive  # it was seen working, or new text came
        self._generating = False
        self._approval = False
        self._lost_at: float | None = None
        self._counted_at = float("-inf")
        self._closed_at: float | None = None  # the end is shown since then, with these words
        self._started_at = self._active_at = now
        self._shown = self.phase

    @property
    def phase(self) -> Phase:
        """What a watcher sees."""
        if self._run in ENDED:
            return self._run
        if self._lost_at is not None:
            return Phase.DISCONNECTED
        return Phase.WAITING_APPROVAL if self._approval else self._run

    @property
    def over(self) -> bool:
        """Whether the run ended."""
        return self._run in ENDED

    def see(self, page: PageSaw, now: float) -> tuple[PhaseOutcome, ...]:
        """What stands on the page now."""
        outcomes: list[PhaseOutcome] = []
        if self.over:
            return ()
        self._generating = page.generating
        if page.generating:
            self._begun = True
            self._restart(now)
            self._turn(PhaseCause.STOP_SHOWN)
        if page.text and page.text != self.text and (self.text or page.text != self._baseline):
            self.text, self._begun, self._active_at, self._closed_at = page.text, True, now, None
            self._turn(PhaseCause.TEXT_CHANGED)
            outcomes.append(Progressed(page.text))
        if not page.generating:
            self._see_end(page.actions, now)
            self._count_absence(now)
        return (*outcomes, *self._changes())

    def log(self, entries: Iterable[str], now: float) -> tuple[str, ...]:
        """All log entries on the page; returns those nobody has been told of."""
        fresh: list[str] = []
        met: Counter[str] = Counter()
        for entry in entries:
            key = _log_key(entry)
            met[key] += 1
            if met[key] > self._log[key]:
                fresh.append(entry)
        for key, count in met.items():
            if key in self._log or len(self._log) < MAX_LOG_KEYS:
                self._log[key] = max(self._log[key], count)
        if fresh:
            self._active_at = now
        return tuple(fresh)

    def refused(self, refusal: Refused) -> tuple[PhaseOutcome, ...]:
        """The site says no. A quota before any text ends the run; later it is a flag."""
        if refusal.kind is Refusal.RATE_LIMIT and not self.over:
            self.quota = True
            if not self.text:
                self._turn(PhaseCause.QUOTA)
        return self._changes()

    def approval(self, waiting: bool, now: float) -> tuple[PhaseOutcome, ...]:
        """The run asks the person something, or got its answer."""
        self._approval = waiting
        self._restart(now)
        return self._changes()

    def connection(self, connected: bool, now: float) -> tuple[PhaseOutcome, ...]:
        """The page was lost, or is back. Being away is nobody's inactivity."""
        if connected:
            self._lost_at = None
            self._restart(now)
        elif self._lost_at is None:
            self._lost_at = now
        return self._changes()

    def tick(self, now: float) -> tuple[PhaseOutcome, ...]:
        """Let time pass."""
        if self.over:
            return ()
        if (at := self._confirm_at()) is not None and at <= now:
            self._count_absence(now)
        if (at := self._closing_at()) is not None and at <= now:
            self._turn(_CONFIRMED[self.how])
        if (at := self._limit_at()) is not None and at <= now:
            self._turn(PhaseCause.TIME_OUT)
        return self._changes()

    def next_deadline(self) -> float | None:
        """When `tick` has something to do."""
        if self.over:
            return None
        times = (self._confirm_at(), self._closing_at(), self._limit_at())
        return min((at for at in times if at is not None), default=None)

    def _restart(self, now: float) -> None:
        """A sign of life: absences are counted anew, the next one at once."""
        self._active_at, self.stop_gone, self._counted_at = now, 0, float("-inf")
        self._closed_at = None

    def _count_absence(self, now: float) -> None:
        if not self._begun or self._approval or self._lost_at is not None:
            return
        if now < self._counted_at + self._profile.apart_seconds:
            return  # the same sum as in _confirm_at: a rounded difference could miss it
        self.stop_gone, self._counted_at = self.stop_gone + 1, now
        if self.stop_gone >= self._profile.confirmations:
            self._turn(_CONFIRMED[self.how])

    def _see_end(self, shown: bool, now: float) -> None:
        if not shown or not self._begun:
            self._closed_at = None
        elif self._closed_at is None:
            self._closed_at = now

    def _closing_at(self) -> float | None:
        if self._closed_at is None or self._profile.closed_seconds is None:
            return None
        if self._approval or self._lost_at is not None:
            return None
        return self._closed_at + self._profile.closed_seconds

    def _confirm_at(self) -> float | None:
        if not self.stop_gone or self._generating or not self._profile.apart_seconds:
            return None
        if self._approval or self._lost_at is not None:
            return None
        return self._counted_at + self._profile.apart_seconds

    def _limit_at(self) -> float | None:
        limits: list[float] = []
        if self._profile.run_seconds is not None:
            limits.append(self._started_at + self._profile.run_seconds)
        if self._lost_at is not None:
            limits.append(self._lost_at + self._profile.reconnect_seconds)
        elif self._profile.inactive_seconds is not None and not (
            self._generating or self._approval
        ):
            limits.append(self._active_at + self._profile.inactive_seconds)
        return min(limits, default=None)

    def _turn(self, cause: PhaseCause) -> None:
        self._run = PHASES[self._run].get(cause, self._run)

    def _changes(self) -> tuple[PhaseOutcome, ...]:
        if self.phase is self._shown:
            return ()
        self._shown = self.phase
        return (PhaseChanged(self.phase, self.text),)


def _log_key(entry: str) -> str:
    return entry[:LOG_KEY_CHARS]
