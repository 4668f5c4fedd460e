"""Who may come in: the first thing every request meets, before a byte of it is read.

A web page in the person's own browser can send requests to any port of this machine, and a
name that resolves to 127.0.0.1 makes it believe that it may read the answers. So on the port:

- the Host must be our own address, exactly; that defeats names that resolve to us
- an Origin, where there is one, must be our own; nothing is ever allowed to another one
- what changes something must be JSON, which no page can send elsewhere without asking first
- the token, on every route but two: the discovery, which holds no secret, and the extension's
  socket, whose Origin must be the extension's and who then has to prove a key; besides it only
  our own commands get a socket, with the token and without an Origin
- under /dashboard a ticket or a session in its place (visits.py), which open nothing else; what
  another page of this browser sends there, be it of another port of this machine, is refused by
  what the browser says of where it comes from, and a POST must name our own Origin

Over the hub's own socket come only programs of this person, because of its file's mode. They
need no token; an Origin there would be a mistake of somebody, and is refused.
"""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any

import msgspec

from tabwire.doors.http.no_ticket_page import sorry
from tabwire.doors.http.visits import API, ENTER, KEY, PLACE, Visits
from tabwire.hub import get_log
from tabwire.model.extension import ORIGIN as OUR_EXTENSION
from tabwire.model.failure import Failure

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MAX_BODY = 16 * 1024 * 1024  # bytes; a prompt has at most 200,000 characters, files are paths
MAX_TOLD = 100  # different refusals that the log tells of; a flood is told of by the metrics
READS = frozenset({"GET", "HEAD"})
DISCOVERY, RELAY = "/mcp-discovery", "/relay"
LINE = "/api/v1/extensions/line"  # a socket for our own commands
EXTENSION_ORIGIN = OUR_EXTENSION.encode()
FETCH_SITE = b"sec-fetch-site"  # what a browser says of where a request comes from


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not. Says nothing that helps to guess."""

    status: int
    failure: Failure


def _refusal(status: int, code: str, message: str, what_to_do: str) -> Refusal:
    return Refusal(status, Failure(code, message, what_to_do))


HOST = _refusal(
    421, "wrong_host", "this is not the hub's address", "Use http://127.0.0.1 and the hub's port."
)
ORIGIN = _refusal(
    403,
    "wrong_origin",
    "web pages cannot use the hub",
    "Send the request from a program, not from a web page.",
)
METHOD = _refusal(405, "wrong_method", "method not allowed", "Use GET or POST.")
TOKEN = _refusal(
    401,
    "wrong_token",
    "the token is missing or wrong",
    "Send `Authorization: Bearer …` with the contents of run/token in Tabwire's home.",
)
KIND = _refusal(
    415, "wrong_content_type", "only JSON is accepted", "Send `Content-Type: application/json`."
)
SOCKET = _refusal(
    404, "no_socket", "there is no WebSocket at this address", "docs/hub.md has the routes."
)
TICKET = _refusal(
    401,
    "wrong_ticket",
    "this address has already been used, has expired, or is invalid",
    "Run `tabwire dashboard` for a new one.",
)
SESSION = _refusal(
    401,
    "no_session",
    "the dashboard is not open in this browser, or its session has expired",
    "Run `tabwire dashboard` to open it.",
)
EARLY = _refusal(
    503,
    "too_early",
    "this address works only once, so it must not be prefetched",
    "Open it in a tab instead.",
)
SIZE = _refusal(413, "too_large", "the body is too large", "Send long material as a file.")


@dataclass(slots=True)
class Refused:
    """How often, and for what."""

    counts: dict[str, int] = field(default_factory=dict)
    _told: set[tuple[str, str]] = field(default_factory=set)

    def one(self, refusal: Refusal, detail: str) -> None:
        """Count it; the log tells of each kind once."""
        code = refusal.failure.code
        self.counts[code] = self.counts.get(code, 0) + 1
        mark = (code, detail)
        if mark not in self._told and len(self._told) < MAX_TOLD:
            self._told.add(mark)
            get_log(door="http").warn("refused", why=code, detail=detail[:100])


class Guard:
    """Wraps the whole door. `token` None: this is the hub's own socket."""

    def __init__(
        self,
        app: App,
        *,
        port: int,
        token: str | None,
        refused: Refused,
        visits: Visits | None = None,
    ) -> None:
        self._app = app
        self._visits = visits
        self._token = None if token is None else token.encode()
        names = ("127.0.0.1", "localhost", "[::1]")
        self._hosts = frozenset(f"{name}:{port}".encode() for name in names)
        self._origins = frozenset(b"http://" + host for host in self._hosts)
        self._refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through, or say why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal, detail = self._judge(scope)
        if refusal is not None:
            self._refused.one(refusal, detail)
            await _refuse(scope, refusal, send)
            return
        if scope["type"] == "http":
            await self._measured(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _judge(self, scope: Scope) -> tuple[Refusal | None, str]:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        hosts, origins = _all(headers, b"host"), _all(headers, b"origin")
        if self._token is not None and (len(hosts) != 1 or hosts[0].lower() not in self._hosts):
            return HOST, repr(hosts[:2])
        if self._token is not None and scope["type"] == "websocket" and scope["path"] == RELAY:
            # a page cannot choose its Origin, and a program without one is not the extension
            return (None, "") if origins == [EXTENSION_ORIGIN] else (ORIGIN, repr(origins[:2]))
        if self._token is not None and scope["type"] == "http" and scope["path"] == DISCOVERY:
            return self._judge_discovery(scope["method"], origins, _all(headers, FETCH_SITE))
        if self._visits is not None and scope["type"] == "http" and is_visit(scope["path"]):
            return self._judge_visit(self._visits, scope, b"http://" + hosts[0].lower())
        if any(one not in self._origins for one in origins) or len(origins) > 1:
            return ORIGIN, repr(origins[:2])
        if origins and self._token is None:
            return ORIGIN, repr(origins[:2])
        if self._token is not None and not self._knows(_all(headers, b"authorization")):
            return TOKEN, ""
        if scope["type"] == "http":
            return self._judge_body(scope["method"], headers)
        if scope["path"] == LINE:  # a program with the token; no page has it, not even ours
            return (ORIGIN, repr(origins[:2])) if origins else (None, "")
        return SOCKET, scope["path"][:100]

    def _judge_discovery(
        self, method: str, origins: list[bytes], sites: list[bytes]
    ) -> tuple[Refusal | None, str]:
        ours = {*self._origins, EXTENSION_ORIGIN}
        if len(origins) > 1 or any(one not in ours for one in origins):
            return ORIGIN, repr(origins[:2])
        if not origins and any(one not in (b"none", b"same-origin") for one in sites):
            return ORIGIN, repr(sites[:2])  # a page that embeds it says no Origin, but this
        return (None, "") if method in READS else (METHOD, method[:20])

    def _judge_visit(self, visits: Visits, scope: Scope, own: bytes) -> tuple[Refusal | None, str]:
        """Under /dashboard. A page elsewhere may lead the person here, and do nothing else."""
        headers, method, path = scope["headers"], scope["method"], scope["path"]
        origins, sites = _all(headers, b"origin"), _all(headers, FETCH_SITE)
        if len(origins) > 1 or any(one != own for one in origins):
            return ORIGIN, repr(origins[:2])
        enters, shown = path.startswith(ENTER), path in (PLACE, f"{PLACE}/")
        led = (enters or shown) and method == "GET" and _leads_here(headers)
        if not led and any(one not in (b"none", b"same-origin") for one in sites):
            return ORIGIN, repr(sites[:2])
        if enters and method != "GET":
            return METHOD, method[:20]
        if enters and _all(headers, b"sec-purpose"):
            return EARLY, ""
        if enters:
            right = visits.has_ticket(path.removeprefix(ENTER))
            return (None, "") if right else (TICKET, "")
        cookies = _all(headers, b"cookie")
        inside = path.startswith(f"{API}/")
        if not (visits.opens(cookies, _all(headers, KEY)) if inside else visits.knows(cookies)):
            return SESSION, ""
        if method not in READS and origins != [own]:
            return ORIGIN, repr(origins[:2])
        return self._judge_body(method, headers)

    def _judge_body(
        self, method: str, headers: list[tuple[bytes, bytes]]
    ) -> tuple[Refusal | None, str]:
        if method in READS:
            return None, ""
        if method not in ("POST", "DELETE"):
            return METHOD, method[:20]
        kinds = _all(headers, b"content-type")
        plain = [one.partition(b";")[0].strip().lower() for one in kinds]
        if method == "POST" and plain != [b"application/json"]:
            return KIND, repr(kinds[:2])
        lengths = _all(headers, b"content-length")
        if any(not one.isdigit() or int(one) > MAX_BODY for one in lengths):
            return SIZE, ""
        return None, ""

    def _knows(self, said: list[bytes]) -> bool:
        """In constant time, whatever was said. A query string is never looked at."""
        assert self._token is not None
        scheme, _, token = (said[0] if said else b"").partition(b" ")
        right = compare_digest(token, self._token)
        return right and len(said) == 1 and scheme.lower() == b"bearer"

    async def _measured(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A body without a length is cut off where it gets too long; what is made of it is too."""
        taken, begun = 0, False

        async def measured() -> Message:
            nonlocal taken
            message = await receive() if taken <= MAX_BODY else _GONE
            taken += len(message.get("body", b""))
            return message if taken <= MAX_BODY else _GONE

        async def noticed(message: Message) -> None:
            nonlocal begun
            if begun or taken <= MAX_BODY:
                begun = True
                await send(message)

        await self._app(scope, measured, noticed)
        if taken > MAX_BODY and not begun:
            self._refused.one(SIZE, "")
            await _refuse(scope, SIZE, send)


_GONE: Message = {"type": "http.disconnect"}


def is_visit(path: str) -> bool:
    """Whether it is about the dashboard."""
    return path == PLACE or path.startswith(f"{PLACE}/")


def _leads_here(headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether a whole tab goes to the address: no frame, no picture, no script of a page."""
    mode, what = _all(headers, b"sec-fetch-mode"), _all(headers, b"sec-fetch-dest")
    return (mode, what) == ([b"navigate"], [b"document"])


def _reads_pages(headers: list[tuple[bytes, bytes]]) -> bool:
    """Whether a person would see what is answered."""
    return any(b"text/html" in one for one in _all(headers, b"accept"))


def _all(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    return [value for key, value in headers if key.lower() == name]


async def _refuse(scope: Scope, refusal: Refusal, send: Send) -> None:
    socket = scope["type"] == "websocket"
    if socket and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.failure.code})
        return
    body, kind = msgspec.json.encode(refusal.failure), b"application/json"
    more: list[tuple[bytes, bytes]] = []
    if refusal in (TICKET, SESSION) and _reads_pages(scope["headers"]):
        body, more = sorry(refusal.failure.message, refusal.failure.what_to_do)
        kind = b"text/html; charset=utf-8"
    headers = [
        *more,
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # what is left of the request is not read
    ]
    if refusal is TOKEN:
        headers.append((b"www-authenticate", b"Bearer"))
    answer = "websocket.http.response" if socket else "http.response"
    await send({"type": f"{answer}.start", "status": refusal.status, "headers": headers})
    await send({"type": f"{answer}.body", "body": body})
