"""A scripted person in a replica's tab: waits for the page, types, presses Send.

The person has a session of its own, as anybody has who is not the watcher.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from tabwire.browser.observe import Observer
from tabwire.browser.observed import PageState
from tabwire.browser.page.page import Page
from tabwire.browser.tab import Tab
from tabwire.model.errors import TabwireError
from tabwire.sites.page import Layout
from tabwire.sites.site import Site

READY_SECONDS = 20.0  # for a page to show its composer, and for its Send to wake up


async def ask(tab: Tab, site: Site, prompt: str) -> None:
    """Type a question and send it."""
    watcher = _Watcher()
    observer = Observer(tab.session, site.page, watcher.see)
    page = Page(tab.session)
    try:
        async with _ready(site), page.focused():
            await observer.arm()
            await watcher.until(lambda state: state.composer)
            layout = _layout(site, watcher.state)
            while True:
                watcher.wrote = False
                await page.fill(layout.composer, prompt, decoys=layout.decoys, part="composer")
                # a page that comes alive only now takes back what was typed before: type again
                await watcher.until(lambda state: state.send or watcher.taken_back)
                if watcher.shows_send:
                    break
            await page.click(layout.send, decoys=layout.stop, part="send button")
    finally:
        observer.close()


@asynccontextmanager
async def _ready(site: Site) -> AsyncIterator[None]:
    """The page has so long to show what a person needs."""
    try:
        async with asyncio.timeout(READY_SECONDS):
            yield
    except TimeoutError as exc:
        raise TabwireError(
            f"the page of {site.name} does not accept input after {READY_SECONDS:.0f} s",
            what_to_do=f"Look at it: `tabwire snapshot {site.name}`.",
        ) from exc


class _Watcher:
    """What the page shows now, and a way to wait for more."""

    def __init__(self) -> None:
        self.state: PageState | None = None
        self.wrote = False  # what was typed has been seen
        self._changed = asyncio.Event()

    def see(self, state: PageState) -> None:
        """Take one state."""
        self.state = state
        self.wrote = self.wrote or not state.composer_empty
        self._changed.set()

    @property
    def shows_send(self) -> bool:
        """Whether it can be sent now."""
        return self.state is not None and self.state.send

    @property
    def taken_back(self) -> bool:
        """Whether what was typed is gone again."""
        return self.wrote and self.state is not None and self.state.composer_empty

    async def until(self, fits: Callable[[PageState], bool]) -> None:
        """Wait until the page shows this."""
        while self.state is None or not fits(self.state):
            self._changed.clear()
            await self._changed.wait()


def _layout(site: Site, state: PageState | None) -> Layout:
    named = state.layout if state is not None else None
    return next((one for one in site.page.layouts if one.name == named), site.page.layouts[0])
