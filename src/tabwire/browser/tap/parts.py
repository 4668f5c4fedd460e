"""The parts of a tab, each with a session: the page, frames of other sites, workers.

Attaches to each as it comes, before it may do anything, and says which one is gone. Knows
which commands make a part speak, and nothing of what it says.
"""

import asyncio
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from tabwire.browser.tap.messages import Attached, Detached, TargetInfo, TargetReply
from tabwire.cdp.carrier import Gone
from tabwire.cdp.connection import Session
from tabwire.cdp.errors import CdpError
from tabwire.cdp.pending import Outcome
from tabwire.cdp.protocol import Event, Reply
from tabwire.cdp.routes import EVERY_SESSION, Listener

BUFFERS = {
    "maxTotalBufferSize": 100_000_000,
    "maxResourceBufferSize": 50_000_000,  # 1 MB lost data; with these 20 MB are read whole
    "maxPostDataSize": 2_000_000,  # a prompt of half a million words; more is asked for
}

CHILD_SECONDS = 2.0
"""How long arming waits for parts that are there already. One that loops answers never."""

DISARM_SECONDS = 2.0
"""How long a browser gets to stop telling. The session's end would stop it as well."""

_ESSENTIAL = ("Network.enable", "Page.enable")
"""Without these a tap would be deaf, or not notice what a navigation leaves behind."""

_UNHEARD = {
    "Network.enable": "traffic in",
    "Target.setAutoAttach": "workers and cross-origin frames in",
}
_FRAMES = ("page", "iframe")
_WHERE = {"iframe": "frame", "worker": "worker"}
_TAPPED = ("iframe", "worker", "service_worker", "shared_worker")
_AUTO_ATTACH = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
    "filter": [{"type": kind} for kind in _TAPPED],
}


class Part:
    """One session. `ready` is done when it speaks, with an error where it will not."""

    def __init__(self, session: Session, target: TargetInfo, parent: "Part | None") -> None:
        self.session = session
        self.kind = target.kind
        self.target = target.id
        self.url = target.url
        self.parent = parent
        self.frame = target.id
        self.ready: asyncio.Future[CdpError | None] = asyncio.get_running_loop().create_future()
        self.awaited: set[str] = set()

    @property
    def serves(self) -> bool:
        """It may answer the requests of other parts."""
        return self.kind == "service_worker"

    def where(self, frame: str | None) -> str:
        """Where in the tab a request of this part comes from."""
        if self.kind == "page":
            return "frame" if frame and self.frame and frame != self.frame else "page"
        return _WHERE.get(self.kind, self.kind)

    def within(self, session_id: str) -> bool:
        """It is that one, or goes when that one goes."""
        return self.session.id == session_id or (
            self.parent is not None and self.parent.within(session_id)
        )


class Parts:
    """All parts of one tab."""

    def __init__(
        self,
        session: Session,
        *,
        listeners: Mapping[str, Listener],
        lost: Callable[[str, str], None],
        unheard: Callable[[str, str], None],
    ) -> None:
        self.root = Part(session, TargetInfo(kind="page"), None)
        self._listeners = {
            **listeners,
            "Target.attachedToTarget": self._on_attached,
            "Inspector.targetCrashed": self._on_crashed,
        }
        self._lost = lost
        self._unheard = unheard
        self._parts = {session.id: self.root}
        self._stops: list[Callable[[], None]] = []
        self._closed = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """What there is, the page first."""
        return tuple(part.kind for part in self._parts.values())

    async def arm(self) -> None:
        """Make the page speak, and all that is in it. Raises `CdpError`."""
        line = self.root.session.connection
        ended = weakref.WeakMethod(self._line_gone)
        line.on_gone(lambda gone: _call(ended, gone))
        self._stops.append(
            line.listen("Target.detachedFromTarget", self._on_detached, session=EVERY_SESSION)
        )
        self.root.session.send("Target.getTargetInfo", on_reply=self._know_root)
        self._tap(self.root)
        error = await asyncio.shield(self.root.ready)
        if error is not None:
            self.close()
            raise error
        children = [part.ready for part in self._parts.values() if part is not self.root]
        if children:
            await asyncio.wait(children, timeout=CHILD_SECONDS)

    def close(self) -> None:
        """Stop listening."""
        self._closed = True
        for stop in self._stops:
            stop()
        self._stops.clear()

    async def disarm(self) -> None:
        """Let go of the parts and ask the page to tell no more."""
        session = self.root.session
        with suppress(CdpError):
            await session.call(
                "Target.setAutoAttach",
                {"autoAttach": False, "waitForDebuggerOnStart": False, "flatten": True},
                seconds=DISARM_SECONDS,
            )
            await session.call("Network.disable", seconds=DISARM_SECONDS)

    def of(self, event: Event) -> Part:
        """The part that said this."""
        return self._parts.get(event.session or "", self.root)

    def look_for_shared_worker(self, part: Part, target: str) -> None:
        """The script of a worker was asked for. To shared ones we must attach ourselves."""
        part.session.send(
            "Target.getTargetInfo",
            {"targetId": target},
            on_reply=partial(self._attach_if_shared, part, target),
        )

    def _tap(self, part: Part) -> None:
        """Listen, then let all commands leave at once."""
        session = part.session
        self._stops += [session.listen(*one) for one in self._listeners.items()]
        commands: list[tuple[str, dict[str, Any] | None]] = [
            ("Network.enable", BUFFERS),
            ("Target.setAutoAttach", _AUTO_ATTACH),
        ]
        if part.kind in _FRAMES:
            commands += [("Page.enable", None), ("Inspector.enable", None)]
        if part is not self.root:
            commands.append(("Runtime.runIfWaitingForDebugger", None))
        part.awaited = {method for method, _ in commands}
        for method, params in commands:
            session.send(method, params, on_reply=partial(self._answered, part, method))

    def _answered(self, part: Part, method: str, outcome: Outcome) -> None:
        part.awaited.discard(method)
        if isinstance(outcome, CdpError):
            self._refused(part, method, outcome)
        if not part.awaited and not part.ready.done():
            part.ready.set_result(None)

    def _refused(self, part: Part, method: str, error: CdpError) -> None:
        if part is self.root and method in _ESSENTIAL:
            if not part.ready.done():
                part.ready.set_result(error)
        elif method in _UNHEARD and not self._closed and part.session.id in self._parts:
            self._unheard(f"{_UNHEARD[method]} a {part.kind} cannot be observed: {error}", part.url)

    def _know_root(self, outcome: Outcome) -> None:
        if isinstance(outcome, Reply):
            self.root.target = self.root.frame = outcome.read(TargetReply).target.id

    def _on_attached(self, event: Event) -> None:
        said = event.read(Attached)
        parent = self.of(event)
        session = self.root.session.connection.session(said.session)
        if said.target.kind not in _TAPPED:
            session.send("Runtime.runIfWaitingForDebugger", on_reply=_ignore)
            return
        part = Part(session, said.target, parent)
        self._parts[session.id] = part
        self._tap(part)

    def _attach_if_shared(self, part: Part, target: str, outcome: Outcome) -> None:
        if self._closed or not isinstance(outcome, Reply):
            return
        info = outcome.read(TargetReply).target
        if info.kind == "shared_worker":
            part.session.send(
                "Target.attachToTarget",
                {"targetId": target, "flatten": True},
                on_reply=partial(self._attached_shared, info.url),
            )

    def _attached_shared(self, url: str, outcome: Outcome) -> None:
        if isinstance(outcome, CdpError) and not self._closed:
            self._unheard(f"a shared worker cannot be observed: {outcome}", url)

    def _on_detached(self, event: Event) -> None:
        session_id = event.read(Detached).session
        if session_id in self._parts:
            self._lose(session_id, f"the {self._parts[session_id].kind} it was in is gone")

    def _on_crashed(self, event: Event) -> None:
        """The session lives on, and with it what we asked for; its children do not."""
        self._lost(event.session or "", "the tab crashed")

    def _line_gone(self, gone: Gone) -> None:
        if not self._closed:
            self._lose(self.root.session.id, f"the connection to the browser was lost: {gone.why}")

    def _lose(self, session_id: str, why: str) -> None:
        gone = [part for part in self._parts.values() if part.within(session_id)]
        for part in gone:
            del self._parts[part.session.id]
            self._lost(part.session.id, why)


def _call(method: "weakref.WeakMethod[Any]", gone: Gone) -> None:
    if (alive := method()) is not None:
        alive(gone)


def _ignore(_: Outcome) -> None:
    pass
