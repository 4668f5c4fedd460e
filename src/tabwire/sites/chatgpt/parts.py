"""chatgpt.com: what one message of a stream is to the reader of an answer."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from tabwire.model.conversation import Role, TurnState
from tabwire.model.signals import (
    Refusal,
    Refused,
    Signal,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    TurnEnded,
    TurnStopped,
)
from tabwire.sites.chatgpt.messages import (
    is_hidden,
    is_message,
    read_attachments,
    read_role,
    read_state,
)
from tabwire.wire.document import Growing


class Part(StrEnum):
    """What a message is to the reader of an answer."""

    ANSWER = "answer"
    THOUGHT = "thought"
    TOOL = "tool"
    PROMPT = "prompt"
    NONE = "none"


class StreamMessage:
    """One message of the stream: where it stands, and what was said of it so far."""

    __slots__ = ("holder", "id", "is_framed", "is_named", "over", "part", "said", "tail")

    def __init__(self, message_id: str, holder: dict[str, Any], *, is_named: bool = True) -> None:
        self.id = message_id
        self.is_named = is_named  # False: the site gave it no id, this one is ours
        self.is_framed = False  # it came whole, in a frame of its own
        self.holder = holder  # {"message": {…}}: the live document
        self.part = Part.NONE
        self.said = Growing("")  # the text or thought reported so far
        self.tail = ""  # pointer at which appended text is growth at the very end
        self.over = False  # its end was reported

    @property
    def told_id(self) -> str | None:
        """The site's id, for signals; None where it gave none."""
        return self.id if self.is_named else None

    @property
    def message(self) -> dict[str, Any]:
        """The message as it stands now."""
        found = self.holder.get("message")
        return found if isinstance(found, dict) else {}


def sort_part(message: Mapping[str, Any]) -> Part:
    """What a message is, by its author, recipient, channel and content type."""
    content = message.get("content")
    content_type = content.get("content_type") if isinstance(content, dict) else None
    role = read_role(message)
    if is_hidden(message) or content_type in ("model_editable_context", "reasoning_recap"):
        return Part.NONE
    if role is Role.USER:
        return Part.PROMPT
    if role is Role.TOOL:
        return Part.TOOL
    if role is Role.SYSTEM:
        return Part.NONE
    if content_type == "thoughts" or message.get("channel") == "analysis":
        return Part.THOUGHT
    return Part.ANSWER if is_message(message) else Part.TOOL


def ending(known: StreamMessage, pictured: bool) -> TurnEnded | TurnStopped | Refused | None:
    """How a message ended, where that was not told yet. Only a message that says it is the
    assistant's can end the turn. `pictured`: a tool of this turn made a picture."""
    if known.part not in (Part.ANSWER, Part.THOUGHT) or known.over:
        return None
    message = known.message
    state = read_state(message)
    if state is TurnState.STOPPED:
        return TurnStopped(str(message.get("status")), known.told_id)
    if state is TurnState.FAILED:
        return Refused(Refusal.ERROR, "the answer failed")
    if (
        known.part is not Part.ANSWER
        or read_role(message) is not Role.ASSISTANT
        or message.get("status") != "finished_successfully"
        or message.get("end_turn") is not True
        or message.get("channel") not in (None, "final")
    ):
        return None
    if known.said.text().strip():
        return TurnEnded("end_turn", known.told_id)
    content = message.get("content")
    if pictured or (isinstance(content, dict) and read_attachments(content)):
        return TurnEnded("media: end_turn", known.told_id)
    return None


def tool_name(message: Mapping[str, Any]) -> str:
    """The tool that speaks, or that is spoken to."""
    author, recipient = message.get("author"), message.get("recipient")
    name = author.get("name") if isinstance(author, dict) else None
    name = name or (recipient if recipient != "all" else None)
    return name if isinstance(name, str) and name else "tool"


def text_tail(content: Any) -> str:
    """Where appended text is growth at the end of the answer: its last part."""
    parts = content.get("parts") if isinstance(content, dict) else None
    if not isinstance(parts, list):
        return "/message/content/parts/0"
    return f"/message/content/parts/{max(len(parts) - 1, 0)}"


def thought_tail(content: Any) -> str:
    """Where appended text is growth at the end of the reasoning; "" where it is not."""
    thoughts = content.get("thoughts") if isinstance(content, dict) else None
    if isinstance(thoughts, list) and thoughts:
        last = thoughts[-1]
        if isinstance(last, dict) and last.get("content"):
            return f"/message/content/thoughts/{len(thoughts) - 1}/content"
        return ""
    return text_tail(content) if isinstance(content, dict) and content.get("parts") else ""


def difference(
    before: str,
    now: str,
    message_id: str | None,
    grew: type[TextGrew] | type[ThoughtGrew],
    replaced: type[TextReplaced] | type[ThoughtReplaced],
) -> list[Signal]:
    """What to say when a text that was `before` is `now`: growth, a new text, or nothing."""
    if now == before:
        return []
    if now.startswith(before):
        return [grew(now[len(before) :], message_id)]
    return [replaced(now, message_id)]
