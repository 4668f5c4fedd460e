"""What a frame of Grok's is, by its keys."""

import json
from typing import Any

from tabwire.sites.grok.cards import ToolCard
from tabwire.sites.grok.fields import text_at

_TOKEN_KEYS = frozenset(
    {
        "token",
        "isThinking",
        "isSoftStop",
        "responseId",
        "messageTag",
        "messageStepId",
        "rolloutId",
    }
)
# Frames we know and need nothing of; an unknown frame is told as a problem.
_KNOWN_KEYS = frozenset(
    {
        "token",
        "isThinking",
        "isSoftStop",
        "llmInfo",
        "uiLayout",
        "finalMetadata",
        "modelResponse",
        "userResponse",
        "messageTag",
        "toolUsageCard",
        "agentChatItemId",
        "responseChatItemId",
        "streamingImageGenerationResponse",
        "streamingVideoGenerationResponse",
        "cardAttachment",
        "imageAttachment",
    }
)


def token_frame(record: dict[str, Any]) -> dict[str, Any] | None:
    """The frame of a record with a token of grok.com in it and nothing else."""
    result = record.get("result")
    if len(record) != 1 or not isinstance(result, dict):
        return None
    frame = result.get("response") if len(result) == 1 else result
    if not isinstance(frame, dict) or "token" not in frame or frame.get("isSoftStop"):
        return None
    return frame if frame.keys() <= _TOKEN_KEYS else None


def is_stored(frame: dict[str, Any]) -> bool:
    """Whether a frame is itself a stored response."""
    is_named = bool(text_at(frame, "responseId"))
    return is_named and ("sender" in frame or isinstance(frame.get("message"), str))


def is_x_frame(frame: dict[str, Any]) -> bool:
    """Whether x.com wrote it: its own ids, or a message that is a piece and not a response."""
    if "agentChatItemId" in frame or "responseChatItemId" in frame:
        return True
    is_piece = isinstance(frame.get("message"), str) and "responseId" not in frame
    return is_piece and text_at(frame, "sender").lower() == "assistant"


def structured_card(card: dict[str, Any]) -> ToolCard:
    """`{"toolUsageCardId": …, "intent": …, "webSearch": {"args": {…}}}`."""
    for name, call in card.items():
        if isinstance(call, dict):
            args = json.dumps(call.get("args", call), ensure_ascii=False, sort_keys=True)
            return ToolCard(name, args, text_at(card, "toolUsageCardId"))
    return ToolCard("tool", "", text_at(card, "toolUsageCardId"))


def is_known(frame: dict[str, Any]) -> bool:
    """Whether anything in a frame is of a kind we know."""
    return not _KNOWN_KEYS.isdisjoint(frame)
