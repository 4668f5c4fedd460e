"""A conversation as it is kept: what the site sent of it, and where that came from."""

from dataclasses import dataclass
from enum import StrEnum


class CaptureSource(StrEnum):
    """What a capture was made of, best first."""

    CANONICAL = "canonical_api"  # the stored conversation, as the page itself read it
    STREAM = "stream"  # only what was heard while it was written
    SNAPSHOT = "dom_snapshot_degraded"  # only what stood on the page


class Fidelity(StrEnum):
    """Whether the words are the site's own record of them."""

    HIGH = "high"
    DEGRADED = "degraded"


class Wholeness(StrEnum):
    """Whether all of the conversation is in it, and its newest answer whole."""

    COMPLETE = "complete"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True)
class Worth:
    """How true a file is to the site's own record, and whether all is in it."""

    fidelity: Fidelity
    completeness: Wholeness

    @property
    def whole(self) -> bool:
        """Whether all is in it."""
        return self.completeness is Wholeness.COMPLETE


class Origin(StrEnum):
    """Who heard it."""

    EXTENSION = "extension"
    ASK = "ask"
    WATCH = "watch"
    LAB = "lab"  # whoever it was: the site was a stand-in


class TitleFrom(StrEnum):
    """Who named a conversation, best first."""

    SITE = "site"  # its wire: a stream, a list, the stored conversation
    PAGE = "page"  # the title of the document
    PROMPT = "prompt"  # made of the first question
    NOBODY = ""


class BodyKind(StrEnum):
    """What is in a body."""

    STORED = "stored"  # the site's own bytes
    HEARD = "heard"  # what a stream told, in our own shape


@dataclass(frozen=True, slots=True)
class Body:
    """One body a conversation is rebuilt from, in the order they are read."""

    kind: BodyKind
    url: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class Title:
    """A name, and who gave it."""

    text: str = ""
    source: TitleFrom = TitleFrom.NOBODY


@dataclass(frozen=True, slots=True)
class Captured:
    """One conversation, known by its site and its id there.

    `digest` is equal for two captures that say the same. `ready`: two equal readings of the
    site's own record, apart in time, said so. `bodies` is empty where only the row was asked
    for. Times are seconds since 1970; `created_at` and `updated_at` are the site's.
    """

    site: str
    conversation_id: str
    digest: str
    ready: bool
    source: CaptureSource
    completeness: Wholeness
    origin: Origin
    captured_at: float
    reasons: tuple[str, ...] = ()  # why it is not ready
    title: Title = Title()
    model: str | None = None
    turns: int = 0
    created_at: float | None = None
    updated_at: float | None = None
    first_at: float | None = None  # when it was captured first; the store's to say
    bodies: tuple[Body, ...] = ()

    @property
    def fidelity(self) -> Fidelity:
        """Follows from what it was made of."""
        return Fidelity.HIGH if self.source is CaptureSource.CANONICAL else Fidelity.DEGRADED

    @property
    def name(self) -> str:
        """How people and commands name it."""
        return f"{self.site}/{self.conversation_id}"
