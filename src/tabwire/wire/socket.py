"""ChatGPT's WebSocket: envelopes around SSE blocks of handed-off turns.

One message may hold one envelope or a list of them. Blocks come out in order, each once
(`stream_item_id`): a reconnecting socket repeats what it already sent. Feed the blocks of
one topic to one `DeltaDecoder`. Neither an inner `[DONE]` nor an outer `done` is proof of
a finished turn.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from tabwire.wire.records import MAX_LINE, Unread
from tabwire.wire.text import NotJson, read_json

MAX_SEEN_ITEMS = 100_000  # ids remembered against repeats; a long turn sends some thousands


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


class SocketDecoder:
    """`feed` takes whole WebSocket messages: the socket has framed them already."""

    def __init__(self) -> None:
        self._seen: OrderedDict[tuple[str | None, str], None] = OrderedDict()

    def feed(self, message: bytes) -> list[SocketItem | SocketNotice | Unread]:
        """The items and notices of one message."""
        if len(message) > MAX_LINE:
            return [Unread.of(message, f"longer than {MAX_LINE} bytes")]
        try:
            value = read_json(message)
        except NotJson as exc:
            return [Unread.of(message, str(exc))]
        envelopes = value if isinstance(value, list) else [value]
        records = (self._read(envelope, message) for envelope in envelopes)
        return [record for record in records if record is not None]

    def close(self) -> list[SocketItem | SocketNotice | Unread]:
        """Messages come whole, so nothing is left."""
        return []

    def _read(self, envelope: Any, raw: bytes) -> SocketItem | SocketNotice | Unread | None:
        if not isinstance(envelope, dict):
            return Unread.of(raw, "an envelope that is no object")
        payload = envelope.get("payload")
        inner = payload.get("payload") if isinstance(payload, dict) else None
        if not isinstance(payload, dict) or not isinstance(inner, dict):
            kind = payload.get("type") if isinstance(payload, dict) else envelope.get("type")
            return SocketNotice(str(kind or "unknown"), envelope)
        block = inner.get("encoded_item")
        if inner.get("type") != "stream-item" or not isinstance(block, str):
            kind = inner.get("type") or payload.get("type") or "unknown"
            return SocketNotice(str(kind), envelope)
        topic, item = envelope.get("topic_id"), inner.get("stream_item_id")
        topic_id = topic if isinstance(topic, str) else None
        item_id = str(item) if isinstance(item, str | int) else None
        if item_id is not None:
            if (topic_id, item_id) in self._seen:
                return None
            self._seen[topic_id, item_id] = None
            while len(self._seen) > MAX_SEEN_ITEMS:
                self._seen.popitem(last=False)
        # Half a character becomes the JSON escape it would have been inside the block.
        data = block.encode("utf-8", "backslashreplace").rstrip(b"\r\n") + b"\n\n"
        return SocketItem(topic_id, item_id, data)
