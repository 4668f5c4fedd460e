"""Many attempts of one tab: which one speaks for which conversation.

Theory of operation. Every signal names its attempt. The attempt is found first; if it is
superseded, disposed or forgotten, the signal is written down and nothing else is touched,
not even the conversation id it carries. (A relative bound the id first, so a late signal of
a superseded attempt took the conversation back from the live one.) Only then is a
conversation id bound, and only then does the machine hear the signal.

A conversation has one current attempt, the newest by birth. When two meet in one
conversation the older is superseded, whichever of them learnt the id last.

A new chat learns its id late. Until then an attempt is pending: it hears everything at
once, so a badge is right from the first signal, and when the id comes it speaks for that
conversation with all it heard: nothing has to be told again.

`peek` reads and never creates; `open` is for whoever is about to write.
One Fusion serves one tab: a change of route concerns all its attempts.
"""

from dataclasses import dataclass, replace

from tabwire.fusion.debounce import HintDebounce
from tabwire.fusion.findings import TitleRule
from tabwire.fusion.machine import Machine
from tabwire.fusion.outcomes import Bound, Happened, Moved, Outcome
from tabwire.fusion.profile import (
    CAPS,
    DEFAULT,
    PRUNE_SECONDS,
    RESOLUTION_TTL_SECONDS,
    TERMINAL_TTL_SECONDS,
    Caps,
    Profile,
)
from tabwire.fusion.readiness import Gate
from tabwire.fusion.roster import Roster
from tabwire.fusion.table import DEAD, LIVING, State
from tabwire.fusion.verdict import Judgement
from tabwire.model.signals import ConversationNamed, HintSeen, Signal, Source

_GENERATING = frozenset({State.PROMPT_SENT, State.STREAMING})


@dataclass(frozen=True, slots=True)
class Seen:
    """One signal as it comes in: of which attempt, seen by whom, in which conversation."""

    attempt_id: str
    signal: Signal
    source: Source
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Resolution:
    """What is remembered of an attempt that is over, after the attempt itself is forgotten."""

    attempt_id: str
    conversation_id: str | None
    state: State
    judgement: Judgement
    at: float
    late: int = 0  # signals that came after it was forgotten


@dataclass(slots=True)
class _Attempt:
    machine: Machine
    born: int  # order of birth: the newer of two wins a conversation

    @property
    def name(self) -> str:
        return self.machine.attempt_id


class Fusion:
    """The attempts of one tab. `better_title` is the sites' rule for titles."""

    def __init__(
        self, *, better_title: TitleRule, profile: Profile = DEFAULT, caps: Caps = CAPS
    ) -> None:
        self._better_title = better_title
        self._profile = profile
        self._gate = Gate(profile, caps.samples)
        self._debounce = HintDebounce(caps.bindings)
        self._attempts: Roster[_Attempt] = Roster("attempts", caps.attempts, _is_over)
        self._resolutions: Roster[Resolution] = Roster("resolutions", caps.resolutions)
        self._bindings: Roster[str] = Roster("bindings", caps.bindings, self._is_spare_binding)
        self._aliases: Roster[str] = Roster("aliases", caps.aliases)
        self._pending: Roster[float] = Roster("pending", caps.pending)
        self._timed: dict[str, Machine] = {}  # those that may have a deadline
        self._births = 0
        self._pruned_at = float("-inf")

    # --- reading: never creates, never changes --------------------------------------------

    def machine(self, attempt_id: str) -> Machine | None:
        """The attempt of that name itself, however it ended."""
        attempt = self._attempts.get(attempt_id)
        return attempt.machine if attempt else None

    def resolution(self, attempt_id: str) -> Resolution | None:
        """How an attempt ended, even after it was forgotten."""
        return self._resolutions.get(attempt_id)

    def peek(self, conversation_id: str | None) -> str | None:
        """The attempt that speaks for a conversation; for None, the newest pending one."""
        if conversation_id is not None:
            return self._bindings.get(conversation_id)
        newest = None
        for name in self._pending:
            if (machine := self.machine(name)) is not None and not machine.over:
                newest = name
        return newest

    def successor(self, attempt_id: str) -> str:
        """The name an attempt goes by now: aliases followed, a circle left where it closes."""
        passed = {attempt_id}
        while (following := self._aliases.get(attempt_id)) is not None and following not in passed:
            passed.add(following)
            attempt_id = following
        return attempt_id

    def next_deadline(self) -> float | None:
        """The earliest deadline of all attempts."""
        times = (machine.next_deadline() for machine in self._timed.values())
        return min((at for at in times if at is not None), default=None)

    def warnings(self) -> tuple[str, ...]:
        """Which caches are nearly full."""
        books = (
            self._attempts,
            self._resolutions,
            self._bindings,
            self._aliases,
            self._pending,
            self._gate,
        )
        return tuple(warning for book in books if (warning := book.warning()) is not None)

    # --- writing -------------------------------------------------------------------------

    def open(
        self,
        attempt_id: str,
        now: float,
        *,
        conversation_id: str | None = None,
        previous_text: str | None = None,
    ) -> tuple[Happened, ...]:
        """Begin an attempt under a name of its own; `previous_text` as in Machine."""
        if attempt_id in self._attempts or attempt_id in self._resolutions:
            raise ValueError(f"attempt {attempt_id} is known already")
        attempt, happened = self._create(attempt_id, now, previous_text)
        if conversation_id is not None:
            happened += self._bind(attempt, conversation_id, now)[1]
        return tuple(happened)

    def alias(self, old: str, new: str) -> bool:
        """Signals under the unknown name `old` are meant for `new`; False would be a circle.

        An attempt that is itself known is never rerouted: a superseded one stays silent.
        """
        if self.successor(new) == old:
            return False
        self._aliases.put(old, new)
        return True

    def feed(self, seen: Seen, now: float) -> tuple[Happened, ...]:
        """Hear one signal of one attempt."""
        self._prune(now)
        name = self._known_name(seen.attempt_id)
        attempt = self._attempts.get(name)
        happened: list[Happened] = []
        if attempt is None:
            if (ended := self._resolutions.get(name)) is not None:
                self._resolutions.set(name, replace(ended, late=ended.late + 1))
                return ()
            attempt, happened = self._create(name, now)
        machine, signal = attempt.machine, seen.signal
        if machine.state in DEAD:  # before anything else is touched
            machine.feed(signal, now, seen.source)
            return ()
        conversation_id = seen.conversation_id
        if conversation_id is None and isinstance(signal, ConversationNamed):
            conversation_id = signal.conversation_id
        if conversation_id is not None:
            why_not, bound = self._bind(attempt, conversation_id, now)
            happened += bound
            if why_not:
                machine.ignore(signal, now, why_not)
                return tuple(happened)
        if isinstance(signal, HintSeen):
            happened += self._hint(attempt, seen, now)
        else:
            happened += self._told(attempt, machine.feed(signal, now, seen.source))
        return tuple(happened)

    def tick(self, now: float) -> tuple[Happened, ...]:
        """Let time pass for every attempt that is due."""
        self._prune(now)
        happened: list[Happened] = []
        for name, machine in tuple(self._timed.items()):
            deadline = machine.next_deadline()
            attempt = self._attempts.get(name)
            if deadline is not None and deadline <= now and attempt is not None:
                happened += self._told(attempt, machine.tick(now))
        return tuple(happened)

    def dispose(self, attempt_id: str, now: float, why: str) -> tuple[Happened, ...]:
        """Drop one attempt."""
        attempt = self._attempts.get(attempt_id)
        return tuple(self._dispose(attempt, now, why)) if attempt is not None else ()

    def route_changed(
        self, origin: str | None, destination: str | None, now: float
    ) -> tuple[Happened, ...]:
        """The tab went from one conversation to another; None is a page without one.

        What is in flight is disposed, except what is bound to the destination. From no
        conversation to a new one while an answer is being written is that answer getting
        its address: nothing is disposed.
        """
        if origin == destination:
            return ()
        living = [a for a in self._attempts.values() if not a.machine.over]
        if origin is None and any(_is_nameless_generation(a.machine) for a in living):
            return ()
        happened: list[Happened] = []
        for attempt in living:
            kept = destination is not None and attempt.machine.conversation_id == destination
            if not kept:
                happened += self._dispose(attempt, now, f"the page went to {destination}")
        return tuple(happened)

    # --- inside --------------------------------------------------------------------------

    def _known_name(self, name: str) -> str:
        if name in self._attempts or name in self._resolutions:
            return name
        return self.successor(name)

    def _create(
        self, name: str, now: float, previous_text: str | None = None
    ) -> tuple[_Attempt, list[Happened]]:
        machine = Machine(
            name,
            now,
            better_title=self._better_title,
            profile=self._profile,
            gate=self._gate,
            previous_text=previous_text,
        )
        self._births += 1
        attempt = _Attempt(machine, self._births)
        self._timed[name] = machine
        happened: list[Happened] = []
        for _, crowded in self._attempts.put(name, attempt):
            happened += self._forget(crowded, now)
        for unnamed, _ in self._pending.put(name, now):
            if (other := self._attempts.get(unnamed)) is not None:
                happened += self._dispose(other, now, "too many attempts await a conversation id")
        return attempt, happened

    def _bind(
        self, attempt: _Attempt, conversation_id: str, now: float
    ) -> tuple[str, list[Happened]]:
        """Make an attempt the current one of a conversation, or say why it cannot be."""
        machine, name = attempt.machine, attempt.name
        if machine.conversation_id not in (None, conversation_id):
            return "a signal of another conversation", []
        current = self._bindings.get(conversation_id)
        if current == name:
            return "", []
        happened: list[Happened] = []
        other = self._attempts.get(current) if current is not None else None
        if other is not None and other.machine.state not in DEAD:
            older, newer = sorted((attempt, other), key=lambda a: a.born)
            self.alias(older.name, newer.name)
            self._pending.pop(older.name)
            happened += self._told(older, older.machine.supersede(now, newer.name))
            if older is attempt:
                return f"superseded by {newer.name}", happened
        self._bindings.put(conversation_id, name)
        self._pending.pop(name)
        if machine.conversation_id is None:
            happened += self._told(attempt, machine.feed(ConversationNamed(conversation_id), now))
        happened.append(Happened(name, Bound(conversation_id)))
        return "", happened

    def _hint(self, attempt: _Attempt, seen: Seen, now: float) -> list[Happened]:
        machine, name = attempt.machine, attempt.name
        conversation = machine.conversation_id or name
        if self._debounce.repeats(conversation, name, seen.source, now):
            machine.ignore(seen.signal, now, "repeats a hint just heard")
            return []
        happened = self._told(attempt, machine.feed(seen.signal, now, seen.source))
        if not machine.history[-1].ignored:
            self._debounce.followed(conversation, name, now)
        return happened

    def _told(self, attempt: _Attempt, outcomes: tuple[Outcome, ...]) -> list[Happened]:
        """Pass outcomes on, and keep the books that depend on them."""
        machine, name = attempt.machine, attempt.name
        for outcome in outcomes:
            if isinstance(outcome, Moved) and outcome.after not in LIVING:
                self._resolutions.put(name, _resolve(machine))
        if machine.over:
            if machine.next_deadline() is None:
                self._timed.pop(name, None)
            else:
                self._timed[name] = machine  # late data re-armed it
        return [Happened(name, outcome) for outcome in outcomes]

    def _dispose(self, attempt: _Attempt, now: float, why: str) -> list[Happened]:
        machine, name = attempt.machine, attempt.name
        happened = self._told(attempt, machine.dispose(now, why))
        self._pending.pop(name)
        self._unbind(machine)
        return happened

    def _forget(self, attempt: _Attempt, now: float) -> list[Happened]:
        """An attempt left the books; its resolution stays, so a late signal finds it ended."""
        machine, name = attempt.machine, attempt.name
        happened = []
        if not machine.over:
            happened = self._told(attempt, machine.dispose(now, "too many attempts"))
        self._resolutions.put(name, _resolve(machine))
        self._pending.pop(name)
        self._timed.pop(name, None)
        self._gate.reset(name)
        self._unbind(machine)
        return happened

    def _unbind(self, machine: Machine) -> None:
        conversation_id = machine.conversation_id
        if conversation_id and self._bindings.get(conversation_id) == machine.attempt_id:
            self._bindings.pop(conversation_id)

    def _prune(self, now: float) -> None:
        if now - self._pruned_at < PRUNE_SECONDS:
            return
        self._pruned_at = now
        for attempt in self._attempts.values():
            if attempt.machine.over and now - attempt.machine.moved_at > TERMINAL_TTL_SECONDS:
                self._attempts.pop(attempt.name)
                self._forget(attempt, now)
        for ended in self._resolutions.values():
            if now - ended.at > RESOLUTION_TTL_SECONDS:
                self._resolutions.pop(ended.attempt_id)

    def _is_spare_binding(self, name: str) -> bool:
        attempt = self._attempts.get(name)
        return attempt is None or attempt.machine.over


def _is_over(attempt: _Attempt) -> bool:
    return attempt.machine.over


def _is_nameless_generation(machine: Machine) -> bool:
    return machine.conversation_id is None and machine.state in _GENERATING


def _resolve(machine: Machine) -> Resolution:
    return Resolution(
        machine.attempt_id,
        machine.conversation_id,
        machine.state,
        machine.judgement,
        machine.moved_at,
    )
