"""One tab we are attached to: a session, its address, and what befalls it.

Theory of operation. Everything is heard inside the receive loop, so what befell a tab is known
before any command that it broke is refused. The tab's own session tells of navigation, crash
and freeze; what is told to the browser as a whole (closed, discarded) comes through `Tabs`.
Reload or not is what the browser said when the navigation started, found again by its
loader's id.

Freezing is told to the page alone, so a script of ours in our own world listens for it. The
binding through which it speaks is added anew for each document: that spares `Runtime.enable`,
with which a page that floods its console would flood us.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from functools import partial

from tabwire.browser.errors import DidNotLoad, TabLost
from tabwire.browser.inpage import script
from tabwire.browser.patience import Patience
from tabwire.browser.tab_events import (
    ENDS,
    Closed,
    Crashed,
    DialogClosed,
    DialogOpened,
    End,
    Frozen,
    LifeEvent,
    Navigated,
    NotLoaded,
    Reloaded,
    Thawed,
)
from tabwire.browser.tab_shapes import (
    Called,
    Dialog,
    Evaluated,
    Frame,
    FrameNavigated,
    Frames,
    Loaded,
    Started,
    Within,
)
from tabwire.browser.world import WORLD
from tabwire.cdp.connection import Session
from tabwire.cdp.errors import CdpError, CommandFailed, SessionLost
from tabwire.cdp.pending import Outcome
from tabwire.cdp.protocol import Event, Reply
from tabwire.model.errors import Retry, TabwireError

HEALTH_SECONDS = 4.0
"""How long a tab may take to say it is well (seed 001, 9.1)."""

LOAD_SECONDS = 30.0
"""How long a page may take to begin: seed 001 gives a page this long to load."""

DETACH_SECONDS = 3.0
"""The browser itself answers this one, in milliseconds; a frozen tab does not delay it."""

TAKE_OVER_SECONDS = 1.0
"""How long the browser may take over a document its page told of: 20 ms were seen."""

MAX_DIALOG = 300  # characters of a dialog's words

NOT_YETS = 3
"""How often it may say that it has not; another description may come in between."""

_NOT_YET = "Not attached to an active page"  # the browser's words
BINDING = "tabwireLife"  # also named in browser/inpage/life.js
_EMPTY = (
    "",
    ":",
    "about:blank",
)  # what a new tab has before its page; the second on a busy machine
_KEPT = "BackForwardCacheRestore"  # a document that comes back has its old loader's id
_RELOADS = frozenset({"reload", "reloadBypassingCache", "restore", "restoreWithPost"})


class Tab:
    """Made by `Tabs`. `ended` says why it can no longer be read, or is None while it can."""

    def __init__(self, session: Session, target: str, url: str, title: str) -> None:
        self.session = session
        self.target = target
        self.url = url
        self.title = title
        self.ended: End | None = None
        self.frozen = False
        self.unreachable = False  # the browser shows a page of its own in its place
        self.dialog: DialogOpened | None = None  # stands in the page, which answers nothing
        self.detached = False  # by us
        self._frame = target  # the main frame's id, until the browser says otherwise
        self._document = ""  # the address it came from, without its fragment, once we know
        self._described = asyncio.Event()
        self._loader = ""  # of the document that is there
        self._starting = Started(target)
        self._listeners: dict[object, Callable[[LifeEvent], None]] = {}
        for method, listener in (
            ("Page.frameStartedNavigating", self._started),
            ("Page.frameNavigated", self._navigated),
            ("Page.navigatedWithinDocument", self._within),
            ("Page.javascriptDialogOpening", self._asked),
            ("Page.javascriptDialogClosed", self._answered),
            ("Inspector.targetCrashed", self._crashed),
            ("Runtime.bindingCalled", self._called),
        ):
            session.listen(method, listener)

    def on_life(self, listener: Callable[[LifeEvent], None]) -> Callable[[], None]:
        """Call `listener` with all that befalls the tab, inside the receive loop. Returns the
        stop. It must not wait. Whether the tab has ended before is in `ended`."""
        key = object()
        self._listeners[key] = listener

        def stop() -> None:
            self._listeners.pop(key, None)

        return stop

    def check(self) -> None:
        """Raise `TabLost` if the tab can no longer be read."""
        if self.ended is not None:
            raise TabLost(self.ended)

    async def arm(self, seconds: float) -> None:
        """Ask to be told what befalls the tab. All at once: the slowest decides."""
        life = {"source": script("life"), "worldName": WORLD, "runImmediately": True}
        tree, *_ = await asyncio.gather(
            self.session.call("Page.getFrameTree", shape=Frames, seconds=seconds),
            self.session.call("Inspector.enable", seconds=seconds),  # says if it is dead already
            self.session.call("Page.enable", seconds=seconds),
            self.session.call("Page.addScriptToEvaluateOnNewDocument", life, seconds=seconds),
            self.session.call("Runtime.addBinding", _BIND, seconds=seconds),
        )
        if not self._document:  # else it went on meanwhile, and we heard
            frame = tree.tree.frame
            self._frame, self._document = frame.id, frame.unreachable or frame.url
            self.unreachable = bool(frame.unreachable)
            if self._document not in _EMPTY:  # else what was asked for is still on its way
                self.url = self._document + frame.fragment

    async def healthy(self, seconds: float = HEALTH_SECONDS) -> bool:
        """Whether the page answers. One that loops, sleeps or has crashed does not."""
        if self.ended is not None:
            return False
        one = {"expression": "1", "returnByValue": True}
        try:
            said = await self.session.call(
                "Runtime.evaluate", one, shape=Evaluated, seconds=seconds
            )
        except CdpError:
            return False
        return said.result.value == 1

    async def navigate(self, url: str, *, seconds: float = LOAD_SECONDS) -> bool:
        """Go to an address and wait until its document is there, not until it has loaded.
        False where that is the document that was there: only what stands behind `#` changed.
        Raises `TabwireError` where it cannot be had."""
        anew = True

        async def go() -> str | None:
            nonlocal anew
            said = await self._start("Page.navigate", {"url": url}, seconds)
            if said.error:
                raise TabwireError(
                    f"{url} did not load: {said.error}",
                    what_to_do="Check the address and the network connection.",
                    retry=Retry.SAME,
                )
            anew = bool(said.loader)
            return said.loader or None  # none where it is within the same document: done

        await self._until_there(go, f"{url} did not load", seconds)
        return anew

    async def reload(self, *, seconds: float = LOAD_SECONDS) -> None:
        """Reload and wait until the new document is there. Revives a tab that crashed."""

        async def go() -> str:
            await self._start("Page.reload", None, seconds)
            return ""

        await self._until_there(go, "the tab did not reload", seconds)

    async def _start(self, method: str, params: object, seconds: float) -> Loaded:
        """A page tells of its new document before the browser has taken it over, and until
        then the browser refuses to go on to another. It takes over with a new description."""
        for _ in range(NOT_YETS):
            self._described.clear()
            try:
                return await self.session.call(method, params, shape=Loaded, seconds=seconds)
            except CommandFailed as exc:
                if exc.said != _NOT_YET:
                    raise
            with suppress(TimeoutError):
                async with asyncio.timeout(TAKE_OVER_SECONDS):
                    await self._described.wait()
        return await self.session.call(method, params, shape=Loaded, seconds=seconds)

    async def _until_there(
        self, go: Callable[[], Awaitable[str | None]], otherwise: str, seconds: float
    ) -> None:
        """Start a navigation and wait until its document has come; `go` says of which loader
        that is ("" where it cannot), or None where there will be none.

        A document that comes before `go` returns may be of an earlier navigation; one that
        comes after, and is another, has taken its place. A tab that is led on while its first
        page still loads may change its process, and then nobody tells of the document: so the
        page is asked which one it has, now and when it stops loading.
        """
        there: asyncio.Future[LifeEvent] = asyncio.get_running_loop().create_future()
        early: list[str] = []
        started = False

        def hear(event: LifeEvent) -> None:
            if _is_new_document(event) and not started:
                early.append(self._loader)
            elif not there.done() and (_is_new_document(event) or isinstance(event, ENDS)):
                there.set_result(event)

        stops = [self.on_life(hear)]
        try:
            async with asyncio.timeout(seconds) as bound:
                stops.append(self._waits_for_dialogs(bound))
                loader = await go()
                started = True
                if loader is None or loader in early or (early and not loader):
                    return
                if loader:
                    look = partial(self._look_for, loader)
                    stops.append(self.session.listen("Page.frameStoppedLoading", look))
                    look()
                if isinstance(event := await there, ENDS):
                    raise TabLost(event)
        except TimeoutError:
            raise DidNotLoad(otherwise, seconds) from None
        except SessionLost as exc:
            raise TabLost(self.ended or Closed(time.monotonic())) from exc
        finally:
            for stop in stops:
                stop()

    def _waits_for_dialogs(self, bound: asyncio.Timeout) -> Callable[[], None]:
        """Its time stands still while a dialog does: one may ask whether to leave the page."""
        patience = Patience(bound)

        def hold(_event: LifeEvent | None = None) -> None:
            patience.hold(self.dialog.until if self.dialog is not None else None)

        hold()
        return self.on_life(hold)

    def _look_for(self, loader: str, _event: Event | None = None) -> None:
        """Take the document of that loader for here if the page says so, and nobody else did."""

        def found(outcome: Outcome) -> None:
            if isinstance(outcome, Reply):
                frame = outcome.read(Frames).tree.frame
                if frame.loader == loader != self._loader:
                    self._came(frame)

        self.session.send("Page.getFrameTree", on_reply=found)

    async def detach(self) -> None:
        """Let go of the tab. It stays as it is. Idempotent."""
        if self.detached or self.session.connection.gone is not None:
            return
        self.detached = True
        with suppress(CdpError):  # gone already, or it goes with the line
            await self.session.connection.call(
                "Target.detachFromTarget", {"sessionId": self.session.id}, seconds=DETACH_SECONDS
            )

    def let_go(self) -> None:
        """Detach without waiting for it."""
        if not self.detached:
            self.detached = True
            self.session.connection.send(
                "Target.detachFromTarget", {"sessionId": self.session.id}, on_reply=_heard
            )

    def describe(self, title: str) -> None:
        """The browser tells of the tab anew. Called by `Tabs`."""
        self.title = title
        self._described.set()

    def befall(self, event: LifeEvent) -> None:
        """Something happened to the tab. Called by `Tabs`, and by what is heard here."""
        final = self.ended is not None and not isinstance(self.ended, Crashed)
        if final or self.detached or (self.ended is not None and isinstance(event, Crashed)):
            return  # it is over, or told twice: to the session and to the browser
        if isinstance(event, ENDS):
            self.ended = event
        elif _is_new_document(event):
            self.ended = None  # a crashed one is back
        self._stands_still(event)
        if not isinstance(event, Navigated) or not event.same_document:
            self.frozen = isinstance(event, Frozen)
        with ExitStack() as all_of_them:  # one that raises keeps no other from hearing
            for listener in reversed(list(self._listeners.values())):
                all_of_them.callback(listener, event)

    def _stands_still(self, event: LifeEvent) -> None:
        """While a dialog stands in it the page answers nothing, and is not late."""
        if isinstance(event, DialogOpened):
            self.dialog = event
        elif isinstance(event, (DialogClosed, *ENDS)) or _is_new_document(event):
            self.dialog = None
        else:
            return
        until = self.dialog.until if self.dialog is not None else None
        self.session.connection.hold(self.session.id, until)

    def _started(self, event: Event) -> None:
        said = event.read(Started)
        if said.frame == self._frame:
            self._starting = said

    def _navigated(self, event: Event) -> None:
        said = event.read(FrameNavigated)
        if said.frame.parent is None:
            self._came(said.frame, said.type)

    def _came(self, frame: Frame, how: str = "") -> None:
        before, self._document = self._document, frame.unreachable or frame.url
        self._frame, self._loader = frame.id, frame.loader
        self.url = self._document + frame.fragment
        self.session.send("Runtime.addBinding", _BIND, on_reply=_heard)
        kind = self._starting.kind if self._starting.loader == frame.loader else ""
        if how == _KEPT:
            kind = how
        # an older browser does not say what it starts: the same address is then a reload
        again = kind in _RELOADS if kind else before == self._document
        now = time.monotonic()
        self.befall(
            Reloaded(now, self.url) if again else Navigated(now, self.url, same_document=False)
        )
        self.unreachable = bool(frame.unreachable)
        if frame.unreachable:
            self.befall(NotLoaded(now, self.url))

    def _within(self, event: Event) -> None:
        said = event.read(Within)
        if said.frame == self._frame:
            self.url = said.url
            self._document = said.url.partition("#")[0]
            self.befall(Navigated(time.monotonic(), said.url, same_document=True))

    def _asked(self, event: Event) -> None:
        said = event.read(Dialog)
        self.befall(DialogOpened(time.monotonic(), said.type, said.message[:MAX_DIALOG]))

    def _answered(self, _event: Event) -> None:
        self.befall(DialogClosed(time.monotonic()))

    def _crashed(self, _event: Event) -> None:
        self.befall(Crashed(time.monotonic()))

    def _called(self, event: Event) -> None:
        said = event.read(Called)
        if said.name == BINDING:
            now = time.monotonic()
            self.befall(Frozen(now) if said.payload == "freeze" else Thawed(now))


_BIND = {"name": BINDING, "executionContextName": WORLD}


def _is_new_document(event: LifeEvent) -> bool:
    if isinstance(event, Navigated):
        return not event.same_document
    return isinstance(event, Reloaded)


def _heard(_outcome: object) -> None:
    """Nothing depends on it: what fails here fails because the tab is gone."""
