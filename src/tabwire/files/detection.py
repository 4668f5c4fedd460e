"""What a file is, from its first bytes. Content decides; names and URLs only help."""

import re
from enum import StrEnum

from tabwire.model.errors import Unreadable
from tabwire.sites.webpages import looks_like_html, read_web_page
from tabwire.wire.text import NotJson, read_json

HEAD = 256 * 1024  # what is looked at; the longest real first line seen is 93 KB


class Kind(StrEnum):
    """What can be read."""

    SSE = "sse"
    NDJSON = "ndjson"
    STREAM_GENERATE = "stream_generate"
    BATCHEXECUTE = "batchexecute"
    CANONICAL_JSON = "canonical_json"
    X_GRAPHQL = "x_graphql"
    HAR = "har"
    EXPORT = "export"


SITE_OF_KIND = {
    Kind.SSE: "chatgpt",
    Kind.NDJSON: "grok",
    Kind.STREAM_GENERATE: "gemini",
    Kind.BATCHEXECUTE: "gemini",
    Kind.X_GRAPHQL: "grok",
    Kind.EXPORT: "chatgpt",
}
"""Kinds that only one site speaks. A HAR holds several, canonical JSON says whose it is."""

_BOM = b"\xef\xbb\xbf"
_ZIP = b"PK\x03\x04"
_SSE_FIELD = re.compile(rb"(?:event|data|id|retry)[ \t]*:|:")
_LENGTH_LINE = re.compile(rb"\d{1,10}\r?\n\s*\[")
_BARE_CHUNK = re.compile(rb'\[\s*\[\s*"wrb\.fr"')  # what is left without prefix and length
_RPC = re.compile(rb'\[\s*"wrb\.fr"\s*,\s*(null|")')
_HAR = re.compile(rb'\{\s*"log"\s*:\s*\{')
_GRAPHQL = re.compile(rb'"grok_conversation(?:_items)?_by_rest_id"|"grok_conversation_history"')
_EXPORT_KEY = re.compile(rb'"mapping"\s*:\s*\{')


def detect(head: bytes, size: int) -> Kind:
    """The kind of a file of `size` bytes that begins with `head`."""
    if size == 0:
        raise Unreadable("the file is empty")
    if head.startswith(_ZIP):
        return Kind.EXPORT
    body = head.removeprefix(_BOM).lstrip()
    if not body:
        raise Unreadable("the file is blank")
    if b"\0" in head:
        raise Unreadable("the file is binary data, not text")
    if looks_like_html(body):
        raise Unreadable(f"HTML: {read_web_page(body).message}")
    if body.startswith(b")]}'") or _LENGTH_LINE.match(body) or _BARE_CHUNK.match(body):
        return _framed_kind(body)
    if _SSE_FIELD.match(body):
        return Kind.SSE
    if body[:1] in (b"{", b"["):
        return _json_kind(body)
    raise Unreadable("not a known format")


def _framed_kind(body: bytes) -> Kind:
    found = _RPC.search(body)
    return Kind.STREAM_GENERATE if found and found[1] == b"null" else Kind.BATCHEXECUTE


def _json_kind(body: bytes) -> Kind:
    if body[:1] == b"[":
        if _EXPORT_KEY.search(body) and re.match(rb"\[\s*\{", body):
            return Kind.EXPORT
        raise Unreadable("a JSON list of unknown content")
    if _HAR.match(body):
        return Kind.HAR
    if is_ndjson(body):
        return Kind.NDJSON
    if _GRAPHQL.search(body):
        return Kind.X_GRAPHQL
    return Kind.CANONICAL_JSON


def is_ndjson(body: bytes) -> bool:
    """Whether the first line is an object by itself and something follows it."""
    first, newline, rest = body.partition(b"\n")
    return bool(newline) and bool(rest.strip()) and _is_object(first)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(read_json(line), dict)
    except NotJson:
        return False
