"""What whoever watches a tab is told, in the order it happened.

Plain data for any door. `at` is the monotonic second at which we knew it.
"""

from dataclasses import dataclass

from tabwire.fusion.history import Record
from tabwire.fusion.table import Cause, State
from tabwire.fusion.verdict import Readiness, Verdict
from tabwire.model.conversation import Conversation
from tabwire.model.signals import Source


@dataclass(frozen=True, slots=True)
class Watching:
    """The tab is followed from here on."""

    at: float
    site: str
    url: str
    title: str
    layout: str | None
    logged_in: bool | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt left the page: an answer is to come. `prompt` is None where nothing tells it,
    `question_id` where the request does not name its question."""

    at: float
    attempt: str
    conversation_id: str | None
    prompt: str | None
    question_id: str | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """The conversation of an attempt is known; for a new chat that is late."""

    at: float
    attempt: str
    conversation_id: str


@dataclass(frozen=True, slots=True)
class StateMoved:
    """An attempt is in another state."""

    at: float
    attempt: str
    before: State
    after: State
    cause: Cause


@dataclass(frozen=True, slots=True)
class Grew:
    """Text was added to the answer, or to its thinking. `event_at`: the browser's own time."""

    at: float
    attempt: str
    text: str
    thinking: bool = False
    event_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The whole text so far, or the thinking, is now another."""

    at: float
    attempt: str
    text: str
    thinking: bool = False
    event_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Judged:
    """What an answer is worth. Told again for the same attempt: amended.

    `event_at` is the browser's own time of what was heard last: the difference is our delay.
    """

    at: float
    attempt: str
    state: State
    verdict: Verdict
    history: tuple[Record, ...]
    event_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Witnessed:
    """One more witness of an answer that was judged already: its evidence has grown."""

    at: float
    attempt: str
    source: Source
    evidence: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """Whether the conversation may be saved has changed."""

    at: float
    attempt: str
    readiness: Readiness


@dataclass(frozen=True, slots=True)
class Stored:
    """The page loaded a stored conversation that no attempt of ours speaks for."""

    at: float
    conversation_id: str | None
    title: str | None
    messages: int
    complete: bool
    why: str
    conversation: Conversation | None = None


@dataclass(frozen=True, slots=True)
class NotStored:
    """The page asked for a stored conversation, and the site has none of that id."""

    at: float
    conversation_id: str
    why: str


@dataclass(frozen=True, slots=True)
class Listed:
    """The page loaded a list of conversations: their ids, in its order."""

    at: float
    conversation_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """The page asked what is left, and nothing is: when that is over, where the site says it."""

    at: float
    resets_in: float | None
    resets_at: float | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing came for a while, and why. `unwitnessed`: nobody tells the answer any more, and
    it is not over; only the site itself could say how it stands.
    """

    at: float
    attempt: str
    why: str
    unwitnessed: bool = False


@dataclass(frozen=True, slots=True)
class PageNotice:
    """The page says something that matters: a limit, a login wall, a challenge."""

    at: float
    kind: str
    which: str
    text: str


@dataclass(frozen=True, slots=True)
class Moved:
    """The tab is at another address."""

    at: float
    url: str
    conversation_id: str | None


@dataclass(frozen=True, slots=True)
class RequestTold:
    """One request of the tab, at its end. `like` is why it looks like an answer, if it does."""

    at: float
    method: str
    url: str
    kind: str  # what it is to the site's rules
    status: int | None
    how: str  # whole, failed, canceled, lost
    bytes: int
    characters: int
    took: float  # seconds from leaving to the end
    where: str
    like: str | None = None


@dataclass(frozen=True, slots=True)
class Unheard:
    """Something happened that we could not listen to."""

    at: float
    why: str


@dataclass(frozen=True, slots=True)
class Befell:
    """Something befell the tab. `over`: it can no longer be followed."""

    at: float
    what: str
    words: str
    remedy: str
    over: bool


Sighting = (
    Watching
    | Asked
    | Named
    | StateMoved
    | Grew
    | Rewritten
    | Judged
    | Witnessed
    | Ready
    | Stored
    | NotStored
    | Listed
    | Spent
    | Waiting
    | PageNotice
    | Moved
    | RequestTold
    | Unheard
    | Befell
)
