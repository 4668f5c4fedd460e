"""Where the extension dials in: GET /mcp-discovery for whoever looks, and the WebSocket /relay.

Discovery is the one route without a token. It says where the hub is and of which version, and
nothing that is anybody's secret; our own extension alone may read it from a browser (the guard has
sent other pages away before). What opens the socket is let in by the guard for its Origin, which a
page cannot choose; a program can, so who it is gets proven inside (hub/relay/handshake.py).
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabwire import __version__
from tabwire.doors.http.access import DISCOVERY, EXTENSION_ORIGIN, LINE, Receive, Scope, Send
from tabwire.doors.http.codec import as_json
from tabwire.hub import ServedHub
from tabwire.model.extension import PROTOCOL

MAX_FRAME = 4 * 1024 * 1024
TOO_LARGE = 1009


class RelayDoor:
    """Both, for one hub."""

    def __init__(self, hub: ServedHub, port: int, enter: Callable[[], str]) -> None:
        self._hub, self._port, self._enter = hub, port, enter

    def route(self) -> Route:
        """The discovery."""
        return Route(DISCOVERY, self.discovery, methods=["GET"])

    async def discovery(self, request: Request) -> Response:
        """Where we are. Does not count as use."""
        told = {
            "wsUrl": f"ws://127.0.0.1:{self._port}/relay",
            "startedAt": round(self._hub.started_at * 1000),
            "version": __version__,
            "protocol": PROTOCOL,
            "id": await self._hub.extensions.hub_id(),
        }
        answer = as_json(told)
        answer.headers["cache-control"] = "no-store"
        answer.headers["vary"] = "origin"
        answer.headers["x-content-type-options"] = "nosniff"
        if request.headers.get("origin", "").encode() == EXTENSION_ORIGIN:
            answer.headers["access-control-allow-origin"] = EXTENSION_ORIGIN.decode()
        return answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One socket. The guard let it through."""
        message = await receive()
        if message["type"] != "websocket.connect":
            return
        await send({"type": "websocket.accept"})
        socket = _Socket(receive, send)
        try:
            if scope["path"] == LINE:
                with self._hub.guests.one_more():
                    await self._hub.extensions.tunnel(socket)
            else:  # one that is connected is no use: it keeps no hub alive
                await self._hub.extensions.serve(socket, self._enter)
        finally:
            await socket.close(1001, "the hub is stopping")


class _Socket:
    """What uvicorn gives, as the hub wants it."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._over = False

    async def receive(self) -> str | None:
        """The next text; None when it is over. Bytes are nothing that we speak."""
        if self._over:
            return None
        message = await self._receive()
        text = message.get("text") if message["type"] == "websocket.receive" else None
        if text is None:
            if message["type"] == "websocket.receive":
                await self.close(1003, "only text messages are accepted")
            self._over = True
        return text

    async def send(self, text: str) -> None:
        """One text, when there is room for it."""
        if not self._over:
            with contextlib.suppress(OSError):  # uvicorn's word for one that hung up
                await self._send({"type": "websocket.send", "text": text})

    async def close(self, code: int, reason: str) -> None:
        """Hang up."""
        if not self._over:
            self._over = True
            with contextlib.suppress(OSError, RuntimeError):
                close = {"type": "websocket.close", "code": code, "reason": reason[:100]}
                await self._send(close)


def socket_protocol(**given: Any) -> asyncio.Protocol:
    """What speaks WebSocket, imported when somebody first does: a hub starts without it."""
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    return WebSocketsSansIOProtocol(**given)
