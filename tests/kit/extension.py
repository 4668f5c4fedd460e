"""A real Chromium with the real extension, one per test process. Re-exported by conftest.py.

    async with scripted_hub() as hub:
        await extension.join(hub)

The worker is looked at through a line of its own that is let go after each look: one that stays
attached would keep Chrome from ever ending the worker.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kit.chromium import Aside, connect_to
from kit.leaving import LOOK_SECONDS
from kit.scripted_hub import ScriptedHub
from tabwire.browser.find import Found
from tabwire.browser.launch import Launch, launched
from tabwire.cdp.connection import Connection, Session
from tabwire.cdp.errors import CdpError, CommandTimedOut
from tabwire.cdp.protocol import Event
from tabwire.lab.serve import Lab
from tabwire.model.extension import EXTENSION_ID, ORIGIN

FOLDER = Path(__file__).resolve().parents[2] / "extension"
WORKER = f"{ORIGIN}/worker/main.js"
SEE_SECONDS = 60.0
_CHROME = "chrome.developerPrivate"
NOWHERE = 9  # a port where nobody listens: the extension looks for no hub of this machine


def flags_for_extension(folder: Path = FOLDER) -> tuple[str, ...]:
    """With which a Chromium loads it. A branded Chrome of today does not know them."""
    return (
        f"--load-extension={folder}",
        f"--disable-extensions-except={folder}",
        "--disable-features=DisableLoadExtensionCommandLineSwitch",
    )


ENDING = "Error: No SW"  # what Chrome's own functions say in a worker that is no more


class Extension:
    """The extension in one browser."""

    def __init__(self, url: str, line: Connection) -> None:
        self.url = url
        self.line = line
        self._pages: list[str] = []

    # --- the worker ------------------------------------------------------------------------------

    async def worker_target(self) -> str | None:
        """The worker that runs now, if one does."""
        said = await self.line.call("Target.getTargets")
        found = [
            one["targetId"]
            for one in said["targetInfos"]
            if one["type"] == "service_worker" and one["url"] == WORKER
        ]
        return found[0] if found else None

    @asynccontextmanager
    async def worker(self) -> AsyncIterator[Session]:
        """A session in the worker for the length of a block; woken if it sleeps."""
        target = await self.worker_target() or await self.wake()
        how = {"targetId": target, "flatten": True}
        session = (await self.line.call("Target.attachToTarget", how))["sessionId"]
        try:
            yield self.line.session(session)
        finally:
            if self.line.gone is None:
                self.line.send(
                    "Target.detachFromTarget", {"sessionId": session}, on_reply=lambda _: None
                )

    async def evaluate(self, expression: str, *, seconds: float = SEE_SECONDS) -> Any:
        """What an expression is in the worker; `tabwire` has its insides."""
        async with self.worker() as session:
            return await value_of(session, expression, seconds=seconds)

    async def wake(self) -> str:
        """Wake the worker by a page of its own, which is closed again."""
        async with self.page("manifest.json") as page, asyncio.timeout(SEE_SECONDS):
            wake = "chrome.runtime.sendMessage({what: 'status'}).then(() => true, () => true)"
            while (target := await self.worker_target()) is None:
                with suppress(CommandTimedOut):  # a worker that ended in between replies to nobody
                    await value_of(page, wake, seconds=LOOK_SECONDS)
        return target

    async def stop_worker(self) -> None:
        """End the worker as Chrome does it when it is idle."""
        async with self.page("manifest.json") as page:
            await page.call("ServiceWorker.enable")
            async with self.worker_ends(SEE_SECONDS):
                await page.call("ServiceWorker.stopAllWorkers")

    @asynccontextmanager
    async def worker_ends(self, seconds: float) -> AsyncIterator[None]:
        """After the block, wait until the worker that runs now has ended."""
        target = await self.worker_target()
        assert target is not None
        with self.line.subscribe(["Target.targetDestroyed"]) as gone:
            await self.line.call("Target.setDiscoverTargets", {"discover": True})
            yield
            async with asyncio.timeout(seconds):
                async for event in gone:
                    if isinstance(event, Event) and event.read()["targetId"] == target:
                        return

    # --- the extension as a whole ----------------------------------------------------------------

    async def reload(self) -> None:
        """As a person does it in chrome://extensions, or an update."""
        async with self._extensions_page() as page:
            # without it Chrome leaves an unpacked extension off after a reload
            await value_of(page, f"{_CHROME}.updateProfileConfiguration({{inDeveloperMode: true}})")
            await value_of(page, f"{_CHROME}.reload('{EXTENSION_ID}', {{failQuietly: true}})")

    async def switch(self, *, on: bool) -> None:
        """Off or on in chrome://extensions."""
        async with self._extensions_page() as page:
            wish = "true" if on else "false"
            await value_of(page, f"chrome.management.setEnabled('{EXTENSION_ID}', {wish})")

    def _extensions_page(self) -> AbstractAsyncContextManager[Session]:
        return self._tab("chrome://extensions/")

    # --- its pages -------------------------------------------------------------------------------

    def page(self, path: str) -> AbstractAsyncContextManager[Session]:
        """A page of the extension's in a background tab."""
        return self._tab(f"{ORIGIN}/{path}")

    @asynccontextmanager
    async def _tab(self, url: str) -> AsyncIterator[Session]:
        where = {"url": "about:blank", "background": True}
        target = (await self.line.call("Target.createTarget", where))["targetId"]
        how = {"targetId": target, "flatten": True}
        session = self.line.session(
            (await self.line.call("Target.attachToTarget", how))["sessionId"]
        )
        try:
            await session.call("Page.enable")
            with session.subscribe(["Page.loadEventFired"]) as loaded:
                await session.call("Page.navigate", {"url": url})
                async with asyncio.timeout(SEE_SECONDS):
                    await anext(aiter(loaded))
            yield session
        finally:
            if self.line.gone is None:
                await self.line.call("Target.closeTarget", {"targetId": target})

    async def says(self, **asked: Any) -> Any:
        """Ask the worker as its own pages do."""
        async with self.page("manifest.json") as page:
            return await value_of(page, f"chrome.runtime.sendMessage({json.dumps(asked)})")

    async def offer(self, target: str) -> None:
        """Let the hub use a tab of the person's own, as they do it in the popup."""
        tab = await self.evaluate(
            f"""chrome.debugger.getTargets().then((all) =>
              all.find((one) => one.id === "{target}").tabId)"""
        )
        assert await self.says(what="offer", tab=tab, on=True) == {"ok": True}

    # --- the hub ---------------------------------------------------------------------------------

    async def point_at(self, port: int) -> None:
        """Look for a hub on this port, now."""
        await self.evaluate(
            f"tabwire.keepLocal({{port: {port}}}).then(() => void tabwire.line.redial())"
        )

    async def know(self, hub: str, key: bytes) -> str:
        """Have the key of a hub, as if paired with it before; the install's own id."""
        known = json.dumps({"id": hub, "version": "", "since": 0})
        install = await self.evaluate(
            f"""(async () => {{
              const hub = {known};
              const key = await tabwire.secrets.keyOf(new Uint8Array({list(key)}));
              await tabwire.secrets.keepKey(hub.id, key);
              await tabwire.keepLocal({{ hub }});
              return tabwire.local.install;
            }})()"""
        )
        return str(install)

    async def join(self, hub: ScriptedHub) -> None:
        """Be paired with a scripted hub, without hands, and have a line to it."""
        key = bytes(range(32))
        hub.keys[await self.know(hub.id, key)] = key
        await self.point_at(hub.port)
        await hub.joined()

    async def started(self) -> None:
        """Wait until the worker runs: right after a browser began, Chrome starts it twice."""
        async with asyncio.timeout(SEE_SECONDS):
            while True:
                try:
                    begun = "globalThis.tabwire?.line.phase !== undefined"
                    if await self.evaluate(begun, seconds=LOOK_SECONDS):
                        return
                except CdpError:
                    continue

    async def reset(self) -> None:
        """As if nothing had been done with it, but for its install. A worker that Chrome ends
        just then does none of it: then the next one does all of it."""
        async with asyncio.timeout(SEE_SECONDS):
            while True:
                try:
                    return await self._reset()
                except CdpError:
                    continue
                except AssertionError as refused:
                    if ENDING not in str(refused):
                        raise

    async def _reset(self) -> None:
        await self.evaluate(
            f"""(async () => {{
              const {{ local, session, keepLocal, keepSession, line }} = tabwire;
              const tabs = [...Object.keys(local.opened).map(Number), ...session.offered];
              await chrome.tabs.remove(tabs).catch(() => {{}});
              await keepLocal({{
                port: {NOWHERE}, hub: null, seen: [], on: true, sites: {{}}, hidden: {{}},
                dump: false, format: "common", opened: {{}}, begun: [],
              }});
              await keepSession({{
                offered: [], attached: [], canceled: [], lostAt: 0, browserStartedAt: 0,
              }});
              void line.redial();
            }})()""",
            seconds=LOOK_SECONDS,
        )


async def value_of(session: Session, expression: str, *, seconds: float = SEE_SECONDS) -> Any:
    """What an expression is there, waited for. In a wait of its own it gets `LOOK_SECONDS`."""
    how = {"expression": expression, "awaitPromise": True, "returnByValue": True}
    found = await session.call("Runtime.evaluate", how, seconds=seconds)
    if "exceptionDetails" in found:
        raise AssertionError(f"{expression}: {found['exceptionDetails']}")
    return found["result"].get("value")


@pytest.fixture(scope="session")
def extension_browser_url(aside: Aside, chromium: Found, lab: Lab) -> str:
    """The DevTools address of a headless browser with the extension, which sees the lab."""
    flags = (*lab.flags, *flags_for_extension())
    return aside.enter(launched(Launch(chromium, more_flags=flags))).endpoint.url


@pytest_asyncio.fixture
async def extension(extension_browser_url: str) -> AsyncIterator[Extension]:
    """The extension, as if just installed."""
    async with extension_at(extension_browser_url) as one:
        yield one


@asynccontextmanager
async def extension_at(url: str) -> AsyncIterator[Extension]:
    """The extension in a browser, as if just installed; as it was afterwards."""
    async with await connect_to(url) as line:
        one = Extension(url, line)
        await one.started()
        await one.reset()
        yield one
        if line.gone is None:
            await one.reset()


__all__ = ["EXTENSION_ID", "Extension", "extension", "extension_at", "extension_browser_url"]
