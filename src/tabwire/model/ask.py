"""A question to one site, what happens on its way, and the answer. Data only.

Doors make an `AskRequest`, `ask` carries it out, `store` keeps what came of it. Everything is
told as `AskEvent`s in the order it happened; `Answered` or `Failed` is told once, as the last
but for `Amended`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from tabwire.model.citations import Citation

LAB = "lab"  # the choice of browser in which the sites are stand-ins
HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class AskRequest:
    """What a person wants to know, from whom, and how.

    Where it is asked: in the conversation `conversation_id`, at the address `url` (a project,
    a gem), in a temporary chat, else in a new one.
    """

    site: str
    prompt: str
    model: str | None = None
    effort: str | None = None
    model_best_effort: bool = False  # another model than the wanted one is no error
    files: tuple[str, ...] = ()
    conversation_id: str | None = None
    url: str | None = None
    temporary: bool = False
    guest: bool = False  # a logged-out chat will do
    timeout_seconds: float = HOUR
    allow_focus: bool = False  # the tab may come to the front as the last resort
    debug: bool = False
    client_key: str | None = None  # a caller's own name for this ask: asked again, it is the same
    browser: str | None = None  # where it is asked; None where a hub asks in its own

    @property
    def in_lab(self) -> bool:
        """Whether a stand-in of the site is asked, and not the site."""
        return self.browser == LAB


class Step(StrEnum):
    """How far an ask got. Kept on disk, so that whoever comes later looks before acting."""

    NEW = "new"  # nothing was typed yet
    SENDING = "sending"  # Send may have been pressed: whether it left is not known yet
    SENT = "sent"  # the request with the prompt left: never send again
    DONE = "done"  # there is an answer, complete or not
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Press:
    """What was known when Send was pressed. By it our question is told from every other one
    with the same words: whatever was there before is not ours."""

    at: float  # seconds since 1970
    tab: str = ""  # the target it was pressed in
    conversations: tuple[str, ...] = ()  # which the page had listed or loaded before
    questions: tuple[str, ...] = ()  # the site's names for those it had loaded before
    question_id: str | None = None  # the site's name for ours, in our own request
    fresh: bool = False  # the list, or the chat gone on in, was loaded for this very ask
    effort: str | None = None  # as our own request named it, else as the page showed it chosen


class Completeness(StrEnum):
    """What an answer is worth."""

    COMPLETE = "complete"  # proven whole
    PARTIAL = "partial"
    STOPPED = "stopped_by_user"


class Phase(StrEnum):
    """What an ask is doing, in the order of an untroubled one."""

    CONNECT = "connect"  # to the browser
    NAVIGATE = "navigate"  # a tab, and the right page in it
    WAIT_INPUT = "wait_input"  # the composer
    CHOOSE = "choose"  # model and effort
    UPLOAD = "upload"
    INPUT = "input"  # the prompt into the composer
    SEND = "send"  # until the request left
    WAIT_RESPONSE = "wait_response"
    THINKING = "thinking"
    ANSWERING = "answering"
    RECOVERING = "recovering"  # looking for the answer elsewhere than in its tab
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Timings:
    """How long each part took, in milliseconds; None where there was no such part.

    `first_token` counts from the request to the first character, `detect` from the last byte
    the browser had to our verdict, `total` is everything.
    """

    connect: float | None = None
    navigate: float | None = None
    wait_input: float | None = None
    input: float | None = None
    send: float | None = None
    wait_response: float | None = None
    first_token: float | None = None
    detect: float | None = None
    total: float | None = None

    def as_seed(self) -> dict[str, int]:
        """The six numbers of seed 001, section 12.2, in whole milliseconds. A tab that opens is
        part of connecting there, and what did not happen took no time."""
        parts = {
            "connectMs": (self.connect or 0.0) + (self.navigate or 0.0),
            "waitInputMs": self.wait_input,
            "inputMs": self.input,
            "sendMs": self.send,
            "waitResponseMs": self.wait_response,
            "totalMs": self.total,
        }
        return {name: round(took or 0.0) for name, took in parts.items()}


@dataclass(frozen=True, slots=True)
class OtherText:
    """What a witness says who disagrees."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a site answered. `text` is Markdown as the site sent it; `thinking` is never in it.

    Where a site marks its sources by signs of its own, the text has links in their place, and
    `citations` names each source once, in the order of the text.
    """

    id: str  # of the attempt
    site: str
    prompt: str
    text: str
    completeness: Completeness
    why: str
    conversation_id: str | None = None
    url: str | None = None
    title: str | None = None
    model: str | None = None
    effort: str | None = None  # as the request named it, else as the page showed it chosen
    thinking: str | None = None
    citations: tuple[Citation, ...] = ()
    text_from: str = "network_stream"
    evidence: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    others: tuple[OtherText, ...] = ()  # texts of witnesses that still disagree
    suspicious: tuple[str, ...] = ()  # why a person should look twice; nothing is discarded
    timings: Timings = field(default_factory=Timings)
    debug: dict[str, object] | None = None
    lab: bool = False  # a stand-in of the site said it

    @property
    def complete(self) -> bool:
        """Whether it is proven whole."""
        return self.completeness is Completeness.COMPLETE


# --- what is told on the way -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The ask does something else now. `note` says more, where there is more to say."""

    site: str
    phase: Phase
    at: float  # monotonic seconds
    note: str = ""


@dataclass(frozen=True, slots=True)
class PromptLeft:
    """The request left with our prompt in it. From here on nothing is ever sent again."""

    site: str
    attempt_id: str
    conversation_id: str | None
    at: float


@dataclass(frozen=True, slots=True)
class ConversationKnown:
    """The conversation has a name: the answer can be fetched by it from now on."""

    site: str
    attempt_id: str
    conversation_id: str
    url: str
    at: float


@dataclass(frozen=True, slots=True)
class TextCame:
    """More of the answer, or of its thinking. `anew`: it stands in the place of all before."""

    site: str
    text: str
    thinking: bool
    anew: bool
    at: float


@dataclass(frozen=True, slots=True)
class StillWaiting:
    """Nothing came for a while, and why we think so."""

    site: str
    why: str
    at: float


@dataclass(frozen=True, slots=True)
class Answered:
    """Here it is."""

    site: str
    answer: Answer
    at: float


@dataclass(frozen=True, slots=True)
class Amended:
    """More is known of an answer that was given already."""

    site: str
    answer: Answer
    at: float


@dataclass(frozen=True, slots=True)
class Failed:
    """There will be no answer, or it must be fetched later. `error` says what to do."""

    site: str
    error: Exception  # a TabwireError
    at: float


AskEvent = (
    PhaseBegan
    | PromptLeft
    | ConversationKnown
    | TextCame
    | StillWaiting
    | Answered
    | Amended
    | Failed
)

EVENT_NAMES: Mapping[type, str] = MappingProxyType(
    {
        PhaseBegan: "phase",
        PromptLeft: "sent",
        ConversationKnown: "conversation",
        TextCame: "text",
        StillWaiting: "waiting",
        Answered: "answer",
        Amended: "amended",
        Failed: "failed",
    }
)
"""What each is called where programs read it: in `--json --stream` and in the hub's events."""
