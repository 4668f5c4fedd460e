"""Grok on x.com, written: the lines of `add_response.json` and the GraphQL bodies beside it.

x.com has no tree and no stored answer at the end of a stream: a seed line names the
conversation and both items, pieces follow, and `isSoftStop` ends them.
"""

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tabwire.lab.speak.grok import ASKED_AT, body, card_id, tool_card
from tabwire.lab.stories.steps import Tool

USER, AGENT = "User", "Agent"
QUERY = {  # the names under which x.com keeps its queries; the history's was seen
    "GrokHistory": "9Hyh5D4-WXLnExZkONSkZg",
    "GrokConversationItemsByRestId": "labAA0000000000000000Q",
}
RATE_LIMITED, COULD_NOT_AUTHENTICATE, INTERNAL, FORBIDDEN = 88, 32, 131, 403


@dataclass(frozen=True, slots=True)
class SpokenItem:
    """One item of a conversation, question or answer; `at` in seconds since 1970."""

    id: str
    message: str
    sender: str
    at: float = ASKED_AT
    thinking: str = ""
    partial: bool = False


class XSpeaker:
    """One answering body: `opening`, then `thought`, `tool` and `text`, then `ending`."""

    def __init__(
        self, conversation_id: str, *, question_id: str, answer_id: str, model: str | None = None
    ) -> None:
        self._conversation_id = conversation_id
        self._question_id = question_id
        self._answer_id = answer_id
        self._model = model
        self._cards = 0

    def opening(self) -> list[bytes]:
        """Which conversation it is, and which items."""
        seed = {
            "conversationId": self._conversation_id,
            "userChatItemId": self._question_id,
            "agentChatItemId": self._answer_id,
        }
        return [body(seed) + b"\n"]

    def thought(self, thought: str) -> bytes:
        """The next piece of thinking."""
        return self._piece({"message": thought, "isThinking": True, "messageTag": "summary"})

    def tool(self, tool: Tool) -> list[bytes]:
        """A tool is called, and answers."""
        self._cards += 1
        card = tool_card(tool, card_id(self._answer_id, self._cards))
        called = {"message": card, "isThinking": True, "messageTag": "tool_usage_card"}
        answered = {
            "message": tool.answers,
            "isThinking": True,
            "messageTag": "raw_function_result",
        }
        return [self._piece(called), self._piece(answered)]

    def text(self, text: str) -> bytes:
        """The next piece of the answer."""
        return self._piece({"message": text, "isThinking": False, "messageTag": "final"})

    def hint(self) -> bytes:
        """A stop that is none: only the thinking's."""
        return self._piece({"isThinking": True, "isSoftStop": True})

    def ending(self) -> list[bytes]:
        """The answer is over."""
        layout = {"uiLayout": {"steerModelId": self._model}} if self._model else {}
        return [self._piece({"isSoftStop": True} | layout)]

    def _piece(self, said: dict[str, Any]) -> bytes:
        frame = {"sender": "assistant", "responseChatItemId": self._answer_id} | said
        return body({"result": frame}) + b"\n"


def speak_limiter(message: str) -> bytes:
    """A line in the place of an answer: too much was asked."""
    limiter = {"responseType": "limiter", "message": message, "upsell": {"usageLimit": ""}}
    return body({"result": limiter}) + b"\n"


def speak_x_error(code: int, message: str) -> bytes:
    """How x.com says no, as a body or as a line."""
    return body({"errors": [{"code": code, "message": message}]}) + b"\n"


def speak_items(items: Iterable[SpokenItem]) -> bytes:
    """A `GrokConversationItemsByRestId` body, the oldest item first."""
    return body(
        {
            "data": {
                "grok_conversation_by_rest_id": {"is_pinned": False},
                "grok_conversation_items_by_rest_id": {"items": [_item(one) for one in items]},
            }
        }
    )


def speak_history(chats: Iterable[tuple[str, str, float]], cursor: str | None = None) -> bytes:
    """A `GrokHistory` body of (id, title, time in seconds); `cursor` asks for the next."""
    items = [
        {
            "created_at_ms": round(at * 1000),
            "is_pinned": False,
            "grokConversation": {
                "id": base64.b64encode(f"GrokConversation:{named}".encode()).decode(),
                "rest_id": named,
            },
            "title": title,
        }
        for named, title, at in chats
    ]
    history: dict[str, Any] = {"items": items} | ({"cursor": cursor} if cursor else {})
    return body({"data": {"grok_conversation_history": history}})


def _item(one: SpokenItem) -> dict[str, Any]:
    item: dict[str, Any] = {
        "chat_item_id": one.id,
        "created_at_ms": round(one.at * 1000),
        "grok_mode": "Normal",
        "message": one.message,
        "sender_type": one.sender,
    }
    if one.sender == USER:
        return item
    headers = [{"header": "Thoughts", "steps": [{"final_message": one.thinking}]}]
    return item | {
        "thinking_trace": "",
        "is_partial": one.partial,
        "deepsearch_headers": headers if one.thinking else [],
        "ui_layout": {"reasoning_ui_layout": "FunctionCall"},
    }
