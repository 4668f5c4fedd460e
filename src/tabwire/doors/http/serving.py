"""`HttpDoor`: the same routes on the port, with a token, and on the hub's own socket, without."""

import asyncio
import contextlib
import socket
from collections.abc import Generator
from typing import cast

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabwire.doors.http.access import (
    LINE,
    RELAY,
    App,
    Guard,
    Receive,
    Refused,
    Scope,
    Send,
    is_visit,
)
from tabwire.doors.http.antigravity import LOCAL
from tabwire.doors.http.api import Api
from tabwire.doors.http.dashboard import Dashboard
from tabwire.doors.http.endpoint import not_found
from tabwire.doors.http.metrics import Answers, Metrics
from tabwire.doors.http.relay import MAX_FRAME, RelayDoor, socket_protocol
from tabwire.doors.http.request_timeout import PatientProtocol
from tabwire.doors.http.visits import Visits
from tabwire.hub import Ending, ServedHub, Sockets
from tabwire.hub import hub_token as made_token

GRACE_SECONDS = 1  # for answers that are being written when the hub ends
MAX_HEAD = 64 * 1024  # bytes of a request before its body


class HttpDoor:
    """Serves until it is cancelled. `mcp` gets what is sent to /mcp."""

    def __init__(
        self, hub: ServedHub, sockets: Sockets, ending: Ending, *, mcp: App | None = None
    ) -> None:
        refused, answers = Refused(), Answers()
        visits = Visits(sockets.port)
        relay = RelayDoor(hub, sockets.port, visits.ticket)
        routes = [
            relay.route(),
            *Api(hub, ending, sockets.port, visits).routes(),
            Route("/metrics", Metrics(hub, refused, answers).__call__, methods=["GET"]),
        ]
        rest = Starlette(routes=routes, exception_handlers={404: _nothing, 405: _nothing})
        rest.router.redirect_slashes = False
        app = _Ways(rest, mcp, relay)
        board = Dashboard(hub, ending, sockets.port, visits)
        seen = _Ways(rest, mcp, relay, board)  # by a browser: it comes by the port
        self._sockets = sockets
        token = made_token()
        self._on_port = answers.counted(
            Guard(seen, port=sockets.port, token=token, refused=refused, visits=visits)
        )
        self._on_socket = answers.counted(
            Guard(_Local(app), port=sockets.port, token=None, refused=refused)
        )

    async def serve(self) -> None:
        """On both, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(_serve(self._on_port, self._sockets.tcp))
            if self._sockets.api is not None:
                group.create_task(_serve(self._on_socket, self._sockets.api))


class _Ways:
    """/mcp to the one, the extension's socket to another, /dashboard to a third, everything else to
    the rest, each with the path as it came."""

    def __init__(self, rest: App, mcp: App | None, relay: App, board: App | None = None) -> None:
        self._rest, self._mcp, self._relay, self._board = rest, mcp, relay, board

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            assert scope["path"] in (RELAY, LINE), "the guard lets no other socket through"
            await self._relay(scope, receive, send)
            return
        if self._board is not None and is_visit(scope["path"]):
            await self._board(scope, receive, send)
            return
        to_mcp = self._mcp is not None and scope["path"] in ("/mcp", "/mcp/")
        await (self._mcp if to_mcp and self._mcp else self._rest)(scope, receive, send)


class _Local:
    """Marks what came over the hub's own socket."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, LOCAL: True}, receive, send)


class _Server(uvicorn.Server):
    """Leaves signals to the hub, and sleeps until it is told to leave."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._leaving = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield

    async def main_loop(self) -> None:
        await self._leaving.wait()

    def leave(self) -> None:
        self.should_exit = True
        self._leaving.set()


async def _serve(app: App, listening: socket.socket) -> None:
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        ws=cast("type[asyncio.Protocol]", socket_protocol),
        ws_max_size=MAX_FRAME,
        ws_ping_interval=None,  # the extension's worker does not see such pings; we say our own
        ws_per_message_deflate=False,  # a small frame could unfold to any size
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=MAX_HEAD,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = _Server(config)
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(server.serve(sockets=[listening]))
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            server.leave()
            await serving
            raise


def _nothing(request: Request, _error: Exception) -> Response:
    return not_found(request.url.path)
