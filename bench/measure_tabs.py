"""Fifty tabs streaming at once, watched by one process; the lab is in another.

All answers must be complete and right. What is compared is the CPU of this process with the
CPU of the whole browser while all stream, and what our memory grows by from ten tabs to
fifty.
"""

import asyncio
import gc
import time
from dataclasses import dataclass

import psutil

from bench.lab_browser import lab_browser
from bench.table import Row, row
from tabwire.browser.line import BrowserLine
from tabwire.lab.demo.person import ask
from tabwire.lab.plan import plan_for
from tabwire.monitor import sightings as told
from tabwire.monitor.follow import follow
from tabwire.monitor.sightings import Sighting
from tabwire.sites.known import SITES

TABS = 50
FEW = 10  # tabs at which memory is looked at for the first time
AT_ONCE = 4  # tabs being opened and asked at the same time: two cores
STREAM_SECONDS = 20.0
EVERY_SECONDS = 0.05  # twenty pieces a second each
LEAD_SECONDS = 75.0  # so late come the first words of the first answer: all are asked by then
WINDOW_SECONDS = 10.0  # in the middle of the streaming, CPU is counted
ALL_SECONDS = 240.0
NAMES = ("grok", "chatgpt")  # Gemini repeats its whole answer in each piece: another measure


@dataclass(slots=True)
class Follower:
    """One tab's account."""

    prompt: str = ""
    right: bool = False
    grown: int = 0
    over: asyncio.Event | None = None

    def hear(self, sighting: Sighting) -> None:
        """Take one sighting."""
        match sighting:
            case told.Grew():
                self.grown += 1
            case told.Judged(verdict=verdict) if self.over is not None:
                self.right = verdict.complete and verdict.text == plan_for(self.prompt).text
                self.over.set()


def measure() -> list[Row]:
    """One run: it takes two minutes."""
    cpu_ours, cpu_browser, growth, followers = asyncio.run(_all())
    right = sum(one.right for one in followers)
    return [
        row(f"of {TABS} tabs streaming at once, complete and right", right, "", None, f">= {TABS}"),
        row(
            "CPU of one watcher of 50 tabs, of the browser's",
            cpu_ours,
            "s",
            cpu_browser,
            "<= 0.1667",
        ),
        row("memory for ten more tabs", growth, "MB", None, "<= 3"),
    ]


async def _all() -> tuple[float, float, float, list[Follower]]:
    async with lab_browser() as line, asyncio.timeout(ALL_SECONDS):
        assert line.own is not None
        browser = psutil.Process(line.own.keeper_pid)
        followers = [Follower(over=asyncio.Event()) for _ in range(TABS)]
        async with asyncio.TaskGroup() as group:
            began = time.monotonic()
            gate = asyncio.Semaphore(AT_ONCE)
            watching = []

            async def open_and_ask(number: int) -> None:
                async with gate:
                    watching.append(await _one(line, group, number, followers[number], began))

            async with asyncio.TaskGroup() as opening:
                for number in range(FEW):
                    opening.create_task(open_and_ask(number))
            few = _memory()
            async with asyncio.TaskGroup() as opening:
                for number in range(FEW, TABS):
                    opening.create_task(open_and_ask(number))
            many = _memory()
            await asyncio.sleep(began + LEAD_SECONDS + 5 - time.monotonic())
            before = _cpu(browser)
            await asyncio.sleep(WINDOW_SECONDS)
            after = _cpu(browser)
            for follower in followers:
                assert follower.over is not None
                await follower.over.wait()
            for task in watching:
                task.cancel()
    growth = (many - few) / ((TABS - FEW) / 10)
    return after[0] - before[0], after[1] - before[1], growth, followers


async def _one(
    line: BrowserLine,
    group: asyncio.TaskGroup,
    number: int,
    follower: Follower,
    began: float,
) -> "asyncio.Task[object]":
    """Open a tab, follow it, ask; the answer begins when all have been asked."""
    site = SITES[NAMES[number % len(NAMES)]]
    tab = await line.tabs.open(site.page.home)
    task: asyncio.Task[object] = group.create_task(follow(tab, site, follower.hear))
    hand = await line.tabs.attach(tab.target)
    first = max(0.1, began + LEAD_SECONDS - time.monotonic())
    pieces = round(STREAM_SECONDS / EVERY_SECONDS)
    follower.prompt = (
        f"lab: pieces={pieces} every={EVERY_SECONDS} first={first:.2f} think=0 seed={number}"
    )
    await ask(hand, site, follower.prompt)
    await hand.detach()
    return task


def _cpu(browser: psutil.Process) -> tuple[float, float]:
    """CPU seconds of this process, and of the browser with all its processes."""
    ours = psutil.Process().cpu_times()
    theirs = 0.0
    for process in browser.children(recursive=True):
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        theirs += times.user + times.system
    return ours.user + ours.system, theirs


def _memory() -> float:
    """What this process holds, in MB."""
    gc.collect()
    return float(psutil.Process().memory_info().rss) / 1_000_000
