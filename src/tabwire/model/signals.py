"""What a stream, a canonical body or a page says about one answer.

`sites` turns bytes into signals, `fusion` turns signals and time into a state and a
verdict. A signal states what was seen and never what follows from it.

Growth is a msgspec.Struct and not a dataclass: a long answer makes a hundred thousand of
them, and a frozen dataclass costs five times as much to make (0.58 against 0.10 µs).
"""

from dataclasses import dataclass
from enum import StrEnum

import msgspec

from tabwire.model.citations import Reference
from tabwire.model.problems import Problem


class Source(StrEnum):
    """Who saw it, best witness first."""

    STREAM = "network_stream"
    COMPLETION = "completion_endpoint"
    CANONICAL = "canonical_fetch"
    PAGE = "dom_hint"
    SNAPSHOT = "snapshot_fallback"


class Refusal(StrEnum):
    """Why the site gave no answer, or no more of it."""

    RATE_LIMIT = "rate_limit"
    BLOCKED = "blocked"
    ERROR = "error"
    CHALLENGE = "challenge"
    LOGIN = "login"


@dataclass(frozen=True, slots=True)
class PromptSent:
    """The request that carries our prompt left the page."""

    text: str | None = None


@dataclass(frozen=True, slots=True)
class PromptEchoed:
    """The site repeats the question it is answering."""

    text: str
    message_id: str | None = None


class TextGrew(msgspec.Struct, frozen=True, gc=False):
    """These characters were added to the end of the answer."""

    text: str
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class TextReplaced:
    """The answer's text so far is now exactly this."""

    text: str
    message_id: str | None = None


class ThoughtGrew(msgspec.Struct, frozen=True, gc=False):
    """These characters were added to the reasoning, which is never part of the answer."""

    text: str
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class ThoughtReplaced:
    """The reasoning so far is now exactly this."""

    text: str
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class ToolStepped:
    """A tool was called or answered: a search, a code run, an image. Not a message."""

    name: str
    text: str = ""
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class Cited:
    """What marks in the answer stand for: all that a message tells of them now."""

    references: tuple[Reference, ...]
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class ModelNamed:
    """The wire says which model answers."""

    model: str


@dataclass(frozen=True, slots=True)
class TitleNamed:
    """The wire says what the conversation is called."""

    title: str
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class ConversationNamed:
    """The conversation's id became known; for a new chat that is late."""

    conversation_id: str


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The stream's own end of turn for the answer itself: proof that it is complete."""

    proof: str
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class TurnStopped:
    """The answer was stopped before its end: terminal, not complete."""

    proof: str
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class TurnConfirmed:
    """A second sign of the end. It adds to the evidence and proves nothing alone."""

    proof: str


@dataclass(frozen=True, slots=True)
class HandedOff:
    """The rest of this turn arrives elsewhere: a WebSocket topic or a resume request."""

    to: str
    topic_id: str | None = None


@dataclass(frozen=True, slots=True)
class RestFollowed:
    """The page listens for the rest of this turn.

    `certain`: whether its end will be told. That of a response is; a socket that stands open
    may be silent for good.
    """

    certain: bool


@dataclass(frozen=True, slots=True)
class StillWriting:
    """The site says that it is still writing this answer."""

    what: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The site says no.

    When a limit is over, where the site says it: `resets_at` in seconds since 1970,
    `resets_in` in seconds from when it was said.
    """

    kind: Refusal
    message: str = ""
    code: str | None = None
    resets_at: float | None = None
    resets_in: float | None = None


@dataclass(frozen=True, slots=True)
class StreamClosed:
    """No more bytes will come. `whole` is whether the format's own end mark was seen, `hung_up`
    whether the page itself let go of the response.
    """

    whole: bool
    lost_bytes: int = 0
    hung_up: bool = False


@dataclass(frozen=True, slots=True)
class HintSeen:
    """Another endpoint or the page hints that the turn is over. Advisory only."""

    hint: str


@dataclass(frozen=True, slots=True)
class CanonicalRead:
    """The newest answer as the stored conversation has it.

    `media`: it is, or holds, a picture, so that no text is no lack. `question` is what it
    answers, None where the reading does not say.
    """

    text: str
    terminal: bool
    complete: bool
    degraded: bool = False
    media: bool = False
    references: tuple[Reference, ...] = ()  # what marks in the text stand for
    question: str | None = None


@dataclass(frozen=True, slots=True)
class PageSaw:
    """What stands on the page for this exchange.

    `actions`: the action bar of this exchange is there. `text` is None where the page
    was not asked for it.
    """

    generating: bool
    actions: bool = False
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """Something was unreadable or odd; the reading went on."""

    problem: Problem


Signal = (
    PromptSent
    | PromptEchoed
    | TextGrew
    | TextReplaced
    | ThoughtGrew
    | ThoughtReplaced
    | ToolStepped
    | Cited
    | ModelNamed
    | TitleNamed
    | ConversationNamed
    | TurnEnded
    | TurnStopped
    | TurnConfirmed
    | HandedOff
    | RestFollowed
    | StillWriting
    | Refused
    | StreamClosed
    | HintSeen
    | CanonicalRead
    | PageSaw
    | Noted
)
