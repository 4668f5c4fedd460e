"""A tab of the lab that is being watched, and a hand that asks in it.

    async with watching(url, "chatgpt") as tab:
        await tab.ask("Hello")
        verdict = (await tab.until(told.Judged)).verdict

Nothing here polls: `until` is woken by each sighting.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from kit.asking import tabs_of
from kit.carriers import tabs_over
from tabwire.browser.tab import Tab
from tabwire.browser.tabs import Tabs
from tabwire.cdp.errors import ConnectionEnded
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.lab.demo.person import ask
from tabwire.monitor import sightings as told
from tabwire.monitor.follow import Wish, follow
from tabwire.monitor.sightings import Befell, Sighting
from tabwire.sites.known import SITES
from tabwire.sites.site import Site

S = TypeVar("S", bound=Sighting)

SEE_SECONDS = 60.0  # longer than any answer asked for in a test takes on a busy machine


class Watched:
    """What was told of a tab, and ways to act in it: `tabs` and `hand` are of somebody else."""

    def __init__(self, tabs: Tabs, tab: Tab, hand: Tab, site: Site) -> None:
        self.tabs = tabs
        self.tab = tab
        self.hand = hand
        self.site = site
        self.told: list[Sighting] = []
        self.end: asyncio.Task[Befell] | None = None
        self._news = asyncio.Event()

    def hear(self, sighting: Sighting) -> None:
        """Take one sighting."""
        self.told.append(sighting)
        self._news.set()

    async def ask(self, prompt: str) -> None:
        """Type a prompt and send it."""
        await ask(self.hand, self.site, prompt)

    async def until(
        self,
        shape: type[S],
        fits: Callable[[S], bool] = lambda _one: True,
        *,
        seconds: float = SEE_SECONDS,
    ) -> S:
        """The first sighting of this kind that fits, waited for if need be."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    self._news.clear()
                    for one in self.told:
                        if isinstance(one, shape) and fits(one):
                            return one
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"no such {shape.__name__} in {self.story()}") from None

    async def verdict(self, *, seconds: float = SEE_SECONDS) -> Verdict:
        """The first verdict that is one."""
        judged = await self.until(
            told.Judged, lambda one: one.verdict.judgement is not Judgement.OPEN, seconds=seconds
        )
        return judged.verdict

    def of(self, shape: type[S]) -> list[S]:
        """All sightings of a kind so far."""
        return [one for one in self.told if isinstance(one, shape)]

    def text(self) -> str:
        """The answer as whoever listens has it."""
        said = ""
        for one in self.told:
            if isinstance(one, told.Grew) and not one.thinking:
                said += one.text
            elif isinstance(one, told.Rewritten) and not one.thinking:
                said = one.text
        return said

    def story(self) -> list[str]:
        """What was told, in short, for a failing test."""
        return [str(one)[:160] for one in self.told[-25:]]

    async def run(self, expression: str) -> Any:
        """Run something in the page's own world, as the page's own script."""
        how = {"expression": expression, "awaitPromise": False, "returnByValue": True}
        return (await self.hand.session.call("Runtime.evaluate", how))["result"].get("value")


@asynccontextmanager
async def watching(
    url: str,
    site_name: str,
    wish: Wish | None = None,
    *,
    address: str | None = None,
    before: Callable[[Watched], Any] | None = None,
) -> AsyncIterator[Watched]:
    """Open a tab of the lab in the browser at `url` and follow it for the length of a block.

    `before` may do something in the tab before it is followed.
    """
    site = SITES[site_name]
    async with tabs_of(url) as others, tabs_over(url) as tabs:
        tab = await tabs.open(address or site.page.home)
        hand = await others.attach(tab.target)
        watched = Watched(others, tab, hand, site)
        if before is not None:
            await before(watched)
        async with asyncio.TaskGroup() as group:
            watched.end = group.create_task(follow(tab, site, watched.hear, wish))
            await watched.until(told.Watching)
            yield watched
            watched.end.cancel()
        with suppress(ConnectionEnded):  # its browser is gone, heard of already or not
            await others.close(tab.target)
