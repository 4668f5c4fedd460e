"""The whole road of an assistant's question, against asking in this process.

A client of the official SDK, `tabwire mcp`, a hub with its store and its queue on disk, each in a
process of its own, and the same browser and tab as for the ask without all that, in turns.

An ask counts itself how long it takes, from taking the prompt to knowing the answer. What is left
of the whole, from the call to its result, is the road: before the ask begins, and after its answer
is known. Whole times compared with each other would say the same, but a page that is slow for a
tenth of a second now and then would drown it.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from bench.ask_bed import Bed, bed, opened, warm
from bench.table import Row, row
from tabwire.browser.tab import Tab
from tabwire.config.home import home
from tabwire.hub.remote.hub import RemoteHub
from tabwire.sites.known import SITES
from tabwire.sites.site import Site

ROUNDS = 15
ALL_SECONDS = 900.0
WAIT_SECONDS = 60
QUICK = "lab: pieces=8 every=0.02 first=0.05 think=0 seed={}"

_seeds = count(700_001)


def measure() -> list[Row]:
    """A minute or two."""
    return asyncio.run(_all())


async def _all() -> list[Row]:
    async with asyncio.timeout(ALL_SECONDS), bed() as here, _client(here) as client:
        return [await _added(here, client, site) for site in SITES.values()]


async def _added(here: Bed, client: Any, site: Site) -> Row:
    tab = await opened(here, site)
    added = []
    for turn in range(ROUNDS + 1):
        alone = await _alone(here, site, tab)
        whole = await _whole(client, site, tab)
        if turn:
            added.append(whole - alone)
    name = f"asking {site.name} over MCP and the hub, more than in this process"
    return row(name, median(added), "ms", None, "<= 40")


async def _alone(here: Bed, site: Site, tab: Tab) -> float:
    """Milliseconds beside the ask itself; hardly any."""
    await warm(tab, site)
    asked = await here.ask(site, QUICK.format(next(_seeds)))
    assert asked.answer is not None
    return (asked.delivered - asked.given) * 1000 - (asked.answer.timings.total or 0.0)


async def _whole(client: Any, site: Site, tab: Tab) -> float:
    """Milliseconds beside the ask itself: the road."""
    await warm(tab, site)
    given = {"question": QUICK.format(next(_seeds)), "wait": WAIT_SECONDS}
    began = time.monotonic()
    result = await client.call_tool(f"ask_{site.name}_web", given)
    took = time.monotonic() - began
    data = result.structured_content
    if data["state"] != "completed":
        raise RuntimeError(f"no answer: {result.content[0].text}")
    # asked for afterwards: with `debug` from the start the page would be looked at as well
    wanted = {"job_id": data["job_id"], "debug": True}
    known = (await client.call_tool("get_answer", wanted)).structured_content
    return took * 1000 - float(known["timings"]["totalMs"])


@asynccontextmanager
async def _client(here: Bed) -> AsyncIterator[Any]:
    """The official client, over a pump, of a hub in a process of its own."""
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters

    pump = StdioServerParameters(
        command=sys.executable,
        args=[str(Path(sys.executable).with_name("tabwire")), "mcp"],
        env={
            "TABWIRE_HOME": str(home()),
            "TABWIRE_BROWSER": here.browser,
            "TABWIRE_PORT": "0",
        },
    )
    try:
        async with Client(pump, mode="legacy") as client:
            yield client
    finally:
        await RemoteHub(start=False).shutdown()
