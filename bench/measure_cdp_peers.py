"""The DevTools connection against other clients, on a real browser.

CPU: every client says the same to a page of its own, in turns. It is the CPU of this process,
and for playwright that of its driver besides; the browser's own is nobody's.

A round trip is compared with a bare loop, which has no bounds, no sessions and no errors: all
that we do beyond it may cost a tenth of the way there and back. Both speak to one page, call by
call and in a drawn order, because two pages of one browser differ
by more than that, and so does a page from one second to the next.
"""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from statistics import median
from typing import Any

from bench import cdp_clients
from bench.cdp_clients import Client
from bench.race import in_turns
from bench.table import Row, row
from tabwire.browser.find import find_browser, this_machine
from tabwire.browser.launch import Launch, launched
from tabwire.cdp.connection import Connection
from tabwire.cdp.websocket import connect

ROUNDS = 15
CALLS = 200  # a driver's CPU is told in hundredths of a second: it needs 0.2 s a round
EVENTS = 1000
TRIPS = 2000
PRACTICE = 100  # trips, before they count
SEED = 20261116
MICRO = 1_000_000
MILLI = 1_000

OURS, CDP_USE, PLAYWRIGHT = "ours", "cdp-use", "playwright"
BARE = "bare websockets"

Clients = Mapping[str, Client]
Spent = dict[str, list[float]]
Once = Callable[[Client], Coroutine[Any, Any, float]]


def measure() -> list[Row]:
    """All on one loop, so that all share its luck."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        peers = runner.run(stack.enter_async_context(_peers()))
        try:
            calls = _race(runner, peers, _cpu_of_a_call)
            events = _race(runner, peers, _cpu_of_an_event)
        finally:
            runner.run(stack.aclose())
        trips = runner.run(_trips())
    return [
        _against(CDP_USE, calls, "CPU per call", "<= 0.7"),
        _against(PLAYWRIGHT, calls, "CPU per call", "<= 0.1667"),
        _against(CDP_USE, events, "CPU per event", "<= 0.7"),
        _against(PLAYWRIGHT, events, "CPU per event", "<= 0.1667"),
        _round_trip(trips),
    ]


@asynccontextmanager
async def _peers() -> AsyncIterator[Clients]:
    """Playwright attaches to every tab there is, so it has a browser to itself."""
    wish = Launch(find_browser(this_machine()))
    async with (
        launched(wish) as first,
        launched(wish) as second,
        cdp_clients.ours(first.endpoint.url) as ours,
        cdp_clients.cdp_use(first.endpoint.url) as cdp_use,
        cdp_clients.playwright(second.endpoint.url) as playwright,
    ):
        yield {OURS: ours, CDP_USE: cdp_use, PLAYWRIGHT: playwright}


def _race(runner: asyncio.Runner, clients: Clients, once: Once) -> Spent:
    """What `once` says of every client in every round."""
    spent: Spent = {name: [] for name in clients}

    def contestant(name: str) -> Callable[[], None]:
        return lambda: spent[name].append(runner.run(once(clients[name])))

    in_turns(ROUNDS, *map(contestant, clients))
    return {name: kept[1:] for name, kept in spent.items()}  # the first was practice


async def _cpu_of_a_call(client: Client) -> float:
    began = _cpu(client)
    for _ in range(CALLS):
        await client.evaluate()
    return (_cpu(client) - began) / CALLS


async def _cpu_of_an_event(client: Client) -> float:
    began = _cpu(client)
    await client.log(EVENTS)
    return (_cpu(client) - began) / EVENTS


def _cpu(client: Client) -> float:
    return time.process_time() + client.cpu_elsewhere()


async def _trips() -> Spent:
    """Seconds of every round trip of ours and of the bare loop."""
    async with AsyncExitStack() as stack:
        wish = Launch(find_browser(this_machine()))
        url = (await stack.enter_async_context(launched(wish))).endpoint.url
        line = await stack.enter_async_context(Connection(await connect(url)))
        page = await cdp_clients.open_page(line.call)
        clients: dict[str, Client] = {
            name: await stack.enter_async_context(opened(url, page))
            for name, opened in {OURS: cdp_clients.ours, BARE: cdp_clients.bare_websockets}.items()
        }
        took: Spent = {name: [] for name in clients}
        order = list(clients)
        draw = random.Random(SEED)
        for _ in range(PRACTICE + TRIPS):
            draw.shuffle(order)
            for name in order:
                began = time.perf_counter()
                await clients[name].evaluate()
                took[name].append(time.perf_counter() - began)
        return {name: kept[PRACTICE:] for name, kept in took.items()}


def _against(peer: str, spent: Spent, what: str, goal: str) -> Row:
    """The round whose ratio is the median of all rounds, as in `race.pair_of`."""
    pairs = sorted(zip(spent[OURS], spent[peer], strict=True), key=lambda pair: pair[0] / pair[1])
    mine, theirs = pairs[len(pairs) // 2]
    return row(f"{what}, against {peer}", mine * MICRO, "µs", theirs * MICRO, goal)


def _round_trip(trips: Spent) -> Row:
    typical = {name: median(kept) * MILLI for name, kept in trips.items()}
    return row(
        f"round trip to a page, against {BARE}", typical[OURS], "ms", typical[BARE], "<= 1.1"
    )
