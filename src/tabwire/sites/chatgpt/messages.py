"""chatgpt.com: one message object, as streams and stored conversations both hold it."""

from collections.abc import Mapping
from typing import Any

from tabwire.model.conversation import Attachment, Role, Turn, TurnState
from tabwire.sites.chatgpt.cites import read_references
from tabwire.wire.text import join_surrogates

_STATES = {
    "in_progress": TurnState.RUNNING,
    "finished_partial_completion": TurnState.STOPPED,
    "error": TurnState.FAILED,
}
# How the model itself says it stopped early, whatever the status claims.
_CUT_SHORT = frozenset({"interrupted", "max_tokens"})

# What a person does not read as a message: steps of tools and notes to the model.
_NOT_MESSAGES = frozenset(
    {
        "code",
        "execution_output",
        "reasoning_recap",
        "tether_quote",
        "tether_browsing_display",
        "user_editable_context",
        "model_editable_context",
        "system_error",
        "thoughts",
    }
)
_HIDING_FLAGS = ("is_visually_hidden_from_conversation", "is_user_system_message")


def read_message(message: Mapping[str, Any], parent: str | None = None) -> Turn | None:
    """A message with an id, as a turn; None where there is none."""
    message_id = message.get("id")
    if not isinstance(message_id, str) or not message_id:
        return None
    content = _mapping(message.get("content"))
    metadata = _mapping(message.get("metadata"))
    role = read_role(message)
    return Turn(
        id=message_id,
        role=role,
        text=read_text(content),
        thinking=read_thinking(message),
        attachments=read_attachments(content),
        model=read_model(metadata),
        created_at=_number(message.get("create_time")),
        updated_at=_number(message.get("update_time")),
        parent=parent,
        state=read_state(message),
        ends_turn=message.get("end_turn") is True,
        hidden=is_hidden(message),
        is_message=is_message(message),
        references=read_references(metadata),
    )


def read_role(message: Mapping[str, Any]) -> Role:
    """Who speaks; unknown where the message does not say it, or in a word we do not know."""
    name = _mapping(message.get("author")).get("role")
    return Role(name) if name in list(Role) else Role.UNKNOWN


def is_message(message: Mapping[str, Any]) -> bool:
    """Whether a person reads this as a message: not a tool's step, not a bare thought."""
    content = _mapping(message.get("content"))
    return (
        message.get("recipient") in (None, "all")
        and message.get("channel") != "analysis"
        and _text(content.get("content_type")) not in _NOT_MESSAGES
    )


def is_hidden(message: Mapping[str, Any]) -> bool:
    """Whether the page does not show this message."""
    metadata = _mapping(message.get("metadata"))
    return any(metadata.get(flag) is True for flag in _HIDING_FLAGS)


def read_text(content: Mapping[str, Any]) -> str:
    """The text of a content object, as the site sent it."""
    if content.get("content_type") == "code" or "parts" not in content:
        return join_surrogates(_text(content.get("text")))
    return join_surrogates("".join(map(_part_text, _items(content.get("parts")))))


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    return _text(part.get("text")) if isinstance(part, dict) else ""  # a transcription, say


def read_thinking(message: Mapping[str, Any]) -> str | None:
    """The reasoning a message holds, as one string."""
    content = _mapping(message.get("content"))
    if message.get("channel") == "analysis":
        return read_text(content) or None
    thoughts = (_thought(item) for item in _items(content.get("thoughts")))
    return "\n\n".join(thought for thought in thoughts if thought) or None


def _thought(item: Any) -> str:
    """A thought's words; its heading stands for it once it ended without any."""
    thought = _mapping(item)
    chunks = "".join(map(_text, _items(thought.get("chunks"))))
    heading = "" if thought.get("finished") is False else _text(thought.get("summary"))
    return join_surrogates(_text(thought.get("content")) or chunks or heading)


def read_attachments(content: Mapping[str, Any]) -> tuple[Attachment, ...]:
    """Pictures and sound by the site's own pointers (`file-service://`, `sediment://`)."""
    pointers = []
    for part in _items(content.get("parts")):
        match part:
            case {"asset_pointer": str(ref), **rest}:
                kind = str(rest.get("content_type") or "file").removesuffix("_asset_pointer")
                pointers.append(Attachment(kind, ref))
    return tuple(pointers)


def read_state(message: Mapping[str, Any]) -> TurnState:
    """How far the message got, by its status and by how the model says it finished."""
    status = message.get("status")
    state = _STATES.get(status, TurnState.FINISHED) if isinstance(status, str) else None
    finish = _mapping(_mapping(message.get("metadata")).get("finish_details"))
    if state in (None, TurnState.FINISHED) and _text(finish.get("type")) in _CUT_SHORT:
        return TurnState.STOPPED
    content_type = _mapping(message.get("content")).get("content_type")
    if state in (None, TurnState.FINISHED) and content_type == "system_error":
        return TurnState.FAILED
    return state or TurnState.FINISHED


def read_model(metadata: Mapping[str, Any]) -> str | None:
    """The model as the wire names it; `auto` is a wish and not a model."""
    for key in ("resolved_model_slug", "model_slug", "model"):
        name = metadata.get(key)
        if isinstance(name, str) and name and name != "auto":
            return name
    return None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
