"""batchexecute: what is stored, the list of chats, and the small things a page asks.

Stored turns and chats come newest first, so many at a time; a cursor leads to older ones.
"""

import time
import uuid
from collections.abc import Sequence
from typing import Any, TypeVar

from tabwire.lab.ledger import Deed
from tabwire.lab.replicas.gemini.past import LONG_TURNS, past_chats
from tabwire.lab.room import Chat, Exchange, Room, Standing
from tabwire.lab.speak.gemini import (
    LIST_CHATS,
    READ_CHAT,
    SETTINGS,
    STATUS,
    SpokenAnswer,
    SpokenExchange,
    history_payload,
    list_payload,
)
from tabwire.lab.stories.stage import Stage

SITE = "gemini"
MODEL = "3 Pro"
STORED_LATE = "stored-late"  # the story in which nothing of an answer is stored before its end
STOP = "LabStp"  # our own: which call the real page makes when a person stops is not known
MANY = 100  # turns or chats in one answer at most

Kind = TypeVar("Kind")


class Stored:
    """What the site remembers, asked call by call."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._past: dict[int, dict[str, Chat]] = {}

    def chat(self, named: str, stage: Stage) -> Chat | None:
        """A conversation of the room's, or one that was there before."""
        return self._room.chat(SITE, named) or self._before(stage).get(named)

    def adopt(self, chat: Chat) -> None:
        """Somebody asks in it: from now on it is the room's."""
        self._room.conversations[SITE].setdefault(chat.id, chat)

    def call(self, call: str, payload: Any, stage: Stage) -> Any:
        """What one call answers; an empty list where nothing is known of it."""
        if call == LIST_CHATS:
            return self._list(payload, stage)
        if call == SETTINGS:
            return [[None, None, None, None, True]]
        if call == STATUS:
            return [stage.login != "out", [MODEL]]
        match payload:
            case [str(stated), *_] if call == READ_CHAT:
                return self._history(stated.removeprefix("c_"), payload, stage)
            case [str(stated), *_] if call == STOP:
                self._room.stop(SITE, stated.removeprefix("c_"))
        return []

    def _before(self, stage: Stage) -> dict[str, Chat]:
        turns = stage.past or LONG_TURNS
        return self._past.setdefault(turns, past_chats(turns))

    def _list(self, payload: Any, stage: Stage) -> list[Any]:
        self._room.ledger.record(SITE, "", kind=Deed.LIST)
        if stage.login == "out":  # a guest has no list
            return [None, None, []]
        own = sorted(self._room.conversations[SITE].values(), key=_asked_at, reverse=True)
        ids = {chat.id for chat in own}
        before = [chat for chat in self._before(stage).values() if chat.id not in ids]
        chats = [chat for chat in own if chat.listed] + before
        shown, cursor = _page(chats, payload, 0, 1)
        titles = ((chat.id, chat.title or "New chat") for chat in shown)
        return list_payload(titles, cursor, int(time.time()))

    def _history(self, named: str, payload: Any, stage: Stage) -> list[Any]:
        self._room.ledger.record(SITE, named, kind=Deed.READ)
        chat = self.chat(named, stage)
        if chat is None:
            return []
        exchanges = [one for one in chat.exchanges if not _is_not_stored_yet(one)]
        if not exchanges:
            return []
        newest_first, cursor = _page(exchanges[::-1], payload, 1, 2)
        spoken = [spoken_exchange(exchange) for exchange in reversed(newest_first)]
        return history_payload(named, spoken, cursor)


def _is_not_stored_yet(exchange: Exchange) -> bool:
    late = exchange.story.name == STORED_LATE
    return late and exchange.standing is Standing.RUNNING


def _page(
    items: Sequence[Kind], payload: Any, count_at: int, cursor_at: int
) -> tuple[Sequence[Kind], str | None]:
    """As many as were asked for from where the cursor says, and the cursor to the rest."""
    asked = payload if isinstance(payload, list) else []
    count = asked[count_at] if len(asked) > count_at else None
    cursor = asked[cursor_at] if len(asked) > cursor_at else None
    many = count if isinstance(count, int) and 0 < count <= MANY else MANY
    start = _place(cursor) if isinstance(cursor, str) else 0
    more = start + many < len(items)
    return items[start : start + many], _cursor(start + many) if more else None


def _cursor(place: int) -> str:
    return f"{'A' * 40}{place:06d}=="


def _place(cursor: str) -> int:
    digits = cursor.rstrip("=")[-6:]
    return int(digits) if digits.isdecimal() else 0


def ids_of(exchange: Exchange) -> tuple[str, str]:
    """Names of an exchange and of its answer that stay the same."""
    digits = uuid.UUID(exchange.id).hex
    return f"r_{digits[:16]}", f"rc_{digits[16:]}"


def model_of(exchange: Exchange) -> str:
    """The label of the model that answered."""
    return exchange.plan.model or MODEL


def spoken_exchange(exchange: Exchange) -> SpokenExchange:
    """An exchange as the site stores it."""
    response_id, candidate_id = ids_of(exchange)
    whole = exchange.standing is Standing.WHOLE
    thoughts = "".join(exchange.thoughts) or None
    return SpokenExchange(
        response_id,
        exchange.prompt,
        (SpokenAnswer(candidate_id, exchange.text, thoughts, whole=whole),),
        model=model_of(exchange),
        seconds=int(exchange.asked_at),
    )


def _asked_at(chat: Chat) -> float:
    return max((exchange.asked_at for exchange in chat.exchanges), default=0.0)
