"""Pages of our own under the names of supported sites, in a real Chromium with the page scripts.

The scripts are the extension's own, loaded by its own manifest; only its worker is another: one
that writes down what they say. Server and browser run beside the tests for the whole session.
"""

import asyncio
import base64
import json
import shutil
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pytest
import pytest_asyncio
from websockets.asyncio.server import ServerConnection, serve

from browser.tap.server import Drip, Server
from kit.chromium import Aside, connect_to
from kit.extension import FOLDER, flags_for_extension
from kit.listening import listening
from tabwire.browser.find import Found
from tabwire.browser.launch import Launch, launched
from tabwire.cdp.connection import Connection, Session
from tabwire.cdp.errors import CdpError
from tabwire.lab.certificate import make_certificate
from tabwire.lab.serve import LOOPBACK
from tabwire.model.extension import ORIGIN

HOSTS = ("chatgpt.com", "gemini.google.com", "grok.com", "other.example")
SOCKETS = "ws.chatgpt.com"
SEE_SECONDS = 60.0
STUB = Path(__file__).with_name("stub_worker.js")
PAGE = "<!doctype html><meta charset=utf-8><link rel=icon href=data:,><title>lab</title><body>"

T = TypeVar("T")


@dataclass
class Site:
    """The server, and what it is told to say. It lives on a loop of its own."""

    server: Server
    aside: Aside
    flags: tuple[str, ...] = ()
    sockets: list[ServerConnection] = field(default_factory=list)

    async def there(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something on the server's own loop."""
        return await asyncio.wrap_future(self.aside.begin(work))

    async def let(self, drip: Drip, data: bytes) -> None:
        """Let out one chunk of a response."""
        await self.there(drip.let(data))

    async def finish(self, drip: Drip) -> None:
        """Let a response end."""
        await self.there(drip.finish())

    async def cut(self, drip: Drip) -> None:
        """Break a response."""
        await self.there(drip.cut())


@asynccontextmanager
async def _serving(aside: Aside) -> AsyncIterator[Site]:
    certificate = make_certificate((*HOSTS, SOCKETS))
    site = Site(Server(), aside)

    async def echo(socket: ServerConnection) -> None:
        site.sockets.append(socket)
        async for message in socket:
            await socket.send(message)

    tls = certificate.context()
    tls.set_alpn_protocols(["http/1.1"])
    async with (
        listening(site.server.serve, limit=64 << 20, tls=tls) as port,
        serve(echo, LOOPBACK, 0, ssl=tls) as sockets,
    ):
        site.server.port = port
        there = sockets.sockets[0].getsockname()[1]
        rules = [f"MAP {host}:443 {LOOPBACK}:{port}" for host in HOSTS]
        rules += [f"MAP {SOCKETS}:443 {LOOPBACK}:{there}", "MAP * ~NOTFOUND", f"EXCLUDE {LOOPBACK}"]
        site.flags = (
            f"--host-resolver-rules={', '.join(rules)}",
            f"--ignore-certificate-errors-spki-list={certificate.spki}",
        )
        yield site


@pytest.fixture(scope="session")
def served(aside: Aside) -> Site:
    """The server of this process."""
    return aside.enter(_serving(aside))


@pytest.fixture
def site(served: Site) -> Site:
    """The server, saying nothing but an empty page."""
    served.server.handlers.clear()
    served.server.asked.clear()
    served.server.page("/", PAGE)
    return served


def stub_extension(folder: Path) -> Path:
    """The extension with a worker that writes down what the page scripts say."""
    shutil.copytree(FOLDER, folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["background"] = {"service_worker": "stub_worker.js"}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    shutil.copy(STUB, folder)
    return folder


@pytest.fixture(scope="session")
def page_browser_url(
    aside: Aside, chromium: Found, served: Site, tmp_path_factory: pytest.TempPathFactory
) -> str:
    """A browser with the stub extension, which sees our pages and nothing else."""
    folder = stub_extension(tmp_path_factory.mktemp("stub") / "extension")
    flags = (*served.flags, *flags_for_extension(folder))
    return aside.enter(launched(Launch(chromium, more_flags=flags))).endpoint.url


class Stub:
    """The worker that writes down."""

    def __init__(self, session: Session) -> None:
        self.session = session

    async def value(self, expression: str) -> Any:
        """What an expression is in the worker."""
        return await value_of(self.session, expression)

    async def until(self, find: str) -> Any:
        """Wait until `find`, a function of all that was said, finds something."""
        return await self.value(f"stub.until({find})")

    async def tell(self, word: dict[str, Any]) -> None:
        """Say something to the pages, as the worker does: not before one has said hello.

        A page that has loaded may still be on its way to the worker, and would not hear it.
        """
        await self.until("() => stub.hellos.length > 0")
        await self.value(f"stub.tell({json.dumps(word)})")

    async def of(self, path: str, *, ended: bool = True) -> "Attempt":
        """All that was said of the one request to a path, once it has ended."""
        want = "its.some((m) => m.kind === 'ended')"
        found = await self.until(f"""(all) => {{
          const one = all.find((m) => m.kind === "sent" && new URL(m.url).pathname === "{path}");
          const its = all.filter((m) => one && m.attempt === one.attempt);
          return one && ({want if ended else "true"}) && its;
        }}""")
        return Attempt(found)


@dataclass
class Attempt:
    """The messages of one request, in order."""

    messages: list[dict[str, Any]]

    @property
    def sent(self) -> dict[str, Any]:
        """How it left."""
        return self.messages[0]

    @property
    def head(self) -> dict[str, Any]:
        """How it was answered."""
        return next(one for one in self.messages if one["kind"] == "head")

    @property
    def asked(self) -> bytes | None:
        """With what."""
        body = self.sent["body"]
        return None if body is None else base64.b64decode(body)

    @property
    def body(self) -> bytes:
        """What came. Every piece has the next number."""
        pieces = [one for one in self.messages if one["kind"] == "bytes"]
        assert [one["seq"] for one in pieces] == list(range(len(pieces)))
        return b"".join(base64.b64decode(one["data"]) for one in pieces)

    @property
    def frames(self) -> list[tuple[bool, str | bytes]]:
        """What a socket carried: whether it was sent, and what."""
        return [
            (one["sent"], one["text"] if "text" in one else base64.b64decode(one["data"]))
            for one in self.messages
            if one["kind"] == "frame"
        ]

    @property
    def end(self) -> tuple[str, str]:
        """How it ended, and why."""
        last = self.messages[-1]
        assert last["kind"] == "ended"
        return last["how"], last["why"]


async def value_of(session: Session, expression: str) -> Any:
    """What an expression is there, waited for."""
    how = {"expression": expression, "awaitPromise": True, "returnByValue": True}
    found = await session.call("Runtime.evaluate", how, seconds=SEE_SECONDS)
    if "exceptionDetails" in found:
        raise AssertionError(f"{expression}: {found['exceptionDetails']}")
    return found["result"].get("value")


@dataclass
class Tabs:
    """Tabs of one test, and the worker that hears their scripts."""

    line: Connection
    stub: Stub
    opened: list[str] = field(default_factory=list)

    async def open(self, url: str = "https://chatgpt.com/") -> Session:
        """A tab at an address, when it has loaded."""
        where = {"url": "about:blank", "background": True}
        target = (await self.line.call("Target.createTarget", where))["targetId"]
        self.opened.append(target)
        session = await self.attach(target)
        await go(session, url)
        return session

    async def attach(self, target: str) -> Session:
        """A session to a tab that is there."""
        how = {"targetId": target, "flatten": True}
        return self.line.session((await self.line.call("Target.attachToTarget", how))["sessionId"])


async def go(session: Session, url: str) -> None:
    """Open an address and wait until it has loaded."""
    await session.call("Page.enable")
    await session.call("Emulation.setFocusEmulationEnabled", {"enabled": True})
    with session.subscribe(["Page.loadEventFired"]) as loaded:
        await session.call("Page.navigate", {"url": url})
        async with asyncio.timeout(SEE_SECONDS):
            await anext(aiter(loaded))


async def worker_of(line: Connection, script: str = "stub_worker.js") -> Session:
    """A session in the extension's worker; woken by a page of the extension's if it sleeps."""
    page = (await line.call("Target.createTarget", {"url": f"{ORIGIN}/manifest.json"}))["targetId"]
    async with asyncio.timeout(SEE_SECONDS):
        while True:  # right after it was installed a worker may be ended and started once more
            with suppress(CdpError, AssertionError):
                if (session := await _worker(line, page, script)) is not None:
                    await line.call("Target.closeTarget", {"targetId": page})
                    return session


async def _worker(line: Connection, page: str, script: str) -> Session | None:
    how = {"targetId": page, "flatten": True}
    asking = line.session((await line.call("Target.attachToTarget", how))["sessionId"])
    await value_of(asking, "chrome.runtime.sendMessage({what: 'wake'})")
    for info in (await line.call("Target.getTargets"))["targetInfos"]:
        if info["type"] == "service_worker" and info["url"] == f"{ORIGIN}/{script}":
            how = {"targetId": info["targetId"], "flatten": True}
            found = line.session((await line.call("Target.attachToTarget", how))["sessionId"])
            if await value_of(found, "typeof stub") == "object":
                return found
    return None


@asynccontextmanager
async def tabs_at(url: str) -> AsyncIterator[Tabs]:
    """Tabs in a browser with the stub extension; all are closed at the end."""
    async with await connect_to(url) as line:
        for info in (await line.call("Target.getTargets"))["targetInfos"]:
            if info["type"] == "page" and info["url"] != "about:blank":
                with suppress(CdpError):  # it closes itself just now
                    await line.call("Target.closeTarget", {"targetId": info["targetId"]})
        session = await worker_of(line)
        stub = Stub(session)
        await stub.value(
            """stub.said.length = stub.hellos.length = stub.asked.length = stub.troubles.length = 0;
            stub.how.take = true; stub.hidden.clear();
            stub.how.line = {t: 'line', connected: true, paired: true, on: true};
            stub.answer = () => ({ok: true}); chrome.storage.local.clear()"""
        )
        tabs = Tabs(line, stub)
        yield tabs
        for target in tabs.opened:
            with suppress(CdpError):  # closed by the test itself
                await line.call("Target.closeTarget", {"targetId": target})


@pytest_asyncio.fixture
async def tabs(page_browser_url: str, site: Site) -> AsyncIterator[Tabs]:
    """Tabs with the page scripts, at pages of the test's own."""
    async with tabs_at(page_browser_url) as found:
        yield found
