"""chatgpt.com: which request is what.

The prompt's path is a prefix of its precursors' and of the canonical read, so paths are
compared segment by segment. `backend-anon` is used logged out, `backend-alt` for some
models; both mirror `backend-api`.
"""

import re
from itertools import pairwise
from typing import Any

from tabwire.sites.addresses import Address, read_address
from tabwire.sites.site import RequestKind
from tabwire.wire.text import NotJson, read_json

HOSTS = ("chatgpt.com", "chat.openai.com")
SOCKET_HOSTS = ("ws.chatgpt.com",)

_BACKENDS = frozenset({"backend-api", "backend-anon", "backend-alt"})
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)


def conversation_id(value: Any) -> str | None:
    """A ChatGPT conversation id is a UUID; the version digit is not checked."""
    return value if isinstance(value, str) and _UUID.fullmatch(value) else None


def is_ours(address: Address) -> bool:
    """Whether a parsed URL is on one of the site's own hosts."""
    host = address.host
    return any(host in (name, f"www.{name}") for name in HOSTS)


def conversation_in_url(url: str) -> str | None:
    """The conversation a page or a request is about. Shares and `WEB:…` are none."""
    address = read_address(url)
    if not is_ours(address):
        return None
    segments = address.segments
    if segments[:1] and segments[0] in _BACKENDS:
        candidates = segments[1:] if {"conversation", "conversations"} & set(segments) else ()
    else:
        candidates = tuple(part for name, part in pairwise(segments) if name in ("c", "uc"))
    return next((found for part in candidates if (found := conversation_id(part))), None)


def sort_request(method: str, url: str) -> RequestKind:
    """What this request of the page is to us."""
    address = read_address(url)
    if address.host in SOCKET_HOSTS and address.scheme in ("wss", "ws", "https"):
        return RequestKind.HANDOFF
    if not is_ours(address):
        return RequestKind.FOREIGN
    segments = address.segments
    if not segments or segments[0] not in _BACKENDS:
        return RequestKind.FOREIGN
    rest = segments[1:]
    if rest[:1] == ("f",):
        rest = rest[1:]
    return _sort(method.upper(), rest)


def _sort(method: str, rest: tuple[str, ...]) -> RequestKind:
    match method, rest:
        case "POST", ("conversation",):
            return RequestKind.ANSWER
        case _, ("conversation", "resume"):
            return RequestKind.RESUME
        case "POST", ("stop_conversation",):
            return RequestKind.STOP
        case "GET", ("conversations",):
            return RequestKind.LIST
        case "GET", ("conversation" | "conversations", name) if conversation_id(name):
            return RequestKind.CANONICAL
        case _, ("conversation", name, "stream_status") if conversation_id(name):
            return RequestKind.HINT
        case "POST", ("conversation", "gen_title", name) if conversation_id(name):
            return RequestKind.TITLE
        case _, ("conversation" | "conversations" | "sentinel", *_):
            return RequestKind.IGNORED
    return RequestKind.FOREIGN


def prompt_in_request(body: bytes) -> str | None:
    """The prompt an outgoing `f/conversation` request carries; precursors carry none."""
    try:
        request = read_json(body)
    except NotJson:
        return None
    messages = request.get("messages") if isinstance(request, dict) else None
    for message in reversed(messages) if isinstance(messages, list) else ():
        match message:
            case {"author": {"role": "user"}, "content": {"parts": list(parts)}}:
                return "".join(part for part in parts if isinstance(part, str))
    return None


def question_in_request(body: bytes) -> str | None:
    """The id of the message that asks. The page makes it, and the site keeps it."""
    try:
        request = read_json(body)
    except NotJson:
        return None
    messages = request.get("messages") if isinstance(request, dict) else None
    for message in reversed(messages) if isinstance(messages, list) else ():
        match message:
            case {"author": {"role": "user"}, "id": str(named)}:
                return named or None
    return None


def files_in_request(body: bytes) -> int | None:
    """How many files go with the prompt. A picture is a part of the message as well."""
    try:
        request = read_json(body)
    except NotJson:
        return None
    messages = request.get("messages") if isinstance(request, dict) else None
    for message in reversed(messages) if isinstance(messages, list) else ():
        match message:
            case {"author": {"role": "user"}, "content": {"parts": list(parts)}, **more}:
                about = more.get("metadata")
                listed = about.get("attachments") if isinstance(about, dict) else None
                pictures = [part for part in parts if isinstance(part, dict)]
                return max(len(listed) if isinstance(listed, list) else 0, len(pictures))
    return None


def is_temporary(body: bytes) -> bool | None:
    """Whether the chat is not to be kept."""
    try:
        request = read_json(body)
    except NotJson:
        return None
    is_question = isinstance(request, dict) and "messages" in request
    return request.get("history_and_training_disabled") is True if is_question else None


def effort_in_request(body: bytes) -> str | None:
    """How long the model shall think, as the request names it; None where it does not."""
    try:
        request = read_json(body)
    except NotJson:
        return None
    effort = request.get("thinking_effort") if isinstance(request, dict) else None
    return effort if isinstance(effort, str) and effort else None


def asks_for_rest(body: bytes | None) -> bool:
    """Whether a request to resume wants only what follows: `offset` counts the events had."""
    try:
        request = read_json(body) if body is not None else None
    except NotJson:
        return False
    offset = request.get("offset") if isinstance(request, dict) else None
    return isinstance(offset, int) and offset > 0


def is_writing(body: bytes) -> bool | None:
    """What `stream_status` says: whether the answer is still being written."""
    try:
        said = read_json(body)
    except NotJson:
        return None
    status = said.get("status") if isinstance(said, dict) else None
    return status == "IS_STREAMING" if isinstance(status, str) else None
