"""A hub's `Captures` with a store of its own, and pages that say what a page script would."""

import asyncio
import base64
import itertools
import time
import uuid
from contextlib import asynccontextmanager

from capture.pages import chat_url
from monitor.wire import ASK, HOME, TEXT, body, pieces, stored
from tabwire.hub.captures import Captures
from tabwire.model.extension import PageRef
from tabwire.store.opening import opened

HANG_SECONDS = 30.0
SPEED = 10  # how much faster than ours the clock of a page's hub runs


class Browser:
    """The extension's end: pages hear `tell`; a reading is a page that loads by itself."""

    def __init__(self, store, *, serves=True, speed=SPEED):
        self.told = []
        self.read, self.closed = [], []
        self.serves = serves  # whether background tabs load anything
        self.text = TEXT
        self.site = None
        self._tabs = itertools.count(100)
        self._changed = asyncio.Event()
        loop = asyncio.get_running_loop()
        self.captures = Captures(
            store,
            tell=self._hear,
            reread=self._reread,
            close_tab=self._close,
            clock=lambda: speed * time.monotonic(),
            after=lambda seconds, call: loop.call_later(seconds / speed, call),
        )

    def _hear(self, page, message):
        self.told.append((page, message))
        self._changed.set()

    async def _reread(self, url):
        tab = next(self._tabs)
        self.read.append(url)
        if self.serves:
            page = Page(self, self.site, url=url, tab=tab)
            asyncio.get_running_loop().call_soon(page.load, self.text)
        return tab

    async def _close(self, tab):
        self.closed.append(tab)
        self._changed.set()

    async def until(self, fits):
        async with asyncio.timeout(HANG_SECONDS):
            while not fits():
                self._changed.clear()
                await self._changed.wait()


class Page:
    """One page that talks."""

    def __init__(self, browser, site, *, url=None, tab=1, name=None):
        self.browser, self.site = browser, site
        self.id = name or f"install/{uuid.uuid4()}"
        browser.site = site
        url = url or HOME[site]
        browser.captures.page_opened(PageRef(self.id, "install", tab, url, site, ""))

    def say(self, **message):
        self.browser.captures.page_said(self.id, message)

    def close(self):
        self.browser.captures.page_closed(self.id)

    def exchange(self, url, method, raw, chunks):
        name = f"{self.site}:{uuid.uuid4()}"
        sent = None if raw is None else base64.b64encode(raw).decode()
        at = time.time()
        self.say(kind="sent", attempt=name, method=method, url=url, body=sent, at=at, via="fetch")
        self.say(kind="head", attempt=name, status=200, at=at)
        for seq, chunk in enumerate(chunks):
            data = base64.b64encode(chunk).decode()
            self.say(kind="bytes", attempt=name, seq=seq, data=data, at=at)
        self.say(kind="ended", attempt=name, how="whole", at=at, seqs=len(chunks))
        return name

    def answer(self):
        return self.exchange(ASK[self.site], "POST", body(self.site), list(pieces(self.site)))

    def load(self, text=TEXT, raw=None):
        url, method, said = stored(self.site, text)
        self.exchange(url, method, None, [raw or said])

    @property
    def heard(self):
        return [message for page, message in self.browser.told if page == self.id]

    @property
    def state(self):
        return [one for one in self.heard if one["kind"] == "state"][-1]

    async def until(self, **wanted):
        """Wait for a state like this."""
        fits = lambda: all(self.state[name] == value for name, value in wanted.items())  # noqa: E731
        await self.browser.until(fits)
        return self.state

    async def answered(self, request):
        """What came for a request."""
        found = lambda: [one for one in self.heard if one.get("request") == request]  # noqa: E731
        await self.browser.until(found)
        return found()[0]


@asynccontextmanager
async def browsing(path, **wish):
    """A browser with the extension, for the length of a block."""
    async with opened(path) as store:
        browser = Browser(store, **wish)
        browser.rows = store.conversations
        async with browser.captures.running():
            yield browser


__all__ = ["Browser", "Page", "browsing", "chat_url"]
