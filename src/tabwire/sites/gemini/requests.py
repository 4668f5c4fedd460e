"""gemini.google.com: which requests matter, and what they say before they are answered."""

import re
from typing import Any
from urllib.parse import parse_qs

from tabwire.sites.addresses import Address, read_address
from tabwire.sites.gemini.fields import list_at, text_at
from tabwire.sites.site import RequestKind
from tabwire.wire.text import NotJson, read_json

NAME = "gemini"
HOST = "gemini.google.com"

READ_CHAT = "hNvQHb"
LIST_CHATS = "MaZiqc"
SETTINGS = "ESY5D"  # its answer carries a title where the page shows a conversation

MAX_FORM_FIELDS = 50  # a request has two (`f.req`, `at`); more is not one of these

_SERVICE = "assistant.lamda.BardFrontendService"
_ID = re.compile(r"[A-Za-z0-9_-]+")
_BARE_ID = re.compile(r"[0-9a-f]{8,}")
_ON_WIRE = re.compile(r"c_([A-Za-z0-9_-]+)|([0-9a-f]{8,})")


def sort_request(method: str, url: str) -> RequestKind:
    """What a request of the page is to us.

    One batchexecute request may carry several calls (`rpcids=MaZiqc,ESY5D`): the one that
    tells most decides. Calls that change or configure something tell nothing.
    """
    address = read_address(url)
    segments = _segments(address)
    if address.host != HOST or segments[:1] != ("_",):
        return RequestKind.FOREIGN
    if segments[1:3] != ("BardChatUi", "data"):
        return RequestKind.IGNORED
    match segments[3:]:
        case (service, "StreamGenerate") if service == _SERVICE and method.upper() == "POST":
            return RequestKind.ANSWER
        case ("batchexecute",):
            return _sort_calls(address)
    return RequestKind.IGNORED


def _sort_calls(address: Address) -> RequestKind:
    calls = {call.strip() for call in address.query.get("rpcids", "").split(",")}
    if READ_CHAT in calls:
        return RequestKind.CANONICAL
    if LIST_CHATS in calls:
        return RequestKind.LIST
    if SETTINGS in calls and _in_source_path(address) is not None:
        return RequestKind.TITLE
    return RequestKind.IGNORED


_TEMPORARY = 45


def is_conversation_id(said: str) -> bool:
    """Ids are hexadecimal. The `c_` that stands before them on the wire is no part of them."""
    return _BARE_ID.fullmatch(said) is not None


def conversation_in_url(url: str) -> str | None:
    """The conversation a page shows, or the one a request was made from.

    `/app/{id}` and `/gem/{gem}/{id}`, both also below `/u/{account}`. A share is a copy
    with an id of its own, not a conversation.
    """
    address = read_address(url)
    if address.host != HOST:
        return None
    return _in_path(_segments(address)) or _in_source_path(address)


def _in_source_path(address: Address) -> str | None:
    path = address.query.get("source-path", "")
    return _in_path(_segments(Address(address.scheme, address.host, path)))


def _in_path(segments: tuple[str, ...]) -> str | None:
    match segments:
        case ("app", found, *_) | ("gem", _, found, *_):
            plain = found.removeprefix("c_")
            return plain if _ID.fullmatch(plain) else None
    return None


def _segments(address: Address) -> tuple[str, ...]:
    match address.segments:
        case ("u", account, *rest) if account.isdigit():
            return tuple(rest)
    return address.segments


def id_on_wire(stated: object) -> str | None:
    """A conversation's id in a payload, as an address has it: without its `c_`."""
    found = _ON_WIRE.fullmatch(stated) if isinstance(stated, str) else None
    return (found[1] or found[2]) if found else None


def prompt_in_request(body: bytes) -> str | None:
    """The question in a StreamGenerate request: the first string of the first list."""
    return text_at(_asked(body), 0, 0)


def files_in_request(body: bytes) -> int | None:
    """How many files go with the question: `[[["/contrib_service/…", 1], "name"], …]`."""
    asked = _asked(body)
    return len(list_at(asked, 0, 3)) if text_at(asked, 0, 0) is not None else None


def is_temporary(body: bytes) -> bool | None:
    """Whether the chat is not to be kept: a place far down the list, as public clients fill it."""
    asked = _asked(body)
    if text_at(asked, 0, 0) is None:
        return None
    return len(asked) > _TEMPORARY and asked[_TEMPORARY] == 1


def _asked(body: bytes) -> Any:
    """What a StreamGenerate request asks: `f.req` is `[null, "<JSON>"]`, and that is it."""
    try:
        form = parse_qs(body.decode("ascii", "replace"), max_num_fields=MAX_FORM_FIELDS)
        outer = read_json(form.get("f.req", [""])[0])
        return read_json(text_at(outer, 1) or "")
    except (NotJson, ValueError):
        return None
