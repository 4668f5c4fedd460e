"""What a page script may say: the messages of the extension, checked before anything is done.

Everything here was written by whoever runs in the page, so nothing is believed: a message of
another shape, or with a value beyond its bounds, is no message.
"""

import base64
import binascii
import math
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

MAX_TEXT = 64 * 1024 * 1024  # of one piece, in characters
Attempt = Annotated[str, Meta(pattern=r"^[a-z]{1,20}:[0-9A-Za-z-]{8,64}$")]
Url = Annotated[str, Meta(max_length=16_384)]
Word = Annotated[str, Meta(max_length=200)]
Words = Annotated[str, Meta(max_length=4_000)]
Data = Annotated[str, Meta(max_length=MAX_TEXT)]
Count = Annotated[int, Meta(ge=0, le=2**31)]
Request = Annotated[str, Meta(min_length=1, max_length=100)]


class Sent(Struct, tag_field="kind", tag="sent", frozen=True):
    """A request that matches left the page."""

    attempt: Attempt
    method: Word
    url: Url
    at: float
    via: Literal["fetch", "xhr", "socket", "source"] = "fetch"
    body: Data | None = None
    page_url: Url = ""


class Head(Struct, tag_field="kind", tag="head", frozen=True):
    """The head of its response."""

    attempt: Attempt
    status: Annotated[int, Meta(ge=0, le=999)]
    at: float
    mime: Word | None = None
    url: Url | None = None
    retry_after: Word | None = None


class Bytes(Struct, tag_field="kind", tag="bytes", frozen=True):
    """The next piece of it, by number."""

    attempt: Attempt
    seq: Count
    data: Data
    at: float


class Ended(Struct, tag_field="kind", tag="ended", frozen=True):
    """It ended, after `seqs` pieces."""

    attempt: Attempt
    how: Literal["whole", "failed", "canceled"]
    at: float
    why: Words | None = None
    seqs: Count | None = None


class Frame(Struct, tag_field="kind", tag="frame", frozen=True):
    """One message of a WebSocket, by number."""

    attempt: Attempt
    sent: bool
    at: float
    seq: Count | None = None
    text: Data | None = None
    data: Data | None = None


class Moved(Struct, tag_field="kind", tag="moved", frozen=True):
    """The page is at another address."""

    url: Url
    title: Words = ""
    at: float = 0.0


class Named(Struct, tag_field="kind", tag="named", frozen=True):
    """The document has another title."""

    title: Words
    at: float = 0.0


class Visible(Struct, tag_field="kind", tag="visible", frozen=True):
    """The person sees the page, or no longer."""

    on: bool


class Save(Struct, tag_field="kind", tag="save", frozen=True):
    """The person wants the file."""

    request: Request
    format: Literal["original", "common"] = "original"
    force: bool = False


class Copy(Struct, tag_field="kind", tag="copy", frozen=True):
    """The person wants it in the clipboard."""

    request: Request
    format: Literal["original", "common"] = "common"
    force: bool = False


class AskState(Struct, tag_field="kind", tag="ask_state", frozen=True):
    """The page script wants to know where it stands."""


class Dropped(Struct, tag_field="kind", tag="dropped", frozen=True):
    """What the page script itself refused to pass on."""

    counts: dict[Annotated[str, Meta(max_length=40)], Count]


class Dump(Struct, tag_field="kind", tag="dump", frozen=True):
    """What went by, without its content; only where it was asked for."""

    attempt: Attempt
    frame: Word = ""
    size: Count = 0
    at: float = 0.0


TrafficMessage = Sent | Head | Bytes | Ended | Frame
PageMessage = TrafficMessage | Moved | Named | Visible | Save | Copy | AskState | Dropped | Dump


def read_message(message: Any) -> PageMessage | None:
    """The message, or None where it is none."""
    try:
        found: PageMessage = msgspec.convert(message, PageMessage, strict=True)
    except (msgspec.ValidationError, RecursionError, ValueError, TypeError):
        return None
    at = getattr(found, "at", 0.0)
    return found if math.isfinite(at) else None


def read_base64(text: str) -> bytes | None:
    """The bytes, or None where it is not base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
