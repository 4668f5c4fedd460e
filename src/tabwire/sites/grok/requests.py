"""Which requests of grok.com and of Grok on x.com are what to us, and whose they are.

An id in a reconnect URL is a *response* id: taking it for a conversation would file an
answer under a chat that does not exist.
"""

import re
from typing import Any
from urllib.parse import unquote

from tabwire.sites.addresses import Address, read_address
from tabwire.sites.grok.fields import dicts_at, is_person, list_at, text_at
from tabwire.sites.site import RequestKind
from tabwire.wire.text import NotJson, read_json

GROK_HOSTS = ("grok.com", "www.grok.com")
X_HOSTS = ("x.com", "www.x.com", "grok.x.com", "api.x.com", "twitter.com", "www.twitter.com")

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]{10,20}")
# Also where the JSON around it is broken: the id is what we need of it.
_REST_ID = re.compile(r'"restId"\s*:\s*"?([0-9]{10,20})\b')

_CHAT_API = ("rest", "app-chat")
_BODY_BY_TAIL = {
    ("GET", "response-node"): RequestKind.CANONICAL,
    ("POST", "load-responses"): RequestKind.CANONICAL,
    ("GET", "load-responses"): RequestKind.CANONICAL,
    ("POST", "responses"): RequestKind.ANSWER,
    ("GET", "responses"): RequestKind.CANONICAL,  # the older way to load a chat
    ("POST", "stop-inflight-responses"): RequestKind.STOP,
}
_TAILS = frozenset(tail for _, tail in _BODY_BY_TAIL)
_ID = re.compile(r"[0-9A-Za-z_-]{1,100}")
_ID_KEYS = ("conversationId", "conversation_id", "conversation", "chat")
_NO_IDS = frozenset({"new", "inflight-response"})
_GRAPHQL = {
    "GrokConversationItemsByRestId": RequestKind.CANONICAL,
    "GrokHistory": RequestKind.LIST,
}


def sort_request(method: str, url: str) -> RequestKind:
    """What this request is to us."""
    address = read_address(url)
    if address.host in GROK_HOSTS:
        return _sort_grok(method.upper(), address)
    if address.host in X_HOSTS:
        return _sort_x(method.upper(), address)
    return RequestKind.FOREIGN


def _sort_grok(method: str, address: Address) -> RequestKind:
    if method == "POST" and address.segments == ("rest", "rate-limits"):
        return RequestKind.ALLOWANCE
    if address.segments[:2] != _CHAT_API:
        return RequestKind.FOREIGN
    match address.segments[2:]:
        case ("conversations",):
            return RequestKind.LIST if method == "GET" else RequestKind.IGNORED
        case ("conversations", "load-responses") | ("load-responses",):
            return _BODY_BY_TAIL.get((method, "load-responses"), RequestKind.IGNORED)
        case ("conversations", "new"):
            return RequestKind.ANSWER if method == "POST" else RequestKind.IGNORED
        case ("conversations", "inflight-response", _) if method == "DELETE":
            return RequestKind.STOP
        case ("conversations_v2", _) | ("conversations", _):
            return RequestKind.TITLE if method == "GET" else RequestKind.IGNORED
        case ("conversations", tail, *_) | (tail, *_) if tail.startswith("reconnect-response"):
            return RequestKind.RESUME if method == "GET" else RequestKind.IGNORED
        case ("conversations" | "conversations_v2", _, tail):
            return _BODY_BY_TAIL.get((method, tail), RequestKind.IGNORED)
        case ("conversations", _, "inflight-response", _) if method == "DELETE":
            return RequestKind.STOP
        case _:
            return RequestKind.IGNORED


def _sort_x(method: str, address: Address) -> RequestKind:
    segments = address.segments
    if segments[-3:] == ("2", "grok", "add_response.json"):
        return RequestKind.ANSWER if method == "POST" else RequestKind.IGNORED
    if segments[:3] == ("i", "api", "graphql") and len(segments) == 5:
        operation = segments[4]
        if method in ("GET", "POST") and operation in _GRAPHQL:
            return _GRAPHQL[operation]
        return RequestKind.IGNORED if "Grok" in operation else RequestKind.FOREIGN
    return RequestKind.IGNORED if "grok" in segments[1:-1] else RequestKind.FOREIGN


def is_conversation_id(said: str) -> bool:
    """A UUID at grok.com, digits at x.com."""
    return _uuid(said) is not None or _DIGITS.fullmatch(said) is not None


def conversation_in_url(url: str) -> str | None:
    """The conversation a page's or a request's URL names."""
    address = read_address(url)
    if address.host in GROK_HOSTS:
        return _grok_conversation(address)
    if address.host in X_HOSTS:
        return _x_conversation(address, url)
    return None


def _grok_conversation(address: Address) -> str | None:
    match address.segments:
        case ("c" | "chat", found, *_):
            return _uuid(found)
        case ("project", *_):
            return _uuid(address.query.get("chat"))
        case ("rest", "app-chat", "conversations" | "conversations_v2", found, tail, *_) if (
            found not in _NO_IDS and tail in _TAILS
        ):
            return found if _ID.fullmatch(found) else None  # whatever stands there is its id
        case ("rest", "app-chat", "conversations" | "conversations_v2", found, *_) if _uuid(found):
            return found
        case ("rest", "app-chat", *_):
            asked = (address.query.get(key) for key in _ID_KEYS)
            return next((found for found in asked if _uuid(found)), None)
        case _:
            return None


def _x_conversation(address: Address, url: str) -> str | None:
    if address.segments[:2] == ("i", "grok"):
        found = address.query.get("conversation", "")
        return found if _DIGITS.fullmatch(found) else None
    if address.segments[:3] == ("i", "api", "graphql"):
        match = _REST_ID.search(address.query.get("variables") or unquote(url))
        return match[1] if match else None
    return None


def response_in_url(url: str | None) -> str | None:
    """The response a reconnect request asks for."""
    match read_address(url).segments:
        case (*_, tail, found) if tail.startswith("reconnect-response"):
            return _uuid(found)
        case _:
            return None


def _uuid(text: str | None) -> str | None:
    return text if text and _UUID.fullmatch(text) else None


def prompt_in_request(body: bytes) -> str | None:
    """The question a request carries: proof of what was sent."""
    try:
        asked: Any = read_json(body)
    except NotJson:
        return None
    # x.com sends the turns of the sitting; sender 1 is the person.
    turns = [text_at(turn, "message") for turn in dicts_at(asked, "responses") if is_person(turn)]
    said = next(filter(None, reversed(turns)), "")
    return said or text_at(asked, "message", "prompt", "query", "text") or None


def files_in_request(body: bytes) -> int | None:
    """How many files go with the question."""
    try:
        asked: Any = read_json(body)
    except NotJson:
        return None
    turns = [turn for turn in dicts_at(asked, "responses") if is_person(turn)]
    if not isinstance(asked, dict) or prompt_in_request(body) is None:
        return None
    holder = turns[-1] if turns else asked
    return len(list_at(holder, "fileAttachments")) + len(list_at(holder, "imageAttachments"))


def is_temporary(body: bytes) -> bool | None:
    """Whether the chat is not to be kept."""
    try:
        asked: Any = read_json(body)
    except NotJson:
        return None
    if not isinstance(asked, dict) or prompt_in_request(body) is None:
        return None
    return asked.get("temporary") is True
