"""How soon the end and the beginning of an answer are known: by the wire, and by polling.

All watchers see the same answers in the same tabs: ours (tap, observer, fusion), a poll of
the page each second (seed 001, its own conditions), and a poll every two seconds that wants
the stop control gone three times running (seed 000). Each time is our clock minus the
browser's own time of the network event that carried the end, or the first text.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from statistics import median

from bench.lab_browser import lab_browser, prompts
from bench.table import Row, row
from tabwire.browser.classic import ClassicPage
from tabwire.browser.line import BrowserLine
from tabwire.browser.page.page import Page
from tabwire.browser.tab import Tab
from tabwire.fusion.monitor_phases import MONITOR_CLASSIC, POLL_SECONDS, PageMonitor, Phase
from tabwire.lab.demo.person import ask
from tabwire.lab.plan import plan_for
from tabwire.model.signals import PageSaw
from tabwire.monitor import sightings as told
from tabwire.monitor.classic import ClassicDone, ClassicPolled, follow_classic
from tabwire.monitor.follow import follow
from tabwire.monitor.sightings import Sighting
from tabwire.sites.chatgpt.classic import CLASSIC
from tabwire.sites.known import SITES

SEED = 20261116
ANSWERS = 20
CHAT = 5  # answers in one chat: from ten turns on the page keeps only the last ones in the document
ALL_SECONDS = 60.0  # for one answer to be known by all three
SITE = SITES["chatgpt"]


@dataclass(slots=True)
class Times:
    """When what was known of one answer, and by whom. Seconds of the monotonic clock."""

    first_event: float = 0.0
    end_event: float = 0.0
    first: dict[str, float] = field(default_factory=dict)
    end: dict[str, float] = field(default_factory=dict)
    right: bool = False


def measure() -> list[Row]:
    """Twenty answers, three watchers."""
    times = asyncio.run(_all())
    assert all(one.right for one in times), "a watcher that is wrong is not fast"

    def delay(who: str) -> float:
        return median(one.end[who] - one.end_event for one in times)

    def first(who: str) -> float:
        return median(one.first[who] - one.first_event for one in times)

    ours, second, thrice = delay("wire"), delay("poll 1 s"), delay("poll 2 s x3")
    early, late = first("wire"), first("poll 1 s")
    return [
        row("end of answer known, over the network event", ours * 1000, "ms", None, "<= 5"),
        _faster("end of answer, against a poll each second", ours, second, 100),
        _faster("end of answer, against three polls at 2 s", ours, thrice, 1000),
        _faster("first text, against a poll each second", early, late, 100),
    ]


def _faster(name: str, ours: float, theirs: float, times: int) -> Row:
    ratio = theirs / ours
    return Row(name, ours * 1000, "ms", theirs * 1000, ratio, f">= {times}", ratio >= times)


async def _all() -> list[Times]:
    """One chat after the other: two cores are busy enough with one tab and three watchers."""
    everything = prompts(SEED, ANSWERS)
    results: list[Times] = []
    async with lab_browser() as line:
        for first in range(0, ANSWERS, CHAT):
            results += await _one_chat(line, everything[first : first + CHAT])
    return results


async def _one_chat(line: BrowserLine, asked: list[str]) -> list[Times]:
    tab = await line.tabs.open(SITE.page.home)
    hand, poller, slow = [await line.tabs.attach(tab.target) for _ in range(3)]
    results = []
    async with _wire(tab) as heard:
        for number, prompt in enumerate(asked):
            times = Times()
            heard.begin(times, plan_for(prompt).text)
            async with asyncio.timeout(ALL_SECONDS), asyncio.TaskGroup() as group:
                group.create_task(_each_second(poller, times, number))
                group.create_task(_each_two_seconds(slow, times))
                group.create_task(heard.over.wait())
                await asyncio.sleep(0)  # the pollers count what stands there before the question
                await ask(hand, SITE, prompt)
            results.append(times)
    await line.tabs.close(tab.target)
    return results


class _Heard:
    """Our own watcher's times."""

    def __init__(self) -> None:
        self.over = asyncio.Event()
        self._times = Times()
        self._text = ""

    def begin(self, times: Times, text: str) -> None:
        """The next answer."""
        self._times, self._text = times, text
        self.over.clear()

    def hear(self, sighting: Sighting) -> None:
        """Take one sighting. The clock is read here, where a door would hear it."""
        match sighting:
            case told.Grew(thinking=False) | told.Rewritten(thinking=False):
                if not self._times.first_event:
                    self._times.first_event = sighting.event_at
                    self._times.first["wire"] = time.monotonic()
            case told.Judged(verdict=verdict) if verdict.complete and not self.over.is_set():
                self._times.end_event = sighting.event_at
                self._times.end["wire"] = time.monotonic()
                self._times.right = verdict.text == self._text
                self.over.set()


@asynccontextmanager
async def _wire(tab: Tab) -> AsyncIterator[_Heard]:
    heard = _Heard()
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(follow(tab, SITE, heard.hear))
        yield heard
        watching.cancel()


async def _each_second(tab: Tab, times: Times, before: int) -> None:
    """Seed 001: its conditions, its pace. `before`: answers there when the question was asked."""
    page = ClassicPage(tab.session, CLASSIC.marks)
    async with aclosing(follow_classic(page, CLASSIC, initial=before)) as events:
        async for event in events:
            match event:
                case ClassicPolled(at=at, poll=poll):
                    if poll.answers > before and poll.text_length:
                        times.first.setdefault("poll 1 s", at)
                case ClassicDone(at=at):
                    times.end["poll 1 s"] = at


async def _each_two_seconds(tab: Tab, times: Times) -> None:
    """Seed 000: the stop control, every two seconds, gone three times running."""
    page = Page(tab.session)
    stop = SITE.page.layouts[0].stop
    monitor = PageMonitor(time.monotonic(), profile=MONITOR_CLASSIC)
    while True:
        generating = any(one.usable for one in await page.survey(stop))
        if generating or monitor.phase is not Phase.WAITING:
            monitor.see(PageSaw(generating), time.monotonic())
        if monitor.over:
            break
        await asyncio.sleep(POLL_SECONDS)
    times.end["poll 2 s x3"] = time.monotonic()
