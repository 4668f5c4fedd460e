"""One attempt at one answer: `feed(signal, now)`, `tick(now)`, `next_deadline()`.

Theory of operation. A signal is written into the findings, named as a cause, and `table.py`
says whether the cause moves the state. Every signal leaves a record, moved or not. What a
caller should know or do comes back as outcomes.

The machine has three clocks, all derived from signals and ticks. The plan of re-reads
starts at anything that says the answer is over and stops while it still grows. The stall
clock tells whoever waits, once a minute, why. The give-up clock runs only where a profile
sets it. A signal that is fed wins over a deadline that has just passed. Deadlines may be
None for a living attempt, so a shell loops until the verdict or state it wants is there:

    while not machine.over:
        signal = wait for a signal until machine.next_deadline()
        machine.feed(signal, now) or, without one, machine.tick(now)
"""

from tabwire.fusion.findings import Findings, TitleRule
from tabwire.fusion.hearing import hear
from tabwire.fusion.history import Record, chars_in
from tabwire.fusion.life import TAKEN, Life, Told
from tabwire.fusion.outcomes import Outcome, ReadWanted, Stalled, Unwitnessed
from tabwire.fusion.probe import Probe
from tabwire.fusion.profile import DEFAULT, Profile
from tabwire.fusion.readiness import Gate
from tabwire.fusion.table import DEAD, Cause, State
from tabwire.fusion.verdict import Judgement, Readiness, Verdict
from tabwire.fusion.waiting import why_waiting
from tabwire.model.signals import Signal, Source, TextGrew


class Machine:
    """One attempt. `better_title` is the sites' rule for which of two titles to keep.

    `previous_text` is the answer of the turn before, where known: while nothing new has
    come, the same text read again is not this answer.
    """

    def __init__(
        self,
        attempt_id: str,
        now: float,
        *,
        better_title: TitleRule,
        profile: Profile = DEFAULT,
        gate: Gate | None = None,
        conversation_id: str | None = None,
        previous_text: str | None = None,
    ) -> None:
        self.attempt_id = attempt_id
        self._profile = profile
        probe = Probe(attempt_id, gate if gate is not None else Gate(profile), profile)
        findings = Findings(previous_text, conversation_id)
        self._life = Life(findings, probe, profile, better_title, now)

    @property
    def state(self) -> State:
        """Where the attempt stands."""
        return self._life.state

    @property
    def cause(self) -> Cause | None:
        """What moved the state last."""
        return self._life.cause

    @property
    def moved_at(self) -> float:
        """When the state moved last."""
        return self._life.moved_at

    @property
    def over(self) -> bool:
        """Whether the attempt is no longer living."""
        return self._life.over

    @property
    def judgement(self) -> Judgement:
        """What the answer is worth, without building its text."""
        return self._life.judgement

    @property
    def stream_open(self) -> bool:
        """Whether more can come over the wire."""
        return self._life.stream.open

    @property
    def may_amend(self) -> bool:
        """Whether what comes may still change the verdict: nobody stopped or refused it, and
        no newer attempt took its place."""
        found = self._life.findings
        return self.state not in DEAD and found.stopped is None and found.refusal is None

    @property
    def findings(self) -> Findings:
        """Everything heard, to read."""
        return self._life.findings

    @property
    def conversation_id(self) -> str | None:
        """The conversation this attempt belongs to, once known."""
        return self._life.findings.conversation_id

    @property
    def history(self) -> tuple[Record, ...]:
        """Every signal and decision, with its time and why it moved nothing."""
        return self._life.history.records()

    def verdict(self) -> Verdict:
        """The answer as it stands. Joins the text: ask when something changed."""
        return self._life.verdict()

    def readiness(self) -> Readiness:
        """How ready the conversation is to be saved."""
        return self._life.readiness()

    def why_waiting(self, now: float) -> str:
        """Why it is still waiting, in words."""
        life = self._life
        return why_waiting(
            life.state,
            life.judgement,
            life.readiness(),
            life.stream,
            life.plan,
            quiet_seconds=max(0.0, now - life.active_at),
            now=now,
        )

    def next_deadline(self) -> float | None:
        """When `tick` has something to do, or None: only a signal can change anything."""
        times = (self._life.plan.next_at, self._give_up_at(), self._stall_at())
        return min((at for at in times if at is not None), default=None)

    def feed(self, signal: Signal, now: float, source: Source | None = None) -> tuple[Outcome, ...]:
        """Hear one signal. `source` says who saw it, where its kind does not."""
        life = self._life
        life.now = max(life.now, now)
        what, before = type(signal).__name__, life.state
        if before in DEAD:
            return self.ignore(signal, now, f"the attempt is {before}")
        if isinstance(signal, TextGrew) and self._in_plain_growth() and signal.text:
            return self._grow(signal)
        told = hear(life, signal, source)
        return life.record(what, before, told, chars_in(signal))

    def ignore(self, signal: Signal, now: float, why: str) -> tuple[Outcome, ...]:
        """Write down a signal that must change nothing."""
        life = self._life
        life.now = max(life.now, now)
        return life.record(type(signal).__name__, life.state, Told(why, True), chars_in(signal))

    def tick(self, now: float) -> tuple[Outcome, ...]:
        """Let time pass. Each clock that is due takes one step."""
        life = self._life
        life.now = now = max(life.now, now)
        outcomes: tuple[Outcome, ...] = ()
        if life.plan.next_at is not None and life.plan.next_at <= now:
            before = life.state
            outcomes += life.record("re-reads", before, self._step_plan())
        if (at := self._give_up_at()) is not None and at <= now:
            before = life.state
            life.plan.stop()
            life.move(Cause.GAVE_UP)
            outcomes += life.record("patience", before, Told("nothing arrived for too long"))
        if (at := self._stall_at()) is not None and at <= now:
            life.stalled_at = now
            life.tell(Stalled(self.why_waiting(now)))
            if not life.stream.certain and not life.plan.running:
                life.plan.start(now)  # a socket may be silent because nobody is there
            outcomes += life.record("stall", life.state, Told("reported to waiting clients"))
        return outcomes

    def supersede(self, now: float, by: str) -> tuple[Outcome, ...]:
        """A newer attempt took over the conversation."""
        return self._end(Cause.SUPERSEDED, now, f"by {by}")

    def dispose(self, now: float, why: str) -> tuple[Outcome, ...]:
        """This attempt is dropped."""
        return self._end(Cause.DISPOSED, now, why)

    def _end(self, cause: Cause, now: float, note: str) -> tuple[Outcome, ...]:
        life = self._life
        life.now = max(life.now, now)
        before = life.state
        moved = life.move(cause)
        if moved:
            life.plan.stop()
            life.probe.forget()
        return life.record(str(cause), before, Told(note, ignored=not moved))

    def _in_plain_growth(self) -> bool:
        """The hot path: in the middle of an answer nobody has judged yet."""
        life = self._life
        return life.state is State.STREAMING and not life.plan.running and not life.plan.exhausted

    def _grow(self, signal: TextGrew) -> tuple[Outcome, ...]:
        """What `hearing` does with growth, less all that cannot matter on the hot path."""
        life = self._life
        told = TAKEN
        if life.findings.grow(signal.text, signal.message_id):
            life.stream.grew()
            life.active_at = life.now
            if life.history.again("TextGrew", life.state, life.now, len(signal.text)):
                return ()
        else:
            told = Told("longer than the limit", True)
        return life.record("TextGrew", life.state, told, len(signal.text))

    def _step_plan(self) -> Told:
        life = self._life
        number = life.plan.step(life.now)
        if number is not None:
            life.tell(ReadWanted(number, self._profile.max_retries))
            return Told(f"re-read {number} of {self._profile.max_retries} wanted")
        life.findings.confirm_conflict()
        if not life.stream.open:
            life.findings.settle()
        if life.judgement is not Judgement.OPEN or (life.stream.open and life.stream.certain):
            return Told("no re-reads are left")
        if life.site_writes or life.page.generating or life.stream.open:
            return self._hold()
        life.move(Cause.WITNESSES_SILENT)
        return Told("no re-reads are left")

    def _hold(self) -> Told:
        """Nothing is over while the site, its page or an open socket says that it writes."""
        life = self._life
        pause = self._profile.hold_seconds * 2 ** min(life.holds, 6)
        life.holds += 1
        life.plan.start(life.now, after=min(pause, self._profile.stall_seconds))
        if life.site_says:
            return Told("not over: the site is still writing")
        who = "the stored conversation" if life.site_writes else "a silent socket"
        who = "its page" if life.page.generating else who
        life.tell(Unwitnessed(f"only {who} says that the answer is in progress"))
        return Told(f"not over: {who} says that it is in progress")

    def _give_up_at(self) -> float | None:
        life, patience = self._life, self._profile.give_up_seconds
        if patience is None or life.over or life.judgement is not Judgement.OPEN:
            return None
        return life.active_at + patience

    def _stall_at(self) -> float | None:
        life = self._life
        if life.over or life.state is State.IDLE or (life.plan.running and not life.holds):
            return None
        if life.judgement is not Judgement.OPEN:
            return None
        return max(life.active_at, life.stalled_at) + self._profile.stall_seconds
