"""One attempt's probing of the stored conversation: its gate, its plan, what they add up to."""

from tabwire.fusion.agreement import Match, compare
from tabwire.fusion.profile import Profile
from tabwire.fusion.readiness import Gate, GateResult, RetryPlan, decide
from tabwire.fusion.table import DEAD, LIVING, State
from tabwire.fusion.verdict import Judgement, Mode, Readiness, Reason
from tabwire.model.signals import CanonicalRead


class Probe:
    """`degraded`: the newest reading was only a snapshot of the page."""

    def __init__(self, key: str, gate: Gate, profile: Profile) -> None:
        self.plan = RetryPlan(profile)
        self.degraded = False
        self._key = key
        self._gate = gate
        self._result: GateResult | None = None
        self._newest: CanonicalRead | None = None

    def rearm(self, now: float) -> None:
        """Stored data came. If that is after the plan's end, gate and plan start over."""
        self.degraded = False
        if self.plan.exhausted:
            self.forget()
            self.plan.start(now)

    def take(self, read: CanonicalRead, now: float, *, media: bool) -> GateResult:
        """Hand one reading to the gate."""
        self._newest = read
        self._result = self._gate.sample(self._key, read.text, read.terminal, now, media=media)
        return self._result

    def forget(self) -> None:
        """The samples no longer speak of this answer."""
        if self._result is not None:
            self._gate.reset(self._key)
            self._result = self._newest = None

    def changed(self, read: CanonicalRead) -> bool:
        """Whether a reading after the gate passed tells something else. Snapshots never do."""
        if read.degraded or self._newest is None:
            return False
        return not read.terminal or compare(self._newest.text, read.text) is not Match.SAME

    def readiness(self, state: State, judgement: Judgement, has_text: bool) -> Readiness:
        """How ready the conversation is to be saved."""
        if state in DEAD:
            return Readiness(Mode.AWAITING_STABILIZATION, (Reason.NOT_CURRENT,))
        if state is State.CAPTURED_READY:
            return Readiness(Mode.CANONICAL_READY)
        resting = state not in LIVING and not self.plan.running
        if resting and has_text and judgement is not Judgement.COMPLETE:
            return Readiness(Mode.DEGRADED_MANUAL_ONLY, (Reason.ANSWER_NOT_COMPLETE,))
        return decide(
            self._result,
            complete=self._newest is not None and self._newest.complete,
            degraded=self.degraded,
            has_text=has_text,
            exhausted=self.plan.exhausted or resting,
        )
