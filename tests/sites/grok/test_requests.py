"""Which request is what, and whose: facts/wire-formats.md section 3.1."""

import json

import pytest

from tabwire.sites.grok import SITE
from tabwire.sites.grok.requests import response_in_url
from tabwire.sites.site import RequestKind

K = RequestKind
CHAT = "5b1283aa-2fed-4339-a2b6-8a85a62ad182"
OTHER = "0d7c9c0e-5f67-4b0b-8f0f-5f4a1f7c2b11"
API = "https://grok.com/rest/app-chat"
GRAPHQL = "https://x.com/i/api/graphql/9Hyh5D4-WXLnExZkONSkZg"

REQUESTS = [
    ("POST", f"{API}/conversations/new", K.ANSWER),
    ("post", "https://www.grok.com/rest/app-chat/conversations/new?x=1", K.ANSWER),
    ("OPTIONS", f"{API}/conversations/new", K.IGNORED),
    ("POST", f"{API}/conversations/{CHAT}/responses", K.ANSWER),
    ("GET", f"{API}/conversations/{CHAT}/responses?includeThreads=true", K.CANONICAL),
    ("GET", f"{API}/conversations/reconnect-response-v2/{OTHER}", K.RESUME),
    ("OPTIONS", f"{API}/conversations/reconnect-response-v2/{OTHER}", K.IGNORED),
    ("GET", f"{API}/conversations/{CHAT}/response-node?includeThreads=true", K.CANONICAL),
    ("POST", f"{API}/conversations/{CHAT}/load-responses", K.CANONICAL),
    ("OPTIONS", f"{API}/conversations/{CHAT}/load-responses", K.IGNORED),
    ("POST", f"{API}/conversations_v2/{CHAT}/load-responses", K.CANONICAL),
    ("GET", f"{API}/conversations/{CHAT}/load-responses", K.CANONICAL),
    ("POST", f"{API}/conversations/load-responses?conversationId={CHAT}", K.CANONICAL),
    ("POST", f"{API}/load-responses?conversationId={CHAT}", K.CANONICAL),
    ("GET", f"{API}/conversations_v2/{CHAT}?includeWorkspaces=true", K.TITLE),
    ("DELETE", f"{API}/conversations/{CHAT}", K.IGNORED),
    ("GET", f"{API}/conversations?pageSize=60&cursor=abc", K.LIST),
    ("POST", f"{API}/conversations/{CHAT}/stop-inflight-responses", K.STOP),
    ("DELETE", f"{API}/conversations/inflight-response/{OTHER}", K.STOP),
    ("DELETE", f"{API}/conversations/{CHAT}/inflight-response/{OTHER}", K.STOP),
    ("GET", f"{API}/conversations/inflight-response/{OTHER}", K.IGNORED),
    ("POST", f"{API}/upload-file", K.IGNORED),
    ("GET", "https://grok.com/rest/rate-limits", K.FOREIGN),
    ("POST", "https://grok.com/rest/rate-limits", K.ALLOWANCE),
    ("GET", f"https://grok.com/c/{CHAT}", K.FOREIGN),
    ("POST", "https://grok.x.com/2/grok/add_response.json", K.ANSWER),
    ("POST", "https://x.com/2/grok/add_response.json", K.ANSWER),
    ("POST", "https://api.x.com/2/grok/add_response.json", K.ANSWER),
    ("OPTIONS", "https://grok.x.com/2/grok/add_response.json", K.IGNORED),
    ("POST", "https://x.com/i/api/2/grok/attachment.json", K.IGNORED),
    ("GET", f"{GRAPHQL}/GrokConversationItemsByRestId?variables=%7B%7D", K.CANONICAL),
    ("GET", f"{GRAPHQL}/GrokHistory?variables=%7B%7D", K.LIST),
    ("POST", f"{GRAPHQL}/CreateGrokConversation", K.IGNORED),
    ("GET", f"{GRAPHQL}/HomeTimeline?variables=%7B%7D", K.FOREIGN),
    ("GET", "https://x.com/home", K.FOREIGN),
    ("POST", "https://grok.com.evil.example/rest/app-chat/conversations/new", K.FOREIGN),
    ("POST", "https://evil.example/grok.com/rest/app-chat/conversations/new", K.FOREIGN),
    ("POST", "https://notgrok.com/rest/app-chat/conversations/new", K.FOREIGN),
    ("POST", "https://grok.com@evil.example/rest/app-chat/conversations/new", K.FOREIGN),
    ("GET", "https://[broken/", K.FOREIGN),
    ("GET", "", K.FOREIGN),
]


@pytest.mark.parametrize("method, url, kind", REQUESTS)
def test_each_request_is_sorted_by_its_parsed_host_path_and_method(method, url, kind):
    assert SITE.sort_request(method, url) is kind


NAMES = [
    (f"https://grok.com/c/{CHAT}", CHAT),
    (f"https://www.grok.com/c/{CHAT}?rid={OTHER}", CHAT),
    (f"https://grok.com/chat/{CHAT}", CHAT),
    (f"https://grok.com/project/{OTHER}?chat={CHAT}&rid=1", CHAT),
    (f"https://grok.com/project/{OTHER}", None),
    (f"{API}/conversations/{CHAT}/responses", CHAT),
    (f"{API}/conversations/{CHAT}/load-responses", CHAT),
    (f"{API}/conversations/{CHAT}/load-responses/?x=1", CHAT),
    (f"{API}/conversations_v2/{CHAT}/load-responses", CHAT),
    (f"{API}/conversations/load-responses?conversationId={CHAT}", CHAT),
    (f"{API}/load-responses?conversation_id={CHAT}", CHAT),
    (f"{API}/conversations/chat_42/load-responses", "chat_42"),
    (f"{API}/conversations/new/responses", None),
    (f"{API}/conversations_v2/{CHAT}?includeTaskResult=true", CHAT),
    (f"{API}/conversations/new", None),
    (f"{API}/conversations/reconnect-response-v2/{OTHER}", None),
    ("https://grok.com/c/not-a-uuid", None),
    (f"https://grok.com.evil.example/c/{CHAT}", None),
    ("https://x.com/i/grok?conversation=2013295304527827227", "2013295304527827227"),
    ("https://x.com/i/grok?conversation=abc", None),
    ("https://x.com/i/grok?conversation=123", None),
    (f"{GRAPHQL}/GrokConversationItemsByRestId?variables=%7B%22restId%22%3A%2220132953045%22%7D",
     "20132953045"),
    ("https://x.com/i/api/graphql/q?variables={%22restId%22%3A%2220132953045%22, BROKEN",
     "20132953045"),
    (f"{GRAPHQL}/GrokConversationItemsByRestId", None),
    ("https://x.com/home?variables=%7B%22restId%22%3A%2220132953045%22%7D", None),
    ("https://[broken/", None),
]  # fmt: skip


@pytest.mark.parametrize("url, conversation", NAMES)
def test_a_url_names_its_conversation_or_none(url, conversation):
    assert SITE.conversation_in_url(url) == conversation


def test_a_reconnect_url_names_a_response_and_no_conversation():
    url = f"{API}/conversations/reconnect-response-v2/{OTHER}"
    assert (response_in_url(url), SITE.conversation_in_url(url)) == (OTHER, None)
    assert response_in_url(None) is None


PROMPTS = [
    ("grok.com", {"message": "What is a tab?", "modelName": "x"}, "What is a tab?"),
    (
        "x.com, the newest question of the sitting",
        {"responses": [{"message": "old", "sender": 1}, {"message": "said", "sender": 2},
                       {"message": "new", "sender": 1}], "conversationId": "1"},
        "new",
    ),
    ("another key", {"prompt": "p"}, "p"),
    ("an empty message", {"message": ""}, None),
    ("no text at all", {"message": 3, "responses": "x"}, None),
    ("a list", ["message"], None),
]  # fmt: skip


@pytest.mark.parametrize("body, prompt", [p[1:] for p in PROMPTS], ids=[p[0] for p in PROMPTS])
def test_the_prompt_is_found_in_the_request(body, prompt):
    assert SITE.prompt_in_request(json.dumps(body).encode()) == prompt


@pytest.mark.parametrize("body", [b"", b"not json", b"\xff\xfe", b'{"message"'])
def test_a_request_that_is_no_json_has_no_prompt(body):
    assert SITE.prompt_in_request(body) is None
