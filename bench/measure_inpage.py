"""What watching costs the page: our observer against asking for `innerText` once a second.

The page has 18,000 nodes and an answer that grows by twenty small changes a second. Both
are measured on the same page, in turns and in real time, by the browser's own count of the
CPU time it spent in scripts. The changes are made from outside, which it does not count.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bench.table import Row, row
from tabwire.browser.find import find_browser, this_machine
from tabwire.browser.launch import Launch, launched
from tabwire.browser.observe import Observer
from tabwire.browser.observed import PageState
from tabwire.cdp.connection import Connection, Session
from tabwire.cdp.websocket import connect
from tabwire.sites.chatgpt.page import PAGE

SECONDS = 10  # one turn: an answer of that length begins once in it
CHANGES = 20  # a second
ROUNDS = 2
NODES = 18_000
MILLI = 1000
LOAD_SECONDS = 30.0  # a page of this size, on a machine that is busy
HTML = Path(__file__).with_name("inpage.html")

Ask = Callable[[], Awaitable[object]]


def measure() -> list[Row]:
    """Script time a second: the observer's, and the poll's."""
    ours, poll = asyncio.run(_measure())
    name = "page script time a second, watched against innerText polled"
    return [row(name, ours, "ms", poll, "<= 0.1")]


async def _measure() -> tuple[float, float]:
    """Both, from the round whose ratio is the median of all rounds."""
    pairs = []
    async with _page() as session:
        for turn in range(ROUNDS + 1):  # the first is practice
            pair = await _watched(session), await _script_time(session, lambda: _asked(session))
            if turn:
                pairs.append(pair)
    pairs.sort(key=lambda pair: pair[0] / pair[1])
    return pairs[len(pairs) // 2]


async def _watched(session: Session) -> float:
    lengths: list[int] = []

    def hear(state: PageState) -> None:
        lengths.append(state.text_length)

    observer = Observer(session, PAGE, hear)
    await observer.arm()
    spent = await _script_time(session, _nothing)
    observer.close()
    assert len(set(lengths)) > SECONDS // 2, "it must have told of the growth"
    return spent


async def _script_time(session: Session, ask: Ask) -> float:
    """Milliseconds of script in a second of the page's life, with `ask` once in each."""
    await _run(session, "begin()")
    before = await _script_seconds(session)
    for _ in range(SECONDS):
        for _ in range(CHANGES):
            async with asyncio.TaskGroup() as both:
                both.create_task(asyncio.sleep(1 / CHANGES))
                both.create_task(_run(session, "change()"))
        await ask()
    return (await _script_seconds(session) - before) / SECONDS * MILLI


async def _script_seconds(session: Session) -> float:
    metrics = (await session.call("Performance.getMetrics"))["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "ScriptDuration"))


async def _asked(session: Session) -> None:
    assert await _run(session, "ask()") > NODES, "it must have read the page"


async def _nothing() -> None:
    """Costs nothing."""


@asynccontextmanager
async def _page() -> AsyncIterator[Session]:
    """The page, in a background tab of a browser of our own."""
    html = HTML.read_text(encoding="utf-8")
    async with (
        launched(Launch(find_browser(this_machine()))) as browser,
        Connection(await connect(browser.endpoint.url)) as line,
    ):
        where = {"url": "about:blank", "background": True}
        target = (await line.call("Target.createTarget", where))["targetId"]
        attached = {"targetId": target, "flatten": True}
        session = line.session((await line.call("Target.attachToTarget", attached))["sessionId"])
        frame = (await session.call("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        content = {"frameId": frame, "html": html}
        await session.call("Page.setDocumentContent", content, seconds=LOAD_SECONDS)
        assert await _run(session, "document.querySelectorAll('*').length") >= NODES
        await session.call("Performance.enable", {"timeDomain": "threadTicks"})
        yield session


async def _run(session: Session, expression: str) -> int:
    params = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    done = await session.call("Runtime.evaluate", params)
    assert "exceptionDetails" not in done, done
    return int(done["result"].get("value") or 0)
