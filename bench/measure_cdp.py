"""The DevTools connection: our carrier against the asyncio client of the library it is built on.

The browser is a stand-in that answers at once, in a process of its own, so that what is
measured is us: CPU of this process for the same commands and events over both carriers, in
turns.
"""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from bench.echo_browser import echo_browser
from bench.race import Contestant, pair_of
from bench.table import Row, row
from bench.websockets_carrier import connect as connect_other
from tabwire.cdp.connection import Connection
from tabwire.cdp.protocol import Event
from tabwire.cdp.routes import EVERY_SESSION
from tabwire.cdp.websocket import connect

ROUNDS = 9
CALLS = 1000
EVENTS = 10_000
LARGE = 30_000_000
FEW = 5  # rounds, where one takes long
MICRO = 1_000_000


class DataReceived(msgspec.Struct):
    """What a reader of a stream wants to know."""

    requestId: str  # noqa: N815
    data: str


def measure() -> list[Row]:
    """All of it on one loop, so that both carriers share their luck."""
    with echo_browser() as url, asyncio.Runner() as runner:
        ours, theirs = runner.run(_open(url))

        def pair(rounds: int, work: Callable[[Connection], Awaitable[None]]) -> tuple[float, float]:
            return pair_of(rounds, run(work, ours), run(work, theirs))

        def run(work: Callable[[Connection], Awaitable[None]], line: Connection) -> Contestant:
            async def once() -> None:
                await work(line)

            return lambda: runner.run(once())

        calls = pair(ROUNDS, _calls)
        events = pair(ROUNDS, _events)
        large = pair(FEW, _large)
        runner.run(_close(ours, theirs))
    return [
        _per("CPU per command, against websockets' own client", calls, CALLS, "<= 1.1"),
        _per("CPU per event read, against websockets' own client", events, EVENTS, "<= 1.1"),
        _per("CPU of a 30 MB reply, against websockets' own client", large, 1, "<= 1.2"),
    ]


async def _open(url: str) -> tuple[Connection, Connection]:
    """Two lines to the same stand-in."""
    return Connection(await connect(url)), Connection(await connect_other(url))


async def _close(ours: Connection, theirs: Connection) -> None:
    await ours.close()
    await theirs.close()


async def _calls(line: Connection) -> None:
    for _ in range(CALLS):
        await line.call("Bench.echo")


async def _events(line: Connection) -> None:
    seen = 0

    def heard(event: Event) -> None:
        nonlocal seen
        seen += len(event.read(DataReceived).data) > 0

    stop = line.listen("Network.dataReceived", heard, session=EVERY_SESSION)
    await line.call("Bench.flood", {"count": EVENTS})
    stop()
    assert seen == EVENTS


async def _large(line: Connection) -> None:
    result = await line.call("Bench.large", {"bytes": LARGE})
    assert len(result["data"]) == LARGE


def _per(name: str, pair: tuple[float, float], count: int, goal: str) -> Row:
    ours, baseline = (seconds / count * MICRO for seconds in pair)
    return row(name, ours, "µs", baseline, goal)
