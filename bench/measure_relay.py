"""Asking through the extension against asking over the browser's own DevTools socket.

One browser with the extension, two hubs: one has it by the relay, the other attaches to it. The
same question is asked by `tabwire ask` through each, in turns. What is compared is what the answer
says of itself: from the browser's own time of the last byte to the verdict `complete`.

Then the extension's worker is ended as Chrome does it, with a page of a site open: the seconds
until the hub has it back, the slowest of some.
"""

import asyncio
import time
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.lab_browser import lab_process
from bench.table import Row, row
from tabwire.hub.remote import RemoteHub
from tabwire.lab.demo.everyday import Everyday, asked, everyday, hub_in
from tabwire.lab.demo.home import borrowed_home
from tabwire.lab.plan import plan_for
from tabwire.model.extension import ORIGIN
from tabwire.sites.known import SITES

ROUNDS = 5
ALL_SECONDS = 900.0
LOOK_SECONDS = 0.05  # between two looks at the hub, which has no other way to tell
QUICK = "lab: pieces=40 every=0.02 first=0.05 think=0 seed={}"

_seeds = count(1)


def measure() -> list[Row]:
    """All of it; about two minutes."""
    return asyncio.run(_all())


async def _all() -> list[Row]:
    relayed: list[float] = []
    direct: list[float] = []
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
    ]


async def _detected(home: Path, browser: str, site: str) -> float:
    prompt = QUICK.format(next(_seeds))
    answer = (await asked(home, browser, prompt, [site]))[site]
    assert answer.get("text") == plan_for(prompt).text, "an answer that is wrong is not fast"
    return float(answer["timings"]["detect"]) / 1000


async def _back(browser: Everyday) -> float:
    """End the worker; seconds until it has dialled in anew."""
    tabs, hub = browser.line.tabs, RemoteHub(start=False)
    await tabs.close(browser.connect_page.target)  # which would wake it by asking
    before = (await hub.extensions())["installs"][0]["seen_at"]
    own = await tabs.open(f"{ORIGIN}/manifest.json")
    await own.session.call("ServiceWorker.enable")
    began = time.monotonic()
    await own.session.call("ServiceWorker.stopAllWorkers")
    await tabs.close(own.target)
    while True:
        said = await hub.extensions()
        if said["connected"] and said["installs"][0]["seen_at"] > before:
            return time.monotonic() - began
        await asyncio.sleep(LOOK_SECONDS)
