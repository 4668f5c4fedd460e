"""Pages to act in: shown in a fresh tab, loaded to the end."""

import asyncio
import base64
from pathlib import Path
from typing import Any

from tabwire.browser.page.page import Page
from tabwire.cdp.connection import Session

PAGES = Path(__file__).parent / "pages"
LOAD_SECONDS = 30.0  # eight test processes may share two cores


def as_url(html: str) -> str:
    """A page that needs no server."""
    return "data:text/html;charset=utf-8;base64," + base64.b64encode(html.encode()).decode()


async def show(session: Session, html: str) -> Page:
    """Load this into the tab and wait until it is there."""
    await go(session, as_url(f"<!doctype html>{html}"))
    return Page(session)


async def show_file(session: Session, name: str) -> Page:
    """The same for a file of tests/browser/pages."""
    await go(session, as_url((PAGES / name).read_text()))
    return Page(session)


async def go(session: Session, url: str) -> None:
    """Navigate, and wait for the load event."""
    await session.call("Page.enable")
    loaded = asyncio.get_running_loop().create_future()
    stop = session.listen("Page.loadEventFired", lambda _: loaded.done() or loaded.set_result(None))
    await session.call("Page.navigate", {"url": url})
    async with asyncio.timeout(LOAD_SECONDS):
        await loaded
    stop()


async def value(session: Session, expression: str) -> Any:
    """What the page's own world says."""
    params = {"expression": expression, "returnByValue": True, "awaitPromise": True}
    done = await session.call("Runtime.evaluate", params)
    assert "exceptionDetails" not in done, done
    return done["result"].get("value")
