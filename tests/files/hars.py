"""How tests write a HAR: entries of the sites' requests, with secrets that must not be told."""

import json
from typing import Any
from urllib.parse import urlencode

CHATGPT_ANSWER = ("POST", "https://chatgpt.com/backend-api/f/conversation")
GROK_ANSWER = ("POST", "https://grok.com/rest/app-chat/conversations/new")
GEMINI_ANSWER = (
    "POST",
    "https://gemini.google.com/_/BardChatUi/data/"
    "assistant.lamda.BardFrontendService/StreamGenerate?rt=c",
)
GEMINI_CALLS = "https://gemini.google.com/_/BardChatUi/data/batchexecute?rpcids="


def request(method: str, url: str, posted: str | None = None) -> dict[str, Any]:
    """The request of a HAR's entry, with the things that must never be told."""
    secrets = [{"name": "Cookie", "value": "session=S3CRET"}]
    found: dict[str, Any] = {"method": method, "url": url, "headers": secrets, "cookies": secrets}
    if posted is not None:
        found["postData"] = {"mimeType": "text/plain", "text": posted}
    return found


def entry(
    method: str, url: str, body: bytes | str | None, *, posted: str | None = None, **content: Any
) -> dict[str, Any]:
    """One entry of a HAR; what of its body is no text is said in `content`."""
    text = body.decode() if isinstance(body, bytes) else body
    headers = [{"name": "Set-Cookie", "value": "session=S3CRET"}]
    return {
        "startedDateTime": "2026-10-01T09:00:00.000Z",
        "request": request(method, url, posted),
        "response": {
            "status": 200,
            "headers": headers,
            "cookies": headers,
            "content": {"size": len(text or ""), "mimeType": "text/plain", "text": text} | content,
        },
    }


def har(*entries: Any) -> bytes:
    """A HAR of these entries."""
    log = {"version": "1.2", "creator": {"name": "Tabwire's tests", "version": "1"}, "pages": []}
    return json.dumps({"log": log | {"entries": entries}}).encode()


def asked_gemini(prompt: str) -> str:
    """The form a StreamGenerate request posts."""
    inner = json.dumps([[prompt, 0, None, None], ["en"]])
    return urlencode({"f.req": json.dumps([None, inner]), "at": "S3CRET"})
