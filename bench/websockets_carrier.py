"""The library `websockets` by its own asyncio client, with the same settings as our carrier.

It gets its best. Its public `send` and `recv` are coroutines, which would cost a task and a
queue; so frames are taken where the library has them and written as its `send` does.
"""

from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as ws_connect
from websockets.frames import Frame, Opcode

from tabwire.cdp.carrier import Delivery, Gone

_DATA = {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}


class _Line(ClientConnection):
    """Hands over whole messages the moment they are read."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.delivery = Delivery()
        self._pieces: list[bytes] = []

    def process_event(self, event: Any) -> None:
        """Called by the library for every frame."""
        if not (isinstance(event, Frame) and event.opcode in _DATA):
            super().process_event(event)
        elif event.fin and not self._pieces:
            self.delivery.deliver(bytes(event.data))
        else:
            self._pieces.append(bytes(event.data))
            if event.fin:
                whole, self._pieces = b"".join(self._pieces), []
                self.delivery.deliver(whole)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the loop."""
        super().connection_lost(exc)
        self.delivery.end(Gone("the socket is gone"))


class WebsocketsCarrier:
    """One open line. Made by `connect`."""

    def __init__(self, line: _Line) -> None:
        self._line = line
        self.start = line.delivery.start

    @property
    def gone(self) -> Gone | None:
        """Why the line is no more, or None while it stands."""
        return self._line.delivery.gone

    def send(self, message: bytes) -> None:
        """One text frame."""
        self._line.protocol.send_text(message)
        self._line.send_data()

    async def close(self) -> None:
        """Say goodbye."""
        await self._line.close()


async def connect(url: str) -> WebsocketsCarrier:
    """Open `ws://…`."""
    line = await ws_connect(
        url,
        create_connection=_Line,
        max_size=None,
        compression=None,
        ping_interval=None,
        proxy=None,
    )
    assert isinstance(line, _Line)
    return WebsocketsCarrier(line)
