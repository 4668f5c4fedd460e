"""An autopilot over a window of the replica, with a store of its own, for the length of a block."""

import asyncio
from contextlib import asynccontextmanager

from tabwire.browser.agent.windows import PortWindows
from tabwire.hub.agents.autopilot.autopilot import Autopilot
from tabwire.lab.antigravity.ledger import Did
from tabwire.model.autopilot import ALL_ON, Act, Asked, Closed, Drives, Halted
from tabwire.model.autopilot import Did as Wrote
from tabwire.store.opening import opened

SECONDS = 15.0
DONE = (Did.RAN, Did.ALLOWED, Did.PLAN, Did.RETRY, Did.CONTINUE, Did.CHANGES, Did.POLICY)


class Cockpit:
    """What happened, and waiting for it."""

    def __init__(self, desk, store):
        self.desk = desk
        self.store = store
        self.events = []
        self.autopilot = None
        self._news = asyncio.Event()

    def hear(self, event):
        self.events.append(event)
        self._news.set()

    def of(self, kind):
        return [one for one in self.events if isinstance(one, kind)]

    def asked(self):
        return [one.approval for one in self.of(Asked)]

    def closed(self):
        return [one.approval for one in self.of(Closed)]

    def halted(self):
        return [one.why for one in self.of(Halted)]

    def acts(self, *wanted):
        lines = [one.line for one in self.of(Wrote)]
        return [one for one in lines if not wanted or one.act in wanted]

    async def until(self, condition, seconds=SECONDS):
        """Until something is so, looked at whenever something was told."""
        loop = asyncio.get_running_loop()
        stop = self.desk.lab.ledger.listen(lambda: loop.call_soon_threadsafe(self._news.set))
        try:
            async with asyncio.timeout(seconds):
                while not (found := condition()):
                    await self._news.wait()
                    self._news.clear()
        finally:
            stop()
        return found

    def clicked(self):
        """What was pressed in this window, as the page had it."""
        return [one.control for one in self.desk.did(Did.CLICK)]

    def came(self):
        """What came of them."""
        return [(one.did.value, one.command or one.label) for one in self.desk.did(*DONE)]

    async def still(self, looks=3):
        """Let the pilot see the panel a few times more."""
        (driven,) = self.autopilot.windows.values()
        for _ in range(looks):
            await driven.wake()
            await asyncio.sleep(0.05)


@asynccontextmanager
async def flying(desk, folder, switches=ALL_ON, *, store=None, wait=True, **wish):
    """Drive this desk's window. `switches` None: it is not turned on. `wait`: till it drives."""
    if store is None:
        async with (
            opened(folder / "tabwire.db") as own,
            flying(desk, folder, switches, store=own, wait=wait, **wish) as cockpit,
        ):
            yield cockpit
        return
    cockpit = Cockpit(desk, store)
    wish.setdefault("environment", {"TABWIRE_HOME": str(folder / "home")})
    wish.setdefault("lock_folder", _made(folder / "locks"))
    cockpit.autopilot = autopilot = Autopilot(store.autopilot, tell=cockpit.hear, **wish)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(
            autopilot.run(PortWindows(desk.lab.port), only=desk.lab.target(desk.window))
        )
        cockpit.tasks = [running]
        try:
            if switches is not None:
                await autopilot.on(switches)
            if wait:
                await cockpit.until(lambda: cockpit.of(Drives))
            yield cockpit
        finally:
            running.cancel()


def _made(folder):
    folder.mkdir(exist_ok=True, mode=0o700)
    return folder


__all__ = ["Act", "Cockpit", "Did", "flying"]
