"""chatgpt.com: what one message of a stream is to the reader of an answer."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from tabwire.model.conversation import Role
from tabwire.model.signals import Signal, TextGrew, TextReplaced, ThoughtGrew, ThoughtReplaced
from tabwire.sites.chatgpt.messages import is_hidden, is_message, read_role
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

    __slots__ = ("holder", "id", "over", "part", "said", "tail")

    def __init__(self, message_id: str, holder: dict[str, Any]) -> None:
        self.id = message_id
        self.holder = holder  # {"message": {…}}: the live document
        self.part = Part.NONE
        self.said = Growing("")  # the text or thought reported so far
        self.tail = ""  # pointer at which appended text is growth at the very end
        self.over = False  # its end was reported

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
    if role is not Role.ASSISTANT:
        return Part.NONE
    if content_type == "thoughts" or message.get("channel") == "analysis":
        return Part.THOUGHT
    return Part.ANSWER if is_message(message) else Part.TOOL


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
    message_id: str,
    grew: type[TextGrew] | type[ThoughtGrew],
    replaced: type[TextReplaced] | type[ThoughtReplaced],
) -> list[Signal]:
    """What to say when a text that was `before` is `now`: growth, a new text, or nothing."""
    if now == before:
        return []
    if now.startswith(before):
        return [grew(now[len(before) :], message_id)]
    return [replaced(now, message_id)]
