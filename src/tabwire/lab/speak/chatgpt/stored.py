"""What chatgpt.com has stored: a conversation as a tree of messages, and the list of them."""

import json
from collections.abc import Sequence
from typing import Any

from tabwire.lab.speak.chatgpt import messages
from tabwire.lab.speak.chatgpt.frames import HALVES
from tabwire.lab.speak.chatgpt.names import (
    FAILED,
    MODEL,
    ROOT,
    RUNNING,
    STOPPED,
    WHOLE,
    Recap,
    SpokenTurn,
    Thoughts,
)
from tabwire.lab.stories.steps import Tool


def speak_stored(
    answer: str,
    *,
    conversation_id: str,
    prompt: str = "Hello",
    title: str | None = None,
    model: str = MODEL,
) -> bytes:
    """The same turn as the stored conversation has it once it is over."""
    return speak_conversation(conversation_id, [SpokenTurn(prompt, answer, model=model)], title)


def speak_conversation(
    conversation_id: str,
    turns: Sequence[SpokenTurn],
    title: str | None = None,
    *,
    folder: str = "",
    listed: bool = True,
) -> bytes:
    """A stored conversation of several turns, oldest first; the last one is on show."""
    mapping: dict[str, dict[str, Any]] = {ROOT: _node(ROOT, None, None)}
    newest = ROOT
    for turn in turns:
        for message in _messages(turn):
            name = message["id"]
            mapping[name] = _node(name, message, newest)
            mapping[newest]["children"].append(name)
            newest = name
    times = [turn.at for turn in turns]
    stored: dict[str, Any] = {
        "title": title,
        "create_time": min(times, default=None),
        "update_time": max(times, default=None),
        "mapping": mapping,
        "moderation_results": [],
        "current_node": newest,
        "plugin_ids": None,
        "conversation_id": conversation_id,
        "gizmo_id": folder or None,
        "gizmo_type": "snorlax" if folder else None,
        "is_archived": False,
        "is_temporary_chat": not listed,
        "default_model_slug": turns[-1].model if turns else None,
        "safe_urls": [],
        "blocked_urls": [],
    }
    return json.dumps(stored, ensure_ascii=False).encode(errors=HALVES)


def speak_list(
    chats: Sequence[tuple[str, str, float]], *, offset: int = 0, limit: int | None = None
) -> bytes:
    """The list of chats, ids, titles and times: one page of it."""
    limit = len(chats) if limit is None else limit
    items = [
        {"id": name, "title": title, "create_time": at, "update_time": at, "is_archived": False}
        for name, title, at in chats[offset : offset + limit]
    ]
    whole = {"items": items, "total": len(chats), "limit": limit, "offset": offset}
    return json.dumps(whole, ensure_ascii=False).encode(errors=HALVES)


def _messages(turn: SpokenTurn) -> list[messages.Message]:
    """Prompt, steps, answer, as far as the turn got."""
    found = [messages.asked(turn.ids, turn.prompt, turn.files, at=turn.at)]
    steps = turn.walked()
    counts = {Thoughts: 0, Tool: 0, Recap: 0}
    for step in steps:
        counts[type(step)] += 1
        number = counts[type(step)]
        by: dict[str, Any] = {"model": turn.model, "parent": found[-1]["id"], "at": turn.at}
        match step:
            case Thoughts(texts):
                found.append(messages.thinking(turn.ids, number, texts, status=WHOLE, **by))
            case Recap():
                found.append(messages.recap(turn.ids, number, **by))
            case Tool(asks=asks, answers=answers):
                found.append(messages.calling(turn.ids, number, step, asks, **by))
                by["parent"] = found[-1]["id"]
                found.append(messages.tool_said(turn.ids, number, step, answers, **by))
    wordless = bool(steps) and isinstance(steps[-1], Thoughts) and turn.status != WHOLE
    if wordless and turn.status in (RUNNING, STOPPED):
        found[-1]["status"] = turn.status if turn.status == RUNNING or not turn.answer else WHOLE
    if turn.answer or not wordless or turn.status == FAILED:
        by = {"model": turn.model, "parent": found[-1]["id"], "at": turn.at}
        found.append(messages.answering(turn.ids, turn.answer, status=turn.status, **by))
    if turn.status == WHOLE:
        messages.finished(found[-1])
    elif turn.status == STOPPED:
        found[-1]["metadata"]["finish_details"] = {"type": "interrupted"}
    return found


def _node(name: str, message: messages.Message | None, parent: str | None) -> dict[str, Any]:
    return {"id": name, "message": message, "parent": parent, "children": []}
