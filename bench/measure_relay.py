"""Asking through the extension against asking over the browser's own DevTools socket.

One browser with the extension, two hubs: one has it by the relay, the other attaches to it. The
same question is asked by `tabwire ask` through each, in turns. What is compared is what the answer
says of itself: from the browser's own time of the last byte to the verdict `complete`.

Then the extension's worker is ended as Chrome does it, with a page of a site open: the seconds
until the hub has it back, the slowest of some.

Last the hub is away and started anew, after the extension was alone for a while: with its worker
awake, with a page of a site open and without; and with the worker ended and no such page open, so
that nothing but its alarm wakes it. The seconds from the hub's first word to the extension's.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.lab_browser import lab_process
from bench.table import Row, row
from tabwire.hub.process.lock import holder
from tabwire.hub.remote.hub import RemoteHub
from tabwire.lab.demo.everyday import Everyday, asked, everyday, hub_in
from tabwire.lab.demo.home import borrowed_home
from tabwire.lab.plan import plan_for
from tabwire.model.extension import ORIGIN
from tabwire.sites.known import SITES

ROUNDS = 5
ALL_SECONDS = 1200.0
ALONE_SECONDS = 8.0  # by then the waits between two tries have grown to their longest
ASLEEP_ROUNDS = 3  # each takes up to half a minute
LOOK_SECONDS = 0.05  # between two looks at the hub, which has no other way to tell
QUICK = "lab: pieces=40 every=0.02 first=0.05 think=0 seed={}"

_seeds = count(1)


def measure() -> list[Row]:
    """All of it; about six minutes."""
    return asyncio.run(_all())


async def _all() -> list[Row]:
    relayed: list[float] = []
    direct: list[float] = []
    found: list[float] = []
    bare: list[float] = []
    asleep: list[float] = []
    with borrowed_home() as home, TemporaryDirectory() as other:
        async with (
            asyncio.timeout(ALL_SECONDS),
            lab_process() as flags,
            everyday(home, flags, lambda _words: None) as browser,
        ):
            attach = f"attach={browser.url}"
            async with hub_in(Path(other), TABWIRE_BROWSER=attach):
                for turn in range(ROUNDS + 1):
                    for site in SITES:
                        ours = await _detected(home, "extension", site)
                        theirs = await _detected(Path(other), attach, site)
                        if turn:  # the first one opens tabs and fills caches
                            relayed.append(ours)
                            direct.append(theirs)
            back = [await _back(browser) for _ in range(ROUNDS)]
            port = await _end_hub()
            for times in (found, bare):
                for _ in range(ROUNDS):
                    await asyncio.sleep(ALONE_SECONDS)
                    times.append(await _found(home, port))
                await _close_sites(browser)
            for _ in range(ASLEEP_ROUNDS):
                async with _ended(browser):
                    while await _is_awake(browser):
                        await asyncio.sleep(LOOK_SECONDS)
                    asleep.append(await _found(home, port))
    return [
        row(
            "end of answer to complete over the extension, against the browser's socket",
            median(relayed),
            "s",
            median(direct),
            "<= 3",
        ),
        row(
            "connected again after the worker was ended, the slowest", max(back), "s", None, "<= 5"
        ),
        row("a started hub found, a page open, the slowest", max(found), "s", None, "<= 3"),
        row("a started hub found, no page open, the slowest", max(bare), "s", None, "<= 3"),
        row("a started hub found, worker asleep, the slowest", max(asleep), "s", None, "<= 35"),
    ]


async def _detected(home: Path, browser: str, site: str) -> float:
    prompt = QUICK.format(next(_seeds))
    answer = (await asked(home, browser, prompt, [site]))[site]
    assert answer.get("text") == plan_for(prompt).text, "an answer that is wrong is not fast"
    return float(answer["timings"]["detect"]) / 1000


async def _back(browser: Everyday) -> float:
    """End the worker; seconds until it has dialled in anew."""
    hub = RemoteHub(start=False)
    await browser.line.tabs.close(browser.connect_page.target)  # which would wake it by asking
    before = (await hub.extensions.status()).installs[0].seen_at
    async with _ended(browser) as began:
        return await _connected(hub, before) - began


@asynccontextmanager
async def _ended(browser: Everyday) -> AsyncIterator[float]:
    """The worker was ended as Chrome does it; when. The tab from which that is done stays open
    for the block: the worker hears of tabs that close, and would be woken by us."""
    tabs = browser.line.tabs
    own = await tabs.open(f"{ORIGIN}/manifest.json")
    await own.session.call("ServiceWorker.enable")
    began = time.monotonic()
    await own.session.call("ServiceWorker.stopAllWorkers")
    try:
        yield began
    finally:
        await tabs.close(own.target)


async def _is_awake(browser: Everyday) -> bool:
    said = await browser.line.connection.call("Target.getTargets")
    return any(one["type"] == "service_worker" and ORIGIN in one["url"]
               for one in said["targetInfos"])  # fmt: skip


async def _connected(hub: RemoteHub, before: float = 0.0) -> float:
    """When the extension is there, which was seen last at `before`."""
    while True:
        status = await hub.extensions.status()
        if status.connected and status.installs[0].seen_at > before:
            return time.monotonic()
        await asyncio.sleep(LOOK_SECONDS)


async def _end_hub() -> int:
    """End the hub that runs; the port it had."""
    hub = RemoteHub(start=False)
    found = holder()
    assert found is not None
    await hub.shutdown()
    while holder() is not None:
        await asyncio.sleep(LOOK_SECONDS)
    return found.port


async def _found(home: Path, port: int) -> float:
    """Seconds from the first word of a hub that is started now to the extension's."""
    async with hub_in(home, TABWIRE_PORT=str(port)):
        began = time.monotonic()
        return await _connected(RemoteHub(start=False)) - began


async def _close_sites(browser: Everyday) -> None:
    """No page of a site is open."""
    tabs = browser.line.tabs
    for info in await tabs.list():
        if any(host in info.url for site in SITES.values() for host in site.hosts):
            await tabs.close(info.target)
