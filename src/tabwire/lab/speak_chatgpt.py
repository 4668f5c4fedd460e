"""Speak as chatgpt.com does: an answer as the SSE events of `delta_encoding v1`.

The counterpart of `sites/chatgpt/stream.py`; `decode(speak(x)) == x` is a test.
"""

import json
from collections.abc import Sequence
from typing import Any

PARTS = "/message/content/parts/0"


def speak_stream(
    texts: Sequence[str],
    *,
    conversation_id: str,
    prompt: str = "Hello",
    thoughts: Sequence[str] = (),
    title: str | None = None,
    model: str = "gpt-5-6-thinking",
    complete: bool = True,
) -> list[bytes]:
    """One answer, event by event. `texts` are its growth; the first comes explicitly placed."""
    events = [b'event: delta_encoding\ndata: "v1"\n\n']
    events.append(_frame({"type": "resume_conversation_token", "conversation_id": conversation_id}))
    channel = 0
    events.append(_opened(channel, conversation_id, _message("user", "m-user", [prompt]), at=""))
    if thoughts:
        channel += 1
        events.extend(_thinking(channel, conversation_id, thoughts, model))
    channel += 1
    answer = _message("assistant", "m-answer", [""], status="in_progress", model=model)
    events.append(_opened(channel, conversation_id, answer))
    for index, text in enumerate(texts):
        events.append(_delta({"v": text} if index else {"p": PARTS, "o": "append", "v": text}))
    if complete:
        events.extend(_ending(conversation_id, title))
    return events


def speak_stored(
    answer: str,
    *,
    conversation_id: str,
    prompt: str = "Hello",
    title: str | None = None,
    model: str = "gpt-5-6-thinking",
) -> bytes:
    """The same turn as the stored conversation has it once it is over."""
    asked = _message("user", "m-user", [prompt])
    answered = _message("assistant", "m-answer", [answer], model=model) | {"end_turn": True}
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None}}
    for parent, message in (("root", asked), ("m-user", answered)):
        mapping[message["id"]] = {"id": message["id"], "message": message, "parent": parent}
    stored = {"title": title, "conversation_id": conversation_id, "mapping": mapping}
    return json.dumps({**stored, "current_node": "m-answer"}, ensure_ascii=False).encode()


def _thinking(channel: int, named: str, thoughts: Sequence[str], model: str) -> list[bytes]:
    message = _message("assistant", "m-thoughts", [], status="in_progress", model=model)
    message["content"] = {"content_type": "thoughts", "thoughts": []}
    message["channel"] = None
    events = [_opened(channel, named, message)]
    place = "/message/content/thoughts"
    for index, thought in enumerate(thoughts):
        item = {"summary": f"Step {index + 1}", "content": "", "chunks": [], "finished": False}
        events.append(_delta({"p": place, "o": "append", "v": [item]}))
        events.append(_delta({"p": f"{place}/{index}/content", "o": "append", "v": thought}))
    done = [{"p": "/message/status", "o": "replace", "v": "finished_successfully"}]
    events.append(_delta({"p": "", "o": "patch", "v": done}))
    return events


def _ending(named: str, title: str | None) -> list[bytes]:
    last = [
        {"p": "/message/status", "o": "replace", "v": "finished_successfully"},
        {"p": "/message/end_turn", "o": "replace", "v": True},
        {"p": "/message/metadata", "o": "append", "v": {"is_complete": True}},
    ]
    events = [_delta({"p": "", "o": "patch", "v": last})]
    marker = {"type": "message_marker", "marker": "last_token", "event": "last"}
    events.append(_frame({**marker, "conversation_id": named}))
    if title is not None:
        events.append(
            _frame({"type": "title_generation", "title": title, "conversation_id": named})
        )
    events.append(_frame({"type": "message_stream_complete", "conversation_id": named}))
    events.append(b"data: [DONE]\n\n")
    return events


def _message(
    role: str,
    message_id: str,
    parts: list[str],
    *,
    status: str = "finished_successfully",
    model: str | None = None,
) -> dict[str, Any]:
    return {
        "id": message_id,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1.0,
        "content": {"content_type": "text", "parts": parts},
        "status": status,
        "end_turn": None,
        "metadata": {"resolved_model_slug": model} if model else {},
        "recipient": "all",
        "channel": "final" if role == "assistant" else None,
    }


def _opened(channel: int, named: str, message: dict[str, Any], *, at: str | None = None) -> bytes:
    opened = {"v": {"message": message, "conversation_id": named, "error": None}, "c": channel}
    return _delta(opened if at is None else {"p": at, "o": "add", **opened})


def _delta(value: dict[str, Any]) -> bytes:
    return b"event: delta\n" + _frame(value)


def _frame(value: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"
