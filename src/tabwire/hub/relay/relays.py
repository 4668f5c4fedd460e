"""The extensions that dial in, and the one that is used.

Theory of operation. A door hands us each socket (`serve`). It is known first (handshake.py),
then it carries the session of its install (session.py), which outlives it: an extension that
comes back within half a minute goes on where it was. One install is used at a time. A second one
is refused and named, and the person decides (`tabwire extension use`); it never takes the place of
the first by itself.

What it says goes to its browser's carrier and to `captures` (installation.py).
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from tabwire import __version__
from tabwire.browser.line import BrowserLine, line_over
from tabwire.cdp.relay import RelayCarrier
from tabwire.cdp.relay_frames import Trouble, read_raw
from tabwire.cdp.relay_shapes import CLIENT, Client, Done, UsedTab, ignored
from tabwire.config.logs import get_log
from tabwire.hub.changes import Changes
from tabwire.hub.relay.connection import POLICY, RelayLine, hear_all, pass_through
from tabwire.hub.relay.diagnosis import Whereabouts, not_connected, port_problem, switched_off
from tabwire.hub.relay.handshake import Handshake, Hello, Nonsense, Refused, Socket
from tabwire.hub.relay.installation import Captures, Enter, Install, Nobody
from tabwire.hub.relay.pairing import Known, Pairing
from tabwire.hub.relay.pairing_code import ShownCode
from tabwire.model.errors import ExtensionNotConnected, TabwireError
from tabwire.model.extensions import (
    ChosenExtension,
    ExtensionStatus,
    ForgottenExtension,
    Obstacle,
    PairingCode,
    PairingOutcome,
    StreamDump,
    WaitingExtension,
)
from tabwire.sites.page import Timings

AWAY_SECONDS = 30.0  # an extension that is away longer has gone
WAIT_SECONDS = Timings().connect_seconds  # an ask waits this long for one to come
EARLY_SECONDS = 4.0  # a hub that just started is found by then
ASKED_SECONDS = 90.0  # a second one that asked so lately still wants to come
MAX_STRANGERS = 8  # sockets that are not known yet; more are sent away
VERB_SECONDS = 30.0
BUSY = 1013  # the code with which a WebSocket is closed for want of room


class VerbFailed(TabwireError):
    """The extension did not do what it was asked. `code` is the relay's."""

    def __init__(self, verb: str, trouble: Trouble) -> None:
        super().__init__(
            f"the extension refused {verb}: {trouble.message[:300]}",
            what_to_do="Look at the extension's popup, then try again.",
        )
        self.relay_code = trouble.code


@dataclass(slots=True)
class _Asking:
    """A second extension that was sent away."""

    known: Known
    at: float


class Relays:
    """All extensions of one hub. Made inside a running loop."""

    def __init__(
        self,
        pairing: Pairing,
        *,
        away_seconds: float = AWAY_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.captures: Captures = Nobody()
        self._pairing = pairing
        self._away_seconds = away_seconds
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._began = clock()
        self._used: Install | None = None
        self._strangers = 0
        self._asking: dict[str, _Asking] = {}
        self._whereabouts = Whereabouts()
        self._came = asyncio.Event()
        self._changes = Changes()
        self._code = ShownCode(pairing, clock, self._changes.one)

    # --- sockets -------------------------------------------------------------------------

    async def serve(self, socket: Socket, enter: Enter | None = None) -> None:
        """One socket, from its first word to its end. `enter` gives tickets to the dashboard."""
        if self._strangers >= MAX_STRANGERS:
            await socket.close(BUSY, "too many connections at once")
            return
        self._strangers += 1
        try:
            hello, known = await Handshake(
                socket, self._pairing, self._whereabouts.hello, self._code.was_typed
            ).run()
            install = self._admit(hello, known)
        except Refused as refused:
            self._whereabouts.refused(refused.code, refused.message, refused.what_to_do)
            self._changes.one()
            get_log().warn("an extension was refused", why=refused.code, message=refused.message)
            await socket.send(msgspec.json.encode(refused.told).decode())
            await socket.close(POLICY, refused.code)
            return
        except (Nonsense, TimeoutError) as nonsense:
            get_log().info("a relay connection was refused", why=str(nonsense) or "too slow")
            await socket.close(POLICY, "no handshake")
            return
        finally:
            self._strangers -= 1
        install.enter = enter
        await self._carry(install, hello, socket)

    def _admit(self, hello: Hello, known: Known) -> Install:
        """Whether it may stay, beside another. Raises `Refused`."""
        used = self._used
        now = self._clock()
        chosen = self._pairing.chosen
        if used is not None and used.session.install != known.install:
            if chosen != known.install:
                self._asking[known.install] = _Asking(known, now)
                used.notice(known)
                raise _busy(used.known, known)
            self._end(used, f"{known.name} is used instead", bye=True)
            used = None
        elif used is None and chosen not in (None, known.install):
            other = self._asking.get(chosen or "")
            if other is not None and now - other.at < ASKED_SECONDS:
                self._asking[known.install] = _Asking(known, now)
                raise _busy(other.known, known)
        self._asking.pop(known.install, None)
        if used is None:
            used = self._used = Install(lambda: self.captures, known, hello, self._changes.one)
        return used

    async def _carry(self, install: Install, hello: Hello, socket: Socket) -> None:
        session = install.session
        fresh = not session.boot
        have = session.resume(hello.boot, hello.last)
        session.version, session.chrome = hello.version, hello.chrome
        line = RelayLine(socket)
        install.replace(line)
        ready = {"t": "ready", "have": have, "session": install.id, "fresh": fresh}
        line.put(msgspec.json.encode(ready).decode())
        if fresh:  # of a hub before us: whoever wants a tab attaches to it anew
            for tab in hello.attached[:1000]:
                session.do("debugger.detach", {"tab": tab}, ignored)
        session.do("getVersion", {}, install.versioned)
        session.opened(line.put, self._loop.time())
        self._came.set()
        self._note(install, hello)
        log = get_log(extension=install.known.name)
        log.info("an extension is connected", version=hello.version, hub=__version__, fresh=fresh)
        why = "it closed the connection"
        try:
            async with line.patience, asyncio.TaskGroup() as group:
                writing = group.create_task(line.write())
                try:
                    why = await hear_all(session, line, self._loop.time)
                finally:
                    writing.cancel()
        except TimeoutError:
            why = line.over or "it stopped reading"
        finally:
            log.info("an extension's socket is gone", why=why)
            if session.closed(line.put):
                self._cut(install, why)

    def _note(self, install: Install, hello: Hello) -> None:
        """It is here: for whoever asks later, also in the next hub."""
        name = install.session.install
        try:
            self._pairing.seen(name, hello.version, hello.chrome)
        except TabwireError as exc:  # a full disk keeps nobody out
            get_log().warn("the time an extension was last seen was not saved", error=exc)
        install.known = self._pairing.find(name) or install.known
        self._whereabouts.connected()
        self._changes.one()

    def _cut(self, install: Install, why: str) -> None:
        """Without a socket; it has a while to come back."""
        self._whereabouts.cut(why)
        self._changes.one()
        if self._used is install:
            self._came.clear()
            install.timer = self._loop.call_later(
                self._away_seconds, self._end, install, f"{install.known.name} did not come back"
            )

    def _end(self, install: Install, why: str, *, bye: bool = False) -> None:
        if self._used is install:
            self._used = None
            self._came.clear()
        install.end(why, bye=bye)
        self._changes.one()

    async def close(self) -> None:
        """The hub ends."""
        if self._used is not None:
            self._end(self._used, "the hub is stopping", bye=True)

    # --- for the rest of the hub ---------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether an extension is here now."""
        return self._used is not None and self._used.session.connected

    @property
    def usable(self) -> bool:
        """Whether it is here, and its person did not switch it off."""
        return self.connected and self._used is not None and not self._used.off

    @property
    def in_use(self) -> list[UsedTab]:
        """The tabs that somebody uses through it."""
        return [] if self._used is None else self._used.in_use

    @property
    def expected(self) -> bool:
        """Whether one is here, or may well come in a moment: one is paired, and we just began."""
        if self._used is not None:
            return not self._used.off
        return bool(self._pairing.known) and self._clock() - self._began < EARLY_SECONDS

    async def wait_connected(self, seconds: float = WAIT_SECONDS) -> None:
        """Until one is here. Raises `ExtensionNotConnected`, which says why as far as is known."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.connected:
                    await self._came.wait()
        if not self.connected:
            raise not_connected(self._pairing, self._whereabouts, seconds)
        if (off := self._why_not()) is not None:
            raise off

    async def wait_early(self) -> bool:
        """Whether one is here, after what patience a hub has that just started."""
        if not self.expected:
            return False
        left = EARLY_SECONDS if self._used else self._began + EARLY_SECONDS - self._clock()
        with suppress(TabwireError):
            await self.wait_connected(max(left, 0.0))
        return self.usable

    @asynccontextmanager
    async def line(self) -> AsyncIterator[BrowserLine]:
        """A connection to the browser of the extension; hub/browsers/link.py shares it."""
        carrier, whose = await self._reached()
        async with line_over(carrier, whose) as line:
            yield line

    async def tunnel(self, socket: Socket) -> None:
        """The same for a command in another process (hub/relay/tunnel.py), message by message."""
        try:
            carrier, whose = await self._reached()
        except TabwireError as exc:
            told = {"error": {"message": str(exc), "what_to_do": exc.what_to_do}}
            await socket.send(msgspec.json.encode(told).decode())
            return
        CLIENT.set(Client("terminal"))
        await socket.send(msgspec.json.encode({"whose": whose}).decode())
        await pass_through(carrier, RelayLine(socket))

    async def _reached(self) -> tuple[RelayCarrier, str]:
        await self.wait_connected()
        install = self._used
        assert install is not None
        return install.carrier(), f"your own Chrome, through the extension {install.known.name}"

    async def ask(self, verb: str, **arguments: Any) -> Any:
        """Have a verb carried out. Raises `VerbFailed`, `ExtensionNotConnected`."""
        if self._used is None:
            raise not_connected(self._pairing, self._whereabouts, 0.0)
        future: asyncio.Future[Done] = self._loop.create_future()

        def done(said: Done) -> None:
            if not future.done():
                future.set_result(said)

        self._used.session.do(verb, arguments, done)
        try:
            async with asyncio.timeout(VERB_SECONDS):
                said = await future
        except TimeoutError:
            raise VerbFailed(verb, Trouble(message=f"no reply within {VERB_SECONDS:g} s")) from None
        if isinstance(said, Trouble):
            raise VerbFailed(verb, said)
        return read_raw(said)

    def tell(self, page_id: str, message: dict[str, Any]) -> None:
        """Say something to a page. One that is gone does not hear it."""
        used = self._used
        page = None if used is None else used.pages.get(page_id)
        if used is not None and page is not None:
            used.session.do("page.tell", {"page": page, "message": message}, ignored)

    async def reread(self, url: str) -> int:
        """A tab in the background whose page reads this conversation; `close_tab` closes it."""
        said = await self.ask("tabs.reread", url=url)
        return int(said["tab"])

    async def close_tab(self, tab: int) -> None:
        """Close a tab that we opened."""
        await self.ask("tabs.close", tab=tab)

    # --- for people ----------------------------------------------------------------------

    async def hub_id(self) -> str:
        """Who we are, for whoever looks for us."""
        return self._pairing.hub_id

    async def dump(self) -> StreamDump:
        """The newest frames that went by in pages, where the person has them dumped."""
        return StreamDump(tuple(self.captures.dumped))

    async def status(self) -> ExtensionStatus:
        """Everything a person may want to know. No secret in it."""
        used, now = self._used, self._clock()
        why = self._why_not()
        asking = [seen.known for seen in self._asking.values() if now - seen.at < ASKED_SECONDS]
        connected = used.session.install if used is not None and self.connected else None
        return ExtensionStatus(
            hub=self._pairing.hub_id,
            version=__version__,
            connected=self.connected,
            why=None if why is None else Obstacle(why.why, why.what_to_do),
            used=None if used is None else used.status(),
            installs=self._pairing.installs(connected),
            asking=tuple(WaitingExtension(known.name, known.chrome) for known in asking),
            last_refused=self._whereabouts.last_refusal(),
            dropped=self.captures.dropped.counts(),
            code_seconds=self._code.seconds,
            code_number=self._code.number,
            code_typed_by=self._code.typed_by,
            locked_seconds=round(self._pairing.locked_seconds, 1),
        )

    def _why_not(self) -> ExtensionNotConnected | None:
        """Why nothing can be asked through one now."""
        if not self.connected:
            return not_connected(self._pairing, self._whereabouts, 0.0)
        return None if self.usable or self._used is None else switched_off(self._used.known)

    async def changed(self, seen: int) -> int:
        """How often anything of this changed, when it is more often than was seen."""
        return await self._changes.after(seen)

    async def pair(self) -> PairingCode:
        """Show a code, and why it may not help. Raises `PairingLocked`."""
        code = await self._code.show()
        return replace(code, problem=await asyncio.to_thread(port_problem))

    async def paired(self, seconds: float) -> PairingOutcome:
        """Who typed the code, when somebody has, or nobody within these seconds."""
        return await self._code.typed(seconds)

    async def forget(self, name: str) -> ForgottenExtension:
        """Its key is void, and it is sent away. Raises `NoSuchExtension`."""
        gone = self._pairing.forget(name)
        self._asking.pop(gone.install, None)
        self._changes.one()
        if self._used is not None and self._used.session.install == gone.install:
            self._end(self._used, "it was forgotten", bye=True)
        return ForgottenExtension(gone.name)

    async def use(self, name: str) -> ChosenExtension:
        """This one is used from now on, as soon as it comes. Raises `NoSuchExtension`."""
        chosen = self._pairing.choose(name)
        self._changes.one()
        if self._used is not None and self._used.session.install != chosen.install:
            self._asking.setdefault(chosen.install, _Asking(chosen, self._clock()))
            self._end(self._used, f"{chosen.name} is used instead", bye=True)
        return ChosenExtension(chosen.name)


def _busy(used: Known, other: Known) -> Refused:
    return Refused(
        "busy",
        f"{used.name} (Chrome {used.chrome}) is connected already; this is {other.name}",
        f"To use this one instead, run `tabwire extension use {other.name}`.",
    )
