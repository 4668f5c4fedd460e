"""The lab's server: every replica under its real name, on one loopback port, over HTTP/2.

A browser is led here by flags (`Lab.flags`): they map the sites' names to this port, know
this certificate, and let no other name be found, so nothing can reach the real sites. The
lab's own page is at a name of its own beside them, and at the plain address of the port.
"""

import asyncio
import logging
import socket
import ssl
import weakref
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from h2.errors import ErrorCodes
from h2.exceptions import ProtocolError
from hypercorn.asyncio import serve
from hypercorn.config import Config, Sockets
from hypercorn.protocol.events import Event as StreamEvent
from hypercorn.protocol.events import StreamClosed
from hypercorn.protocol.h2 import H2Protocol
from hypercorn.protocol.http_stream import HTTPStream
from hypercorn.typing import ASGIFramework
from starlette.applications import Starlette
from starlette.routing import Host, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabwire.lab.carry import Broken
from tabwire.lab.certificate import Certificate, make_certificate
from tabwire.lab.home import HOME, HOST, NAMES, Home
from tabwire.lab.ledger import Ledger
from tabwire.lab.replicas import Replica, replicas
from tabwire.lab.room import Room
from tabwire.lab.stories.stage import DEFAULT, Stage
from tabwire.model.errors import TabwireError

LOOPBACK = "127.0.0.1"
BACKLOG = 1024  # a hundred tabs may be opened at once
STREAMS = 1000  # on one connection, which all tabs of a host share
IDLE_SECONDS = 600.0  # a tab that rests for a while keeps its connection
STOP_SECONDS = 1.0  # for responses under way: they end at once, unless nobody reads them

logger = logging.getLogger("tabwire.lab")


@dataclass(frozen=True, slots=True)
class Lab:
    """A running lab."""

    port: int
    spki: str
    hosts: tuple[str, ...]
    room: Room

    @property
    def ledger(self) -> Ledger:
        """The prompts it received."""
        return self.room.ledger

    @property
    def home(self) -> str:
        """The lab's own page, for a browser with the flags."""
        return HOME

    @property
    def flags(self) -> tuple[str, ...]:
        """What a browser must be started with to see the replicas, and nothing else."""
        return flags_for_lab(self.port, self.spki, (*self.hosts, HOST))


def flags_for_lab(port: int, spki: str, hosts: Sequence[str]) -> tuple[str, ...]:
    """The sites' names to this port, no other name to anywhere, and this key is good."""
    rules = [f"MAP {host}:443 {LOOPBACK}:{port}" for host in hosts]
    rules += ["MAP * ~NOTFOUND", f"EXCLUDE {LOOPBACK}"]
    return (
        f"--host-resolver-rules={', '.join(rules)}",
        f"--ignore-certificate-errors-spki-list={spki}",
    )


@asynccontextmanager
async def serving(
    *, port: int = 0, ledger: Path | None = None, stage: Stage = DEFAULT
) -> AsyncIterator[Lab]:
    """A lab for the length of a block. Signals stay whose they were."""
    _disregard_priorities()
    _break_what_breaks()
    played = tuple(replicas().values())
    hosts = tuple(host for replica in played for host in replica.hosts)
    certificate = make_certificate((*hosts, *NAMES))
    listening = listen(port)  # from here on connections wait in line
    room = Room(Ledger(ledger), stage=stage)
    home = Home(room)
    over = asyncio.Event()
    failed: BaseException | None = None
    try:
        async with asyncio.TaskGroup() as group:
            app = _app(played, room, home)
            config = _Config(listening, certificate)
            group.create_task(serve(app, config, shutdown_trigger=over.wait), name="lab")
            try:
                yield Lab(listening.getsockname()[1], certificate.spki, hosts, room)
            except BaseException as exc:  # noqa: BLE001  it is raised when the server has ended,
                failed = exc  # as itself: the group would wrap what our caller wants to read
            room.close()
            home.close()
            over.set()
            hanging_up = asyncio.get_running_loop().call_later(STOP_SECONDS, listening.hang_up)
        hanging_up.cancel()
    finally:
        room.close()
        listening.close()
    if failed is not None:
        raise failed


class _Listening(socket.socket):
    """A socket that can end the connections made to it.

    One whose client reads nothing would hold up the end of the lab for the 30 s that asyncio
    grants a TLS connection to close.
    """

    def __init__(self) -> None:
        # asyncio sends small pieces at once only where it is told that this is TCP; else each
        # waits up to 40 ms for the one before to be acknowledged
        super().__init__(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._connections: weakref.WeakSet[socket.socket] = weakref.WeakSet()

    def accept(self) -> tuple[socket.socket, Any]:
        """As ever, and remembered."""
        connection, address = super().accept()
        self._connections.add(connection)
        return connection, address

    def hang_up(self) -> None:
        """End every connection that is still open."""
        for connection in list(self._connections):
            with suppress(OSError):  # closed meanwhile
                connection.shutdown(socket.SHUT_RDWR)


def listen(port: int) -> _Listening:
    """A socket on loopback. Raises TabwireError where the port is taken."""
    listening = _Listening()
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(BACKLOG)
    except OSError as exc:
        listening.close()
        raise TabwireError(
            f"the lab cannot listen on port {port}: {exc.strerror}",
            what_to_do="Leave out --port to use a free one.",
        ) from exc
    listening.setblocking(False)
    return listening


def _app(played: Sequence[Replica], room: Room, home: Home) -> ASGIFramework:
    sites = [(replica.hosts, Router(replica.routes(room))) for replica in played]
    sites.append((NAMES, Router(home.routes())))
    app = Starlette(routes=[Host(host, app=site) for hosts, site in sites for host in hosts])
    return cast(ASGIFramework, _ReadWhole(app))  # the same protocol under another name


def _disregard_priorities() -> None:
    """All streams of a connection are equal.

    A browser says which stream it would like first, and says it anew when a tab goes to the
    background. With a hundred streams such wishes come to form a circle, upon which Hypercorn
    0.18 drops the connection; it has no setting to leave them unheard.
    """

    async def disregard(_connection: H2Protocol, _wish: object) -> None:
        pass

    setattr(H2Protocol, "_priority_updated", disregard)  # noqa: B010  mypy forbids the plain way


def _break_what_breaks() -> None:
    """A response that its application leaves in the middle is reset, once all of it has left.

    Hypercorn 0.18 forgets such a stream over HTTP/2 and tells the browser nothing, which then
    waits for the rest until the connection ends. Its other streams are not touched.
    """
    if getattr(H2Protocol.stream_send, "breaks", False):
        return
    send = H2Protocol.stream_send

    async def stream_send(connection: H2Protocol, event: StreamEvent) -> None:
        if isinstance(event, StreamClosed):
            await _reset_unfinished(connection, event.stream_id)
        await send(connection, event)

    setattr(stream_send, "breaks", True)  # noqa: B010  mypy forbids the plain way
    setattr(H2Protocol, "stream_send", stream_send)  # noqa: B010


async def _reset_unfinished(connection: H2Protocol, stream: int) -> None:
    buffer = connection.stream_buffers.get(stream)
    of_http = isinstance(connection.streams.get(stream), HTTPStream)
    if buffer is None or buffer._complete or not of_http:
        return
    if buffer.buffer:
        await buffer.drain()
    with suppress(ProtocolError):  # the browser has reset it meanwhile
        connection.connection.reset_stream(stream, ErrorCodes.INTERNAL_ERROR)
        await connection._flush()
    if connection.stream_buffers.pop(stream, None) is not None:
        connection.priority.remove_stream(stream)


class _ReadWhole:
    """Reads a request to its end before the application sees it.

    Hypercorn 0.18 drops the whole HTTP/2 connection, with the streams of every tab on it, when
    a body arrives for a request that has been answered already. A response that breaks by the
    wish of a story is no error of the lab's.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        heard: deque[Message] = deque()
        while scope["type"] == "http":
            heard.append(await receive())
            if not heard[-1].get("more_body"):
                break

        async def again() -> Message:
            return heard.popleft() if heard else await receive()

        with suppress(Broken):
            await self._app(scope, again, send)


class _Config(Config):
    """Hypercorn's settings, with a socket and a key that never have a name on disk."""

    def __init__(self, listening: socket.socket, certificate: Certificate) -> None:
        self._listening = listening
        self._context = certificate.context()
        self.errorlog = logger
        self.accesslog = None
        self.graceful_timeout = 2 * STOP_SECONDS  # who was hung up on is given time to notice
        self.keep_alive_timeout = IDLE_SECONDS
        self.keep_alive_max_requests = 2**31  # else an old connection takes its streams with it
        self.h2_max_concurrent_streams = STREAMS
        self.backlog = BACKLOG

    @property
    def ssl_enabled(self) -> bool:
        return True

    def create_ssl_context(self) -> ssl.SSLContext:
        return self._context

    def create_sockets(self) -> Sockets:
        return Sockets([self._listening], [], [])
