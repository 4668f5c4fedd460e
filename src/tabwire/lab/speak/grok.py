"""Grok's side of the wire, written: what grok.com would send for a scripted answer.

The lab's Grok sends these, the demo plays them, and tests hold `decode(speak(x)) == x`.
Lines as recorded in March 2026. A first turn has its frames under `response`, a follow-up
directly under `result`, and says neither the conversation nor a new title. Grok on x.com
speaks otherwise: `x.py`.
"""

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tabwire.lab.citing import citation_cards, cited_results
from tabwire.lab.stories.steps import Tool
from tabwire.wire.text import has_surrogates

USER_RESPONSE = "0a0a0a0a-0000-4000-8000-000000000001"
ANSWER_RESPONSE = "0a0a0a0a-0000-4000-8000-000000000002"
ASKED_AT = 1790845200.0  # 2026-10-01 09:00 UTC
ANSWERED_AT = ASKED_AT + 4.25

HUMAN, ASSISTANT = "human", "assistant"
AGENTS = ("Grok", "Harper", "Benjamin", "Lucas")  # who works on a hard question, by turns
HASH = "dGFid2lyZS1sYWItbW9kZWwtaGFzaC0wMDAwMDAwMDA="  # of no model there is

# gRPC's numbers, which grok.com puts into its refusals
NOT_ALLOWED, TOO_MANY, INTERNAL, UNAUTHENTICATED = 7, 8, 13, 16


@dataclass(frozen=True, slots=True)
class SpokenResponse:
    """One stored response, question or answer; `at` in seconds since 1970."""

    id: str
    message: str
    sender: str
    parent: str | None = None
    at: float = ASKED_AT
    model: str | None = None
    thinking: str = ""
    running: bool = False  # being written right now
    partial: bool = False  # not whole, whether it is being written or not
    files: tuple[str, ...] = ()  # names of those sent along
    tools: tuple[Tool, ...] = ()


@dataclass(frozen=True, slots=True)
class SpokenChat:
    """A conversation as the list and its own address have it."""

    id: str
    title: str
    at: float = ASKED_AT
    temporary: bool = False
    project: str = ""  # the id of the one it belongs to


class Speaker:
    """One answering body, said line by line as it comes to mind.

    `opening` or `resume`, then `thought`, `tool` and `text` with what is added each time, then
    `ending` or `error`. A body without either broke off.
    """

    def __init__(
        self,
        conversation_id: str,
        *,
        question_id: str = USER_RESPONSE,
        answer_id: str = ANSWER_RESPONSE,
        follows: str | None = None,
        model: str | None = None,
        asked_at: float = ASKED_AT,
        answered_at: float = ANSWERED_AT,
        agents: Sequence[str] = (),
    ) -> None:
        self._conversation_id = conversation_id
        self._question_id = question_id
        self._answer_id = answer_id
        self._follows = follows  # the answer before this question: None in a first turn
        self._model = model
        self._asked_at = asked_at
        self._answered_at = answered_at
        self._agents = tuple(agents)  # where several work on it
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._tools: list[Tool] = []

    def opening(
        self,
        prompt: str,
        will_think: bool = False,
        *,
        files: tuple[str, ...] = (),
        temporary: bool = False,
        project: str = "",
    ) -> list[bytes]:
        """The conversation where it is new, the question, and how the answer will look."""
        asked = SpokenResponse(
            self._question_id,
            prompt,
            HUMAN,
            parent=self._follows,
            at=self._asked_at,
            files=files,
        )
        layout: dict[str, Any] = {
            "reasoningUiLayout": "SPLIT",
            "willThinkLong": will_think,
            "effort": "HIGH" if self._agents else "LOW",
            "rolloutIds": list(self._agents),
        }
        if self._model:
            layout["steerModelId"] = self._model
        opened = _conversation(
            SpokenChat(
                self._conversation_id, "New conversation", self._asked_at, temporary, project
            )
        )
        return [
            *([] if self._follows else [_line({"conversation": opened})]),
            self._frame({"userResponse": _response(asked)}, about=self._question_id),
            self._frame({"uiLayout": layout}),
            self._frame({"llmInfo": {"modelHash": HASH}}),
        ]

    def resume(self) -> list[bytes]:
        """How a reconnected body begins: with the answer, still empty and by nobody."""
        return [self.hint()]

    def hint(self) -> bytes:
        """An answer that is none: empty, by nobody, and called whole all the same."""
        return self._frame({"modelResponse": _response(SpokenResponse(self._answer_id, "", ""))})

    def thought(self, thought: str) -> bytes:
        """The next piece of thinking; of several agents each has its turn."""
        count = len(self._thoughts)
        self._thoughts.append(thought)
        if not self._agents:
            return self._frame({"token": thought}, thinking=True)
        step, agent = divmod(count, len(self._agents))
        marks = {
            "messageTag": "summary" if step else "header",
            "messageStepId": step,
            "rolloutId": self._agents[agent],
        }
        return self._frame({"token": thought} | marks, thinking=True)

    def tool(self, tool: Tool) -> list[bytes]:
        """A tool is called, in a card cut over two tokens, and answers."""
        self._tools.append(tool)
        named = card_id(self._answer_id, len(self._tools))
        card = tool_card(tool, named)
        marks: dict[str, Any] = {"messageStepId": len(self._thoughts), "toolUsageCardId": named}
        if self._agents:
            marks["rolloutId"] = self._agents[0]
        half = len(card) // 2
        called = marks | {"messageTag": "tool_usage_card"}
        answered = marks | {"token": tool.answers, "messageTag": "raw_function_result"}
        return [
            self._frame({"token": card[:half]} | called, thinking=True),
            self._frame({"token": card[half:]} | called, thinking=True),
            self._frame(answered, thinking=True),
        ]

    def text(self, text: str) -> bytes:
        """The next piece of the answer."""
        self._text.append(text)
        marks = {"rolloutId": self._agents[0]} if self._agents else {}
        return self._frame({"token": text, "messageTag": "final"} | marks)

    def ending(self, title: str | None = None) -> list[bytes]:
        """The answer is over: the answer as it is stored, and a title where one was made."""
        answer = SpokenResponse(
            self._answer_id,
            "".join(self._text),
            ASSISTANT,
            parent=self._question_id,
            at=self._answered_at,
            model=self._model,
            thinking="".join(self._thoughts),
            tools=tuple(self._tools),
        )
        closing: dict[str, Any] = {"followUpSuggestions": [], "feedbackLabels": [], "toolsUsed": {}}
        cards = [{"cardAttachment": {"jsonData": card}} for card in citation_cards(answer.message)]
        return [
            *map(self._frame, cards),
            self._frame({"token": ""}, soft_stop=True),
            *([self._frame({"finalMetadata": closing})] if self._agents else []),
            self._frame({"modelResponse": _response(answer)}),
            *([] if title is None else [_line({"title": {"newTitle": title}})]),
        ]

    def error(self, code: int, message: str) -> bytes:
        """The site gives up: the last line, in the place of an end."""
        return speak_error(code, message) + b"\n"

    def _frame(
        self,
        said: dict[str, Any],
        *,
        thinking: bool = False,
        soft_stop: bool = False,
        about: str | None = None,
    ) -> bytes:
        marks = {"isThinking": thinking, "isSoftStop": soft_stop}
        frame = said | marks | {"responseId": about or self._answer_id}
        return _line(frame if self._follows else {"response": frame})


def speak_stream(
    texts: Sequence[str],
    *,
    conversation_id: str,
    prompt: str = "What is a tab?",
    thoughts: Sequence[str] = (),
    title: str | None = None,
    model: str | None = None,
    complete: bool = True,
) -> list[bytes]:
    """One line per piece of a first turn. Not `complete`: it breaks off after the words."""
    speaker = Speaker(conversation_id, model=model)
    return [
        *speaker.opening(prompt, will_think=bool(thoughts)),
        *map(speaker.thought, thoughts),
        *map(speaker.text, texts),
        *(speaker.ending(title) if complete else ()),
    ]


def speak_stored(answer: str, *, prompt: str = "What is a tab?", model: str | None = None) -> bytes:
    """The same turn as `load-responses` has it once it is over."""
    asked = SpokenResponse(USER_RESPONSE, prompt, HUMAN)
    answered = SpokenResponse(
        ANSWER_RESPONSE, answer, ASSISTANT, parent=USER_RESPONSE, at=ANSWERED_AT, model=model
    )
    return speak_responses([asked, answered])


def speak_responses(responses: Iterable[SpokenResponse]) -> bytes:
    """A `load-responses` body: texts, in any order."""
    return body({"responses": [_response(one) for one in responses]})


def speak_nodes(responses: Iterable[SpokenResponse]) -> bytes:
    """A `response-node` body: who follows whom, and what is being written right now."""
    responses = list(responses)
    return body(
        {
            "responseNodes": [_node(one) for one in responses],
            "inflightResponses": [
                _node(one) | {"status": "RESPONSE_STATUS_ACTIVE", "createTime": _time(one.at)}
                for one in responses
                if one.running
            ],
        }
    )


def speak_about(chat: SpokenChat) -> bytes:
    """A `conversations_v2` body: one conversation's own object."""
    return body({"conversation": _conversation(chat)})


def speak_list(chats: Iterable[SpokenChat], cursor: str | None = None) -> bytes:
    """One page of the list of conversations; `cursor` asks for the next one, where there is."""
    listed: dict[str, Any] = {"conversations": [_conversation(chat) for chat in chats]}
    return body(listed | ({"nextCursor": cursor} if cursor else {}))


def speak_error(code: int, message: str) -> bytes:
    """How the site says no, as a body or as a line."""
    return body({"error": {"code": code, "message": message, "details": []}})


def tool_card(tool: Tool, named: str) -> str:
    """A call of a tool, as the model writes it among its words."""
    name = {"web.search": "web_search", "python": "code_execution"}.get(tool.name, tool.name)
    asks = {"web_search": "query", "code_execution": "code"}.get(name, "message")
    args = json.dumps({asks: tool.asks}, ensure_ascii=False)
    return (
        f"<xai:tool_usage_card><xai:tool_usage_card_id>{named}</xai:tool_usage_card_id>"
        f"<xai:tool_name>{name}</xai:tool_name>"
        f"<xai:tool_args><![CDATA[{args}]]></xai:tool_args></xai:tool_usage_card>"
    )


def card_id(answer_id: str, count: int) -> str:
    """The name of an answer's card, the same however often it is told."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{answer_id}/card/{count}"))


def file_id(name: str) -> str:
    """What the site calls a file of this name."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"tabwire-lab/file/{name}"))


def _conversation(chat: SpokenChat) -> dict[str, Any]:
    return {
        "conversationId": chat.id,
        "title": chat.title,
        "starred": False,
        "createTime": _time(chat.at),
        "modifyTime": _time(chat.at),
        "systemPromptName": "",
        "temporary": chat.temporary,
        "mediaTypes": [],
        "workspaces": [{"workspaceId": chat.project}] if chat.project else [],
        "taskResult": None,
    }


# What a stored response has besides, empty where nothing is cited.
_EMPTY_LISTS = (
    "xpostIds xposts generatedImageUrls imageAttachments cardAttachmentsJson fileUris "
    "imageEditUris mediaTypes webpageUrls citedWebSearchResults toolResponses ragResults "
    "citedRagResults searchProductResults connectorSearchResults collectionSearchResults "
    "highlightsStories streamErrors"
).split()


def _response(one: SpokenResponse) -> dict[str, Any]:
    files = [{"fileMetadataId": file_id(name), "fileName": name} for name in one.files]
    stored: dict[str, Any] = {
        "responseId": one.id,
        "message": one.message,
        "sender": one.sender,
        "createTime": _time(one.at),
        "manual": False,
        "partial": one.partial,
        "shared": False,
        "query": "",
        "queryType": "",
        "isControl": False,
        "webSearchResults": [
            {"url": "https://example.com/lab", "title": tool.asks, "preview": tool.answers}
            for tool in one.tools
            if tool.name == "web.search"
        ],
        "fileAttachments": [known["fileMetadataId"] for known in files],
        "fileAttachmentsMetadata": files,
        "steps": [
            {"text": [tool_card(tool, card_id(one.id, count))], "tags": ["tool_usage_card"]}
            for count, tool in enumerate(one.tools, start=1)
        ],
        "metadata": {"llm_info": {"modelHash": HASH}} if one.sender == ASSISTANT else {},
    }
    known = {"parentResponseId": one.parent, "model": one.model, "thinkingTrace": one.thinking}
    lists: dict[str, Any] = {name: [] for name in _EMPTY_LISTS}
    lists["cardAttachmentsJson"] = citation_cards(one.message)
    lists["citedWebSearchResults"] = cited_results(one.message)
    return stored | lists | {name: value for name, value in known.items() if value}


def _node(one: SpokenResponse) -> dict[str, Any]:
    node = {"responseId": one.id, "sender": one.sender}
    return node | ({"parentResponseId": one.parent} if one.parent else {})


def _time(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _line(result: dict[str, Any]) -> bytes:
    return body({"result": result}) + b"\n"


def body(value: dict[str, Any]) -> bytes:
    """JSON as the sites write it: characters as they are."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if has_surrogates(text):  # half a character can only be written as an escape
        text = json.dumps(value, separators=(",", ":"))
    return text.encode()
