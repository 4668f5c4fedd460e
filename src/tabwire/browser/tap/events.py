"""What the tap hears of a tab, as data.

Structs of msgspec and not dataclasses, because a long answer makes a hundred thousand
`BytesCame` (see `model/signals.py`). Every `at` is in monotonic seconds, the browser's own.
"""

from enum import StrEnum

import msgspec


class End(StrEnum):
    """How a response ended."""

    WHOLE = "whole"  # every byte of it was told
    FAILED = "failed"  # it broke on its way to the page; what came was told
    CANCELED = "canceled"
    """The page no longer wanted it; what came was told. Chromium also says so of one in four
    streams that the page read to their very end: whether all came, the bytes must tell."""
    LOST = "lost"  # we could not hear it, or not to its end; `why` says more


class Request(msgspec.Struct, frozen=True):
    """A request as it leaves. After a redirect it leaves again, under the same `id`."""

    id: str
    method: str
    url: str
    kind: str
    """The browser's word: Fetch, XHR, EventSource, Document, WebSocket …"""
    at: float
    body: bytes | None = None
    has_body: bool = False
    """There is a body which the browser did not hand over at once: `BodyKnown` will, where
    the request is wanted, else `Tap.request_body`."""
    frame: str | None = None
    where: str = "page"
    """page, frame, worker, shared_worker or service_worker. What the last two ask by
    themselves may be on behalf of another tab of the same site."""
    redirects: int = 0
    serves: str | None = None
    """Asked by a service worker in order to answer this other request, which alone is
    delivered."""


class RequestLeft(msgspec.Struct, frozen=True):
    """A request left, wanted or not."""

    request: Request


class BodyKnown(msgspec.Struct, frozen=True):
    """What a wanted request carried."""

    id: str
    body: bytes


class ResponseBegan(msgspec.Struct, frozen=True):
    """Its head is here. `encoded`: it travelled compressed; `BytesCame` is not.

    `retry_after` and `date` are the headers of these names, as they were sent; `wall` is when
    the head came, in seconds since 1970 by the browser's clock, 0 where that is not said.
    """

    id: str
    status: int
    mime: str
    url: str
    at: float
    encoded: bool = False
    from_service_worker: bool = False
    from_cache: bool = False
    retry_after: str = ""
    date: str = ""
    wall: float = 0.0


class BytesCame(msgspec.Struct, frozen=True, gc=False):
    """The next bytes of a wanted response, uncompressed."""

    id: str
    chunk: bytes
    at: float


class ResponseEnded(msgspec.Struct, frozen=True):
    """Nothing more comes. `size`: bytes told, or counted where it was not wanted. `status`: as
    its head said; 0 where there was none."""

    id: str
    at: float
    how: End
    why: str = ""
    size: int = 0
    status: int = 0


class EventCame(msgspec.Struct, frozen=True):
    """One event of an EventSource, as the page gets it; its bytes are told as well."""

    id: str
    name: str
    data: str
    event_id: str
    at: float


class SocketOpened(msgspec.Struct, frozen=True):
    """A wanted WebSocket is open."""

    id: str
    url: str
    at: float


class SocketFrame(msgspec.Struct, frozen=True):
    """One whole message; the browser has joined its pieces."""

    id: str
    sent: bool
    data: str | bytes
    at: float


class SocketClosed(msgspec.Struct, frozen=True):
    """A wanted WebSocket is no more. `why` is empty where it was just closed."""

    id: str
    at: float
    why: str = ""


class Unheard(msgspec.Struct, frozen=True):
    """Something in this tab is not heard. `url` where it is known."""

    why: str
    at: float
    url: str = ""


TapEvent = (
    RequestLeft
    | BodyKnown
    | ResponseBegan
    | BytesCame
    | ResponseEnded
    | EventCame
    | SocketOpened
    | SocketFrame
    | SocketClosed
    | Unheard
)
