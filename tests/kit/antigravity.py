"""The Antigravity replica for tests: one browser for all, a window of its own for each test.

`antigravity` is the lab that a test process shares. `agent_window` opens windows in it and closes
them at the end; each comes with a person before it, whose presses are as trusted as a hand's.
"""

import asyncio
import http.client
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from typing import Any

import pytest
import pytest_asyncio

from kit.chromium import Aside, connect_to
from kit.lab import Person
from tabwire.browser.find import Found
from tabwire.cdp.connection import Connection
from tabwire.lab.antigravity import AntigravityLab, Entry, Plan, Run, Window, antigravity_lab
from tabwire.lab.antigravity.ledger import Did

PACE = 4.0  # tests do not wait as people do


@pytest.fixture(scope="session")
def antigravity(aside: Aside, chromium: Found) -> AntigravityLab:
    """The lab of this process, without windows."""
    return aside.enter(antigravity_lab(browser=chromium, pace=PACE))


async def listed(port: int) -> list[dict[str, Any]]:
    """What a debugging port lists."""

    def asked() -> list[dict[str, Any]]:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as line:
            line.request("GET", "/json/list")
            found: list[dict[str, Any]] = json.loads(line.getresponse().read())
            return found

    return await asyncio.to_thread(asked)


class Desk(Person):
    """Somebody before a window of the replica."""

    def __init__(self, session: Any, lab: AntigravityLab, window: str) -> None:
        super().__init__(session, lab.target(window))
        self.lab = lab
        self.window = window

    async def plays(self, plan: Plan, prompt: str | None = None) -> Run:
        """The agent begins a turn."""
        return await self.lab.play(self.window, plan, prompt)

    async def asked(self) -> dict[str, Any]:
        """The card that waits for an answer, once there is one and the page shows it."""

        def first() -> dict[str, Any] | None:
            return next(iter(self.lab.cards(self.window)), None)

        card = await self.lab.until(first)
        await self.drawn()
        return card

    async def drawn(self) -> None:
        """Until the page shows what the lab told it so far."""
        inside = "document.querySelector('iframe')?.contentWindow ?? globalThis"
        await self.finds(f"({inside}).labDrawn({self.lab.told(self.window)})")

    async def ends(self, run: Run) -> None:
        """Until a turn is over, and the page shows it."""
        await run.ended()
        await self.drawn()

    def did(self, *kinds: Did) -> tuple[Entry, ...]:
        """What the ledger has of this window."""
        return self.lab.ledger.of(*kinds, window=self.window)

    async def does(self, expression: str) -> Any:
        """Run a program in the page, as others do."""
        return await self.finds(expression)

    async def presses_text(self, label: str, seconds: float = 60.0) -> None:
        """Press the innermost thing in sight that says just this, as a hand does."""
        await self.presses_at(_SAYING.replace("LABEL", json.dumps(label)), seconds)

    async def presses_on(self, selector: str, seconds: float = 60.0) -> None:
        """Press the first thing that matches."""
        await self.presses_at(f"document.querySelector({json.dumps(selector)})", seconds)

    async def presses_at(self, node: str, seconds: float) -> None:
        """Press an element, once it is there and stands still. Nodes may be replaced meanwhile,
        so nothing is marked: only the place counts."""
        place = await self._value(_PLACE.replace("NODE", node), seconds=seconds)
        where = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            await self.session.call("Input.dispatchMouseEvent", {"type": kind, **where})


_SAYING = """[...document.querySelectorAll("button, [role=button], a, div, span, label")].filter(
  (one) => one.textContent.trim() === LABEL && one.getClientRects().length &&
    one.checkVisibility({ opacityProperty: true, visibilityProperty: true })).at(-1)"""

_PLACE = """(async () => {
  const frame = () =>
    new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 100); });
  const where = () => {
    const box = (NODE)?.getBoundingClientRect();
    return box?.width ? [box.x + box.width / 2, box.y + box.height / 2] : null;
  };
  let place = where();
  for (let calm = 0; calm < 2; ) {
    await frame();
    const now = where();
    calm = now && String(now) === String(place) ? calm + 1 : 0;
    place = now;
  }
  return place;
})()"""


OpenWindow = Callable[..., Awaitable[Desk]]


@pytest_asyncio.fixture
async def agent_window(antigravity: AntigravityLab) -> AsyncIterator[OpenWindow]:
    """Open windows: `desk = await agent_window(generation="2.0", lang="ja")`."""
    line: Connection
    async with await connect_to(antigravity.url) as line:
        opened: list[str] = []

        async def one(*args: Any, **settings: Any) -> Desk:
            window = await antigravity.open(Window(*args, **settings))
            opened.append(window)
            attached = {"targetId": antigravity.target(window), "flatten": True}
            session = line.session(
                (await line.call("Target.attachToTarget", attached))["sessionId"]
            )
            await session.call("Runtime.enable")
            return Desk(session, antigravity, window)

        yield one
        async with asyncio.timeout(60):
            for window in opened:
                if window in antigravity.windows:
                    await antigravity.close(window)
