"""Small pieces of ChatGPT's wire, for tests: messages, deltas, stored trees."""

import json
from typing import Any

CONVERSATION = "5f0c6a1e-1111-4222-8333-0123456789ab"
OTHER = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"


def message(
    message_id: str,
    role: str = "assistant",
    parts: list[Any] | None = None,
    *,
    status: str = "finished_successfully",
    end_turn: bool | None = None,
    content: dict[str, Any] | None = None,
    **fields: Any,
) -> dict[str, Any]:
    """A message as the wire has it."""
    return {
        "id": message_id,
        "author": {"role": role, "name": fields.pop("name", None), "metadata": {}},
        "create_time": fields.pop("create_time", None),
        "update_time": None,
        "content": content or {"content_type": "text", "parts": parts if parts is not None else []},
        "status": status,
        "end_turn": end_turn,
        "metadata": fields.pop("metadata", {}),
        "recipient": fields.pop("recipient", "all"),
        "channel": fields.pop("channel", None),
        **fields,
    }


def thoughts(message_id: str, *items: tuple[str, str], **fields: Any) -> dict[str, Any]:
    """A message of reasoning: (summary, content) pairs."""
    found = [{"summary": s, "content": c, "chunks": [], "finished": True} for s, c in items]
    content = {"content_type": "thoughts", "thoughts": found}
    return message(message_id, content=content, end_turn=False, **fields)


def delta(**fields: Any) -> bytes:
    """One delta event."""
    return b"event: delta\ndata: " + json.dumps(fields).encode() + b"\n\n"


def opened(found: dict[str, Any], channel: int = 0, named: str = CONVERSATION) -> bytes:
    """The delta that begins a message."""
    return delta(v={"message": found, "conversation_id": named, "error": None}, c=channel)


def frame(value: Any) -> bytes:
    """An event without a name."""
    return b"data: " + json.dumps(value).encode() + b"\n\n"


ENCODING = b'event: delta_encoding\ndata: "v1"\n\n'
DONE = b"data: [DONE]\n\n"


def stored(*chain: dict[str, Any], current: str | None = None, **fields: Any) -> dict[str, Any]:
    """A stored conversation whose messages follow each other."""
    mapping: dict[str, Any] = {
        "root": {"id": "root", "message": None, "parent": None, "children": []}
    }
    parent = "root"
    for found in chain:
        mapping[parent]["children"].append(found["id"])
        node = {"id": found["id"], "message": found, "parent": parent, "children": []}
        mapping[found["id"]] = node
        parent = found["id"]
    return {
        "conversation_id": CONVERSATION,
        "title": "A chat",
        "mapping": mapping,
        "current_node": current or parent,
        **fields,
    }
