"""Kept bodies -> the conversation they tell.

The site's bodies are read in order with one memory. What a stream told after that is put
behind: turns the site's record does not have yet.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import msgspec

from tabwire.model.captured import Body, BodyKind
from tabwire.model.conversation import Conversation, Turn, TurnState
from tabwire.sites.memory import Memory
from tabwire.sites.site import Site


def rebuild(site: Site, conversation_id: str, bodies: Iterable[Body]) -> Conversation | None:
    """The conversation, or None where none of these bodies has it."""
    memory = Memory()
    found: Conversation | None = None
    for body in bodies:
        if body.kind is BodyKind.HEARD:
            found = joined(found, read_heard(body.raw))
            continue
        reading = site.read_body(body.raw, body.url or None, memory)
        for one in reading.conversations:
            if one.id == conversation_id:
                found = one
    return found


def joined(stored: Conversation | None, heard: Conversation | None) -> Conversation | None:
    """The site's record, and behind it what only the stream told."""
    if stored is None or heard is None:
        return stored or heard
    told = {turn.id: turn for turn in heard.turns}
    known = {turn.id for turn in stored.turns}
    new = [turn for turn in heard.turns if turn.id not in known]
    kept = [told.get(turn.id, turn) if _is_open(turn) else turn for turn in stored.turns]
    if not new and kept == list(stored.turns):
        return stored
    if new and (new[0].parent is None or new[0].parent not in known):
        new[0] = replace(new[0], parent=stored.visible[-1] if stored.visible else None)
    shown = [name for name in heard.visible if name not in known]
    return replace(
        stored,
        standing=heard.standing,
        turns=(*kept, *new),
        visible=(*stored.visible, *shown),
        model=heard.model or stored.model,
        updated_at=heard.updated_at or stored.updated_at,
    )


def _is_open(turn: Turn) -> bool:
    """Whether the site had not finished writing it: then the stream knows better."""
    return turn.state is TurnState.RUNNING


def write_heard(conversation: Conversation) -> bytes:
    """What a stream told, as a body. ASCII, so that half a character survives."""
    return json.dumps(msgspec.to_builtins(conversation), ensure_ascii=True).encode()


def read_heard(raw: bytes) -> Conversation | None:
    """What `write_heard` was given; None where it is damaged."""
    try:
        plain: Any = json.loads(raw)
        return msgspec.convert(plain, Conversation)
    except (ValueError, msgspec.ValidationError):
        return None
