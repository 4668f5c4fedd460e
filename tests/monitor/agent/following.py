"""A follower of one window of the replica, and all it tells."""

import asyncio
from contextlib import asynccontextmanager

from kit.antigravity import listed
from tabwire.browser.agent.window import AgentWindow
from tabwire.model.agent import AgentCard, AgentEnded, AgentLog, AgentPhase, AgentProgress
from tabwire.monitor.agent.follow import Follower
from tabwire.sites.antigravity.page import Place, Window

SOON = 20  # seconds: a bound for a busy machine; things come in milliseconds


class Told:
    """Events as they come, and a wait for one that fits."""

    def __init__(self, follower):
        self.follower = follower
        self.events = []
        self._news = asyncio.Event()

    def __call__(self, event):
        self.events.append(event)
        self._news.set()

    async def until(self, fits, seconds=SOON):
        at = 0
        try:
            async with asyncio.timeout(seconds):
                while True:
                    for event in self.events[at:]:
                        if fits(event):
                            return event
                    at = len(self.events)
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            told = "\n".join(str(one)[:300] for one in self.events if "SelfTest" not in str(one))
            raise AssertionError(f"it was not told; but:\n{told}") from None

    async def phase(self, name, run=None):
        return await self.until(
            lambda e: isinstance(e, AgentPhase) and e.phase == name and run in (None, e.run)
        )

    async def ended(self, run=1):
        return await self.until(lambda e: isinstance(e, AgentEnded) and e.run == run)

    async def card(self, kind):
        found = await self.until(
            lambda e: isinstance(e, AgentCard) and not e.gone and e.card.kind == kind
        )
        return found.card

    def of(self, kind):
        return [one for one in self.events if isinstance(one, kind)]

    @property
    def phases(self):
        return [one.phase for one in self.of(AgentPhase)]

    @property
    def cards(self):
        return [one.card for one in self.of(AgentCard) if not one.gone]

    @property
    def log(self):
        """The newest word of every entry, in the order they came."""
        found = {}
        for one in self.of(AgentLog):
            for entry in one.entries:
                found[one.run, entry.id] = entry
        return list(found.values())

    @property
    def progress(self):
        return [one.text for one in self.of(AgentProgress)]


async def window_of(lab, window):
    """The window as the port lists it, whatever stands beside it there."""
    if window not in lab.windows:
        return None
    target = lab.target(window)
    for one in await listed(lab.port):
        if one["id"] == target:
            address = f"ws://127.0.0.1:{lab.port}/devtools/page/{target}"
            return Window(target, "w", one["title"], one["url"], Place.EDITOR, address, "w")
    return None


@asynccontextmanager
async def following(desk, *, give_up_seconds=None, **options):
    """Follow a desk's window from now on; yields what is told once it is attached."""

    async def find():
        return await window_of(desk.lab, desk.window)

    follower = Follower(AgentWindow(find, name="w", give_up_seconds=give_up_seconds), **options)
    told = Told(follower)

    async def tell():
        async for event in follower.events():
            told(event)

    async with asyncio.TaskGroup() as group:
        task = group.create_task(tell())
        try:
            await told.until(lambda e: isinstance(e, AgentPhase))
            yield told
        finally:
            task.cancel()
