"""Start a browser of our own, wait until it answers, stop it with all that belongs to it.

The browser is the child of a keeper (keeper.py), which cleans up even when we are killed.
Nothing here polls: the browser writes its address to stderr, the keeper reports its end.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec

from tabwire.browser.endpoint import ANSWER_SECONDS, Endpoint, Version, ask_version
from tabwire.browser.find import Found
from tabwire.browser.flags import Surroundings, flags_for
from tabwire.browser.process import kill_tree
from tabwire.browser.profile import Folders, holder_of, make_folders, sweep, temporary_base
from tabwire.model.errors import BrowserDidNotStart, BrowserNotReachable, ProfileInUse, TabwireError

ANNOUNCED = "DevTools listening on "
PROFILE_TAKEN = ("Failed to create a ProcessSingleton", "Opening in existing browser session")
KEPT_LINES = 40  # of stderr: Chromium writes a dozen about D-Bus before the one that matters
MAX_SOCKET = 104  # bytes in the path of a socket, the zero included (macOS; Linux has 108)
SOCKET_TAIL = "/org.chromium.Chromium.XXXXXX/SingletonSocket"  # what it makes in its TMPDIR

MAX_LINE = 8 << 10  # bytes: Chromium's longest is a few hundred; a flood must not fill memory

# Signs seen with Chromium 156 on Debian, 2026-11-15, except where another origin is named.
NO_DISPLAY = "There is no display to show a window on: start it headless."
REMEDIES = {
    "Missing X server or $DISPLAY": NO_DISPLAY,
    "Failed to connect to Wayland display": NO_DISPLAY,
    # its source, zygote_host_impl_linux.cc; containers and Ubuntu 23.10 and newer
    "No usable sandbox": "The system does not let this user create a sandbox. Allow user "
    "namespaces (Ubuntu: an AppArmor profile for this browser), or use the "
    "distribution's own package.",
    "error while loading shared libraries": "A system library is missing: install the browser "
    "from the distribution's packages, which include it.",
    "No space left on device": "Free some space: the disk with the temporary folder is full.",
}
NOISE = ("zygote", "dbus/", "unexpected operator")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for what. A test says less."""

    start_seconds: float = 30.0  # a cold disk needs ten
    polite_seconds: float = 3.0  # for the browser to close itself when asked over its protocol
    grace_seconds: float = 5.0  # … and on the system's request, before it is killed
    bury_seconds: float = 10.0  # for the keeper to end the rest and remove folders


@dataclass(frozen=True, slots=True)
class Launch:
    """What to start. Without a profile it gets a temporary one."""

    browser: Found
    headless: bool = True
    profile: Path | None = None
    more_flags: tuple[str, ...] = ()
    url: str = "about:blank"
    patience: Patience = field(default_factory=Patience)


@dataclass(frozen=True, slots=True)
class Exit:
    """How a browser ended. `code` is negative for a signal, None where nobody saw it."""

    code: int | None
    asked: bool  # we stopped it; else it crashed or a person closed it


class Launched:
    """A browser we started and own."""

    def __init__(
        self, wish: Launch, folders: Folders, notes: tuple[str, ...], keeper: "_Keeper"
    ) -> None:
        self.wish = wish
        self.profile = folders.profile
        self.notes = notes
        self.version: Version
        self._folders = folders
        self._keeper = keeper

    @property
    def endpoint(self) -> Endpoint:
        """Where to speak to it."""
        return self.version.endpoint

    @property
    def pid(self) -> int | None:
        """Its main process, once started."""
        return self._keeper.pid

    @property
    def keeper_pid(self) -> int:
        """The process that cleans up after it."""
        return self._keeper.transport.get_pid()

    @property
    def exit(self) -> Exit | None:
        """How it ended, or None while it runs."""
        return self._keeper.exited.result() if self._keeper.exited.done() else None

    @property
    def said(self) -> tuple[str, ...]:
        """The last lines it wrote to stderr."""
        return tuple(self._keeper.said)

    async def ended(self) -> Exit:
        """Wait for its end, whoever brings it about. Any number may wait."""
        return await asyncio.shield(self._keeper.exited)

    async def stop(self, close: Callable[[], Awaitable[object]] | None = None) -> Exit:
        """End it and all that belongs to it. Idempotent.

        `close` asks it to close itself, over a connection that the caller holds. Then the
        system asks it, and after `grace_seconds` it is killed.
        """
        keeper, patience = self._keeper, self.wish.patience
        keeper.asked = True
        try:
            if close is not None and not keeper.exited.done():
                # one that does not listen, or is gone before it answers, the system asks next
                with suppress(TimeoutError, ConnectionError, TabwireError):
                    async with asyncio.timeout(patience.polite_seconds):
                        await close()
                        await asyncio.shield(keeper.exited)
            keeper.let_go()
            bound = patience.grace_seconds + patience.bury_seconds
            await asyncio.wait({keeper.gone}, timeout=bound)
        finally:
            keeper.let_go()
            if keeper.gone.done():
                keeper.transport.close()
        if not keeper.gone.done():
            kill_tree(self.keeper_pid)
            keeper.transport.close()
            keeper.lost()
        if self._folders.scratch.exists():  # the keeper itself was killed
            await asyncio.to_thread(shutil.rmtree, self._folders.scratch, ignore_errors=True)
        return keeper.exited.result()


@asynccontextmanager
async def launched(wish: Launch) -> AsyncIterator[Launched]:
    """A browser for the length of a block."""
    browser = await launch(wish)
    try:
        yield browser
    finally:
        await browser.stop()


async def launch(wish: Launch) -> Launched:
    """Start a browser and wait until it answers, or say why it did not."""
    if wish.profile is not None and (holder := holder_of(wish.profile)):
        raise ProfileInUse(str(wish.profile), holder)
    base = temporary_base(wish.browser.path, Path.home())
    await asyncio.to_thread(sweep, base)
    folders = make_folders(wish.profile, base)
    try:
        browser = await _start(wish, folders)
    except BaseException:
        shutil.rmtree(folders.scratch, ignore_errors=True)
        raise
    try:
        browser.version = await _until_it_answers(browser)
    except BaseException:
        await browser.stop()
        raise
    return browser


async def _start(wish: Launch, folders: Folders) -> Launched:
    flags, notes = flags_for(
        folders.profile,
        surroundings(),
        headless=wish.headless,
        temporary=folders.temporary,
        more=wish.more_flags,
    )
    order = {
        "command": [wish.browser.path, *flags, wish.url],
        "environment": _environment(folders.scratch),
        "scratch": str(folders.scratch),
        "temporary": folders.temporary,
        "grace_seconds": wish.patience.grace_seconds,
    }
    # Its own group or session: Ctrl-C is for us, and we decide what it means for the browser.
    transport, keeper = await asyncio.get_running_loop().subprocess_exec(
        _Keeper,
        *(sys.executable, "-P", "-m", "tabwire.browser.keeper"),
        start_new_session=sys.platform != "win32",
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    stdin = cast(asyncio.WriteTransport, transport.get_pipe_transport(0))
    stdin.write(msgspec.json.encode(order) + b"\n")
    return Launched(wish, folders, tuple(notes), keeper)


def _environment(scratch: Path) -> dict[str, str]:
    """Left to itself a browser leaves a folder in the common temporary one after every run, and
    crash reports in the person's own profile."""
    own = {"BREAKPAD_DUMP_LOCATION": str(scratch / "crashes")}
    temporary = str(scratch / "tmp")
    if len(temporary) + len(SOCKET_TAIL) < MAX_SOCKET:
        own["TMPDIR"] = temporary
    return own


async def _until_it_answers(browser: Launched) -> Version:
    keeper, path = browser._keeper, browser.wish.browser.path
    seconds = browser.wish.patience.start_seconds
    until = asyncio.get_running_loop().time() + seconds
    either: set[asyncio.Future[Any]] = {keeper.announced, keeper.exited}
    await asyncio.wait(either, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    if keeper.announced.done():
        address = urlsplit(keeper.announced.result())
        left = max(until - asyncio.get_running_loop().time(), ANSWER_SECONDS)
        try:
            return await ask_version(address.hostname or "", address.port or 0, seconds=left)
        except BrowserNotReachable as exc:
            what = f"{path} started but does not respond: {exc}"
            raise BrowserDidNotStart(what, said=browser.said) from exc
    ended = keeper.exited.done()
    exit_ = await browser.stop()
    said = browser.said
    if any(sign in line for line in said for sign in PROFILE_TAKEN):
        raise ProfileInUse(str(browser.profile), "another browser", said=said)
    if keeper.failed is not None:
        what = f"{path} cannot be run: {keeper.failed}"
    elif ended:
        what = f"{path} exited immediately with code {exit_.code}"
    else:
        what = f"{path} did not respond within {seconds:g} s"
    line, remedy = explain(said)
    if line is not None:
        what += f"; its output: {line}"
    raise BrowserDidNotStart(what, said=said, what_to_do=remedy)


def explain(said: Sequence[str]) -> tuple[str | None, str | None]:
    """The line of stderr to show, and the remedy where its complaint is known.

    The last line is rarely the one: its helpers complain about the broken pipe after it.
    """
    for line in said:
        for sign, remedy in REMEDIES.items():
            if sign in line:
                return _bare(line), remedy
    lines = [line for line in said if line.strip()]
    telling = [line for line in lines if not any(noise in line for noise in NOISE)]
    shown = telling or lines
    return (_bare(shown[-1]) if shown else None), None


def _bare(line: str) -> str:
    """Without the process, time and source file in brackets that Chromium puts before."""
    return line.partition("] ")[2] if line.startswith("[") and "] " in line else line


def surroundings() -> Surroundings:
    """Those of this machine."""
    root = sys.platform != "win32" and os.geteuid() == 0
    try:
        shm = os.statvfs("/dev/shm")
    except (AttributeError, OSError):
        return Surroundings(root, None)
    return Surroundings(root, shm.f_frsize * shm.f_blocks)


class _Keeper(asyncio.SubprocessProtocol):
    """Our side of the keeper: what it reports, and what the browser says on stderr."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.transport: asyncio.SubprocessTransport
        self.announced: asyncio.Future[str] = loop.create_future()
        self.exited: asyncio.Future[Exit] = loop.create_future()
        self.gone: asyncio.Future[None] = loop.create_future()
        self.pid: int | None = None
        self.failed: str | None = None
        self.asked = False
        self.said: deque[str] = deque(maxlen=KEPT_LINES)
        self._lines = {1: Lines(), 2: Lines()}
        self._open = {"stdout", "process"}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        for line in self._lines[fd].feed(data):
            if fd == 1:
                self._hear(line)
            else:
                self._read(line)

    def pipe_connection_lost(self, fd: int, _exc: Exception | None) -> None:
        if fd == 1:  # only the keeper itself has it open; stderr a stray child may hold
            self._lose("stdout")

    def process_exited(self) -> None:
        self._lose("process")

    def let_go(self) -> None:
        """Let go of the lifeline: the keeper ends the browser. Again does nothing."""
        stdin = self.transport.get_pipe_transport(0)
        if stdin is not None:
            stdin.close()

    def lost(self) -> None:
        """The keeper is gone; whoever waits is told."""
        if not self.exited.done():
            self.exited.set_result(Exit(None, self.asked))
        if not self.gone.done():
            self.gone.set_result(None)

    def _lose(self, part: str) -> None:
        self._open.discard(part)
        if not self._open:
            self.lost()

    def _hear(self, line: str) -> None:
        report = msgspec.json.decode(line)
        match report["report"]:
            case "started":
                self.pid = report["pid"]
            case "failed":
                self.failed = report["why"]
            case "exited" if not self.exited.done():
                self.exited.set_result(Exit(report["code"], self.asked))

    def _read(self, line: str) -> None:
        self.said.append(line)
        if line.startswith(ANNOUNCED) and not self.announced.done():
            self.announced.set_result(line.removeprefix(ANNOUNCED).strip())


class Lines:
    """What a program writes -> lines, however it was cut. Of each only the end is held."""

    def __init__(self) -> None:
        self._rest = b""

    @property
    def held(self) -> int:
        """Bytes of a line that has not ended yet."""
        return len(self._rest)

    def feed(self, chunk: bytes) -> list[str]:
        """The lines that ended in this chunk."""
        *lines, rest = (self._rest + chunk).split(b"\n")
        self._rest = rest[-MAX_LINE:]
        return [line[-MAX_LINE:].decode(errors="replace").rstrip("\r") for line in lines]
