"""Whether a request asks for a chat that is not kept."""

import json
from urllib.parse import urlencode

import pytest

from tabwire.sites.known import SITES


def gemini(temporary):
    inner = [["Why?", 0, None, None, None, None, 0], ["en"], ["", "", ""], *[None] * 42, temporary]
    return urlencode({"f.req": json.dumps([None, json.dumps(inner)]), "at": "x"}).encode()


def short_gemini():
    inner = [["Why?", 0], ["en"], ["", "", ""]]
    return urlencode({"f.req": json.dumps([None, json.dumps(inner)])}).encode()


def chatgpt(**more):
    parts = {"content_type": "text", "parts": ["Why?"]}
    message = {"author": {"role": "user"}, "content": parts}
    return json.dumps({"action": "next", "messages": [message], **more}).encode()


def grok(**more):
    return json.dumps({"message": "Why?", "modelName": "grok-4", **more}).encode()


CASES = [
    ("chatgpt", chatgpt(history_and_training_disabled=True), True),
    ("chatgpt", chatgpt(history_and_training_disabled=False), False),
    ("chatgpt", chatgpt(), False),
    ("gemini", gemini(1), True),
    ("gemini", gemini(None), False),
    ("gemini", short_gemini(), False),
    ("grok", grok(temporary=True), True),
    ("grok", grok(temporary=False), False),
    ("grok", grok(), False),
    *[(site, body, None) for site in SITES for body in (b"", b"{}", b"\xff", b"[1]")],
]


@pytest.mark.parametrize("site, body, is_temporary", CASES)
def test_it_is_told_from_the_request(site, body, is_temporary):
    assert SITES[site].is_temporary(body) is is_temporary
