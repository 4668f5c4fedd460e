"""The extension's browser for a command outside the hub: a socket to the hub, which passes it on.

The hub alone holds the relay. So whoever wants a line of its own to that browser has DevTools
messages carried there and back, and the hub keeps tabs apart that several use.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec
from websockets.asyncio.client import ClientConnection, connect, unix_connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tabwire.browser.line import BrowserLine, line_over
from tabwire.cdp.carrier import Delivery, Gone
from tabwire.hub.process.lock import holder, socket_path
from tabwire.hub.process.sockets import API, HAS_UNIX, LOOPBACK
from tabwire.hub.process.starter import ensure_hub
from tabwire.hub.process.token import read_token
from tabwire.hub.remote.connection import NoHub
from tabwire.model.errors import ExtensionNotConnected

PATH = "/api/v1/extensions/line"
FIRST_SECONDS = 15.0  # a hub waits ten for the extension
CLOSE_SECONDS = 2.0


@asynccontextmanager
async def line_by_hub() -> AsyncIterator[BrowserLine]:
    """A line through the hub, which is started if need be. Raises `ExtensionNotConnected`."""
    await asyncio.to_thread(ensure_hub)
    try:
        socket = await _dialled()
    except (OSError, InvalidHandshake) as exc:
        why = f"the hub did not forward the connection: {exc}"
        raise ExtensionNotConnected(why, "Run `tabwire restart`, then try again.") from exc
    carrier = TunnelCarrier(socket)
    loop = asyncio.get_running_loop()
    own = []
    try:
        whose = await _welcome(socket)
        own = [loop.create_task(carrier.read()), loop.create_task(carrier.write())]
        async with line_over(carrier, whose) as line:
            yield line
    finally:
        for task in own:
            task.cancel()
        if own:
            await asyncio.wait(own)
        await socket.close()


async def _dialled() -> ClientConnection:
    how = {"compression": None, "max_size": None, "ping_interval": None}
    bounds = {"open_timeout": FIRST_SECONDS, "close_timeout": CLOSE_SECONDS}
    if HAS_UNIX:
        path = str(socket_path(API))
        return await unix_connect(path, f"ws://localhost{PATH}", **how, **bounds)
    found, token = holder(), read_token()
    if found is None or not found.port or token is None:
        raise NoHub
    headers = {"authorization": f"Bearer {token}"}
    url = f"ws://{LOOPBACK}:{found.port}{PATH}"
    return await connect(url, additional_headers=headers, proxy=None, **how, **bounds)  # type: ignore[arg-type]


async def _welcome(socket: ClientConnection) -> str:
    """Whose browser it is. Raises what the hub could not."""
    try:
        async with asyncio.timeout(FIRST_SECONDS):
            told = msgspec.json.decode(await socket.recv())
    except (TimeoutError, ConnectionClosed) as exc:
        why = "the hub ended before it forwarded the connection"
        raise ExtensionNotConnected(why, "Try again; `tabwire logs` has more.") from exc
    if "error" in told:
        why = str(told["error"]["message"]).removeprefix("extension not connected: ")
        raise ExtensionNotConnected(why, str(told["error"]["what_to_do"]))
    return str(told["whose"])


class TunnelCarrier(Delivery):
    """DevTools messages over that socket."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__()
        self._socket = socket
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()

    def send(self, message: bytes) -> None:
        """Behind all before it. The hub bounds what waits."""
        if self.gone is None:
            self._queue.put_nowait(message)

    async def close(self) -> None:
        """The hub lets go of our tabs when it hears that we are gone."""
        self.end(Gone("Tabwire closed it", by_us=True))

    async def read(self) -> None:
        """Until it is over."""
        with suppress(ConnectionClosed):
            async for text in self._socket:
                self.deliver(text.encode() if isinstance(text, str) else text)
        why = self._socket.close_reason or "the hub or the extension disconnected"
        self.end(Gone(why))

    async def write(self) -> None:
        """Until it is over."""
        with suppress(ConnectionClosed):
            while True:
                await self._socket.send((await self._queue.get()).decode())
