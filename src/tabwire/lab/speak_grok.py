"""Grok's side of the wire, written: what grok.com would send for a scripted answer."""

import json
from collections.abc import Sequence
from typing import Any

from tabwire.wire.text import has_surrogates

USER_RESPONSE = "0a0a0a0a-0000-4000-8000-000000000001"
ANSWER_RESPONSE = "0a0a0a0a-0000-4000-8000-000000000002"
ASKED_AT = "2026-10-01T09:00:00.000Z"
ANSWERED_AT = "2026-10-01T09:00:04.250Z"


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
    asked = _response(USER_RESPONSE, prompt, "human", ASKED_AT)
    lines = [
        _line({"conversation": _conversation(conversation_id)}),
        _frame({"userResponse": asked}, response_id=USER_RESPONSE),
        _frame({"uiLayout": {"reasoningUiLayout": "SPLIT", "willThinkLong": bool(thoughts)}}),
        *(_frame({"token": thought}, thinking=True) for thought in thoughts),
        *(_frame({"token": text, "messageTag": "final"}) for text in texts),
    ]
    if not complete:
        return lines
    answer = _response(ANSWER_RESPONSE, "".join(texts), "assistant", ANSWERED_AT)
    answer["parentResponseId"] = USER_RESPONSE
    if model is not None:
        answer["model"] = model
    lines.append(_frame({"token": ""}, soft_stop=True))
    lines.append(_frame({"modelResponse": answer}))
    if title is not None:
        lines.append(_line({"title": {"newTitle": title}}))
    return lines


def speak_stored(answer: str, *, prompt: str = "What is a tab?", model: str | None = None) -> bytes:
    """The same turn as `load-responses` has it once it is over."""
    asked = _response(USER_RESPONSE, prompt, "human", ASKED_AT)
    answered = _response(ANSWER_RESPONSE, answer, "assistant", ANSWERED_AT)
    answered |= {"parentResponseId": USER_RESPONSE, "model": model}
    return json.dumps({"responses": [asked, answered]}).encode()


def _conversation(conversation_id: str) -> dict[str, Any]:
    return {
        "conversationId": conversation_id,
        "title": "New conversation",
        "createTime": ASKED_AT,
        "modifyTime": ASKED_AT,
        "temporary": False,
    }


def _response(response_id: str, message: str, sender: str, at: str) -> dict[str, Any]:
    return {
        "responseId": response_id,
        "message": message,
        "sender": sender,
        "createTime": at,
        "partial": False,
        "generatedImageUrls": [],
        "fileAttachments": [],
        "steps": [],
    }


def _frame(
    said: dict[str, Any],
    *,
    thinking: bool = False,
    soft_stop: bool = False,
    response_id: str = ANSWER_RESPONSE,
) -> bytes:
    marks = {"isThinking": thinking, "isSoftStop": soft_stop, "responseId": response_id}
    return _line({"response": said | marks})


def _line(result: dict[str, Any]) -> bytes:
    text = json.dumps({"result": result}, ensure_ascii=False, separators=(",", ":"))
    if has_surrogates(text):  # half a character can only be written as an escape
        text = json.dumps({"result": result}, separators=(",", ":"))
    return text.encode() + b"\n"
