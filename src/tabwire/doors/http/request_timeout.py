"""HTTP/1.1 with an end to patience: a request that is begun and never sent whole is hung up on.

uvicorn bounds the time between two requests only. A client that sends half a head or half a body
would hold its connection for ever, and with it a place among the files the hub may have open.
"""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 20.0  # for a request to be there whole; on the loopback it takes milliseconds
LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class PatientProtocol(H11Protocol):
    """One connection. Answers may take as long as they like; requests may not."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody came, and has something to say."""
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        """Some of a request, or all of it."""
        super().data_received(data)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is waited for any more."""
        self._calm()
        super().connection_lost(exc)

    def _look(self) -> None:
        """The time counts from the first byte: one at a time does not make it longer."""
        waits = self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if not waits:
            self._calm()
        elif self._late is None and not self.transport.is_closing():
            self._late = self.loop.call_later(REQUEST_SECONDS, self._give_up)

    def _calm(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        self._late = None
        begun = self.conn.their_state is h11.SEND_BODY or bool(self.conn.trailing_data[0])
        answering = getattr(self.cycle, "response_started", False)  # there may be no cycle yet
        if begun and not answering:
            self.transport.write(LATE)
        self.transport.close()
