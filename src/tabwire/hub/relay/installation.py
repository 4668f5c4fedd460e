"""The extension that is used: its session, its socket of now, its browser and its pages.

What it says of tabs goes to the carrier that stands for its browser; what it says of pages goes to
`captures`. A fault in either must not cost the line, so it ends here.
"""

import asyncio
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from tabwire.capture.losses import Losses
from tabwire.cdp.carrier import Gone
from tabwire.cdp.relay import RelayCarrier
from tabwire.cdp.relay_frames import NOTHING, Frame, Trouble, Unreadable, read_raw
from tabwire.cdp.relay_shapes import Done, OnDone, UsedTab, ignored, used_of
from tabwire.config.logs import get_log, where
from tabwire.hub.relay.connection import RelayLine
from tabwire.hub.relay.handshake import Hello
from tabwire.hub.relay.pairing import Known
from tabwire.hub.relay.session import RelaySession
from tabwire.model.extension import PageRef
from tabwire.model.extensions import DumpedFrame, UsedExtension

Enter = Callable[[], str]
"""Gives a ticket to the dashboard."""


class Captures(Protocol):
    """What hears pages without a debugger (captures.py). Called in the receive loop."""

    @property
    def dumped(self) -> Collection[DumpedFrame]:
        """What went by, where a person has that dumped."""

    @property
    def dropped(self) -> Losses:
        """What was not taken of pages."""

    def page_opened(self, page: PageRef) -> None:
        """A page of a site we know is there."""

    def page_said(self, page_id: str, message: dict[str, Any], number: int | None = None) -> None:
        """Something happened in it. `number` grows for the life of the page."""

    def page_closed(self, page_id: str) -> None:
        """It is no more, or nothing more is heard of it."""


class Nobody:
    """Hears nothing."""

    dumped: Collection[DumpedFrame] = ()
    dropped = Losses(tuple)

    def page_opened(self, page: PageRef) -> None:
        """Nothing."""

    def page_said(self, page_id: str, message: dict[str, Any], number: int | None = None) -> None:
        """Nothing."""

    def page_closed(self, page_id: str) -> None:
        """Nothing."""


@dataclass(slots=True)
class Install:
    """The extension that is used, connected or away for a moment."""

    captures: Callable[[], Captures]  # who hears pages now
    known: Known
    hello: Hello
    changed: Callable[[], None] = lambda: None  # called when a person would see a difference
    enter: Enter | None = None
    carriers: "list[tuple[RelayCarrier, _Share]]" = field(default_factory=list)
    line: RelayLine | None = None
    timer: asyncio.TimerHandle | None = None
    pages: dict[str, str | int] = field(default_factory=dict)  # our id of a page -> theirs
    on: bool | None = None  # the switch in its popup; None until it was reported
    sites: dict[str, bool] | None = None  # the same of each site
    session: RelaySession = field(init=False)
    id: str = field(init=False)

    def __post_init__(self) -> None:
        self.id = secrets.token_hex(8)
        self.session = RelaySession(self.known.install, self, first_id=self.hello.last + 1)

    def replace(self, line: RelayLine) -> None:
        """A new socket; the older one of the same install is hung up on."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if self.line is not None:
            self.session.closed(self.line.put)
            self.line.hang_up("another connection replaced it")
        self.line = line

    def end(self, why: str, *, bye: bool) -> None:
        """It is used no more."""
        if self.timer is not None:
            self.timer.cancel()
        if bye:
            self.session.say(msgspec.json.encode({"bye": why}).decode())
        if self.line is not None:
            self.line.hang_up(why)
        for carrier, _share in tuple(self.carriers):
            carrier.end(Gone(why))  # first: who waits there learns that the line is gone
        self.session.end(why)
        pages, self.pages = self.pages, {}
        for page in pages:
            self._guarded(self.captures().page_closed, page)

    @property
    def off(self) -> bool:
        """Whether the person switched it off, in its popup."""
        return self.on is False

    def carrier(self) -> RelayCarrier:
        """One more way to its browser, for one user: the hub, or a command outside of it."""
        share = _Share(self)
        carrier = RelayCarrier(share, lambda: self.carriers.remove((carrier, share)))
        self.carriers.append((carrier, share))
        return carrier

    def is_held(self, tab: int, *, beside: "_Share") -> bool:
        """Whether somebody else uses the tab."""
        return any(tab in share.held for _carrier, share in self.carriers if share is not beside)

    def notice(self, other: Known) -> None:
        """Tell the person, in the browser they use."""
        text = (
            f"{other.name} (Chrome {other.chrome}) wants to connect too. To use it instead: "
            f"tabwire extension use {other.name}"
        )
        self.session.do("notice", {"kind": "second", "text": text}, ignored)

    def _let_in(self, ask: str) -> None:
        """The person wants the dashboard, and is at this browser: its line is proven, so it gets
        a ticket. Where it opens it decides itself; one that did not ask does nothing."""
        if self.enter is not None:
            self.session.do("dashboard", {"ask": ask[:64], "ticket": self.enter()}, ignored)

    @property
    def in_use(self) -> list[UsedTab]:
        """The tabs that somebody is attached to through it."""
        return [one for carrier, _share in self.carriers for one in used_of(carrier.tabs)]

    def status(self) -> UsedExtension:
        """As a person may see it."""
        return UsedExtension(
            self.known.name,
            self.session.version,
            self.session.chrome,
            self.session.connected,
            len(self.pages),
            self.session.waiting,
            self.on,
            self.sites,
        )

    def versioned(self, said: Done) -> None:
        """What it answered to `getVersion`."""
        log = get_log(extension=self.known.name)
        if isinstance(said, Trouble):
            log.warn("an extension did not report its version", error=said.message)
        else:
            log.info(
                "an extension reported its version",
                about=bytes(said)[:300].decode("utf-8", "replace"),
            )

    # --- as its session's listener -------------------------------------------------------

    def heard(self, frame: Frame) -> None:
        """One event."""
        on = frame.on
        if on == "switched":
            self.on, self.sites = frame.enabled, frame.sites
            self.changed()
        elif on == "dashboard":
            self._let_in(frame.ask)
        elif on is not None and on.startswith("page."):
            self._guarded(self._page, frame)
        else:
            for carrier, share in tuple(self.carriers):
                if on == "debugger.detached":
                    share.held.discard(frame.tab or 0)
                self._guarded(carrier.heard, frame)
            if on != "debugger.event":
                self.changed()

    def missed(self) -> None:
        """The worker died over what it had not said."""
        for carrier, _share in tuple(self.carriers):
            carrier.missed()

    def _page(self, frame: Frame) -> None:
        captures, install = self.captures(), self.session.install
        page = f"{install}/{frame.page}"
        if frame.on == "page.opened" and frame.page is not None:
            self.pages[page] = frame.page
            about = (frame.tab or 0, frame.url or "", frame.site, frame.title or "")
            how = (frame.again, frame.asks, frame.visible)
            captures.page_opened(PageRef(page, install, *about, *how))
        elif page not in self.pages:
            return  # never opened, or closed already
        elif frame.on == "page.said":
            message = read_raw(frame.message)
            if isinstance(message, dict):
                captures.page_said(page, message, frame.k)
        elif frame.on == "page.closed":
            del self.pages[page]
            captures.page_closed(page)

    def _guarded(self, hear: Callable[[Any], None], what: Any) -> None:
        """A listener that fails fails alone."""
        try:
            hear(what)
        except Unreadable as exc:
            get_log().warn("an extension sent an unreadable message", error=exc)
        except Exception as exc:  # noqa: BLE001 - the line goes on, whoever listens
            get_log().error("a listener of the relay failed", error=exc, where=where(exc))


class _Share:
    """The verbs, for one of several users: a tab is let go of when the last one leaves it."""

    def __init__(self, install: Install) -> None:
        self._install = install
        self.held: set[int] = set()

    @property
    def product(self) -> str:
        """Of the one browser."""
        return self._install.session.product

    def do(self, verb: str, arguments: dict[str, Any], done: OnDone) -> None:
        """As the session does it."""
        tab = arguments.get("tab", 0)
        if verb == "debugger.attach":
            self.held.add(tab)
        elif verb == "debugger.detach":
            self.held.discard(tab)
            if self._install.is_held(tab, beside=self):
                asyncio.get_running_loop().call_soon(done, NOTHING)
                return
        self._install.session.do(verb, arguments, done)
