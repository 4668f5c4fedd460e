"""The lab itself: how much it can say on one core, how soon it is ready, how fast its pages load.

The lab runs in a process of its own, on one core; we listen on another. Fifty answers at once
come over one HTTP/2 connection, as the tabs of a browser share one, each faster than the lab
can tell it; what arrives is counted piece by piece and divided by the CPU time the lab spent
on it, so that a machine shared with others is fair to it.
"""

import asyncio
import json
import os
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import psutil
from h2.connection import H2Connection
from h2.events import DataReceived, StreamEnded

from bench.lab_browser import lab_browser
from bench.race import median_of
from bench.table import Row, row
from tabwire.browser.tab import Tab
from tabwire.lab.home.places import HOME
from tabwire.sites.known import SITES

STARTS = 7
TABS, PER_SECOND = 50, 20  # events of fifty busy tabs: what the lab is compared with
PIECES, EVERY_SECONDS = 3_000, 0.0005  # of each answer: 100,000 events a second are asked for
RATE_ROUNDS = 3
LOADS = 15
WINDOW = 2**24  # bytes: no stream waits for us
ALL_SECONDS = 120.0
PAGES = {name: site.page.home for name, site in SITES.items()} | {"the lab's own": HOME}


def measure() -> list[Row]:
    """All of it; two minutes."""
    (ready,) = median_of(STARTS, _start)
    rate = median(asyncio.run(_rate()) for _ in range(RATE_ROUNDS))
    rows = [
        row("lab serve: start to ready", ready, "s", None, "<= 1.5"),
        row(
            f"lab on one core, against {TABS} tabs of {PER_SECOND} events a second",
            rate,
            "events/s",
            TABS * PER_SECOND,
            ">= 20",
        ),
    ]
    for name, took in asyncio.run(_loads()).items():
        rows.append(row(f"page of {name}: navigation to load", took, "ms", None, "<= 300"))
    return rows


def _start() -> None:
    with _Lab():
        pass


class _Lab:
    """`tabwire lab serve` in a process of its own, from its start to its end."""

    def __enter__(self) -> "_Lab":
        self._home = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tabwire", "lab", "serve", "--json"],
            stdout=subprocess.PIPE,
            env={**os.environ, "TABWIRE_HOME": str(Path(self._home.name) / "home")},
        )
        assert self._process.stdout is not None
        self.port = int(json.loads(self._process.stdout.readline())["port"])
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._home.cleanup()

    @property
    def cpu(self) -> float:
        """CPU seconds so far: of one core, the lab has one thread that does anything."""
        times = psutil.Process(self._process.pid).cpu_times()
        return float(times.user + times.system)


async def _rate() -> float:
    """Events per second of CPU, all requests, their plans and every byte sent included."""
    with _Lab() as lab:
        before = lab.cpu
        async with asyncio.timeout(ALL_SECONDS):
            events = await _listen(lab.port)
        return events / (lab.cpu - before)


async def _listen(port: int) -> int:
    """Ask for fifty answers and read them all; how many events came."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, limit=WINDOW)
    line = H2Connection()
    line.initiate_connection()
    line.increment_flow_control_window(WINDOW)
    line.update_settings({4: WINDOW})  # INITIAL_WINDOW_SIZE
    bodies: dict[int, bytearray] = {}
    for number in range(TABS):
        bodies[_ask(line, number)] = bytearray()
    open_streams = set(bodies)
    while open_streams:
        writer.write(line.data_to_send())
        for event in line.receive_data(await reader.read(2**20)):
            if isinstance(event, DataReceived):
                bodies[event.stream_id] += event.data
                # who reads to the end acknowledges everything in time
                line.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, StreamEnded):
                open_streams.discard(event.stream_id)
    writer.transport.abort()
    events = sum(body.count(b"\n\n") for body in bodies.values())
    assert events >= TABS * PIECES, f"{events} events of {TABS * PIECES}"
    return events


def _ask(line: H2Connection, number: int) -> int:
    prompt = f"lab: pieces={PIECES} every={EVERY_SECONDS} first=1 think=0 seed={number}"
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [prompt]}}
    body = json.dumps({"action": "next", "messages": [message]}).encode()
    stream = line.get_next_available_stream_id()
    head = {
        ":method": "POST",
        ":path": "/backend-api/f/conversation",
        ":authority": "chatgpt.com",
        ":scheme": "https",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "authorization": "Bearer lab-bench",
        "oai-device-id": "bench",
    }
    line.send_headers(stream, list(head.items()))
    line.send_data(stream, body, end_stream=True)
    return stream


async def _loads() -> dict[str, float]:
    """Milliseconds from leaving for a page to its load event, the median for each."""
    async with lab_browser() as line, asyncio.timeout(ALL_SECONDS):
        tab = await line.tabs.open("about:blank")
        await tab.session.call("Page.enable")
        return {name: await _load(tab, url) for name, url in PAGES.items()}


async def _load(tab: Tab, url: str) -> float:
    times = []
    for turn in range(LOADS + 1):
        with tab.session.subscribe(["Page.loadEventFired"]) as loaded:
            began = time.perf_counter()
            await tab.session.call("Page.navigate", {"url": url})
            await anext(aiter(loaded))
            if turn:  # the first one opens the connection
                times.append((time.perf_counter() - began) * 1000)
    return median(times)
