"""Four ways to say `Runtime.evaluate` to a page: ours, a bare loop, two other libraries.

    ours             `Session.call` and `Session.listen`
    bare websockets  no bounds, no sessions, no errors: the least a client can do, over the
                     library's public `send` and `recv`
    cdp-use          the library of that name, as its readme shows
    playwright       its CDP session; most of its work is done by a Node process beside us

Each opens a tab of its own, so that nobody pays for another's events, unless it is given the
`page` to attach to. The two libraries lie in a folder of their own, where scripts/peers.py
put them and nobody else looks.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import msgspec
import psutil
from websockets.asyncio.client import connect as other_connect

from tabwire.cdp.connection import Connection
from tabwire.cdp.protocol import Event
from tabwire.cdp.websocket import connect

PEERS = Path(sys.prefix) / "peers"
ONE = {"expression": "1"}
LOGGED = "Runtime.consoleAPICalled"
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class Client(Protocol):
    """What each can do on its page."""

    async def evaluate(self) -> None:
        """Evaluate "1" and have the result in hand."""

    async def log(self, count: int) -> None:
        """Let the page write that often to its console, and hear every one of them."""

    def cpu_elsewhere(self) -> float:
        """CPU seconds spent for it in other processes of its own."""


Opened = AbstractAsyncContextManager[Client]
Call = Callable[[str, dict[str, Any]], Awaitable[Any]]


def peer(module: str) -> Any:
    """A module of another library."""
    if str(PEERS) not in sys.path:
        sys.path.append(str(PEERS))
    return import_module(module)


def flood(count: int) -> dict[str, str]:
    """The parameters that make a page log so often."""
    return {"expression": f"for (let i = 0; i < {count}; i++) console.log('a line', i)"}


class Counted:
    """Counts events and wakes whoever waits for the last."""

    def __init__(self) -> None:
        self._left = 0
        self._over: asyncio.Future[None] | None = None

    def expect(self, count: int) -> "asyncio.Future[None]":
        """Done when so many have come."""
        self._left, self._over = count, asyncio.get_running_loop().create_future()
        return self._over

    def came(self) -> None:
        """One more."""
        self._left -= 1
        if self._left == 0 and self._over is not None:
            self._over.set_result(None)


class _Here:
    """Of a client whose work is all done in this process."""

    def __init__(self) -> None:
        self.counted = Counted()

    def cpu_elsewhere(self) -> float:
        """None."""
        return 0.0


class _LogCalled(msgspec.Struct):
    """What our reader of a log wants of it."""

    type: str


class _Ours(_Here):
    def __init__(self, line: Connection, session: str) -> None:
        super().__init__()
        self._tab = line.session(session)
        self._tab.listen(LOGGED, self._heard)

    def _heard(self, event: Event) -> None:
        if event.read(_LogCalled).type == "log":
            self.counted.came()

    async def evaluate(self) -> None:
        result = await self._tab.call("Runtime.evaluate", ONE)
        assert result["result"]["value"] == 1

    async def log(self, count: int) -> None:
        heard = self.counted.expect(count)
        await self._tab.call("Runtime.evaluate", flood(count))
        await heard


@asynccontextmanager
async def ours(url: str, page: str | None = None) -> AsyncIterator[Client]:
    """Tabwire's own."""
    async with Connection(await connect(url)) as line:
        session = await attach(line.call, page)
        await line.session(session).call("Runtime.enable")
        yield _Ours(line, session)


async def attach(call: Call, page: str | None) -> str:
    """Attach to a page, or to a new one; the session."""
    target = page or await open_page(call)
    wanted = {"targetId": target, "flatten": True}
    session: str = (await call("Target.attachToTarget", wanted))["sessionId"]
    return session


async def open_page(call: Call) -> str:
    """Open a page in a window of its own: all are in front, none is slowed down."""
    where = {"url": "about:blank", "newWindow": True}
    target: str = (await call("Target.createTarget", where))["targetId"]
    return target


class _Bare(_Here):
    """The least a client can do: an id, a future, a dict."""

    def __init__(self) -> None:
        super().__init__()
        self._last = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._session: dict[str, str] = {}

    async def begin(self, page: str | None) -> None:
        """Attach to the page that the rest is about."""
        session = await attach(self._call, page)
        self._session = {"sessionId": session}
        await self._call("Runtime.enable")

    def put(self, message: bytes) -> Awaitable[None] | None:
        """Write one message; something to wait for, where the library wants that."""
        raise NotImplementedError

    def _got(self, message: bytes) -> None:
        said = _decode(message)
        if "id" in said:
            self._waiting.pop(said["id"]).set_result(said["result"])
        elif said["method"] == LOGGED and said["params"]["type"] == "log":
            self.counted.came()

    async def _call(self, method: str, params: dict[str, Any] | None = None) -> Any:
        self._last += 1
        future = asyncio.get_running_loop().create_future()
        self._waiting[self._last] = future
        command = {"id": self._last, "method": method, "params": params or {}, **self._session}
        if (written := self.put(_encode(command))) is not None:
            await written
        return await future

    async def evaluate(self) -> None:
        """See `Client`."""
        assert (await self._call("Runtime.evaluate", ONE))["result"]["value"] == 1

    async def log(self, count: int) -> None:
        """See `Client`."""
        heard = self.counted.expect(count)
        await self._call("Runtime.evaluate", flood(count))
        await heard


class _BareWebsockets(_Bare):
    def __init__(self, line: Any) -> None:
        super().__init__()
        self._line = line

    def put(self, message: bytes) -> Awaitable[None]:
        written: Awaitable[None] = self._line.send(message, text=True)
        return written

    async def read(self) -> None:
        async for message in self._line:
            self._got(message)


@asynccontextmanager
async def bare_websockets(url: str, page: str | None = None) -> AsyncIterator[Client]:
    """The library we build on, and nothing around it."""
    settings: dict[str, Any] = {"max_size": None, "compression": None, "ping_interval": None}
    async with other_connect(url, proxy=None, **settings) as line, asyncio.TaskGroup() as group:
        client = _BareWebsockets(line)
        reading = group.create_task(client.read())
        await client.begin(page)
        yield client
        reading.cancel()


class _CdpUse(_Here):
    def __init__(self, client: Any, session: str) -> None:
        super().__init__()
        self._evaluate = client.send.Runtime.evaluate
        self._session = session
        client.register.Runtime.consoleAPICalled(self._heard)

    def _heard(self, event: Any, session: str | None) -> None:  # noqa: ARG002
        if event["type"] == "log":
            self.counted.came()

    async def evaluate(self) -> None:
        result = await self._evaluate(ONE, session_id=self._session)
        assert result["result"]["value"] == 1

    async def log(self, count: int) -> None:
        heard = self.counted.expect(count)
        await self._evaluate(flood(count), session_id=self._session)
        await heard


@asynccontextmanager
async def cdp_use(url: str) -> AsyncIterator[Client]:
    """The client of browser-use."""
    async with peer("cdp_use.client").CDPClient(url) as client:
        session = await attach(client.send_raw, None)
        await client.send.Runtime.enable(session_id=session)
        yield _CdpUse(client, session)


class _Playwright(_Here):
    def __init__(self, session: Any, driver: psutil.Process) -> None:
        super().__init__()
        self._session = session
        self._driver = driver
        session.on(LOGGED, self._heard)

    def cpu_elsewhere(self) -> float:
        """Of its driver, the process that speaks to the browser."""
        spent = self._driver.cpu_times()
        return spent.user + spent.system

    def _heard(self, event: Any) -> None:
        if event["type"] == "log":
            self.counted.came()

    async def evaluate(self) -> None:
        result = await self._session.send("Runtime.evaluate", ONE)
        assert result["result"]["value"] == 1

    async def log(self, count: int) -> None:
        heard = self.counted.expect(count)
        await self._session.send("Runtime.evaluate", flood(count))
        await heard


@asynccontextmanager
async def playwright(url: str) -> AsyncIterator[Client]:
    """Playwright for Python. It attaches to every tab, so it wants a browser of its own."""
    ourselves = psutil.Process()
    before = set(ourselves.children())
    async with peer("playwright.async_api").async_playwright() as started:
        (driver,) = set(ourselves.children()) - before
        browser = await started.chromium.connect_over_cdp(url)
        page = await browser.contexts[0].new_page()
        session = await page.context.new_cdp_session(page)
        await session.send("Runtime.enable")
        yield _Playwright(session, driver)
        await browser.close()
