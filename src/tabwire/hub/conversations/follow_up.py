"""After asks, when nobody asks for a while: the newest conversation of each site is read.

An ask keeps what its stream told, which is the answer and not the site's record of it. So a
conversation that was asked in is opened once more in a background tab, until two equal readings
make it ready. Only in a browser of our own: the extension's pages do this by themselves, and in
a browser that we attached to no tab is opened without need.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from tabwire.asking.recovery.reread import heard, put_away
from tabwire.browser.line import BrowserLine
from tabwire.capture.recorder import Recorder
from tabwire.config.logs import get_log
from tabwire.fusion.profile import STABILITY_SECONDS
from tabwire.hub.conversations.writer import Keeper
from tabwire.model.captured import Captured, Origin
from tabwire.model.errors import TabwireError
from tabwire.monitor.follow import Wish
from tabwire.monitor.sightings import Sighting
from tabwire.sites.known import SITES
from tabwire.sites.site import Site

IDLE_SECONDS = 5.0
READ_SECONDS = 20.0  # for a page to load a conversation
MAX_READS = 3
LEASE_SECONDS = MAX_READS * (READ_SECONDS + 5.0)
OWNER = "reading the question back"

Lines = Callable[[], AbstractAsyncContextManager[BrowserLine]]


class AfterAsks:
    """`busy` says whether somebody asks, `open` whether there is a line: none is opened for us."""

    def __init__(
        self,
        lines: Lines,
        keeper: Keeper,
        *,
        origin: Origin = Origin.ASK,
        busy: Callable[[], bool],
        is_open: Callable[[], bool],
        idle_seconds: float = IDLE_SECONDS,
        only_own: bool = True,
    ) -> None:
        self._lines = lines
        self._keeper = keeper
        self._origin = origin
        self._busy = busy
        self._is_open = is_open
        self._idle_seconds = idle_seconds
        self._only_own = only_own
        self._newest: dict[str, str] = {}
        self._asked = asyncio.Event()

    def asked(self, site: str, conversation_id: str) -> None:
        """This was asked in, and its answer is there."""
        self._newest[site] = conversation_id
        self._asked.set()

    async def run(self) -> None:
        """Read what was asked, each time it has become quiet; until cancelled."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            await asyncio.sleep(self._idle_seconds)
            if self._asked.is_set() or self._busy():
                self._asked.set()
                continue
            newest, self._newest = self._newest, {}
            for site, conversation_id in newest.items():
                try:
                    await self._read(SITES[site], conversation_id)
                except (TabwireError, ConnectionError, TimeoutError) as exc:
                    get_log().info("the question was not read back", site=site, error=exc)
            await self._keeper.flush_quietly()

    async def _read(self, site: Site, conversation_id: str) -> None:
        if not self._is_open():
            return
        async with self._lines() as line:
            if line.own is not None or not self._only_own:
                put = self._keeper.put
                await read_until_steady(line, site, conversation_id, put, origin=self._origin)


async def read_until_steady(
    line: BrowserLine,
    site: Site,
    conversation_id: str,
    put: Callable[[Captured], None],
    *,
    origin: Origin = Origin.ASK,
) -> bool:
    """Let a page of a background tab read a conversation until it is ready; whether it is."""
    tab = await line.tabs.open("about:blank")
    recorder = Recorder(
        site,
        origin=origin,
        wall=time.time,
        captured=put,
        adopts=True,
        clock=time.monotonic,
        page_url=lambda: tab.url,
    )
    changed = asyncio.Event()

    def hear(_sighting: Sighting) -> None:
        changed.set()

    try:
        with line.tabs.lease(tab.target, OWNER, LEASE_SECONDS):
            wish = Wish(records=lambda _site: recorder)
            async with heard(tab, site, hear, wish, lambda _fault: changed.set()):
                where = site.page.chat_url(conversation_id)
                for _ in range(MAX_READS):
                    count = recorder.readings
                    await tab.navigate(where, seconds=site.page.timings.load_seconds)
                    async with asyncio.timeout(READ_SECONDS):
                        while recorder.readings == count:
                            changed.clear()
                            await changed.wait()
                    readiness = recorder.readiness
                    if readiness is not None and readiness.ready:
                        return True
                    await asyncio.sleep(2 * STABILITY_SECONDS)  # the gate wants them apart
        return False
    finally:
        await put_away(line.tabs, tab.target)
