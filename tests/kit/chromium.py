"""One real browser per test process, and fresh tabs in it. Re-exported by conftest.py.

The browser runs beside the tests on a loop of its own, in a thread, so that every test may
have its own loop and its own line to it. Tabs are opened in a browser context of their own:
cookies and service workers of one test are not there in the next.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from typing import Any, TypeVar

import pytest
import pytest_asyncio

from tabwire.browser.find import Found, find_browser, this_machine
from tabwire.browser.launch import Launch, launched
from tabwire.cdp.connection import Connection, Session
from tabwire.cdp.websocket import connect
from tabwire.model.errors import BrowserNotFound

START_SECONDS = 60.0  # two workers start theirs at once on two cores

T = TypeVar("T")
NewTab = Callable[..., Awaitable[tuple[str, Session]]]


@pytest.fixture(scope="session")
def chromium() -> Found:
    """The browser of this machine. `make test` sees to it that there is one."""
    try:
        return find_browser(this_machine())
    except BrowserNotFound as exc:
        pytest.skip(f"{exc}. {exc.what_to_do}")


class Aside:
    """A running loop in a thread, holding what was entered there until the end."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._stack = AsyncExitStack()

    def enter(self, context: AbstractAsyncContextManager[T]) -> T:
        """Enter a context over there and keep it."""
        return self._run(self._stack.enter_async_context(context))

    @contextmanager
    def inside(self, context: AbstractAsyncContextManager[T]) -> Iterator[T]:
        """Be in a context over there for the length of a block here. One task enters and leaves
        it: a group of tasks in it allows no other."""
        entered: Future[T] = Future()
        over = asyncio.Event()

        async def hold() -> None:
            try:
                async with context as given:
                    entered.set_result(given)
                    await over.wait()
            except BaseException as exc:
                if not entered.done():
                    entered.set_exception(exc)
                raise

        holding = self.begin(hold())
        try:
            yield entered.result(START_SECONDS)
        finally:
            self._loop.call_soon_threadsafe(over.set)
            holding.result(START_SECONDS)

    def begin(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Start something over there; its result may be waited for from anywhere."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Leave every context, then end the loop."""
        self._run(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(START_SECONDS)
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(START_SECONDS)


@pytest.fixture(scope="session")
def aside() -> Iterator[Aside]:
    """A place beside the tests where a browser or a lab runs for the whole session."""
    place = Aside()
    yield place
    place.close()


@pytest.fixture(scope="session")
def browser_url(aside: Aside, chromium: Found) -> str:
    """The DevTools address of a headless browser that all tests of this process share."""
    return aside.enter(launched(Launch(chromium))).endpoint.url


@pytest_asyncio.fixture
async def line(browser_url: str) -> AsyncIterator[Connection]:
    """A line of this test's own to the shared browser."""
    async with await connect_to(browser_url) as connection:
        yield connection


async def connect_to(url: str) -> Connection:
    """Open a line."""
    return Connection(await connect(url))


@pytest_asyncio.fixture
async def new_tab(line: Connection) -> AsyncIterator[NewTab]:
    """Open background tabs in a context of this test's own; all are closed at its end."""
    context = (await line.call("Target.createBrowserContext"))["browserContextId"]

    async def opened(url: str = "about:blank") -> tuple[str, Session]:
        where = {"url": url, "browserContextId": context, "background": True}
        target = (await line.call("Target.createTarget", where))["targetId"]
        attached = {"targetId": target, "flatten": True}
        session = (await line.call("Target.attachToTarget", attached))["sessionId"]
        return target, line.session(session)

    yield opened
    if line.gone is None:
        await line.call("Target.disposeBrowserContext", {"browserContextId": context})


@pytest_asyncio.fixture
async def blank(new_tab: NewTab) -> Session:
    """A session to a fresh, empty background tab."""
    return (await new_tab())[1]
