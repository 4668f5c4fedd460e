"""When a conversation is ready to be saved: two equal terminal samples, apart in time.

Theory of operation. A stored conversation lags behind its stream and can be read in the
middle of being written. So one reading proves nothing: the gate wants the same text twice,
at least the stability window apart. A changed text restarts the window. A series that
keeps changing past the maximum wait is called a timeout, and still becomes ready the
moment it does hold still. A reading that is not terminal breaks the series: the
conversation has moved on.

The plan asks for re-reads at a fixed pace and then ends. Stored data that arrives after the
end re-arms both: the gate starts over and the plan runs again.
"""

from dataclasses import dataclass
from hashlib import blake2b

from tabwire.fusion.agreement import tidy
from tabwire.fusion.draft import has_content
from tabwire.fusion.profile import (
    CAPS,
    DEFAULT,
    PRUNE_SECONDS,
    SAMPLE_TTL_SECONDS,
    WARN_SHARE,
    Profile,
)
from tabwire.fusion.verdict import Mode, Readiness, Reason


@dataclass(frozen=True, slots=True)
class GateResult:
    """What the gate says to one sample; `reasons` is empty when it opens."""

    ready: bool
    reasons: tuple[Reason, ...] = ()


@dataclass(slots=True)
class _Series:
    """Samples of one conversation as one attempt saw them."""

    fingerprint: bytes
    began_at: float  # first sample of the series
    seen_at: float  # first sample with this fingerprint
    last_at: float


class Gate:
    """Samples by key, bounded in number and age. A key is an attempt's id."""

    def __init__(self, profile: Profile = DEFAULT, max_samples: int = CAPS.samples) -> None:
        self._profile = profile
        self._max_samples = max_samples
        self._series: dict[str, _Series] = {}
        self._pruned_at = float("-inf")

    def __len__(self) -> int:
        return len(self._series)

    def sample(
        self, key: str, text: str, terminal: bool, now: float, *, media: bool = False
    ) -> GateResult:
        """Take one reading. `media`: the answer is a picture, so no text is no lack."""
        self._prune(now)
        if not media and not has_content(text):
            return GateResult(False, (Reason.NO_CANONICAL_DATA,))
        if not terminal:
            self._series.pop(key, None)
            return GateResult(False, (Reason.CANONICAL_NOT_TERMINAL,))
        fingerprint = _fingerprint(text)
        series = self._series.pop(key, None)  # popped and put back: newest last
        if series is None or now - series.last_at > SAMPLE_TTL_SECONDS:
            self._keep(key, _Series(fingerprint, now, now, now))
            return GateResult(False, (Reason.AWAITING_SECOND_SAMPLE,))
        self._keep(key, series)
        series.last_at = now
        late = now - series.began_at > self._profile.max_wait_seconds
        if fingerprint != series.fingerprint:
            series.fingerprint, series.seen_at = fingerprint, now
            second = Reason.STABILIZATION_TIMEOUT if late else Reason.AWAITING_SECOND_SAMPLE
            return GateResult(False, (Reason.CONTENT_HASH_CHANGED, second))
        if now < series.seen_at + self._profile.stability_seconds:
            why = Reason.STABILIZATION_TIMEOUT if late else Reason.STABILITY_WINDOW_NOT_ELAPSED
            return GateResult(False, (why,))
        return GateResult(True)

    def reset(self, key: str) -> None:
        """Forget this key's samples."""
        self._series.pop(key, None)

    def warning(self) -> str | None:
        """A sentence when the cache is nearly full."""
        if len(self._series) < self._max_samples * WARN_SHARE:
            return None
        return f"samples: {len(self._series)} of {self._max_samples}"

    def _keep(self, key: str, series: _Series) -> None:
        self._series[key] = series
        while len(self._series) > self._max_samples:
            del self._series[next(iter(self._series))]

    def _prune(self, now: float) -> None:
        if now - self._pruned_at < PRUNE_SECONDS:
            return
        self._pruned_at = now
        old = [k for k, s in self._series.items() if now - s.last_at > SAMPLE_TTL_SECONDS]
        for key in old:
            del self._series[key]


class RetryPlan:
    """A fixed number of re-reads at a fixed pace, then a grace, then the end.

    Each step is counted from when it was really taken: a laptop that slept through the
    whole plan goes on with it instead of finding it spent.
    """

    def __init__(self, profile: Profile = DEFAULT) -> None:
        self._profile = profile
        self.reads = 0
        self.exhausted = False
        self.next_at: float | None = None

    @property
    def running(self) -> bool:
        """Whether a step is still to come."""
        return self.next_at is not None

    def start(self, now: float, after: float = 0.0) -> None:
        """Begin, or begin again; `after` so many seconds."""
        self.reads, self.exhausted = 0, False
        self.next_at = now + after + self._profile.retry_seconds

    def stop(self) -> None:
        """There is nothing to wait for, or nothing yet."""
        self.next_at, self.exhausted = None, False

    def step(self, now: float) -> int | None:
        """The number of the re-read now due, or None: the plan is at its end."""
        if self.reads >= self._profile.max_retries:
            self.next_at, self.exhausted = None, True
            return None
        self.reads += 1
        last = self.reads == self._profile.max_retries
        self.next_at = now + (self._profile.grace_seconds if last else self._profile.retry_seconds)
        return self.reads


def decide(
    gate: GateResult | None,
    *,
    complete: bool,
    degraded: bool,
    has_text: bool,
    exhausted: bool,
) -> Readiness:
    """How ready a conversation is.

    `gate` is its answer to the newest sample, None without one. `degraded`: the newest
    reading was only a snapshot of the page. `exhausted`: nothing more is being read. With
    text in hand and nothing more to come, waiting on would be a silent stall, so the
    person may save what there is.
    """
    if gate is not None and gate.ready and not degraded:
        if complete:
            return Readiness(Mode.CANONICAL_READY)
        return Readiness(Mode.DEGRADED_MANUAL_ONLY, (Reason.ANSWER_NOT_COMPLETE,))
    if gate is None:
        empty = Reason.SNAPSHOT_DEGRADED_CAPTURE if degraded else Reason.NO_CANONICAL_DATA
        reasons: tuple[Reason, ...] = (empty,)
    else:
        reasons = (Reason.SNAPSHOT_DEGRADED_CAPTURE,) if degraded else gate.reasons
    timed_out = gate is not None and Reason.STABILIZATION_TIMEOUT in gate.reasons
    if (timed_out or exhausted) and (has_text or degraded):
        if Reason.STABILIZATION_TIMEOUT not in reasons:
            reasons += (Reason.STABILIZATION_TIMEOUT,)
        return Readiness(Mode.DEGRADED_MANUAL_ONLY, reasons)
    return Readiness(Mode.AWAITING_STABILIZATION, reasons)


def _fingerprint(text: str) -> bytes:
    return blake2b(tidy(text).encode("utf-8", "surrogatepass"), digest_size=16).digest()
