"""Grok's side of the wire, written: what grok.com would send for a scripted answer.

The lab's Grok sends these, the demo plays them, and tests hold `decode(speak(x)) == x`.
Lines as recorded in March 2026. A first turn has its frames under `response`, a follow-up
directly under `result`, and says neither the conversation nor a new title.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tabwire.wire.text import has_surrogates

USER_RESPONSE = "0a0a0a0a-0000-4000-8000-000000000001"
ANSWER_RESPONSE = "0a0a0a0a-0000-4000-8000-000000000002"
ASKED_AT = 1790845200.0  # 2026-10-01 09:00 UTC
ANSWERED_AT = ASKED_AT + 4.25

HUMAN, ASSISTANT = "human", "assistant"


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


@dataclass(frozen=True, slots=True)
class SpokenChat:
    """A conversation as the list and its own address have it."""

    id: str
    title: str
    at: float = ASKED_AT


class Speaker:
    """One answering body, said line by line as it comes to mind.

    `opening` or `resume`, then `thought` and `text` with what is added each time, then `ending`. A
    body without `ending` broke off.
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
    ) -> None:
        self._conversation_id = conversation_id
        self._question_id = question_id
        self._answer_id = answer_id
        self._follows = follows  # the answer before this question: None in a first turn
        self._model = model
        self._asked_at = asked_at
        self._answered_at = answered_at
        self._text: list[str] = []
        self._thoughts: list[str] = []

    def opening(self, prompt: str, will_think: bool = False) -> list[bytes]:
        """The conversation where it is new, the question, and how the answer will look."""
        asked = SpokenResponse(
            self._question_id, prompt, HUMAN, parent=self._follows, at=self._asked_at
        )
        layout = {"reasoningUiLayout": "SPLIT", "willThinkLong": will_think, "effort": "LOW"}
        opened = _conversation(
            SpokenChat(self._conversation_id, "New conversation", self._asked_at)
        )
        return [
            *([] if self._follows else [_line({"conversation": opened})]),
            self._frame({"userResponse": _response(asked)}, about=self._question_id),
            self._frame({"uiLayout": layout}),
        ]

    def resume(self) -> list[bytes]:
        """How a reconnected body begins: with the answer, still empty and by nobody."""
        return [self._frame({"modelResponse": _response(SpokenResponse(self._answer_id, "", ""))})]

    def thought(self, thought: str) -> bytes:
        """The next piece of thinking."""
        self._thoughts.append(thought)
        return self._frame({"token": thought}, thinking=True)

    def text(self, text: str) -> bytes:
        """The next piece of the answer."""
        self._text.append(text)
        return self._frame({"token": text, "messageTag": "final"})

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
        )
        return [
            self._frame({"token": ""}, soft_stop=True),
            self._frame({"modelResponse": _response(answer)}),
            *([] if title is None else [_line({"title": {"newTitle": title}})]),
        ]

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
    return _body({"responses": [_response(one) for one in responses]})


def speak_nodes(responses: Iterable[SpokenResponse]) -> bytes:
    """A `response-node` body: who follows whom, and what is being written right now."""
    responses = list(responses)
    return _body(
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
    return _body({"conversation": _conversation(chat)})


def speak_list(chats: Iterable[SpokenChat]) -> bytes:
    """The list of conversations, as one page."""
    return _body({"conversations": [_conversation(chat) for chat in chats]})


def _conversation(chat: SpokenChat) -> dict[str, Any]:
    return {
        "conversationId": chat.id,
        "title": chat.title,
        "starred": False,
        "createTime": _time(chat.at),
        "modifyTime": _time(chat.at),
        "temporary": False,
    }


def _response(one: SpokenResponse) -> dict[str, Any]:
    stored: dict[str, Any] = {
        "responseId": one.id,
        "message": one.message,
        "sender": one.sender,
        "createTime": _time(one.at),
        "partial": one.partial,
        "generatedImageUrls": [],
        "fileAttachments": [],
        "steps": [],
    }
    known = {"parentResponseId": one.parent, "model": one.model, "thinkingTrace": one.thinking}
    return stored | {name: value for name, value in known.items() if value}


def _node(one: SpokenResponse) -> dict[str, Any]:
    node = {"responseId": one.id, "sender": one.sender}
    return node | ({"parentResponseId": one.parent} if one.parent else {})


def _time(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _line(result: dict[str, Any]) -> bytes:
    return _body({"result": result}) + b"\n"


def _body(value: dict[str, Any]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if has_surrogates(text):  # half a character can only be written as an escape
        text = json.dumps(value, separators=(",", ":"))
    return text.encode()
