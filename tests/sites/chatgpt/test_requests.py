"""Which request of ChatGPT is what."""

import json

import pytest

from tabwire.sites.chatgpt.requests import conversation_in_url, prompt_in_request, sort_request
from tabwire.sites.site import RequestKind as K

ID = "5f0c6a1e-1111-4222-8333-0123456789ab"
HOST = "https://chatgpt.com"

REQUESTS = [
    ("POST", f"{HOST}/backend-api/f/conversation", K.ANSWER),
    ("POST", f"{HOST}/backend-api/f/conversation?x=1", K.ANSWER),
    ("POST", f"{HOST}/backend-api/conversation", K.ANSWER),
    ("POST", f"{HOST}/backend-anon/f/conversation", K.ANSWER),
    ("POST", f"{HOST}/backend-alt/f/conversation/", K.ANSWER),
    ("post", "https://chat.openai.com/backend-api/conversation", K.ANSWER),
    ("POST", f"{HOST}/backend-api/f/conversation/resume", K.RESUME),
    ("POST", f"{HOST}/backend-anon/conversation/resume", K.RESUME),
    ("GET", "wss://ws.chatgpt.com/p5/ws/user/1", K.HANDOFF),
    ("GET", f"{HOST}/backend-api/conversation/{ID}", K.CANONICAL),
    ("GET", f"{HOST}/backend-api/conversations/{ID}", K.CANONICAL),
    ("GET", f"{HOST}/backend-anon/conversation/{ID}?x", K.CANONICAL),
    ("GET", f"{HOST}/backend-api/conversation/{ID}/stream_status", K.HINT),
    ("GET", f"{HOST}/backend-api/f/conversation/{ID}/stream_status", K.HINT),
    ("POST", f"{HOST}/backend-api/conversation/gen_title/{ID}", K.TITLE),
    ("GET", f"{HOST}/backend-api/conversations?offset=0&limit=28&order=updated", K.LIST),
    ("POST", f"{HOST}/backend-api/stop_conversation", K.STOP),
    ("POST", f"{HOST}/backend-api/f/conversation/prepare", K.IGNORED),
    ("POST", f"{HOST}/backend-api/conversation/init", K.IGNORED),
    ("POST", f"{HOST}/backend-api/sentinel/chat-requirements/prepare", K.IGNORED),
    ("GET", f"{HOST}/backend-api/conversation/{ID}/textdocs", K.IGNORED),
    ("POST", f"{HOST}/backend-api/conversation/{ID}/async-status", K.IGNORED),
    ("GET", f"{HOST}/backend-api/conversation/not-a-uuid", K.IGNORED),
    ("GET", f"{HOST}/backend-api/f/conversation", K.IGNORED),
    ("POST", f"{HOST}/backend-api/lat/r", K.FOREIGN),
    ("GET", f"{HOST}/c/{ID}", K.FOREIGN),
    ("POST", "https://chatgpt.com.evil.example/backend-api/f/conversation", K.FOREIGN),
    ("POST", "https://evil.example/chatgpt.com/backend-api/f/conversation", K.FOREIGN),
    ("POST", "https://evil.example/?u=https://chatgpt.com/backend-api/f/conversation", K.FOREIGN),
    ("POST", "https://chatgpt.com@evil.example/backend-api/f/conversation", K.FOREIGN),
    ("POST", "http://[broken", K.FOREIGN),
    ("POST", "", K.FOREIGN),
]


@pytest.mark.parametrize("method, url, kind", REQUESTS)
def test_each_request_is_sorted(method: str, url: str, kind: K) -> None:
    assert sort_request(method, url) is kind


URLS = [
    (f"{HOST}/c/{ID}", ID),
    (f"https://www.chatgpt.com/c/{ID}?model=x#y", ID),
    (f"{HOST}/g/g-abc123-some-gizmo/c/{ID}", ID),
    (f"{HOST}/g/g-p-0123456789abcdef-project/c/{ID}", ID),
    (f"{HOST}/uc/{ID}", ID),
    (f"{HOST}/backend-api/conversation/{ID}/stream_status", ID),
    (f"{HOST}/backend-api/conversations/{ID}", ID),
    (f"{HOST}/share/{ID}", None),
    (f"{HOST}/c/WEB:{ID}", None),
    (f"{HOST}/", None),
    (f"https://example.com/c/{ID}", None),
    ("", None),
]


@pytest.mark.parametrize("url, named", URLS)
def test_the_conversation_a_url_is_about(url: str, named: str | None) -> None:
    assert conversation_in_url(url) == named


def test_the_prompt_is_recognised_when_it_leaves() -> None:
    user = {"author": {"role": "user"}, "content": {"parts": ["What ", {"asset": 1}, "is it?"]}}
    body = json.dumps({"action": "next", "messages": [user]}).encode()
    assert prompt_in_request(body) == "What is it?"


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"messages": 3}', b'{"partial_query": {}}'])
def test_a_request_without_a_prompt_has_none(body: bytes) -> None:
    assert prompt_in_request(body) is None
