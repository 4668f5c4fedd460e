"""A small server for the test pages, a hand that moves them, and an ear for what is reported.

pages_observe.html holds one page per layout; the site's own page data must recognise each.
"""

import asyncio
import json
from contextlib import asynccontextmanager
from pathlib import Path

from kit.listening import listening
from tabwire.browser.observe import Observer
from tabwire.sites.chatgpt.page import PAGE as CHATGPT
from tabwire.sites.gemini.page import PAGE as GEMINI
from tabwire.sites.grok.page import PAGE as GROK

PAGE_OF = {
    "turn_key": CHATGPT,
    "octane": CHATGPT,
    "classic": CHATGPT,
    "app": GEMINI,
    "grok.com": GROK,
}
LAYOUTS = tuple(PAGE_OF)
SOON = 10  # seconds: what is reported arrives in milliseconds, on a busy machine later
HTML = Path(__file__).with_name("pages_observe.html").read_text(encoding="utf-8")


@asynccontextmanager
async def serving(pages=None):
    """`/` is the page of all layouts, other paths are in `pages`; yields the origin."""
    pages = {"/": HTML, **(pages or {})}

    async def answer(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ")[1].decode().partition("?")[0]
        body = pages.get(path, pages["/"]).encode()
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        )
        await writer.drain()
        writer.close()

    async with listening(answer) as port:
        yield f"http://127.0.0.1:{port}"


class Ear:
    """Hears states and waits for one that fits."""

    def __init__(self):
        self.states = []
        self._came = asyncio.Event()

    def __call__(self, state):
        self.states.append(state)
        self._came.set()

    @property
    def last(self):
        return self.states[-1]

    async def until(self, fits):
        """The first state from now on, the last one included, that fits."""
        async with asyncio.timeout(SOON):
            at = max(len(self.states) - 1, 0)
            while True:
                for state in self.states[at:]:
                    if fits(state):
                        return state
                at = len(self.states)
                self._came.clear()
                await self._came.wait()


class Hand:
    """Moves the page from its own world."""

    def __init__(self, session):
        self.session = session

    async def run(self, expression):
        """Evaluate in the page's main world; its JSON value."""
        params = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        done = await self.session.call("Runtime.evaluate", params)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def __getattr__(self, name):
        async def move(*arguments):
            words = ", ".join(json.dumps(one) for one in arguments)
            await self.run(f"void chat.{name}({words})")

        return move

    async def go(self, url):
        """Load a page and wait until it has loaded."""
        await self.session.call("Page.enable")
        with self.session.subscribe(["Page.loadEventFired"]) as loaded:
            await self.session.call("Page.navigate", {"url": url})
            async with asyncio.timeout(SOON):
                async for _ in loaded:
                    break


@asynccontextmanager
async def observing(session, layout, *, ear=None):
    """An armed observer of a layout's site."""
    ear = ear or Ear()
    observer = Observer(session, PAGE_OF[layout], ear)
    try:
        ear(await observer.arm())
        yield ear, observer
    finally:
        observer.close()
