"""One small body of every kind, written by us, and how tests hand files to the hub."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from files.hars import CHATGPT_ANSWER, entry, har
from kit.chatgpt import CONVERSATION, OTHER, message, stored
from tabwire.hub import Kind, Report, read_files
from tabwire.lab.speak import chatgpt as speak_chatgpt
from tabwire.lab.speak import gemini as speak_gemini
from tabwire.lab.speak import grok as speak_grok
from tabwire.lab.speak.gemini import SpokenAnswer, SpokenExchange

GROK_CHAT = "99999999-2222-4333-8444-555555555555"
GEMINI_CHAT = "0123456789abcdef"
X_CHAT = "2013295305467240001"

QUESTION = "Was ist 🙂 ein Tab?"
ANSWER = "Ein *Tab* — 标签页."

BOTH = [("user", QUESTION), ("assistant", ANSWER)]

CHATGPT_URL = f"https://chatgpt.com/backend-api/conversation/{CONVERSATION}"
GROK_URL = f"https://grok.com/rest/app-chat/conversations/{GROK_CHAT}/load-responses"


def sse(answer: str = ANSWER, **settings: Any) -> bytes:
    """A ChatGPT answer as it streams."""
    settings = {"conversation_id": CONVERSATION, "prompt": QUESTION} | settings
    half = len(answer) // 2
    return b"".join(speak_chatgpt.speak_stream([answer[:half], answer[half:]], **settings))


def ndjson(answer: str = ANSWER, **settings: Any) -> bytes:
    """A Grok answer as it streams."""
    settings = {"conversation_id": GROK_CHAT, "prompt": QUESTION} | settings
    half = len(answer) // 2
    return b"".join(speak_grok.speak_stream([answer[:half], answer[half:]], **settings))


def stream_generate(answer: str = ANSWER, **settings: Any) -> bytes:
    """A Gemini answer as it streams: each chunk has the whole text so far."""
    settings = {"conversation_id": GEMINI_CHAT} | settings
    half = len(answer) // 2
    return b"".join(speak_gemini.speak_stream([answer[:half], answer], **settings))


def batchexecute(*pairs: tuple[str, str]) -> bytes:
    """A stored Gemini conversation of these questions and answers."""
    exchanges = [
        SpokenExchange(f"r_{place}", question, (SpokenAnswer(f"rc_{place}", answer),))
        for place, (question, answer) in enumerate(pairs or [(QUESTION, ANSWER)])
    ]
    return speak_gemini.speak_history(GEMINI_CHAT, exchanges)


def chatgpt_stored(answer: str = ANSWER, **settings: Any) -> bytes:
    """A stored ChatGPT conversation."""
    settings = {"conversation_id": CONVERSATION, "prompt": QUESTION} | settings
    return speak_chatgpt.speak_stored(answer, **settings)


def x_graphql(question: str = QUESTION, answer: str = ANSWER) -> bytes:
    """A stored conversation of Grok on x.com."""
    items = [
        {"chat_item_id": "2013295305467240002", "sender_type": "User", "message": question},
        {"chat_item_id": "2013295305467240003", "sender_type": "Agent", "message": answer},
    ]
    data = {
        "grok_conversation_by_rest_id": {"rest_id": X_CHAT, "is_pinned": False},
        "grok_conversation_items_by_rest_id": {"items": items},
    }
    return json.dumps({"data": data}).encode()


def exported(named: str, answer: str = ANSWER, **fields: Any) -> dict[str, Any]:
    """One conversation as the data export has it."""
    chain = message("u", "user", [QUESTION]), message("a", parts=[answer], end_turn=True)
    return stored(*chain) | {"conversation_id": named, "id": named} | fields


def export(*conversations: dict[str, Any]) -> bytes:
    """A conversations.json of these, or of two."""
    return json.dumps(conversations or [exported(CONVERSATION), exported(OTHER)]).encode()


BODIES: dict[Kind, bytes] = {
    Kind.SSE: sse(),
    Kind.NDJSON: ndjson(),
    Kind.STREAM_GENERATE: stream_generate(),
    Kind.BATCHEXECUTE: batchexecute(),
    Kind.CANONICAL_JSON: chatgpt_stored(),
    Kind.X_GRAPHQL: x_graphql(),
    Kind.HAR: har(entry(*CHATGPT_ANSWER, sse())),
    Kind.EXPORT: export(),
}


def read_all(folder: Path, *bodies: bytes, **settings: Any) -> list[Report]:
    """All the hub tells of files with these bytes, read in one call."""
    paths: list[Path] = []
    for place, body in enumerate(bodies):
        paths.append(folder / f"{place}.body")
        paths[-1].write_bytes(body)
    return list(read_files(paths, **settings))


def read_one(folder: Path, body: bytes, **settings: Any) -> Report:
    """What the hub tells of a file that gives exactly one report."""
    (report,) = read_all(folder, body, **settings)
    return report


def said(report: Report) -> list[tuple[str, str]]:
    """Who said what."""
    return [(str(one.role), one.text) for one in report.messages]


def about(reports: Sequence[Report]) -> list[str | None]:
    """The conversations of some reports."""
    return [report.conversation_id for report in reports]
