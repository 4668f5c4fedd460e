"""One body of one site -> what it says. Streams are fed piece by piece, the rest whole."""

from collections.abc import Iterable

from tabwire.files.detection import Kind
from tabwire.model.conversation import Conversation
from tabwire.model.problems import Problem
from tabwire.model.signals import (
    HandedOff,
    Noted,
    Refused,
    Signal,
    StreamClosed,
    TextGrew,
    ThoughtGrew,
    TitleNamed,
)
from tabwire.sites.chatgpt.history import find_stored, read_stored
from tabwire.sites.known import SITES
from tabwire.sites.memory import Memory
from tabwire.sites.site import Reading, Site
from tabwire.sites.witness import doubts
from tabwire.wire.text import NotJson, read_json

STREAM_KINDS = frozenset({Kind.SSE, Kind.NDJSON, Kind.STREAM_GENERATE})
MAX_PROBLEMS = 100  # of one body; a thoroughly broken file would list every line
NO_CONVERSATION = Problem("it contains no conversation", lossy=True)
HANDED_OFF = Problem(
    "handed off: the rest of the answer was delivered elsewhere and is not in this file"
)


def read_stream(site: Site, chunks: Iterable[bytes], url: str | None, memory: Memory) -> Reading:
    """A saved stream: the conversation as far as it goes, and what was wrong with it."""
    body = StreamBody(site, url, memory)
    for chunk in chunks:
        body.feed(chunk)
    return body.close()


class StreamBody:
    """Reads a stream for what is left of it once it is over."""

    def __init__(self, site: Site, url: str | None, memory: Memory) -> None:
        self._reader = site.open_stream(url, memory)
        self._problems: list[Problem] = []
        self._titles: list[tuple[str, str]] = []
        self._refusal: Refused | None = None
        self._whole = False
        self._handed_off = False
        self.topics: list[str] = []  # where the rest of a handed-off turn arrives

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self._take(self._reader.feed(chunk))

    def close(self) -> Reading:
        """What it said."""
        self._take(self._reader.close())
        conversation = self._reader.conversation()
        problems, titles = self._problems, tuple(self._titles)
        if conversation is None:
            if self._refusal is None and not titles:
                problems.insert(0, NO_CONVERSATION)
            return Reading((), titles, tuple(problems), self._refusal)
        if self._handed_off and not conversation.standing.complete:
            problems.append(HANDED_OFF)
        elif not self._whole and not conversation.standing.complete:
            problems.append(Problem("the stream has no end: more may have followed"))
        return Reading((conversation,), titles, tuple(problems), self._refusal)

    def _take(self, signals: Iterable[Signal]) -> None:
        for signal in signals:
            match signal:
                case TextGrew() | ThoughtGrew():  # nearly all of them, and of no use here
                    pass
                case Noted(problem=problem) if len(self._problems) < MAX_PROBLEMS:
                    self._problems.append(problem)
                case TitleNamed(title=title, conversation_id=str(named)):
                    self._titles.append((named, title))
                case HandedOff(topic_id=topic):
                    self._handed_off = True
                    self.topics += [topic] if topic is not None else []
                case Refused():
                    self._refusal = signal
                case StreamClosed(whole=whole):
                    self._whole = whole


def read_stored_body(
    site: Site | None, kind: Kind, raw: bytes, url: str | None, memory: Memory
) -> Reading:
    """A saved body; whose it is, its own keys say where nobody else does."""
    if site is not None and kind is Kind.BATCHEXECUTE:
        return site.read_body(raw, url, memory)
    try:
        value = read_json(raw)
    except NotJson as exc:
        if site is not None:  # it may know how to save something of its own
            return site.read_body(raw, url, memory)
        return Reading(problems=(Problem(str(exc), lossy=True),))
    owner = site or next((known for known in SITES.values() if known.owns_body(value)), None)
    if owner is None:
        return Reading(problems=(NO_CONVERSATION,))
    stored = find_stored(value)
    if stored is not None and owner.name != "chatgpt":
        # A conversation of another site that was already brought into ChatGPT's shape.
        found = read_stored(
            stored, memory, site=owner.name, check_id=lambda named: str(named) if named else None
        )
        if not isinstance(found, Conversation):
            return found
        return Reading((found,), problems=doubts(found.turns))
    return owner.read_body(raw, url, memory)
