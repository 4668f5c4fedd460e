"""The dashboard: its files, the way in, and its own small API.

The guard has let in whoever comes here: with a ticket to /dashboard/enter/…, with the cookie of a
session to the files, with both its halves to the API. What is shown is told whole whenever it
changed (`live`); what a person does is what `tabwire extension pair`, `use` and `forget` do, and
`tabwire antigravity auto stop`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

import tabwire.doors.dashboard
from tabwire.doors.http.access import TICKET, App, Message, Receive, Scope, Send
from tabwire.doors.http.api import Named
from tabwire.doors.http.board import board_of
from tabwire.doors.http.codec import as_json, read_body
from tabwire.doors.http.endpoint import ApiRoute, not_found, routes
from tabwire.doors.http.job_events import NewsStream
from tabwire.doors.http.no_ticket_page import CLOSED, NOTHING_ELSE, sorry
from tabwire.doors.http.visits import API, ENTER, KEY, PLACE, SESSION_SECONDS, Visits
from tabwire.hub import Ending, ServedHub

FOLDER = Path(tabwire.doors.dashboard.__file__).parent
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
POLICY = (
    f"{NOTHING_ELSE}; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Scripts and styles of our own files only, and none made of text: what a page or an answer says
could not become a part of this page, even where we forgot to set it as text."""

LOOK_SECONDS = 5.0  # what runs out by time alone (a code, a refusal) is seen by then
GATHER_SECONDS = 0.2  # changes that come so close together are told as one


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything there is to see, as an event."""

    number: int
    kind: str
    board: dict[str, Any]


class Dashboard:
    """An ASGI app, for what is under /dashboard."""

    def __init__(self, hub: ServedHub, ending: Ending, port: int, visits: Visits) -> None:
        self._hub = hub
        self._ending = ending
        self._port = port
        self._visits = visits
        self._files = {one.name: one for one in FOLDER.iterdir() if one.suffix in KINDS}
        table = [
            ApiRoute("GET", f"{API}/board", self.board, counts_as_use=False),
            ApiRoute("GET", f"{API}/live", self.live),
            ApiRoute("POST", f"{API}/pair", self.pair),
            ApiRoute("POST", f"{API}/use", self.use),
            ApiRoute("POST", f"{API}/forget", self.forget),
            ApiRoute("POST", f"{API}/halt", self.halt),
        ]
        files = [
            Route(PLACE, self.home, methods=["GET"]),
            Route(f"{PLACE}/", self.index, methods=["GET"]),
            Route(f"{ENTER}{{ticket}}", self.enter, methods=["GET"]),
            Route(f"{PLACE}/{{name}}", self.file, methods=["GET"]),
        ]
        lost = {404: _nothing, 405: _nothing}
        self._app = Starlette(routes=[*routes(hub, table), *files], exception_handlers=lost)
        self._app.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; whatever is answered, the browser is told how little it may do with it."""

        async def closed(message: Message) -> None:
            if message["type"] == "http.response.start":
                said = {name for name, _ in message["headers"]}
                policy = (b"content-security-policy", POLICY.encode())
                ours = [one for one in (*CLOSED, policy) if one[0] not in said]
                message = {**message, "headers": [*message["headers"], *ours]}
            await send(message)

        await self._app(scope, receive, closed)

    # --- pages ---------------------------------------------------------------------------

    async def enter(self, request: Request) -> Response:
        """A ticket becomes a session. Its key goes to the page by the part of an address that a
        browser keeps to itself; the page takes it out of there at once."""
        halves = self._visits.enter(request.path_params["ticket"])
        if halves is None:  # another came with it between the guard and here
            page, headers = sorry(TICKET.failure.message, TICKET.failure.what_to_do)
            plain = {name.decode(): value.decode() for name, value in headers}
            return Response(page, TICKET.status, plain, media_type="text/html")
        answer = RedirectResponse(f"{PLACE}/#{halves.key}", 303)
        answer.set_cookie(
            self._visits.cookie,
            halves.cookie,
            max_age=int(SESSION_SECONDS),
            path="/",
            httponly=True,
            samesite="strict",
        )
        return answer

    async def home(self, _request: Request) -> Response:
        """The same place with its slash."""
        return RedirectResponse(f"{PLACE}/", 303)

    async def index(self, _request: Request) -> Response:
        """The page."""
        return self._read("index.html")

    async def file(self, request: Request) -> Response:
        """A script, the style, the icon."""
        return self._read(request.path_params["name"])

    def _read(self, name: str) -> Response:
        """Only what was there by that name when we began: no path is ever made of what is said."""
        path = self._files.get(name)
        if path is None:
            return not_found(f"{PLACE}/{name}")
        return Response(path.read_bytes(), media_type=KINDS[path.suffix])

    # --- what the page asks --------------------------------------------------------------

    async def board(self, _request: Request) -> Response:
        """Everything, once."""
        return as_json(await board_of(self._hub, self._port))

    async def live(self, request: Request) -> App:
        """Everything, whenever it changed."""
        raw = request.headers.raw
        cookies, keys = ([value for name, value in raw if name == one] for one in (b"cookie", KEY))
        seen = self._sights(lambda: self._visits.opens(cookies, keys))
        return NewsStream(seen, self._hub.guests, self._ending)

    async def pair(self, _request: Request) -> Response:
        """A code for a person to type in the extension."""
        return as_json(await self._hub.extensions.pair(), 201)

    async def use(self, request: Request) -> Response:
        """This extension from now on."""
        return as_json(await self._hub.extensions.use((await read_body(request, Named)).name))

    async def forget(self, request: Request) -> Response:
        """This one no more."""
        return as_json(await self._hub.extensions.forget((await read_body(request, Named)).name))

    async def halt(self, _request: Request) -> Response:
        """Stop the autopilot, all of it, until it is turned on again."""
        autopilot = self._hub.agents.autopilot
        stopped = await autopilot.stop("from the dashboard", by="dashboard")
        return as_json(stopped.as_data())

    async def _sights(self, may: Callable[[], bool]) -> AsyncIterator[Sight]:
        """Until the session is over."""
        number, seen, before = 0, [0, 0, 0], None
        while may():
            now = await board_of(self._hub, self._port)
            if now != before:
                number += 1
                before = now
                yield Sight(number, "board", now)
            await self._changed(seen)

    async def _changed(self, seen: list[int]) -> None:
        """Return when something changed since, or may have by time alone."""
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self._hub.jobs.changed(seen[0])),
                group.create_task(self._hub.extensions.changed(seen[1])),
            ]
            if self._hub.agents.followed:
                tasks.append(group.create_task(self._hub.agents.events.changed(seen[2])))
            await asyncio.wait(tasks, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            for index, task in enumerate(tasks):
                if task.done():
                    seen[index] = task.result()
                task.cancel()
        await asyncio.sleep(GATHER_SECONDS)


def _nothing(request: Request, _error: Exception) -> Response:
    return not_found(request.url.path)
