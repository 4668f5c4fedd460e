"""What a file is, from its first bytes."""

import json

import pytest

from files.spoken import BODIES, export, exported, sse
from kit.chatgpt import CONVERSATION
from tabwire.files.detection import HEAD, SITE_OF_KIND, detect
from tabwire.hub import Kind
from tabwire.model.errors import Unreadable
from tabwire.sites.known import SITES

RPC = b'[["wrb.fr","MaZiqc","[]",null,null,null,"generic"]]'
ANSWERING = b'[["wrb.fr",null,"[null,[null,\\"r_1\\"]]"]]'
LINE = b'{"result":{"title":{"newTitle":"T"}}}'
PRETTY = json.dumps({"title": "T", "mapping": {}}, indent=2).encode()
GRAPHQL = b'{"data":{"grok_conversation_items_by_rest_id":{"items":[]}}}'

KNOWN = [
    # id                             head                                           kind
    ("sse", b"event: delta\ndata: {}\n\n", Kind.SSE),
    ("sse, data first", b"data: {}\n\n", Kind.SSE),
    ("sse, no blank after the colon", b"data:{}\n\n", Kind.SSE),
    ("sse, id or retry first", b"retry: 3000\nid: 1\ndata: {}\n\n", Kind.SSE),
    ("sse, a comment first", b": keep-alive\n\ndata: {}\n\n", Kind.SSE),
    ("sse, several comments", b":\n:\n: ping\r\n\r\ndata: {}\r\n\r\n", Kind.SSE),
    ("sse, blank lines first", b"\r\n\n  \ndata: {}\n\n", Kind.SSE),
    ("sse after a byte order mark", b"\xef\xbb\xbfdata: {}\n\n", Kind.SSE),
    ("sse that talks of html", b"data: <!doctype html>\n\n", Kind.SSE),
    ("lines of json", LINE + b"\n" + LINE + b"\n", Kind.NDJSON),
    ("lines of json, crlf", LINE + b"\r\n" + LINE, Kind.NDJSON),
    ("lines of json, blank ones between", LINE + b"\n\n" + LINE + b"\n", Kind.NDJSON),
    ("lines of json, the second cut", LINE + b'\n{"res', Kind.NDJSON),
    ("lines of json with a lone surrogate", b'{"a":"\\ud83d"}\n{}\n', Kind.NDJSON),
    ("lines of json after a byte order mark", b"\xef\xbb\xbf" + LINE + b"\n{}", Kind.NDJSON),
    ("json on one line", LINE, Kind.CANONICAL_JSON),
    ("json on one line, newlines after it", LINE + b"\r\n\n", Kind.CANONICAL_JSON),
    ("pretty json", PRETTY, Kind.CANONICAL_JSON),
    ("pretty json, crlf", PRETTY.replace(b"\n", b"\r\n"), Kind.CANONICAL_JSON),
    ("pretty json after a byte order mark", b"\xef\xbb\xbf" + PRETTY, Kind.CANONICAL_JSON),
    ("json that is cut", PRETTY[:-3], Kind.CANONICAL_JSON),
    ("x.com", GRAPHQL, Kind.X_GRAPHQL),
    ("x.com, pretty", json.dumps(json.loads(GRAPHQL), indent=1).encode(), Kind.X_GRAPHQL),
    ("x.com's history", b'{"data":{"grok_conversation_history":{"items":[]}}}', Kind.X_GRAPHQL),
    ("an answer of Gemini", b")]}'\n\n9\n" + ANSWERING + b"\n", Kind.STREAM_GENERATE),
    ("a stored body of Gemini", b")]}'\n\n9\n" + RPC + b"\n", Kind.BATCHEXECUTE),
    ("gemini with crlf", b")]}'\r\n\r\n9\r\n" + ANSWERING, Kind.STREAM_GENERATE),
    ("gemini without its prefix", b"52\n" + ANSWERING + b"\n", Kind.STREAM_GENERATE),
    ("gemini's books first", b')]}\'\n\n9\n[["di",1]]\n9\n' + ANSWERING, Kind.STREAM_GENERATE),
    ("gemini, blanks inside", b')]}\'\n\n9\n[[ "wrb.fr" , null , "[]"]]', Kind.STREAM_GENERATE),
    ("gemini's prefix alone", b")]}'\n", Kind.BATCHEXECUTE),
    ("har", b'{"log":{"version":"1.2","entries":[]}}', Kind.HAR),
    ("har, pretty", b'{\n  "log" : {\n    "version": "1.2"', Kind.HAR),
    ("har after a byte order mark", b'\xef\xbb\xbf{"log": {}}', Kind.HAR),
    ("export", export(), Kind.EXPORT),
    ("export, pretty", json.dumps([exported(CONVERSATION)], indent=2).encode(), Kind.EXPORT),
    ("export, cut", export()[:-9], Kind.EXPORT),
    ("zip", b"PK\x03\x04\x14\0\0\0\x08\0", Kind.EXPORT),
]

UNKNOWN = [
    # id                            head                                  what is said of it
    ("nothing", b"", "empty"),
    ("blanks", b" \r\n\t\n", "blank"),
    ("a byte order mark and nothing", b"\xef\xbb\xbf\n", "blank"),
    ("zeros", bytes(1000), "binary"),
    ("a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
    ("utf-16", "data: {}\n\n".encode("utf-16"), "binary"),
    ("text with a zero in it", b"data: {}\0\n\n", "binary"),
    ("html", b"<!DOCTYPE html><html><body>Hi</body></html>", "HTML: a web page"),
    ("html, small letters", b"\n <html lang=en>", "HTML: a web page"),
    ("html after a byte order mark", b"\xef\xbb\xbf<!doctype html>", "HTML: a web page"),
    ("a challenge", b"<!doctype html><title>Just a moment...</title>", "HTML: a challenge"),
    ("a login wall", b'<html><a href="https://accounts.google.com/signin">', "HTML: a login"),
    ("a list of others", b'[{"name":"a"},{"name":"b"}]', "JSON list"),
    ("a list of numbers", b"[1, 2, 3]", "JSON list"),
    ("a list of lists", b'[["mapping"]]', "JSON list"),
    ("an empty list", b"[]", "JSON list"),
    ("prose", b"Dear reader, this is not data.\n", "not a known format"),
    ("a table", b"time\turl\tstatus\n0.1\thttps://chatgpt.com/\t200\n", "not a known format"),
    ("xml", b'<?xml version="1.0"?><feed/>', "not a known format"),
    ("a lone number", b"12345\n", "not a known format"),
    ("a json string", b'"data: x"', "not a known format"),
    ("another zip's end", b"PK\x05\x06" + b"\x01" * 18, "not a known format"),
]


@pytest.mark.parametrize("head, kind", [c[1:] for c in KNOWN], ids=[c[0] for c in KNOWN])
def test_a_head_shows_its_kind(head, kind):
    assert detect(head, len(head)) is kind


@pytest.mark.parametrize("head, words", [c[1:] for c in UNKNOWN], ids=[c[0] for c in UNKNOWN])
def test_what_we_do_not_know_is_said_plainly(head, words):
    with pytest.raises(Unreadable) as refused:
        detect(head, len(head))
    assert words in str(refused.value)
    assert "--help" in refused.value.what_to_do


@pytest.mark.parametrize("kind", list(Kind), ids=str)
def test_what_the_lab_writes_is_recognised(kind):
    assert detect(BODIES[kind][:HEAD], len(BODIES[kind])) is kind


def test_only_the_head_is_looked_at():
    """A file of which the head is all we were given, and a zero byte after it."""
    body = sse("x" * (2 * HEAD)) + b"\0"
    assert detect(body[:HEAD], len(body)) is Kind.SSE


def test_a_kind_of_one_site_names_a_site_we_know():
    assert set(SITE_OF_KIND.values()) <= SITES.keys()
    assert set(Kind) - SITE_OF_KIND.keys() == {Kind.HAR, Kind.CANONICAL_JSON}


def test_a_bare_chunk_of_gemini_is_known_without_prefix_and_length():
    assert detect(b'[["wrb.fr",null,"[]"]]\n', 23) is Kind.STREAM_GENERATE
    assert detect(b'[["wrb.fr","MaZiqc","[]"]]\n', 27) is Kind.BATCHEXECUTE
