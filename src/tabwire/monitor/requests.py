"""Each request of a tab with its class, its bytes and the characters read of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tabwire.browser.tap import events as t
from tabwire.monitor import sightings as told
from tabwire.monitor.stored import StoredBody
from tabwire.sites.site import RequestKind, Site

MAX_OPEN = 2000  # requests under way at once; a page that leaves more open is broken
SHARED = ("service_worker", "shared_worker")  # workers that all tabs of a site have
MISSING = frozenset({400, 404, 410, 422})  # what sites answer for an id they do not have
LOCAL = ("data:", "blob:")  # nothing leaves the page for these
_QUERY = re.compile(r"[?#]")  # what follows may be a token, and is nobody's business
UNMATCHED = frozenset({RequestKind.FOREIGN, RequestKind.IGNORED})

# A site that changed its addresses shows here first: what looks like an answer and matches no rule.
STREAM_TYPES = frozenset(
    {
        "text/event-stream",
        "application/x-ndjson",
        "application/ndjson",
        "application/stream+json",
        "application/json+protobuf",
        "application/grpc-web+proto",
        "application/connect+json",
    }
)
FEW_CHUNKS = 4  # a plain reply comes in one to three
LONG_SECONDS = 0.7  # a plain reply is over sooner; no answer is
FEW_BYTES = 200  # the shortest answer with its envelope


@dataclass(slots=True)
class Entry:
    """One request as far as it got."""

    method: str
    url: str
    kind: str
    resource: str
    where: str
    began: float
    status: int | None = None
    mime: str = ""
    how: str = "open"
    bytes: int = 0
    chunks: int = 0
    characters: int = 0
    seconds: float = 0.0
    like: str | None = None


class RequestBook:
    """The requests under way. `discover`: also look into those that match no rule."""

    def __init__(self, *, discover: bool = False) -> None:
        self._discover = discover
        self._open: dict[str, Entry] = {}

    def wants(self, request: t.Request, kind: RequestKind) -> bool:
        """Whether the bytes of a request that the rules do not want are wanted here."""
        looked_at = request.kind in ("Fetch", "XHR", "EventSource")
        return self._discover and kind in UNMATCHED and looked_at

    def read(self, name: str, characters: int) -> None:
        """So many characters of an answer have been read from it."""
        if (entry := self._open.get(name)) is not None:
            entry.characters = characters

    def hear(self, event: t.TapEvent, site: Site) -> Entry | None:
        """Keep the books; gives a request at its end."""
        match event:
            case t.BytesCame(id=name, chunk=chunk):
                if (entry := self._open.get(name)) is not None:
                    entry.bytes += len(chunk)
                    entry.chunks += 1
            case t.RequestLeft(request=request):
                if request.url.startswith(LOCAL):
                    return None
                if len(self._open) >= MAX_OPEN:
                    self._open.pop(next(iter(self._open)))
                kind = site.sort_request(request.method, request.url)
                address = _QUERY.split(request.url, maxsplit=1)[0]
                self._open[request.id] = Entry(
                    request.method, address, kind, request.kind, request.where, request.at
                )
            case t.ResponseBegan(id=name, status=status, mime=mime):
                if (entry := self._open.get(name)) is not None:
                    entry.status, entry.mime = status, mime
            case t.EventCame(id=name, data=data):
                if (entry := self._open.get(name)) is not None:
                    entry.characters += len(data)
            case t.ResponseEnded(id=name, at=at, how=how, size=size):
                return self._close(name, at, how, size)
        return None

    def _close(self, name: str, at: float, how: t.End, size: int) -> Entry | None:
        entry = self._open.pop(name, None)
        if entry is None:
            return None
        entry.how = str(how)
        entry.seconds = max(0.0, at - entry.began)
        entry.bytes = entry.bytes or size
        if self._discover and entry.kind in UNMATCHED:
            facts = Facts(
                entry.method, entry.resource, entry.mime, entry.chunks, entry.bytes, entry.seconds
            )
            entry.like = answer_like(facts)
        return entry


def beside(site: Site, body: StoredBody, now: float) -> Iterator[told.Sighting]:
    """What a stored body says besides conversations."""
    kind, reading = body.kind, body.reading
    if why := _is_missing(site, body):
        named = site.conversation_in_url(body.request.url)
        if named is not None:
            yield told.NotStored(now, named, why)
    if kind is RequestKind.LIST and reading.titles:
        yield told.Listed(now, tuple(named for named, _title in reading.titles))
    if kind is RequestKind.ALLOWANCE and (spent := reading.refusal) is not None:
        yield told.Spent(now, spent.resets_in, spent.resets_at)


def _is_missing(site: Site, body: StoredBody) -> str:
    """How the site says that it has no conversation of the id that was asked for: by its status,
    or by a whole body without one."""
    if body.kind not in (RequestKind.CANONICAL, RequestKind.TITLE):
        return ""
    if body.status in MISSING:
        return f"the site answered {body.status}"
    reading = body.reading
    says_more = reading.conversations or reading.problems or reading.refusal is not None
    if says_more or site.in_parts or body.kind is RequestKind.TITLE:
        return ""
    return "the site has nothing stored under this id"


def when(event: t.TapEvent) -> float:
    """The browser's time of an event, where it has one."""
    dated = event.request if isinstance(event, t.RequestLeft) else event
    return float(getattr(dated, "at", 0.0))


def raw(data: str | bytes) -> bytes:
    """The bytes of a socket's frame."""
    return data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")


def is_of_this_tab(request: t.Request) -> bool:
    """Not what a worker asks that all tabs of a site share: it may ask for another tab.

    What it asks in order to serve this page is this page's own request, told as such.
    """
    return request.serves is None and request.where not in SHARED


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a response without knowing the site."""

    method: str
    resource: str  # as the browser sorts it: Fetch, XHR, EventSource, Document …
    mime: str
    chunks: int
    bytes: int
    seconds: float


def answer_like(facts: Facts) -> str | None:
    """Why it looks like an answer, or None."""
    if facts.resource == "EventSource":
        return "server-sent events"
    if facts.resource not in ("Fetch", "XHR"):
        return None
    if facts.mime in STREAM_TYPES and facts.bytes >= FEW_BYTES:
        return f"a stream of {facts.mime}"
    slow = facts.chunks >= FEW_CHUNKS and facts.seconds >= LONG_SECONDS
    if facts.method == "POST" and slow and facts.bytes >= FEW_BYTES:
        return f"written in {facts.chunks} pieces over {facts.seconds:.1f} s"
    return None
