"""Server-sent events of chatgpt.com: deltas, and the typed frames between them."""

import json
from typing import Any

from tabwire.lab.speak.chatgpt.names import Ids

ENCODING = b'event: delta_encoding\ndata: "v1"\n\n'
DONE = b"data: [DONE]\n\n"
HALVES = "backslashreplace"  # half a character leaves as the escape that JSON has for it
STEP = 8  # deltas are filled up with blanks to a multiple of it, so that sizes tell less

MINI = "gpt-5-6-mini"  # what is left when another model is used up
SOCKET, RESUME = "subscribe_ws_topic", "resume_sse_endpoint"
LIMITS = [
    {"feature_name": "deep_research", "remaining": 25, "reset_after": "2026-12-01T00:00:00+00:00"},
    {"feature_name": "file_upload", "remaining": 80, "reset_after": "2026-12-01T00:00:00+00:00"},
]


def delta(value: dict[str, Any], *, plain: bool = False) -> bytes:
    """One change. `plain` writes nothing beyond ASCII, as for guests."""
    said = json.dumps(value, ensure_ascii=plain).encode(errors=HALVES)
    return b"event: delta\ndata: " + said + b" " * (-len(said) % STEP) + b"\n\n"


def frame(value: dict[str, Any]) -> bytes:
    """Anything that is no delta."""
    return b"data: " + json.dumps(value, ensure_ascii=False).encode(errors=HALVES) + b"\n\n"


def token(named: str) -> bytes:
    """What a page would show to hear the rest of this answer; the conversation's first name."""
    said = {"type": "resume_conversation_token", "kind": "topic", "token": f"lab.{'x' * 60}"}
    return frame({**said, "conversation_id": named})


def marker(named: str, message: str, what: str, event: str = "first") -> bytes:
    """A certain token has come. None of them is the end."""
    where = {"conversation_id": named, "message_id": message}
    return frame({"type": "message_marker", **where, "marker": what, "event": event})


def title(named: str, words: str) -> bytes:
    """What the chat is called from now on."""
    return frame({"type": "title_generation", "title": words, "conversation_id": named})


def turn_metadata(
    named: str, ids: Ids, model: str, *, guest: bool, first: bool, tool: bool
) -> bytes:
    """The server's own notes about the turn."""
    plan = "guest" if guest else "plus"
    metadata = {
        "conduit_prewarmed": True,
        "plan_type": plan,
        "plan_type_bucket": "guest" if guest else "paid",
        "user_agent": "web_desktop",
        "service": None,
        "tool_name": None,
        "tool_invoked": tool,
        "fast_convo": True,
        "warmup_state": "warm",
        "is_first_turn": first,
        "cluster_region": "lab",
        "model_slug": model,
        "message_id": ids.answer,
        "request_id": ids.request,
        "turn_exchange_id": ids.turn,
        "resume_with_websockets": True,
        "turn_use_case": "text",
        "turn_mode": "default",
    }
    return frame({"type": "server_ste_metadata", "metadata": metadata, "conversation_id": named})


def complete(named: str) -> bytes:
    """The real end of a stream."""
    return frame({"type": "message_stream_complete", "conversation_id": named})


def details(named: str, model: str, exhausted: str = "") -> bytes:
    """After the end: what is left of the account's limits."""
    return frame({**limits(model, exhausted), "conversation_id": named})


def limits(model: str, exhausted: str = "") -> dict[str, Any]:
    """What is left of the account's limits, as a stream and `conversation/init` tell it.

    `exhausted` names a model that is used up for now.
    """
    until = "2026-12-01T00:00:00+00:00"
    reached = [{"model_slug": exhausted, "resets_after": until, "using_default_model_slug": MINI}]
    return {
        "type": "conversation_detail_metadata",
        "banner_info": None,
        "blocked_features": [],
        "model_limits": reached if exhausted else [],
        "limits_progress": LIMITS,
        "default_model_slug": model,
        "atlas_mode_enabled": None,
    }


def handoff(named: str, ids: Ids, way: str | None, topic: str) -> bytes:
    """The rest of the turn arrives elsewhere; without a way nobody says where."""
    options = [{"type": way, "topic_id": topic}] if way else []
    said = {"type": "stream_handoff", "conversation_id": named, "turn_exchange_id": ids.turn}
    return frame({**said, "options": options})


def failure(named: str, words: str, code: str) -> bytes:
    """The turn failed."""
    return frame({"conversation_id": named, "error": words, "error_code": code})
