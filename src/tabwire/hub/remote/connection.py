"""One request to the hub and its answer, over the hub's socket, or over the port with the token.

By hand on h11, which uvicorn brings: a whole HTTP client takes half a second to import, longer
than most commands run.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

import h11

from tabwire.hub.process.lock import holder, socket_path
from tabwire.hub.process.sockets import API, HAS_UNIX, LOOPBACK
from tabwire.hub.process.token import read_token
from tabwire.model.errors import Retry, TabwireError

ANSWER_SECONDS = 30.0  # a hub that is starting, or busy with something long
CONNECT_SECONDS = 5.0
CHUNK = 65536


class NoHub(TabwireError):
    """Nobody listens."""

    def __init__(self) -> None:
        super().__init__(
            "no hub is running",
            what_to_do="It starts automatically when it is needed; `tabwire serve` starts it now.",
            retry=Retry.SAME,
        )


class LineLost(TabwireError):
    """The hub went away in the middle, or does not answer."""

    def __init__(self) -> None:
        super().__init__(
            "the hub ended before it answered",
            what_to_do="`tabwire history` shows whether the question was accepted; `tabwire logs` "
            "shows what happened to the hub.",
            retry=Retry.RESUME,
        )


async def asked(
    method: str, path: str, body: bytes = b"", *, held: float = 0.0
) -> tuple[int, bytes]:
    """Status and body. `held`: how long the hub may take besides. Raises `NoHub`, `LineLost`."""
    try:
        async with asyncio.timeout(held + ANSWER_SECONDS), told_by(method, path, {}, body) as told:
            status, chunks = told
            return status, b"".join([chunk async for chunk in chunks])
    except TimeoutError:
        raise LineLost from None


@asynccontextmanager
async def told_by(
    method: str, path: str, headers: Mapping[str, str], body: bytes = b""
) -> AsyncIterator[tuple[int, AsyncIterator[bytes]]]:
    """Status, and the body as it comes."""
    reader, writer, own = await _opened()
    try:
        talk = h11.Connection(h11.CLIENT)
        said = {"connection": "close", "content-length": str(len(body)), **own, **headers}
        if method == "POST":
            said["content-type"] = "application/json"
        request = h11.Request(method=method, target=path, headers=list(said.items()))
        try:
            for part in (request, h11.Data(body), h11.EndOfMessage()):
                writer.write(talk.send(part) or b"")
            await writer.drain()
            head = await _event(talk, reader)
        except (OSError, h11.RemoteProtocolError) as exc:
            raise LineLost from exc
        if not isinstance(head, h11.Response):
            raise LineLost
        yield head.status_code, _chunks(talk, reader)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _chunks(talk: h11.Connection, reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while True:
        try:
            event = await _event(talk, reader)
        except (OSError, h11.RemoteProtocolError) as exc:
            raise LineLost from exc
        if not isinstance(event, h11.Data):
            return
        yield bytes(event.data)


async def _event(talk: h11.Connection, reader: asyncio.StreamReader) -> object:
    while (event := talk.next_event()) is h11.NEED_DATA:
        talk.receive_data(await reader.read(CHUNK))
    return event


async def _opened() -> tuple[asyncio.StreamReader, asyncio.StreamWriter, dict[str, str]]:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            if HAS_UNIX:
                reader, writer = await asyncio.open_unix_connection(str(socket_path(API)))
                return reader, writer, {"host": "localhost"}
            return await over_port()
    except (OSError, TimeoutError) as exc:
        raise NoHub from exc


async def over_port() -> tuple[asyncio.StreamReader, asyncio.StreamWriter, dict[str, str]]:
    """The way where there are no such sockets: the port of the lock's holder, with the token."""
    found, token = holder(), read_token()
    if found is None or not found.port or token is None:
        raise NoHub
    reader, writer = await asyncio.open_connection(LOOPBACK, found.port)
    host = f"{LOOPBACK}:{found.port}"
    return reader, writer, {"host": host, "authorization": f"Bearer {token}"}
