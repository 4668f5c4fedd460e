"""What an attempt is made of, and the one way its state moves.

`hearing.py` and `witnesses.py` read signals into it, `machine.py` gives it time and a face.
"""

from typing import NamedTuple

from tabwire.fusion.agreement import Conflict
from tabwire.fusion.findings import Findings, TitleRule
from tabwire.fusion.history import History, Record
from tabwire.fusion.outcomes import (
    Judged,
    Moved,
    NewAttemptNeeded,
    Outcome,
    ReadinessChanged,
    RereadWanted,
)
from tabwire.fusion.probe import Probe
from tabwire.fusion.profile import Profile
from tabwire.fusion.table import DEAD, LIVING, TRANSITIONS, Cause, State
from tabwire.fusion.verdict import Judgement, Readiness, Verdict
from tabwire.fusion.watches import PageWatch, StreamWatch


class Told(NamedTuple):
    """What to write beside a record: why nothing moved, or what is awaited."""

    note: str = ""
    ignored: bool = False


TAKEN = Told()


class Life:
    """One attempt's state, findings, watches and history. `now` is the latest time heard."""

    def __init__(
        self,
        findings: Findings,
        probe: Probe,
        profile: Profile,
        better_title: TitleRule,
        now: float,
    ) -> None:
        self.state = State.IDLE
        self.cause: Cause | None = None  # the last that moved
        self.now = self.moved_at = self.active_at = self.stalled_at = now
        self.findings = findings
        self.probe = probe
        self.plan = probe.plan
        self.profile = profile
        self.better_title = better_title
        self.stream = StreamWatch()
        self.page = PageWatch()
        self.writing_at: float | None = None  # when the site last showed that it still writes
        self.said_at: float | None = None  # when it last said so in so many words
        self._unfinished: tuple[str, float] | None = None  # as stored, and since when
        self.holds = 0  # how often the end was put off since something came
        self.history = History()
        self._out: list[Outcome] = []
        self._asked_for_new = False
        self._told_verdict = findings.fingerprint(self.state)
        self._told_readiness = self.readiness()

    @property
    def over(self) -> bool:
        """Whether the attempt is no longer living."""
        return self.state not in LIVING

    @property
    def judgement(self) -> Judgement:
        """What the answer is worth."""
        return self.findings.judgement(self.state)

    def verdict(self) -> Verdict:
        """The answer as it stands."""
        return self.findings.judge(self.state, self.cause)

    def readiness(self) -> Readiness:
        """How ready the conversation is to be saved."""
        return self.probe.readiness(self.state, self.judgement, self.findings.has_text())

    def move(self, cause: Cause) -> bool:
        """Let the table decide; whether the state changed."""
        after = TRANSITIONS[self.state].get(cause)
        if after is None:
            return False
        self._out.append(Moved(self.state, after, cause, self.now))
        self.state, self.cause, self.moved_at = after, cause, self.now
        return True

    def tell(self, outcome: Outcome) -> None:
        """Something the caller should know or do."""
        self._out.append(outcome)

    def ask_to_reread(self, held: Conflict | None) -> None:
        """One re-read for a conflict that was not there before; `held` is what was."""
        conflict = self.findings.conflict
        if held is None and conflict is not None and not conflict.confirmed:
            self._out.append(RereadWanted(conflict.account.source))

    def ask_for_new(self, why: str) -> None:
        """Say once that what comes belongs to a new attempt."""
        if not self._asked_for_new:
            self._asked_for_new = True
            self._out.append(NewAttemptNeeded(why))

    def still_coming(self) -> None:
        """What had been taken for the end was not: no re-reads while it grows."""
        self.holds = 0
        if self.judgement is Judgement.OPEN:
            self.plan.stop()

    def seek_end(self) -> None:
        """Something says that it is over: re-reads from now on, unless they are under way."""
        if not self.plan.running or self.holds:
            self.holds = 0
            self.plan.start(self.now)

    def still_writing(self, *, said: bool = False) -> None:
        """The site shows that the answer is under way, or has `said` it."""
        self.writing_at = self.active_at = self.now
        if said:
            self.said_at = self.now

    def stored_unfinished(self, text: str) -> None:
        """The stored answer is not finished. One that stays as it is for long never will be."""
        if self._unfinished is None or self._unfinished[0] != text:
            self._unfinished = text, self.now
        if self.now - self._unfinished[1] < self.profile.unfinished_seconds:
            self.still_writing()

    @property
    def site_writes(self) -> bool:
        """Whether the site showed so within the time its witnesses have to speak."""
        return self._is_fresh(self.writing_at)

    @property
    def site_says(self) -> bool:
        """Whether it said so. An unfinished stored answer says less: it may stay like that."""
        return self._is_fresh(self.said_at)

    def _is_fresh(self, at: float | None) -> bool:
        return at is not None and self.now - at <= self.profile.witness_seconds

    def record(self, what: str, before: State, told: Told, chars: int = 0) -> tuple[Outcome, ...]:
        """Write one thing down, and say what verdict and readiness have become."""
        cause = self.cause if before is not self.state else None
        self.history.add(
            Record(self.now, what, before, self.state, cause, told.note, told.ignored, chars=chars)
        )
        if before not in DEAD:
            self._say_changes()
        outcomes, self._out = tuple(self._out), []
        return outcomes

    def _say_changes(self) -> None:
        fingerprint = self.findings.fingerprint(self.state)
        if fingerprint != self._told_verdict:
            self._told_verdict = fingerprint
            self._out.append(Judged(self.verdict()))
        readiness = self.readiness()
        if readiness != self._told_readiness:
            self._told_readiness = readiness
            self._out.append(ReadinessChanged(readiness))
