"""ChatGPT's WebSocket: envelopes around SSE blocks of handed-off turns.

One message may hold one envelope or a list of them. Blocks come out in order, each once
(`stream_item_id`): a reconnecting socket repeats what it already sent. Where the offsets of a
topic go by one, an item that comes too early waits for those before it. Feed the blocks of
one topic to one `DeltaDecoder`. Neither an inner `[DONE]` nor an outer `done` is proof of
a finished turn.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tabwire.wire.records import MAX_LINE, Unread
from tabwire.wire.text import NotJson, read_json

MAX_SEEN_ITEMS = 100_000  # ids remembered against repeats; a long turn sends some thousands
MAX_EARLY_ITEMS = 16  # held back for one that is missing; a topic that skips numbers is not late
MAX_TOPICS = 1000  # kept in order; a socket has one for each turn under way


@dataclass(frozen=True, slots=True)
class SocketItem:
    """One SSE block of one topic, ready for its decoder."""

    topic_id: str | None
    item_id: str | None
    block: bytes


@dataclass(frozen=True, slots=True)
class SocketNotice:
    """Anything else the socket says, such as `conversation-turn-complete`."""

    kind: str
    value: Any


class _Order:
    """One topic's items in the order of their offsets, as far as the offsets count by one."""

    def __init__(self) -> None:
        self._expected: int | None = None
        self._counts = False  # two followed each other by one
        self._skips = False  # one that was waited for never came
        self._early: dict[int, SocketItem] = {}

    def take(self, offset: int, item: SocketItem) -> list[SocketItem]:
        """What is due now that this item has come."""
        if self._expected is not None and offset < self._expected:
            return [item]  # nobody waits for it any longer
        if offset != self._expected and self._counts and not self._skips:
            if offset not in self._early and len(self._early) < MAX_EARLY_ITEMS:
                self._early[offset] = item
                return []
            self._skips = True
            return [*self.rest(), item]
        self._counts = self._counts or offset == self._expected
        self._expected = offset + 1
        due = [item]
        while self._expected in self._early:
            due.append(self._early.pop(self._expected))
            self._expected += 1
        return due

    def rest(self) -> list[SocketItem]:
        """Everything held back."""
        early, self._early = sorted(self._early.items(), key=lambda one: one[0]), {}
        if early:
            self._expected = early[-1][0] + 1
        return [item for _, item in early]


class SocketDecoder:
    """`feed` takes whole WebSocket messages: the socket has framed them already."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[str | None, str], None] = OrderedDict()
        self._orders: dict[str | None, _Order] = {}

    def feed(self, message: bytes) -> list[SocketItem | SocketNotice | Unread]:
        """The items and notices of one message."""
        if len(message) > MAX_LINE:
            return [Unread.of(message, f"longer than {MAX_LINE} bytes")]
        try:
            value = read_json(message)
        except NotJson as exc:
            return [Unread.of(message, str(exc))]
        envelopes = value if isinstance(value, list) else [value]
        return [record for one in envelopes for record in self._read(one, message)]

    def close(self) -> list[SocketItem | SocketNotice | Unread]:
        """Messages come whole; what waited for another item waits no longer."""
        return [item for order in self._orders.values() for item in order.rest()]

    def _read(self, envelope: Any, raw: bytes) -> Sequence[SocketItem | SocketNotice | Unread]:
        if not isinstance(envelope, dict):
            return [Unread.of(raw, "an envelope that is not an object")]
        payload = envelope.get("payload")
        inner = payload.get("payload") if isinstance(payload, dict) else None
        if not isinstance(payload, dict) or not isinstance(inner, dict):
            kind = payload.get("type") if isinstance(payload, dict) else envelope.get("type")
            return [SocketNotice(str(kind or "unknown"), envelope)]
        block = inner.get("encoded_item")
        if inner.get("type") != "stream-item" or not isinstance(block, str):
            kind = inner.get("type") or payload.get("type") or "unknown"
            return [SocketNotice(str(kind), envelope)]
        topic, item = envelope.get("topic_id"), inner.get("stream_item_id")
        topic_id = topic if isinstance(topic, str) else None
        item_id = str(item) if isinstance(item, str | int) else None
        if item_id is not None:
            if (topic_id, item_id) in self._seen:
                return []
            self._seen[topic_id, item_id] = None
            while len(self._seen) > MAX_SEEN_ITEMS:
                self._seen.popitem(last=False)
        # Half a character becomes the JSON escape it would have been inside the block.
        data = block.encode("utf-8", "backslashreplace").rstrip(b"\r\n") + b"\n\n"
        found = SocketItem(topic_id, item_id, data)
        offset = envelope.get("offset")
        if item_id is None or not isinstance(offset, int) or isinstance(offset, bool):
            return [found]
        if topic_id not in self._orders and len(self._orders) >= MAX_TOPICS:
            return [found]
        return self._orders.setdefault(topic_id, _Order()).take(offset, found)
