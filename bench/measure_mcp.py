"""`tabwire mcp`: how soon it is there, what it weighs, and how lists do when there is much.

1. Warm: from the start of the process to the answer to `initialize`, with a hub that runs.
   Against the official SDK's smallest server, and against `npx @playwright/mcp`, in turns.
2. What the pump then holds in memory, against that smallest server.
3. Cold: the same start with no hub, which it starts.
4. `list_jobs` and `search_history` over a client, with 1,000 finished jobs against 10.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from bench.mcp_servers import HELLO, Started, hello_world, playwright, started
from bench.table import Row, row, speedup
from tabwire.hub.jobs.books import opened_books
from tabwire.lab.demo.home import borrowed_home
from tabwire.model.ask import Answer, AskRequest, Completeness

ROUNDS = 11
COLD_ROUNDS = 3
FEW, MANY = 10, 1_000
CALLS = 30
NEEDLE = "haystack"
WORDS = "the answer to this question is as long as a short answer is, number {}. " * 20


def measure() -> list[Row]:
    """All of it; about a minute."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "hello.py"
        script.write_text(HELLO)
        rows = _starts(hello_world(str(script)), Path(folder))
    return [*rows, *asyncio.run(_lists())]


# --- starting --------------------------------------------------------------------------------


def _starts(hello: list[str], folder: Path) -> list[Row]:
    tabwire = [sys.executable, str(Path(sys.executable).with_name("tabwire"))]
    pump = [*tabwire, "mcp"]
    peer = playwright()
    ours: list[Started] = []
    theirs: list[Started] = []
    peers: list[Started] = []
    environment = {"TABWIRE_HOME": str(folder / "home"), "TABWIRE_PORT": "0"}
    with _hub(tabwire, environment):
        started(pump, environment)
        for _ in range(ROUNDS):
            ours.append(started(pump, environment))
            theirs.append(started(hello))
            if peer is not None:
                peers.append(started(peer))
    cold = []
    for _ in range(COLD_ROUNDS):
        with _hub(tabwire, environment, running=False):
            cold.append(started(pump, environment))
    warm, base = _seconds(ours), _seconds(theirs)
    rows = [
        speedup(
            "tabwire mcp to its first answer, against the SDK's hello world", warm, base, ">= 15"
        ),
        row(
            "tabwire mcp in memory, against the SDK's hello world",
            median(one.resident_mb for one in ours),
            "MB",
            median(one.resident_mb for one in theirs),
            "<= 0.2",
        ),
        row(
            "tabwire mcp with no hub running, against the SDK's hello world",
            _seconds(cold),
            "s",
            base,
            "<= 2",
        ),
    ]
    if peers:
        name = "tabwire mcp to its first answer, against npx @playwright/mcp"
        rows.append(speedup(name, warm, _seconds(peers), ">= 20"))
    return rows


def _seconds(all_of: list[Started]) -> float:
    return median(one.seconds for one in all_of)


@contextmanager
def _hub(
    tabwire: list[str], environment: dict[str, str], *, running: bool = True
) -> Iterator[None]:
    """A hub that runs, or none; afterwards none."""
    everything = {**os.environ, **environment}
    if running:
        started([*tabwire, "mcp"], environment)  # whoever needs one starts it
    try:
        yield
    finally:
        subprocess.run([*tabwire, "stop"], env=everything, stdout=subprocess.DEVNULL, check=True)


# --- lists -----------------------------------------------------------------------------------


LISTS = {
    "list_jobs": ("list_jobs", {}),
    "search_history, one found": ("search_history", {"query": NEEDLE}),
    "search_history, all found": ("search_history", {"query": "question"}),
}


async def _lists() -> list[Row]:
    times = {}
    for count in (FEW, MANY):
        with borrowed_home():
            await _finished(count)
            async with _client() as client:
                for name, (tool, given) in LISTS.items():
                    times[name, count] = await _median(_caller(client, tool, given))
    return [
        row(
            f"{name}, with {MANY:,} finished jobs, against {FEW}",
            times[name, MANY],
            "s",
            times[name, FEW],
            "<= 3",
        )
        for name in LISTS
    ]


async def _finished(count: int) -> None:
    """So many jobs in the store, as a hub leaves them."""
    async with opened_books() as books:
        for number in range(count):
            prompt = f"Question number {number}? {NEEDLE * (number == FEW // 2)}"
            asked, _ = await books.begin(AskRequest("grok", prompt), again=True)
            text = WORDS.format(*[number] * 20)
            answer = Answer(asked.id, "grok", prompt, text, Completeness.COMPLETE, "measured")
            await books.keep(asked, answer)


@asynccontextmanager
async def _client() -> Any:
    """The official client of a hub in this process."""
    from mcp import Client

    from tabwire.doors.mcp.server import McpDoor
    from tabwire.hub.process.assembly import running_hub

    async with running_hub(durable=False) as hub, Client(McpDoor(hub).server) as client:
        yield client


def _caller(client: Any, tool: str, given: dict[str, str]) -> Callable[[], Awaitable[object]]:
    return lambda: client.call_tool(tool, given)


async def _median(call: Callable[[], Awaitable[object]]) -> float:
    took = []
    for _ in range(CALLS + 1):
        began = time.perf_counter()
        await call()
        took.append(time.perf_counter() - began)
    return median(took[1:])
