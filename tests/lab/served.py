"""A replica called in-process: what its server sends, without a browser or a socket."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, MutableMapping
from contextlib import aclosing
from typing import Any

from starlette.routing import Router

HEAR_SECONDS = 20.0  # an answer of a test takes well under one


class Served:
    """One site's routes, answering."""

    def __init__(
        self,
        router: Router,
        sending: Callable[[], None] = lambda: None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._router = router
        self.headers = dict(headers or {})  # of every request
        self._sending = sending  # called at every send, before anybody can have received it

    async def body(self, method: str, path: str, sent: bytes = b"") -> tuple[int, bytes]:
        """The status and the whole body."""
        status, pieces = 0, []
        async with asyncio.timeout(HEAR_SECONDS), aclosing(self.pieces(method, path, sent)) as all_:
            async for said in all_:
                if isinstance(said, int):
                    status = said
                else:
                    pieces.append(said)
        return status, b"".join(pieces)

    async def pieces(
        self, method: str, path: str, sent: bytes = b""
    ) -> AsyncGenerator[int | bytes, None]:
        """The status, then each piece as the server sends it."""
        said: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        asked = [{"type": "http.request", "body": sent}]
        gone = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if asked:
                return asked.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            self._sending()
            await said.put(message)

        async with asyncio.TaskGroup() as group:
            group.create_task(self._router(_scope(method, path, self.headers), receive, send))
            try:
                more = True
                while more:
                    message = await said.get()
                    if message["type"] == "http.response.start":
                        yield message["status"]
                        continue
                    more = message.get("more_body", False)
                    if message.get("body"):
                        yield message["body"]
            finally:
                gone.set()


def _scope(method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
    plain, _, query = path.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "2",
        "method": method,
        "scheme": "https",
        "path": plain,
        "raw_path": plain.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), said.encode()) for name, said in headers.items()],
        "app": None,
    }
