"""Which requests of gemini.google.com matter, and what they say before they are answered."""

from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.sites.gemini.requests import conversation_in_url, prompt_in_request, sort_request
from tabwire.sites.site import RequestKind as K

HOME = "https://gemini.google.com"
DATA = f"{HOME}/_/BardChatUi/data"
STREAM = f"{DATA}/assistant.lamda.BardFrontendService/StreamGenerate"
BATCH = f"{DATA}/batchexecute"

REQUESTS = [
    # method, url, kind
    ("POST", f"{STREAM}?bl=boq&f.sid=1&hl=en&_reqid=1&rt=c", K.ANSWER),
    ("post", STREAM, K.ANSWER),
    ("POST", STREAM.replace("/_/", "/u/1/_/"), K.ANSWER),
    ("POST", STREAM.replace("gemini.", "GEMINI."), K.ANSWER),
    ("GET", STREAM, K.IGNORED),
    ("POST", f"{DATA}/assistant.lamda.BardFrontendService/Other", K.IGNORED),
    ("POST", f"{BATCH}?rpcids=hNvQHb&source-path=%2Fapp%2Fabc&rt=c", K.CANONICAL),
    ("POST", f"{BATCH}?rpcids=MaZiqc", K.LIST),
    ("GET", f"{BATCH}?rpcids=MaZiqc", K.LIST),
    ("POST", f"{BATCH}?rpcids=MaZiqc,ESY5D", K.LIST),
    ("POST", f"{BATCH}?rpcids=ESY5D%2CMaZiqc", K.LIST),
    ("POST", f"{BATCH}?rpcids=MaZiqc,hNvQHb", K.CANONICAL),
    ("POST", BATCH.replace("/_/", "/u/2/_/") + "?rpcids=hNvQHb", K.CANONICAL),
    ("POST", f"{BATCH}?rpcids=ESY5D&source-path=%2Fapp%2Fabc", K.TITLE),
    ("POST", f"{BATCH}?rpcids=ESY5D&source-path=%2Fapp", K.IGNORED),
    ("POST", f"{BATCH}?rpcids=GzXR5e&source-path=%2Fapp%2Fabc", K.IGNORED),
    ("POST", f"{BATCH}?rpcids=otAQ7b", K.IGNORED),
    ("POST", f"{BATCH}?rpcids=NotMaZiqc", K.IGNORED),
    ("POST", BATCH, K.IGNORED),
    ("POST", f"{HOME}/_/BardChatUi/jserror", K.IGNORED),
    ("GET", f"{HOME}/app/abc", K.FOREIGN),
    ("POST", STREAM.replace("gemini.google.com", "gemini.google.com.evil.com"), K.FOREIGN),
    ("POST", STREAM.replace("gemini.google.com", "evilgemini.google.com"), K.FOREIGN),
    ("POST", f"https://evil.com/?u={STREAM}", K.FOREIGN),
    ("POST", STREAM.replace("https://", "https://gemini.google.com@evil.com/"), K.FOREIGN),
    ("POST", "http://[", K.FOREIGN),
    ("", "", K.FOREIGN),
]


@pytest.mark.parametrize("method, url, kind", REQUESTS)
def test_a_request_is_sorted(method, url, kind):
    assert sort_request(method, url) is kind


URLS = [
    (f"{HOME}/app/9cf87bbddf79d497", "9cf87bbddf79d497"),
    (f"{HOME}/app/9cf87bbddf79d497?hl=fr", "9cf87bbddf79d497"),
    (f"{HOME}/app/c_9cf87bbddf79d497", "9cf87bbddf79d497"),
    (f"{HOME}/u/1/app/a-b_c/", "a-b_c"),
    (f"{HOME}/gem/coding-partner/abc", "abc"),
    (f"{HOME}/u/0/gem/x/abc", "abc"),
    (f"{BATCH}?rpcids=x&source-path=%2Fu%2F1%2Fapp%2Fabc", "abc"),
    (f"{STREAM}?source-path=%2Fgem%2Fx%2Fabc", "abc"),
    (f"{HOME}/app", None),
    (f"{HOME}/app/", None),
    (f"{HOME}/gem/coding-partner", None),
    (f"{HOME}/share/abc", None),  # a copy with an id of its own
    (f"{HOME}/app/a%20b", None),
    (f"{BATCH}?source-path=%2Fapp", None),
    ("https://gemini.google.com.evil.com/app/abc", None),
    ("https://evil.com/gemini.google.com/app/abc", None),
    ("", None),
]


@pytest.mark.parametrize("url, found", URLS)
def test_an_address_names_its_conversation(url, found):
    assert conversation_in_url(url) == found


def form(request: str) -> bytes:
    return urlencode({"f.req": request, "at": "token:1"}).encode()


INNER = r'[null,"[[\"Wie heißt \\\"das\\\"?\\n😄\",0,null],[\"de\"],[\"c_1\",\"r_1\"]]"]'

BODIES = [
    ("the inner JSON is decoded", form(INNER), 'Wie heißt "das"?\n😄'),
    ("no inner JSON", form('[null,"[["]'), None),
    ("another call", form('[[["hNvQHb","[\\"c_1\\",10]",null,"generic"]]]'), None),
    ("no prompt", form('[null,"[[null,0]]"]'), None),
    ("no JSON", form("hello"), None),
    ("no form", b'{"prompt":"hi"}', None),
    ("not text", b"\xff\xfe\x00", None),
    ("a thousand fields", b"&".join([b"a=1"] * 1000), None),
    ("nothing", b"", None),
]


@pytest.mark.parametrize("body, prompt", [c[1:] for c in BODIES], ids=[c[0] for c in BODIES])
def test_the_prompt_is_read_from_a_request(body, prompt):
    assert prompt_in_request(body) == prompt


@given(st.binary(max_size=200))
def test_any_request_body_has_a_prompt_or_none(body):
    assert isinstance(prompt_in_request(body), str | None)


@given(st.text(max_size=80))
def test_any_address_is_sorted(url):
    assert sort_request("POST", url) is K.FOREIGN
    assert conversation_in_url(url) is None
