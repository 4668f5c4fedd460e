"""The carrier to a real browser: one WebSocket, no size limit, no compression, no pings.

A DevTools socket is local. A limit on size would cut the connection at the first large
screenshot or body, compression costs time and saves nothing, and a ping that goes
unanswered while the browser is busy would end a line that is fine.

The framing is that of the library `websockets`, by its Sans-I/O layer: its own asyncio client
would put a task and a queue between the socket and the reader.
"""

import asyncio
import logging
import socket
from contextlib import suppress
from urllib.parse import urlsplit

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidHandshake, InvalidURI
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import OPEN
from websockets.uri import parse_uri

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

_TEXT = Opcode.TEXT  # looked up once: it costs more than comparing with it
_log = logging.getLogger(__name__)


class WebSocketCarrier(Delivery, asyncio.Protocol):
    """One open socket. Made by `connect`."""

    def __init__(self, protocol: ClientProtocol) -> None:
        super().__init__()
        self._protocol = protocol
        self._transport: asyncio.Transport | None = None
        self._pieces: list[bytes] = []
        self._closing = False
        self._said = ""
        self._lagging = False
        loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[None] = loop.create_future()
        self._disconnected: asyncio.Future[None] = loop.create_future()

    async def opened(self) -> None:
        """Wait until the handshake came through. Raises what kept it from that."""
        await self._opened

    def send(self, message: bytes) -> None:
        """One text frame. The transport keeps what the socket does not take; so much and no
        more."""
        transport = self._transport
        if transport is None or self._protocol.state is not OPEN:
            return
        if self._lagging:
            waiting = transport.get_write_buffer_size()
            if waiting > MAX_UNSENT:
                raise LineFull(waiting)
        self._protocol.send_text(message)
        self._write(transport)

    async def close(self) -> None:
        """Say goodbye, wait for the other side, hang up."""
        self._closing = True
        transport = self._transport
        if transport is None or self._disconnected.done():
            return
        if self._protocol.state is OPEN:
            self._protocol.send_close(CloseCode.NORMAL_CLOSURE)
            self._write(transport)
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await asyncio.shield(self._disconnected)
        except TimeoutError:
            self.end(Gone("Tabwire closed it, without a close frame from the browser", by_us=True))
        finally:
            transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop: ask for a WebSocket."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._protocol.send_request(self._protocol.connect())
        self._write(transport)

    def data_received(self, data: bytes) -> None:
        """Called by the loop with whatever came."""
        protocol, transport = self._protocol, self._transport
        assert transport is not None
        protocol.receive_data(data)
        for event in protocol.events_received():
            if isinstance(event, Frame):
                self._take(event)
        if not self._opened.done():
            self._judge_handshake()
        if protocol.writes:
            self._write(transport)
        if protocol.parser_exc is not None and not self._said:
            self._said = f"the browser sent an unreadable frame: {protocol.parser_exc}"
        if self._said:
            transport.close()  # what is still to be written goes first

    def _judge_handshake(self) -> None:
        if self._protocol.handshake_exc is not None:
            self._opened.set_exception(self._protocol.handshake_exc)
        elif self._protocol.state is OPEN:
            self._opened.set_result(None)

    def _take(self, frame: Frame) -> None:
        """One frame; nearly every one is a whole message."""
        kind = frame.opcode
        if kind is _TEXT and frame.fin:
            self._hand_over(bytes(frame.data))
        elif kind is Opcode.CLOSE:
            code = self._protocol.close_code
            self._said = f"closed by the browser ({code})"
        elif kind in (_TEXT, Opcode.BINARY, Opcode.CONT):
            self._pieces.append(bytes(frame.data))
            if frame.fin:
                whole, self._pieces = b"".join(self._pieces), []
                self._hand_over(whole)

    def _hand_over(self, message: bytes) -> None:
        try:
            self.deliver(message)
        except Exception:  # noqa: BLE001 - a fault of whoever listens must not cost all tabs
            _log.exception("a listener for browser messages failed")

    def eof_received(self) -> None:
        """Called by the loop: nothing comes any more."""
        self._protocol.receive_eof()
        if self._transport is not None:
            self._write(self._transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the loop when the socket is gone, for whatever reason."""
        if not self._opened.done():
            why = exc or self._protocol.handshake_exc
            gone = ConnectionResetError(
                "it closed the connection before the handshake was complete"
            )
            self._opened.set_exception(why or gone)
            self._opened.exception()  # whoever gave up waiting does not fetch it
        if not self._disconnected.done():
            self._disconnected.set_result(None)
        if self._closing:
            self.end(Gone("Tabwire closed it", by_us=True))
        else:
            self.end(Gone(self._said or "the socket was closed without a close frame"))

    def pause_writing(self) -> None:
        """Called by the loop when the browser reads slower than we write."""
        self._lagging = True

    def resume_writing(self) -> None:
        """Called by the loop when it has caught up."""
        self._lagging = False

    def _write(self, transport: asyncio.Transport) -> None:
        """Write what the protocol has to say; nothing at all means the end of it."""
        for data in self._protocol.data_to_send():
            if data:
                transport.write(data)
            elif transport.can_write_eof() and not transport.is_closing():
                transport.write_eof()


async def connect(url: str, *, seconds: float = OPEN_SECONDS, wait: str = "") -> WebSocketCarrier:
    """Open `ws://…`. One try: whoever wants another decides so. Raises `CannotConnect`, which says
    what was waited for by the name that `wait` is in the docs."""
    where = url.partition("://")[2].partition("/")[0] or "an empty address"
    opened = False
    line: socket.socket | None = None
    try:
        async with asyncio.timeout(seconds):
            line = await _dial(url)
            carrier = WebSocketCarrier(ClientProtocol(parse_uri(url), max_size=None))
            await asyncio.get_running_loop().create_connection(lambda: carrier, sock=line)
            await carrier.opened()
            opened = True
    except TimeoutError:
        named = f" (wait `{wait}`)" if wait else ""
        raise CannotConnect(where, f"no reply within {seconds:g} s{named}") from None
    except (OSError, InvalidHandshake, InvalidURI, ValueError) as exc:
        raise CannotConnect(where, str(exc) or type(exc).__name__) from exc
    finally:
        # a socket left open would leave the dialog open in which Chrome asks the person
        if line is not None and not opened:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
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
    raise failed or OSError("the host name cannot be resolved")
