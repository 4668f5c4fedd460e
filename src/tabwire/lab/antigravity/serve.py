"""The pages of the replica on loopback, and the line on which each tells what is done in it.

Two ports: one without TLS for the windows of the IDE, one with it for the stand-alone app,
whose pages are at `https://127.0.0.1:PORT/` in the real thing too. As there, windows of one
kind share one address; a page that opens claims the window that waits for it.
"""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import cast

import msgspec
from hypercorn.asyncio import serve
from hypercorn.config import Config, Sockets
from hypercorn.typing import ASGIFramework
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tabwire.lab.antigravity.shown import Shown
from tabwire.lab.antigravity.window import PAGES
from tabwire.lab.certificate import Certificate
from tabwire.lab.serve import IDLE_SECONDS, LOOPBACK, listen

HERE = Path(__file__).parent / "static"
SHARED = Path(__file__).parent.parent / "replicas" / "static"
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
FILES = {
    "workbench.html": "page.html",
    "workbench-jetski-agent.html": "page.html",
    "": "page.html",
    "cascade-panel.html": "cascade.html",
}
"""Which file is served under which last part of an address; others have none of their own."""
OTHER = {"index.html": "other.html", "checkout": "other.html"}
STOP_SECONDS = 1.0

logger = logging.getLogger("tabwire.lab.antigravity")

Claim = Callable[[str, str], "Shown | None"]
"""The window a page shows: by its id, else the one that waits at that path."""


class Served:
    """Where the pages are."""

    def __init__(self, plain: int, safe: int) -> None:
        self.plain = plain
        self.safe = safe

    def address(self, generation: str) -> str:
        """Of a window of this kind."""
        path = next(path for kind, path in PAGES.items() if kind == generation)
        if generation == "app":
            return f"https://{LOOPBACK}:{self.safe}{path}"
        return f"http://{LOOPBACK}:{self.plain}{path}"


@asynccontextmanager
async def serving(certificate: Certificate, claim: Claim) -> AsyncIterator[Served]:
    """The server, for the length of a block."""
    plain, safe = listen(0), listen(0)
    over = asyncio.Event()
    app = Starlette(
        routes=[
            WebSocketRoute("/line", _line(claim)),
            Route("/assets/{name}", _asset),
            Route("/favicon.ico", _nothing),
            Route("/{path:path}", _page),
        ]
    )
    failed: BaseException | None = None
    try:
        async with asyncio.TaskGroup() as group:
            config = _Both(plain, safe, certificate)
            group.create_task(
                serve(cast(ASGIFramework, app), config, shutdown_trigger=over.wait),
                name="pages of the antigravity lab",
            )
            try:
                yield Served(plain.getsockname()[1], safe.getsockname()[1])
            except BaseException as exc:  # noqa: BLE001  raised as itself, once the server ended
                failed = exc
            over.set()
            loop = asyncio.get_running_loop()
            ends = [loop.call_later(STOP_SECONDS, one.hang_up) for one in (plain, safe)]
        for end in ends:
            end.cancel()
    finally:
        plain.close()
        safe.close()
    if failed is not None:
        raise failed


async def _page(request: Request) -> Response:
    path = "/" + request.path_params["path"]
    name = path.rpartition("/")[2]
    known = path in PAGES.values() or name == "cascade-panel.html"
    file = {**FILES, **OTHER}.get(name) if known else None
    return _file(HERE / file) if file else Response("not here", 404)


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    found = [folder / name for folder in (HERE, SHARED) if (folder / name).is_file()]
    return _file(found[0]) if found else Response("not here", 404)


async def _nothing(_request: Request) -> Response:
    return Response(status_code=204)


def _file(path: Path) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(path.read_bytes(), headers=headers, media_type=TYPES[path.suffix])


def _line(claim: Claim) -> Callable[[WebSocket], object]:
    """A page's line: patches there, deeds back."""

    async def talk(line: WebSocket) -> None:
        await line.accept()
        with suppress(WebSocketDisconnect):
            hello = msgspec.json.decode(await line.receive_text())
            shown = claim(hello["window"], hello["path"])
            if shown is None:
                await line.close()
                return
            patches: asyncio.Queue[bytes] = asyncio.Queue()
            left = shown.joined(patches.put_nowait)
            try:
                async with asyncio.TaskGroup() as group:
                    telling = group.create_task(_tell(line, patches))
                    try:
                        while True:
                            shown.heard(msgspec.json.decode(await line.receive_text()))
                    except WebSocketDisconnect:
                        telling.cancel()
            finally:
                left()

    return talk


async def _tell(line: WebSocket, patches: "asyncio.Queue[bytes]") -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # it left while we spoke
        while True:
            await line.send_text((await patches.get()).decode())


class _Both(Config):
    """Hypercorn's settings: a port without TLS and one with it, neither with a name on disk."""

    def __init__(self, plain: object, safe: object, certificate: Certificate) -> None:
        self._sockets = Sockets([safe], [plain], [])  # type: ignore[list-item]
        self._context = certificate.context()
        self.errorlog = logger
        self.accesslog = None
        self.graceful_timeout = 2 * STOP_SECONDS  # who was hung up on is given time to notice
        self.keep_alive_timeout = IDLE_SECONDS  # one we close ourselves waits 30 s for its TLS

    @property
    def ssl_enabled(self) -> bool:
        return True

    def create_ssl_context(self) -> ssl.SSLContext:
        return self._context

    def create_sockets(self) -> Sockets:
        return self._sockets
