"""Where asking is measured: a lab in a process of its own, a browser, a line, a store.

All of it stands before anything is measured, as it does in a hub that runs: what is counted
begins when a prompt is given. The lab's ledger is the witness of when a prompt left: its clock
is ours, and it hears whoever asks in the same way.
"""

import asyncio
import json
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.lab_browser import lab_process
from tabwire.asking.context import Given
from tabwire.asking.flow import Flow
from tabwire.browser.choose import parse_choice
from tabwire.browser.find import find_browser, this_machine
from tabwire.browser.launch import Launch, launched
from tabwire.browser.line import BrowserLine, open_line
from tabwire.browser.tab import Tab
from tabwire.hub.jobs.ask_runner import given_for
from tabwire.hub.jobs.books import Books, OurTabs, opened_books
from tabwire.lab.demo.home import borrowed_home
from tabwire.model.ask import Answer, Answered, AskEvent, AskRequest
from tabwire.monitor import sightings as told
from tabwire.monitor.sightings import Sighting
from tabwire.sites.site import Site

IDLE_SECONDS = 1.0  # a page that has loaded comes alive, and then stands still
LEAVE_SECONDS = 30.0
LOOK_SECONDS = 0.05  # between two looks into the ledger, which tells its own times


@dataclass(slots=True)
class Asked:
    """When what happened in one ask. Seconds of the monotonic clock."""

    given: float = 0.0
    left: float = 0.0  # the lab has it
    ended: float = 0.0  # the browser's own time of the last byte
    judged: float = 0.0  # the watcher has told its verdict
    delivered: float = 0.0
    answer: Answer | None = None


@dataclass(slots=True)
class Bed:
    """Everything an ask needs, open already."""

    line: BrowserLine
    books: Books
    browser: str  # as a person says it
    lines: Callable[[], AbstractAsyncContextManager[BrowserLine]]
    ledger: Path
    _read: int = 0
    _left: dict[str, float] = field(default_factory=dict)

    async def given(self, request: AskRequest, tell: Callable[[AskEvent], None]) -> Given:
        """What a flow is handed, kept in the store as ever."""
        row, _ = await self.books.begin(request, again=True)
        return given_for(self.books, row, tell, self.lines)

    async def ask(self, site: Site, prompt: str) -> Asked:
        """Ask as `Hub.ask` does once its store and its line are open."""
        asked = Asked(time.monotonic())

        def tell(event: AskEvent) -> None:
            if isinstance(event, Answered):
                asked.delivered = time.monotonic()

        request = AskRequest(site.name, prompt)
        flow = Flow(request, site, await self.given(request, tell), began=asked.given)
        heard = flow.ear.on_sighting

        def hear(sighting: Sighting) -> None:
            if isinstance(sighting, told.Judged) and not asked.judged:
                asked.ended, asked.judged = sighting.event_at, time.monotonic()
            heard(sighting)

        flow.ear.on_sighting = hear
        asked.answer = await flow.run(self.line)
        asked.left = await self.until_left(prompt)
        return asked

    async def until_left(self, prompt: str) -> float:
        """When the lab received this prompt, waited for where it is still on its way."""
        async with asyncio.timeout(LEAVE_SECONDS):
            while (at := self.left(prompt)) is None:
                await asyncio.sleep(LOOK_SECONDS)
        return at

    def left(self, prompt: str) -> float | None:
        """When the lab received this prompt, if it did."""
        text = self.ledger.read_bytes()
        for line in text[self._read :].splitlines(keepends=True):
            if line.endswith(b"\n"):  # else the lab still writes it
                self._read += len(line)
                entry = json.loads(line)
                self._left[entry["prompt"]] = entry["at"]
        return self._left.get(prompt)


@asynccontextmanager
async def bed() -> AsyncIterator[Bed]:
    """All of it, for the length of a block. Nothing of the person's is touched."""
    machine = this_machine()
    with borrowed_home(), tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder) / "ledger.jsonl"
        async with lab_process("--ledger", str(ledger)) as flags:
            wish = Launch(find_browser(machine), more_flags=flags)
            async with launched(wish) as browser, opened_books() as books:
                said = f"attach={browser.endpoint.url}"

                def lines() -> AbstractAsyncContextManager[BrowserLine]:
                    return open_line(parse_choice(said), machine, wish=lambda: wish)

                async with lines() as line:
                    yield Bed(line, books, said, lines, ledger)


async def opened(here: Bed, site: Site) -> Tab:
    """A tab at the site's start page that counts as one of ours: asks are made in it."""
    tab = await here.line.tabs.open(site.page.home)
    await OurTabs(here.books.store, site.name, "").own(tab.target)
    return tab


async def warm(tab: Tab, site: Site) -> None:
    """The tab stands at its site's start page, loaded, alive and idle."""
    await tab.session.call("Page.enable")
    with tab.session.subscribe(["Page.loadEventFired"]) as loaded:
        await tab.session.call("Page.navigate", {"url": site.page.home})
        await anext(aiter(loaded))
    await asyncio.sleep(IDLE_SECONDS)
    await tab.session.call("Runtime.evaluate", {"expression": "1"})  # it has time for us
