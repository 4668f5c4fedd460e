"""The tabs of one browser: which there are, and a way into those we use.

We attach only to tabs we use, and every step has a bound: a tab that is frozen, asleep or busy
costs its own user a few seconds and holds up nobody else. No tab is ever brought to the front;
new ones open in the background.

What could be left behind is taken back: a tab that was created after we gave up waiting is
closed when it comes, a session is detached.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import msgspec

from tabwire.browser.errors import TabDidNotOpen, TabLost, TabNotResponding
from tabwire.browser.lease import Lease, Leases
from tabwire.browser.tab import Tab
from tabwire.browser.tab_events import TAKEN, Closed, Crashed, Discarded, Disconnected
from tabwire.browser.world import Bound
from tabwire.cdp.carrier import Gone
from tabwire.cdp.connection import Connection
from tabwire.cdp.errors import (
    CdpError,
    CommandFailed,
    CommandTimedOut,
    ConnectionEnded,
    SessionLost,
)
from tabwire.cdp.pending import Outcome
from tabwire.cdp.protocol import Event, Reply
from tabwire.model.errors import TabwireError

ATTACH_SECONDS = 3.0
"""How long an existing tab may take to let us in (seed 001, 2.3)."""

OPEN_SECONDS = 5.0
"""How long a new tab may take, each try (seed 001, 2.3)."""

OPEN_TRIES = 2
PAUSE_SECONDS = 1.0
"""Between two tries (seed 001, 9.2)."""

LIST_SECONDS = 3.0
"""The browser itself answers, whatever its tabs do."""

LATE_SECONDS = 60.0
"""How long we still take back what comes after we gave up waiting."""

MAX_TRIED = 3  # tabs that are there; each may cost `ATTACH_SECONDS` and a health check
SWAP_SECONDS = 1.0  # a discarded tab's replacement comes right before its own end: 1 ms was seen

MAX_ENDS = 256
"""Tabs of which we still know how they ended: enough for whoever remembers one from before."""

_PAGES = [{"type": "page"}]
_NOT_TABS = ("devtools://", "chrome-extension://", "chrome-untrusted://")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TabInfo:
    """A tab as the browser's own list has it. `attached`: somebody is, maybe not we."""

    target: str
    url: str
    title: str
    attached: bool


@dataclass(frozen=True, slots=True)
class _Born:
    """The target that came last."""

    info: TabInfo = field(default_factory=lambda: TabInfo("", "", "", attached=False))
    at: float = 0.0


class _Info(msgspec.Struct):
    target: str = msgspec.field(name="targetId")
    type: str = ""
    subtype: str = ""
    title: str = ""
    url: str = ""
    attached: bool = False

    @property
    def is_tab(self) -> bool:
        page = self.type == "page" and not self.subtype  # one that is prerendered has one
        return page and not self.url.startswith(_NOT_TABS)

    @property
    def public(self) -> TabInfo:
        return TabInfo(self.target, self.url, self.title, self.attached)


class _About(msgspec.Struct):
    info: _Info = msgspec.field(name="targetInfo")


class _Targets(msgspec.Struct):
    infos: list[_Info] = msgspec.field(name="targetInfos")


class _Target(msgspec.Struct):
    target: str = msgspec.field(name="targetId")


class _Session(msgspec.Struct):
    session: str = msgspec.field(name="sessionId")
    reason: str = ""  # a relay says why; a browser does not


class Tabs:
    """The tabs of the browser at the other end of a connection."""

    def __init__(self, connection: Connection, *, leases: Leases | None = None) -> None:
        self.connection = connection
        self.leases = leases or Leases()
        self._known: dict[str, TabInfo] = {}
        self._ends: dict[str, Closed | Discarded] = {}
        self._used: dict[str, Tab] = {}  # by session
        self._born = _Born()
        self._discovering = False
        for method, listener in (
            ("Target.targetCreated", self._created),
            ("Target.targetInfoChanged", self._changed),
            ("Target.attachedToTarget", self._changed),
            ("Target.targetDestroyed", self._destroyed),
            ("Target.targetCrashed", self._crashed),
            ("Target.detachedFromTarget", self._detached),
        ):
            connection.listen(method, listener)
        connection.on_gone(self._gone)

    @property
    def used(self) -> tuple[Tab, ...]:
        """The tabs we are attached to."""
        return tuple(self._used.values())

    @property
    def known(self) -> tuple[TabInfo, ...]:
        """The tabs as the browser last told of them, without asking."""
        return tuple(self._known.values())

    def has_ended(self, target: str) -> bool:
        """Whether this browser told us that a tab was closed, or replaced by another."""
        return target in self._ends

    async def discover(self) -> None:
        """Ask to be told of every tab that comes, changes, crashes or goes; attaches to none.
        Whoever attaches asks first, if nobody did."""
        wish = {"discover": True, "filter": _PAGES}
        await self.connection.call("Target.setDiscoverTargets", wish, seconds=LIST_SECONDS)
        self._discovering = True

    async def list(self) -> tuple[TabInfo, ...]:
        """Every tab there is, without touching one. Where those are that we use we know better:
        a page tells of its new address some milliseconds before the browser's list has it."""
        said = await self.connection.call(
            "Target.getTargets", {"filter": _PAGES}, shape=_Targets, seconds=LIST_SECONDS
        )
        ours = {tab.target: tab.url for tab in self._used.values()}
        infos = (info.public for info in said.infos if info.is_tab)
        return tuple(replace(info, url=ours.get(info.target, info.url)) for info in infos)

    async def attach(self, target: str, *, seconds: float = ATTACH_SECONDS) -> Tab:
        """Use a tab that is there. Raises `TabLost` where it is not, `TabNotResponding` where
        it does not answer in time, and then leaves it alone."""
        return await self._attached(target, Bound(seconds))

    async def _attached(self, target: str, bound: Bound) -> Tab:
        if not self._discovering:
            await self.discover()
        try:
            tab = await self._session_with(target, bound.left)
        except CommandFailed as exc:
            raise TabLost(self._ends.get(target, Closed(time.monotonic()))) from exc
        except CommandTimedOut as exc:
            raise TabNotResponding(target, str(bound.named(exc))) from exc
        try:
            await tab.arm(bound.left)
        except CommandTimedOut as exc:
            tab.let_go()
            raise TabNotResponding(target, f"it did not respond for {bound.seconds:g} s") from exc
        except SessionLost as exc:
            tab.let_go()
            if exc.crashed:  # said of both
                raise TabNotResponding(target, "it crashed, or the browser discarded it") from exc
            raise TabLost(tab.ended or Closed(time.monotonic())) from exc
        except BaseException:
            tab.let_go()
            raise
        return tab

    async def open(self, url: str, *, seconds: float = OPEN_SECONDS) -> Tab:
        """A new tab in the background. Raises `TabDidNotOpen`; a failed try leaves no tab.
        `seconds` are for each try.

        To hear a page from its first request on, open `about:blank` and `navigate`.
        """
        why = ""
        for number in range(OPEN_TRIES):
            if number:
                await asyncio.sleep(PAUSE_SECONDS)
            try:
                return await self._open(url, seconds)
            except ConnectionEnded:
                raise
            except TabwireError as exc:
                why = str(exc)
        raise TabDidNotOpen(url, OPEN_TRIES, why)

    async def prefer(
        self, wanted: Callable[[TabInfo], bool], url: str, *, target: str | None = None
    ) -> Tab:
        """A tab that answers: `target` if it is wanted, else another wanted one that nobody
        leased, else a new one at `url`."""
        free = [
            info
            for info in await self.list()
            if wanted(info) and self.leases.holder(info.target) is None
        ]
        free.sort(key=lambda info: info.target != target)
        for info in free[:MAX_TRIED]:
            if (tab := await self._usable(info.target, wanted)) is not None:
                return tab
        return await self.open(url)

    async def close(self, target: str) -> None:
        """Close a tab, ours or not: whoever asks has opened it. Gone already is fine."""
        try:
            await self.connection.call(
                "Target.closeTarget", {"targetId": target}, seconds=LIST_SECONDS
            )
        except CommandFailed:
            return  # no such tab

    def lease(self, target: str, owner: str, seconds: float) -> Lease:
        """The right to use a tab. Raises `TabLeased`. `with` gives it back."""
        return self.leases.take(target, owner, seconds)

    async def _usable(self, target: str, wanted: Callable[[TabInfo], bool]) -> Tab | None:
        """Attached and well, and still what was wanted; else None, and left alone."""
        try:
            tab = await self.attach(target)
        except (TabLost, TabNotResponding):
            return None
        usable = False
        try:
            now = TabInfo(target, tab.url, tab.title, attached=True)
            usable = wanted(now) and await tab.healthy()
        finally:
            if not usable:
                tab.let_go()
        return tab if usable else None

    async def _open(self, url: str, seconds: float) -> Tab:
        bound = Bound(seconds)
        target = await self._take(
            "Target.createTarget",
            {"url": url, "background": True},
            seconds,
            lambda reply: reply.read(_Target).target,
            self._close_unasked,
        )
        try:
            return await self._attached(target, bound)
        except BaseException:
            self._close_unasked(target)
            raise

    async def _session_with(self, target: str, seconds: float) -> Tab:
        return await self._take(
            "Target.attachToTarget",
            {"targetId": target, "flatten": True},
            seconds,
            lambda reply: self._admit(target, reply.read(_Session).session),
            Tab.let_go,
        )

    def _admit(self, target: str, session: str) -> Tab:
        known = self._known.get(target, TabInfo(target, "", "", attached=True))
        tab = Tab(self.connection.session(session), target, known.url, known.title)
        self._used[session] = tab
        return tab

    async def _take(
        self,
        method: str,
        params: dict[str, Any],
        seconds: float,
        take: Callable[[Reply], T],
        give_back: Callable[[T], None],
    ) -> T:
        """Wait `seconds` for something we then own; what comes later is given back.

        `take` runs inside the receive loop: nothing said after the reply is missed.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def heard(outcome: Outcome) -> None:
            try:
                if not isinstance(outcome, Reply):
                    raise outcome
                got = take(outcome)
            except CdpError as exc:
                if not future.done():
                    future.set_exception(exc)
            else:
                if future.done():
                    give_back(got)
                else:
                    future.set_result(got)

        self.connection.send(method, params, on_reply=heard, seconds=LATE_SECONDS)
        try:
            async with asyncio.timeout(seconds):
                return await future
        except TimeoutError:
            _give_back(future, give_back)
            raise CommandTimedOut(method, seconds) from None
        except asyncio.CancelledError:
            _give_back(future, give_back)
            raise

    def _close_unasked(self, target: str) -> None:
        self.connection.send(
            "Target.closeTarget", {"targetId": target}, on_reply=lambda _outcome: None
        )

    def _created(self, event: Event) -> None:
        said = event.read(_About).info
        if said.is_tab:
            self._known[said.target] = said.public
            self._born = _Born(said.public, time.monotonic())

    def _changed(self, event: Event) -> None:
        said = event.read(_About).info
        if not said.is_tab:  # what closes is `other` for a moment
            return
        self._known[said.target] = said.public
        for tab in self._tabs_in(said.target):
            tab.describe(said.title)

    def _destroyed(self, event: Event) -> None:
        target = event.read(_Target).target
        end = self._end_of(target)
        if self._known.pop(target, None) is not None:
            self._ends[target] = end
        if len(self._ends) > MAX_ENDS:
            del self._ends[next(iter(self._ends))]
        self.leases.forget(target)
        for tab in self._tabs_in(target):
            tab.befall(end)

    def _crashed(self, event: Event) -> None:
        for tab in self._tabs_in(event.read(_Target).target):
            tab.befall(Crashed(time.monotonic()))

    def _detached(self, event: Event) -> None:
        said = event.read(_Session)
        tab = self._used.pop(said.session, None)
        if tab is not None:
            taken = TAKEN.get(said.reason)
            tab.befall(taken(time.monotonic()) if taken else self._end_of(tab.target))

    def _gone(self, gone: Gone) -> None:
        used, self._used = self._used, {}
        for tab in used.values():
            tab.befall(Disconnected(time.monotonic(), gone.why))

    def _end_of(self, target: str) -> Closed | Discarded:
        """Closed, unless its like was born, title and all, a moment before."""
        now, born = time.monotonic(), self._born
        known = self._known.get(target)
        if (
            known is not None
            and born.info.target != target
            and born.info.url == known.url
            and born.info.title  # a tab that is opened has none yet
            and now - born.at < SWAP_SECONDS
        ):
            return Discarded(now, born.info.target)
        return Closed(now)

    def _tabs_in(self, target: str) -> tuple[Tab, ...]:
        return tuple(tab for tab in self._used.values() if tab.target == target)


def _give_back(future: asyncio.Future[T], give_back: Callable[[T], None]) -> None:
    """We were stopped in the very turn in which it came."""
    if future.done() and not future.cancelled() and future.exception() is None:
        give_back(future.result())
