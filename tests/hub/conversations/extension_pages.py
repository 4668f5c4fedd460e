"""A hub's `Captures` with a store of its own, and pages that say what a page script would."""

import asyncio
import base64
import itertools
import time
import uuid
from contextlib import asynccontextmanager
from functools import partial

from capture.pages import chat_url
from monitor.wire import ASK, HOME, ID, PROMPT, TEXT, body, pieces, stored
from tabwire.hub.conversations.captures import Captures
from tabwire.model.extension import PageRef
from tabwire.sites.known import site_of_url
from tabwire.store.opening import opened

HANG_SECONDS = 60.0
SPEED = 10  # how much faster than ours the clock of a page's hub runs


class Browser:
    """The extension's end: pages hear `tell`; a reading is a page that loads by itself."""

    def __init__(self, store, *, serves=True, speed=SPEED):
        self.told = []
        self.read, self.closed = [], []
        self.serves = serves  # whether background tabs load anything
        self.text = TEXT
        self.raw = None  # what is stored, in the place of that
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
            site = site_of_url(url)
            page = Page(self, site.name, url=url, tab=tab)
            named = site.conversation_in_url(url)
            load = partial(page.load, self.text, named=named, raw=self.raw)
            asyncio.get_running_loop().call_soon(load)
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

    def __init__(self, browser, site, *, url=None, tab=1, name=None, **how):
        self.browser, self.site, self.tab = browser, site, tab
        self.id = name or f"install/{uuid.uuid4()}"
        browser.site = site
        self.said = []  # all of it, numbered from 1 as a page does
        self.open(url or HOME[site], **how)

    def open(self, url, **how):
        """The page introduces itself."""
        page = PageRef(self.id, "install", self.tab, url, self.site, "", **how)
        self.browser.captures.page_opened(page)

    def say(self, **message):
        self.said.append(message)
        self.browser.captures.page_said(self.id, message, len(self.said))

    def repeat(self):
        """It says all of it again, as the page script does for a hub that may know nothing."""
        for number, message in enumerate(self.said, 1):
            self.browser.captures.page_said(self.id, message, number)

    def goes_to(self, browser, **how):
        """The same page, and a hub that was started anew."""
        self.browser, browser.site = browser, self.site
        self.open(how.pop("url", HOME[self.site]), again=True, **how)

    def close(self):
        self.browser.captures.page_closed(self.id)

    def begin(self, url, method, raw, status=200):
        name = f"{self.site}:{uuid.uuid4()}"
        sent = None if raw is None else base64.b64encode(raw).decode()
        at = time.time()
        self.say(kind="sent", attempt=name, method=method, url=url, body=sent, at=at, via="fetch")
        self.say(kind="head", attempt=name, status=status, at=at)
        return name

    def go_on(self, name, chunks, start=0):
        for seq, chunk in enumerate(chunks, start):
            data = base64.b64encode(chunk).decode()
            self.say(kind="bytes", attempt=name, seq=seq, data=data, at=time.time())

    def end(self, name, count, how="whole"):
        self.say(kind="ended", attempt=name, how=how, at=time.time(), seqs=count)

    def exchange(self, url, method, raw, chunks, how="whole"):
        name = self.begin(url, method, raw)
        self.go_on(name, chunks)
        self.end(name, len(chunks), how)
        return name

    def half_an_answer(self, prompt=PROMPT, **wish):
        """A question leaves, and half of what is answered comes; what is to come."""
        chunks = list(pieces(self.site, **wish))
        half = len(chunks) // 2 if self.site == "gemini" else 2 * len(chunks) // 3
        name = self.begin(ASK[self.site], "POST", body(self.site, prompt))
        self.go_on(name, chunks[:half])
        return lambda: (self.go_on(name, chunks[half:], half), self.end(name, len(chunks)))

    def answer(self):
        return self.exchange(ASK[self.site], "POST", body(self.site), list(pieces(self.site)))

    def load(self, text=TEXT, raw=None, named=None):
        url, method, said = stored(self.site, text)
        if named is not None:
            url, said = (one.replace(old, new) for one, old, new in _names(url, said, named))
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


def _names(url, said, named):
    """Where the name of another conversation goes."""
    known = next(one for one in ID.values() if one in url)
    return (url, known, named), (said, known.encode(), named.encode())


@asynccontextmanager
async def browsing(path, **wish):
    """A browser with the extension, for the length of a block."""
    async with opened(path) as store:
        browser = Browser(store, **wish)
        browser.rows = store.conversations
        async with browser.captures.running():
            yield browser


__all__ = ["Browser", "Page", "browsing", "chat_url"]
