"""chatgpt.com's WebSocket: events of a handed-off turn, each in an envelope of its own."""

import json


def stream_item(topic: str, offset: int, event: bytes) -> bytes:
    """One server-sent event. Its id and its offset are the same whenever it is sent."""
    item = {
        "type": "stream-item",
        "stream_item_id": f"{topic}-{offset}",
        "parent_stream_item_id": f"{topic}-{offset - 1}" if offset else None,
        "encoded_item": event.decode(),
    }
    payload = {"type": "conversation-turn-stream", "payload": item}
    said = {"type": "message", "topic_id": topic, "offset": offset, "payload": payload}
    return json.dumps(said, ensure_ascii=False).encode()


def turn_complete(conversation_id: str) -> bytes:
    """The notice to all pages of the account that a turn is over."""
    payload = {
        "type": "conversation-turn-complete",
        "payload": {"conversation_id": conversation_id},
    }
    said = {"type": "message", "topic_id": "conversations", "payload": payload}
    return json.dumps(said, ensure_ascii=False).encode()
