"""One running lab per test process, and a browser that sees it. Re-exported by conftest.py.

Both run beside the tests (`aside`). The ledger is one for the whole process: a test looks for
its own prompt there, and says something in it that no other test says.
"""

import asyncio
import json
import shlex
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kit.chromium import Aside, connect_to
from kit.leaving import looked
from tabwire.browser.find import Found
from tabwire.browser.launch import Launch, launched
from tabwire.cdp.connection import Session
from tabwire.cdp.errors import CdpError
from tabwire.lab.ledger import Entry
from tabwire.lab.serve import Lab, serving

SEE_SECONDS = 60.0  # longer than any answer a test asks for takes on a busy machine

# Settles when the expression is true, looked at whenever the page changes: nothing polls.
_UNTIL = """new Promise((settle) => {
  const look = () => { const seen = (EXPRESSION); if (seen) { watch.disconnect(); settle(seen); } };
  const watch = new MutationObserver(look);
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  watch.observe(document, all);
  look();
})"""

AIMS = 5  # at an element that moves, until somebody gives up

# The middle of an element that has not moved for two frames. A press that lands on something
# else than what stood there is kept from the page, and so is a click of which press and release
# met different elements, because the page moved in between: `aimed.hit` tells.
_AIM = """(async () => {
  const frame = () =>
    new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 100); });
  const where = () => {
    const box = document.querySelector(SELECTOR).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  globalThis.aimed?.over.abort();
  let place = where();
  // what lies over it, a box under which the page has not scrolled yet, is waited for a while
  const free = () =>
    document.querySelector(SELECTOR).contains(document.elementFromPoint(...where()));
  for (let calm = 0, looks = 0; calm < 2; looks += 1) {
    await frame();
    const now = where();
    calm = String(now) === String(place) && (looks > 30 || free()) ? calm + 1 : 0;
    place = now;
  }
  const stood = document.elementFromPoint(...place);
  const meant = document.querySelector(SELECTOR);
  const aimed = (globalThis.aimed = { pressed: null, hit: false, over: new AbortController() });
  const hear = (event) => {
    const path = event.composedPath();
    const there = path.includes(meant) || path.includes(stood);
    aimed.pressed ??= there;
    if (event.type === "click") {
      aimed.hit = aimed.pressed && there;
      aimed.over.abort();
    }
    if (aimed.pressed && (there || event.type !== "click")) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  for (const kind of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) {
    addEventListener(kind, hear, { capture: true, signal: aimed.over.signal });
  }
  return place;
})()"""

OpenTab = Callable[[str], Awaitable["Person"]]


@pytest.fixture(scope="session")
def lab(aside: Aside) -> Lab:
    """A lab with all replicas."""
    return aside.enter(serving())


@pytest.fixture(scope="session")
def lab_browser_url(aside: Aside, chromium: Found, lab: Lab) -> str:
    """The DevTools address of a headless browser for which the sites are the lab's."""
    return aside.enter(launched(Launch(chromium, more_flags=lab.flags))).endpoint.url


@pytest_asyncio.fixture
async def lab_tab(lab_browser_url: str) -> AsyncIterator[OpenTab]:
    """Open tabs of the lab's sites, each with a person before it; all are closed at the end."""
    async with await connect_to(lab_browser_url) as line:
        targets: list[str] = []

        async def opened(url: str) -> Person:
            # all in the browser's own profile: the replicas keep nothing there, and what a
            # browser has read once it need not read again
            where = {"url": "about:blank", "background": True}
            target = (await line.call("Target.createTarget", where))["targetId"]
            targets.append(target)
            attached = {"targetId": target, "flatten": True}
            session = line.session(
                (await line.call("Target.attachToTarget", attached))["sessionId"]
            )
            person = Person(session, target)
            await person.goes_to(url)
            return person

        yield opened
        for target in targets:
            if line.gone is None:
                with suppress(CdpError):  # closed by the test itself
                    await line.call("Target.closeTarget", {"targetId": target})


class Person:
    """Somebody before a tab: looks, writes and presses keys, as trusted as a real one."""

    def __init__(self, session: Session, target: str) -> None:
        self.session = session
        self.target = target

    async def goes_to(self, url: str) -> None:
        """Open an address and wait until the page has come alive."""
        await self.session.call("Page.enable")
        await self.session.call("Runtime.enable")
        await self.session.call("Emulation.setFocusEmulationEnabled", {"enabled": True})
        with self.session.subscribe(["Page.loadEventFired"]) as loaded:
            await self.session.call("Page.navigate", {"url": url})
            async with asyncio.timeout(SEE_SECONDS):
                await anext(aiter(loaded))

    async def finds(self, expression: str) -> Any:
        """What an expression is now."""
        return await self._value(expression, seconds=SEE_SECONDS)

    async def sees(self, expression: str, seconds: float = SEE_SECONDS) -> Any:
        """Wait until an expression is true, in whichever page is there; what it is then."""
        return await self._looks(_UNTIL.replace("EXPRESSION", expression), seconds=seconds)

    async def counts(self, selector: str) -> int:
        """How many elements match."""
        found = await self.finds(f"document.querySelectorAll({json.dumps(selector)}).length")
        return int(found)

    async def writes(self, selector: str, text: str) -> None:
        """Put the cursor into an element and write."""
        await self.sees(f"document.querySelector({json.dumps(selector)})")
        await self.finds(f"document.querySelector({json.dumps(selector)}).focus()")
        await self.session.call("Input.insertText", {"text": text})

    async def presses(self, key: str) -> None:
        """Press a key and let it go."""
        what = {"key": key, "code": key, "windowsVirtualKeyCode": {"Enter": 13}.get(key, 0)}
        if key == "Enter":
            what["text"] = "\r"
        await self.session.call("Input.dispatchKeyEvent", {"type": "keyDown", **what})
        await self.session.call("Input.dispatchKeyEvent", {"type": "keyUp", **what})

    async def clicks(self, selector: str) -> None:
        """Click into the middle of the first element that matches, once it stands still.

        The page may move it all the same before the press arrives. Such a press is kept from
        the page, and aimed once more.
        """
        await self.sees(f"document.querySelector({json.dumps(selector)})")
        for _ in range(AIMS):
            place = await self.finds(_AIM.replace("SELECTOR", json.dumps(selector)))
            where = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
            for kind in ("mousePressed", "mouseReleased"):
                await self.session.call("Input.dispatchMouseEvent", {"type": kind, **where})
            # gone with its page: it hit
            if await self._looks("globalThis.aimed?.hit ?? true", seconds=SEE_SECONDS):
                return
        raise AssertionError(f"{selector} moved away from {AIMS} clicks")

    async def _value(self, expression: str, *, seconds: float) -> Any:
        found = await self.session.call("Runtime.evaluate", _how(expression), seconds=seconds)
        return _value_in(found, expression)

    async def _looks(self, expression: str, *, seconds: float) -> Any:
        found = await looked(self.session, _how(expression), seconds=seconds)
        return _value_in(found, expression)


def _how(expression: str) -> dict[str, Any]:
    return {"expression": expression, "awaitPromise": True, "returnByValue": True}


def _value_in(found: dict[str, Any], expression: str) -> Any:
    if "exceptionDetails" in found:
        raise AssertionError(f"{expression}: {found['exceptionDetails']}")
    return found["result"].get("value")


def to_the_lab(folder: Path, chromium: Found, lab: Lab) -> Path:
    """The browser as a program that finds the sites in the lab, for whoever starts one itself."""
    program = folder / "chromium"
    program.write_text(f'#!/bin/sh\nexec {chromium.path} "$@" {shlex.join(lab.flags)}\n')
    program.chmod(0o755)
    return program


async def has_arrived(lab: Lab, prompt: str, times: int = 1) -> None:
    """A prompt stands so often in the ledger: its request left, and arrives in a moment."""
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def hear(_entry: Entry) -> None:
        loop.call_soon_threadsafe(news.set)

    stop = lab.ledger.listen(hear)
    try:
        async with asyncio.timeout(SEE_SECONDS):
            while lab.ledger.prompts().count(prompt) < times:
                await news.wait()
                news.clear()
    finally:
        stop()
    assert lab.ledger.prompts().count(prompt) == times
