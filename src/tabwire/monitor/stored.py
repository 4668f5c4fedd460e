"""Stored bodies: as they arrive, which turn they tell, and as whoever records them gets them."""

from dataclasses import dataclass, field
from typing import Protocol

from tabwire.browser.tap import events as t
from tabwire.fusion.profile import CAPS
from tabwire.fusion.roster import Roster
from tabwire.model.conversation import Conversation, Role
from tabwire.monitor import sightings as told
from tabwire.sites.site import Reading, RequestKind

STORED = frozenset(
    {RequestKind.CANONICAL, RequestKind.TITLE, RequestKind.LIST, RequestKind.ALLOWANCE}
)
MAX_STORED = 64 * 1024 * 1024  # one stored body; the largest chat seen has 9 MB


@dataclass(frozen=True, slots=True)
class StoredBody:
    """A stored body of the site, and what was read of it. `status`: 0 where it is not known."""

    request: t.Request
    kind: RequestKind
    raw: bytes
    reading: Reading
    status: int = 0


class Keeps(Protocol):
    """Whoever records what a tab loads. Called in the receive loop."""

    def heard(self, body: StoredBody) -> None:
        """A stored body of any kind, before its conversations are spoken of."""
        ...

    def stored(
        self, body: StoredBody, conversation: Conversation, attempt: str | None
    ) -> str | None:
        """A conversation in it, asked for after the last prompt left, and the attempt that
        speaks for it. Gives the attempt that shall hear of it; None for none."""
        ...


@dataclass(slots=True)
class Arriving:
    """A stored body as it arrives."""

    request: t.Request
    _chunks: list[bytes] = field(default_factory=list)
    _size: int = 0

    def take(self, chunk: bytes) -> None:
        """The next bytes. One that is too long is not kept at all."""
        self._size += len(chunk)
        if self._size <= MAX_STORED:
            self._chunks.append(chunk)
        else:
            self._chunks.clear()

    def whole(self) -> bytes | None:
        """All of it, or None where it was too long."""
        return b"".join(self._chunks) if self._size <= MAX_STORED else None


class Turns:
    """Which question of a conversation was its newest, and before which prompt that was.

    A reading that still ends with that question tells the answer before: its words may be the
    same as those just asked, its id is not.
    """

    def __init__(self) -> None:
        self._newest: Roster[str] = Roster("questions", CAPS.bindings)
        self._before: Roster[str] = Roster("questions before", CAPS.attempts)

    def asked(self, attempt: str, conversation_id: str | None) -> None:
        """A prompt leaves in this conversation."""
        if conversation_id is not None and (known := self._newest.get(conversation_id)):
            self._before.put(attempt, known)

    def read(self, conversation: Conversation) -> str | None:
        """A reading came; the id of its newest question."""
        asked = [turn.id for turn in conversation.chain() if turn.role is Role.USER]
        newest = asked[-1] if asked else None
        if conversation.id is not None and newest is not None:
            self._newest.put(conversation.id, newest)
        return newest

    def is_before(self, attempt: str, question: str | None) -> bool:
        """Whether this question was there before the prompt of that attempt left."""
        return question is not None and self._before.get(attempt) == question


def stored_sighting(now: float, conversation: Conversation) -> told.Stored:
    """What a watcher is told of a conversation no attempt speaks for."""
    standing = conversation.standing
    return told.Stored(
        now,
        conversation.id,
        conversation.title,
        len(conversation.messages()),
        standing.complete,
        standing.reason,
        conversation,
    )
