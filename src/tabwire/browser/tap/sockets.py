"""The WebSockets of a tab: opened, frames both ways, closed exactly once."""

import binascii
import time
from collections.abc import Callable

from tabwire.browser.tap.events import (
    Request,
    RequestLeft,
    SocketClosed,
    SocketFrame,
    SocketOpened,
    TapEvent,
)
from tabwire.browser.tap.messages import SocketAnswered, SocketCreated, SocketSaid
from tabwire.cdp.protocol import Event
from tabwire.cdp.routes import Listener

_CONTINUED = 0
_TEXT = 1


class _Socket:
    __slots__ = ("opcodes", "opened", "session", "url", "wanted", "why")

    def __init__(self, url: str, session: str, wanted: bool) -> None:
        self.url = url
        self.session = session
        self.wanted = wanted
        self.opened = False
        self.why = ""
        self.opcodes = {True: _TEXT, False: _TEXT}


class Sockets:
    """All of them. `stranger` is told of one that was open before we listened."""

    def __init__(
        self,
        wanted: Callable[[Request], bool],
        hear: Callable[[TapEvent], None],
        stranger: Callable[[str, float], None],
    ) -> None:
        self._wanted = wanted
        self._hear = hear
        self._stranger = stranger
        self._sockets: dict[str, _Socket] = {}

    @property
    def listeners(self) -> dict[str, Listener]:
        """What to listen to, in every part of the tab."""
        return {
            "Network.webSocketCreated": self._on_created,
            "Network.webSocketHandshakeResponseReceived": self._on_opened,
            "Network.webSocketFrameReceived": self._on_received,
            "Network.webSocketFrameSent": self._on_sent,
            "Network.webSocketFrameError": self._on_error,
            "Network.webSocketClosed": self._on_closed,
        }

    def lose(self, session: str, why: str) -> None:
        """The part of the tab they were in is gone."""
        gone = [key for key, socket in self._sockets.items() if socket.session == session]
        for key in gone:
            self._close(key, time.monotonic(), why)

    def close(self) -> None:
        """Nobody listens any more."""
        self._sockets.clear()

    def _on_created(self, event: Event) -> None:
        said = event.read(SocketCreated)
        request = Request(said.id, "GET", said.url, "WebSocket", time.monotonic())
        self._hear(RequestLeft(request))
        self._sockets[said.id] = _Socket(said.url, event.session or "", self._wanted(request))

    def _on_opened(self, event: Event) -> None:
        said = event.read(SocketAnswered)
        socket = self._sockets.get(said.id)
        if socket is not None and socket.wanted and not socket.opened:
            socket.opened = True
            self._hear(SocketOpened(said.id, socket.url, said.at))

    def _on_received(self, event: Event) -> None:
        self._frame(event.read(SocketSaid), sent=False)

    def _on_sent(self, event: Event) -> None:
        self._frame(event.read(SocketSaid), sent=True)

    def _frame(self, said: SocketSaid, sent: bool) -> None:
        socket = self._sockets.get(said.id)
        if socket is None:
            self._stranger(said.id, said.at)
        elif socket.wanted:
            opcode = said.frame.opcode
            if opcode == _CONTINUED:  # not seen from Chromium 156, which joins the pieces
                opcode = socket.opcodes[sent]
            socket.opcodes[sent] = opcode
            text = said.frame.payload
            data = text if opcode == _TEXT else binascii.a2b_base64(text)
            self._hear(SocketFrame(said.id, sent, data, said.at))

    def _on_error(self, event: Event) -> None:
        said = event.read(SocketSaid)
        if (socket := self._sockets.get(said.id)) is not None:
            socket.why = said.why

    def _on_closed(self, event: Event) -> None:
        said = event.read(SocketAnswered)
        self._close(said.id, said.at)

    def _close(self, key: str, at: float, why: str = "") -> None:
        socket = self._sockets.pop(key, None)
        if socket is not None and socket.wanted:
            self._hear(SocketClosed(key, at, why or socket.why))
