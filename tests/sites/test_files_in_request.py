"""How many files an answering request carries, as each site writes it."""

import json
from urllib.parse import urlencode

import pytest

from tabwire.sites.known import SITES


def chatgpt(parts, **metadata):
    user = {"author": {"role": "user"}, "content": {"parts": parts}, "metadata": metadata}
    return json.dumps({"action": "next", "messages": [user]}).encode()


def gemini(*asked):
    inner = [[*asked], ["en"], ["", "", ""]]
    return urlencode({"f.req": json.dumps([None, json.dumps(inner)]), "at": "x"}).encode()


def grok(**more):
    return json.dumps({"message": "Hello", **more}).encode()


PICTURE = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1"}
CASES = [
    # id, site, body, how many
    ("none", "chatgpt", chatgpt(["Hello"]), 0),
    ("two", "chatgpt", chatgpt(["Hello"], attachments=[{"id": "a"}, {"id": "b"}]), 2),
    ("a picture", "chatgpt", chatgpt([PICTURE, "Hello"], attachments=[{"id": "a"}]), 1),
    ("only a picture", "chatgpt", chatgpt([PICTURE, "Hello"]), 1),
    ("a picture and a text", "chatgpt", chatgpt([PICTURE, ""], attachments=[{}, {}]), 2),
    ("odd list", "chatgpt", chatgpt(["Hello"], attachments="a"), 0),
    ("a precursor", "chatgpt", b'{"action":"next"}', None),
    ("no JSON", "chatgpt", b"{", None),
    ("no object", "chatgpt", b"[1]", None),
    ("none", "gemini", gemini("Hello", 0, None, None, None, None, 0), 0),
    ("short", "gemini", gemini("Hello"), 0),
    ("two", "gemini", gemini("Hello", 0, None, [[["/c/1", 1], "a"], [["/c/2", 1], "b"]]), 2),
    ("no question", "gemini", gemini(None), None),
    ("no form", "gemini", b"\xff", None),
    ("none", "grok", grok(), 0),
    ("two", "grok", grok(fileAttachments=["a"], imageAttachments=["b"]), 2),
    ("odd list", "grok", grok(fileAttachments=7), 0),
    (
        "of x.com",
        "grok",
        json.dumps(
            {
                "responses": [
                    {"message": "before", "sender": 1, "fileAttachments": []},
                    {"message": "said", "sender": 2},
                    {"message": "now", "sender": 1, "fileAttachments": [{"id": 1}]},
                ]
            }
        ).encode(),
        1,
    ),
    ("no question", "grok", b'{"fileAttachments":["a"]}', None),
    ("no JSON", "grok", b"nothing", None),
    ("no object", "grok", b"[]", None),
]


@pytest.mark.parametrize(
    "site, body, count", [c[1:] for c in CASES], ids=[f"{c[1]} {c[0]}" for c in CASES]
)
def test_files_are_counted_in_the_request(site, body, count):
    assert SITES[site].files_in_request(body) == count
