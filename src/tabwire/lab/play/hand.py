"""The hand that does to a tab what a story's fate wants.

The lab may run on another loop in another thread (as it does for tests), and several plays may
share it: each prompt has its own hand, and what befalls comes over to the hand's own loop.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tabwire.browser.page.page import Page
from tabwire.browser.tab import Tab
from tabwire.browser.tabs import Tabs
from tabwire.lab.room import Exchange, Room
from tabwire.lab.stories.steps import Fate
from tabwire.model.errors import TabwireError
from tabwire.sites.page import Page as SitePage

ALERT = {"expression": "setTimeout(() => alert('Are you there?'), 0)"}
FROZEN_SECONDS = 1.0  # long enough for pieces of the answer to arrive meanwhile

Befalls = Callable[[Fate], None]


class Hands:
    """Which hand belongs to which prompt. One for a room, called on the lab's own loop."""

    def __init__(self) -> None:
        self._hands: dict[str, Befalls] = {}

    def __call__(self, _site: str, exchange: Exchange, fate: Fate) -> None:
        """Something befalls the tab in which this was asked."""
        if (hand := self._hands.get(exchange.prompt)) is not None:
            hand(fate)

    @contextmanager
    def at(self, prompt: str, hand: Befalls) -> Iterator[None]:
        """This hand sees to this prompt, for the length of a block."""
        self._hands[prompt] = hand
        try:
            yield
        finally:
            del self._hands[prompt]


def hands_of(room: Room) -> Hands:
    """The room's hands; whoever comes first brings them."""
    if not isinstance(room.on_fate, Hands):
        room.on_fate = Hands()
    return room.on_fate


class Hand:
    """Does one thing after the other to one tab. `kill` ends the whole browser at once."""

    def __init__(
        self,
        tabs: Tabs,
        tab: Tab,
        page: SitePage,
        elsewhere: str,
        kill: Callable[[], None],
    ) -> None:
        self._tabs = tabs
        self._tab = tab
        self._page = page
        self._elsewhere = elsewhere
        self._kill = kill
        self._fates: asyncio.Queue[Fate] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    def befall(self, fate: Fate) -> None:
        """From any thread: do this next."""
        with suppress(RuntimeError):  # the play is over, and its loop closed
            self._loop.call_soon_threadsafe(self._fates.put_nowait, fate)

    async def work(self) -> None:
        """Do what comes, until cancelled."""
        while True:
            fate = await self._fates.get()
            with suppress(TabwireError):  # a tab that is gone by now needs no hand any more
                await self._do(fate)

    async def _do(self, fate: Fate) -> None:
        call = self._tab.session.call
        match fate:
            case Fate.STOP:
                layouts = self._page.layouts
                stop = [one for layout in layouts for one in layout.stop]
                await Page(self._tab.session).click(stop, part="stop button")
            case Fate.CRASH:
                self._tab.session.send("Page.crash", on_reply=lambda _outcome: None)
            case Fate.CLOSE:
                await self._tabs.close(self._tab.target)
            case Fate.RELOAD:
                await call("Page.reload")
            case Fate.LEAVE:
                await call("Page.navigate", {"url": self._elsewhere})
            case Fate.FREEZE:
                await call("Page.setWebLifecycleState", {"state": "frozen"})
                await asyncio.sleep(FROZEN_SECONDS)
                await call("Page.setWebLifecycleState", {"state": "active"})
            case Fate.DIALOG:
                with self._tab.session.subscribe(["Page.javascriptDialogOpening"]) as opening:
                    await call("Runtime.evaluate", ALERT)
                    await anext(aiter(opening))
                await asyncio.sleep(FROZEN_SECONDS)
                await call("Page.handleJavaScriptDialog", {"accept": True})
            case Fate.QUIT:
                await self._tabs.connection.call("Browser.close")
            case Fate.KILL:
                self._kill()
