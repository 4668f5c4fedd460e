"""The carrier to a real browser: one WebSocket, no size limit, no compression, no pings.

A DevTools socket is local. A limit on size would cut the connection at the first large
screenshot or body, compression costs time and saves nothing, and a ping that goes
unanswered while the browser is busy would end a line that is fine.

`make bench` measures this against the library `websockets`, which is why it is picows.
"""

import asyncio
import socket
import sys
from contextlib import suppress
from urllib.parse import urlsplit

from picows import WSCloseCode, WSError, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from tabwire.cdp.carrier import Delivery, Gone
from tabwire.cdp.errors import CannotConnect, LineFull

OPEN_SECONDS = 10.0
"""How long opening may take. Chrome's own switch for remote debugging asks the person
first: whoever dials that gives more."""

CLOSE_SECONDS = 2.0
"""How long we wait for the browser's goodbye before we hang up."""

MAX_UNSENT = 64 * 1024 * 1024
"""Bytes that may wait for a browser that does not read; one message may go past it. The
largest command we write is a prompt of a few MB, and a browser that reads takes more than
this in a second."""


_TEXT = WSMsgType.TEXT  # looked up once: it costs more than comparing with it


class WebSocketCarrier(Delivery, WSListener):
    """One open socket. Made by `connect`."""

    def __init__(self) -> None:
        super().__init__()
        self._transport: WSTransport | None = None
        self._pieces: list[bytes] = []
        self._closing = False
        self._said = ""
        self._lagging = False

    @property
    def opened(self) -> bool:
        """Whether the handshake came through."""
        return self._transport is not None

    def send(self, message: bytes) -> None:
        """One text frame. picows keeps what the socket does not take; so much and no more."""
        if (transport := self._transport) is None:
            return
        if self._lagging:
            waiting = transport.underlying_transport.get_write_buffer_size()
            if waiting > MAX_UNSENT:
                raise LineFull(waiting)
        transport.send(_TEXT, message)

    async def close(self) -> None:
        """Say goodbye, wait for the other side, hang up."""
        self._closing = True
        transport = self._transport
        if transport is None or transport.is_disconnected:
            return
        transport.send_close(WSCloseCode.OK)
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await transport.wait_disconnected()
        except (TimeoutError, WSError):
            self.end(Gone("we let go of it, without the browser's goodbye", by_us=True))
        finally:
            transport.disconnect(graceful=False)

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Called by picows once the handshake is through."""
        self._transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Called by picows for every frame; its memory is only ours until we return."""
        kind = frame.msg_type
        if kind is _TEXT and frame.fin and not self._pieces:  # nearly every one
            self.deliver(frame.get_payload_as_bytes())
        elif kind == WSMsgType.CLOSE:
            self._said = f"the browser closed it ({frame.get_close_code()})"
            transport.send_close(WSCloseCode.OK)
            transport.disconnect()
        elif kind in (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.CONTINUATION):
            self._pieces.append(frame.get_payload_as_bytes())
            if frame.fin:
                whole, self._pieces = b"".join(self._pieces), []
                self.deliver(whole)

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002
        """Called by picows when the socket is gone, for whatever reason."""
        if self._closing:
            self.end(Gone("we let go of it", by_us=True))
        else:
            self.end(Gone(self._said or "the socket broke without a goodbye"))

    def pause_writing(self) -> None:
        """Called by picows when the browser reads slower than we write."""
        self._lagging = True

    def resume_writing(self) -> None:
        """Called by picows when it has caught up."""
        self._lagging = False


async def connect(url: str, *, seconds: float = OPEN_SECONDS) -> WebSocketCarrier:
    """Open `ws://…`. One try: whoever wants another decides so. Raises `CannotConnect`."""
    where = url.partition("://")[2].partition("/")[0] or "no address"
    carrier = WebSocketCarrier()
    line = None
    try:
        async with asyncio.timeout(seconds):
            line = await _dial(url)
            await ws_connect(
                lambda: carrier,
                url,
                socket_factory=lambda _: line,
                websocket_handshake_timeout=None,  # the timeout above covers it
                disconnect_on_exception=False,  # a faulty listener must not cost all tabs
                enable_auto_ping=False,
                max_frame_size=sys.maxsize,
                max_redirects=0,
            )
    except TimeoutError:
        raise CannotConnect(where, f"no answer within {seconds:g} s") from None
    except (OSError, WSError, ValueError) as exc:
        raise CannotConnect(where, str(exc) or type(exc).__name__) from exc
    finally:
        # picows leaves the socket open when the handshake is given up, and with it the
        # dialog in which Chrome asks the person. Hanging up below it ends both.
        if line is not None and not carrier.opened:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
    if not carrier.opened:
        raise CannotConnect(where, "it hung up before the handshake was through")
    return carrier


async def _dial(url: str) -> socket.socket:
    """A connected socket; `localhost` may mean two addresses, the first that answers is it."""
    loop = asyncio.get_running_loop()
    parts = urlsplit(url)
    if parts.scheme != "ws" or not parts.hostname:
        raise ValueError("a DevTools address begins with ws:// and names a host")
    kind = socket.SOCK_STREAM
    failed: OSError | None = None
    for family, *_, address in await loop.getaddrinfo(parts.hostname, parts.port or 80, type=kind):
        line = socket.socket(family, kind)
        line.setblocking(False)
        try:
            await loop.sock_connect(line, address)
        except OSError as exc:
            line.close()
            failed = exc
        except asyncio.CancelledError:
            line.close()
            raise
        else:
            return line
    raise failed or OSError("the host has no address")
