"""A door between the extension and a hub, which a test may break or stall.

The hub answers only to its own address, so the one the extension dials is replaced on the way.
"""

import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from kit.listening import listening
from kit.proxy import Proxy


class RelayProxy(Proxy):
    """Between the extension and one hub."""

    def __init__(self, port: int) -> None:
        super().__init__("127.0.0.1", port)
        self.port = 0
        self._theirs = f"Host: 127.0.0.1:{port}\r\n".encode()

    def led(self, data: bytes) -> bytes:
        """Under the hub's own name."""
        return data.replace(f"Host: 127.0.0.1:{self.port}\r\n".encode(), self._theirs)

    def reset(self) -> None:
        """Break every connection as a crashed machine does, by RST."""
        for writer in self._writers:
            found = writer.get_extra_info("socket")
            if found is not None and found.fileno() >= 0:
                found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.cut()


@asynccontextmanager
async def relay_proxy(port: int) -> AsyncIterator[RelayProxy]:
    """Such a door for the length of a block."""
    proxy = RelayProxy(port)
    async with listening(proxy.serve) as own:
        proxy.port = own
        try:
            yield proxy
        finally:
            await proxy.close()
