"""What a feed or a tick may answer. The caller acts on these; nothing here acts."""

from dataclasses import dataclass

from tabwire.fusion.table import Cause, State
from tabwire.fusion.verdict import Readiness, Verdict
from tabwire.model.signals import Source


@dataclass(frozen=True, slots=True)
class Moved:
    """The state changed."""

    before: State
    after: State
    cause: Cause
    at: float


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer is worth something else than before. Told again means: amended."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class ReadinessChanged:
    """Save may do something else than before."""

    readiness: Readiness


@dataclass(frozen=True, slots=True)
class ReadWanted:
    """Please read the stored conversation: the `number`th of `of` times at this pace."""

    number: int
    of: int


@dataclass(frozen=True, slots=True)
class RereadWanted:
    """A witness disagrees: please read the stored conversation once more."""

    witness: Source


@dataclass(frozen=True, slots=True)
class NewAttemptNeeded:
    """What came belongs to a new attempt: this one is ready and never becomes unready."""

    why: str


@dataclass(frozen=True, slots=True)
class Stalled:
    """Nothing came for a while; `why` is the answer to "why is it still waiting?"."""

    why: str


@dataclass(frozen=True, slots=True)
class Unwitnessed:
    """Nobody tells the answer any more, and only the page, a silent socket or an unfinished
    stored answer says that it is under way. It is not over; whoever can should ask the site.
    """

    why: str


Outcome = (
    Moved
    | Judged
    | ReadinessChanged
    | ReadWanted
    | RereadWanted
    | NewAttemptNeeded
    | Stalled
    | Unwitnessed
)


@dataclass(frozen=True, slots=True)
class Bound:
    """An attempt now speaks for a conversation."""

    conversation_id: str


@dataclass(frozen=True, slots=True)
class Happened:
    """An outcome, and whose."""

    attempt_id: str
    outcome: Outcome | Bound
