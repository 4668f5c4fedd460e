"""The bytes of chosen responses of a tab, as they arrive in the browser.

Theory of operation. A tab has parts, each with a session of its own: the page, frames from
other sites, workers, service workers. The browser attaches us to each and holds it still
until we listen; the commands for that leave together, since a part held still answers none
before it is let go. Requests are known by the browser's id, which is one for all parts: the
document of a frame begins in the page's session and ends in the frame's own.

A page's request that a service worker answers is seen twice, in the page's session and,
if the worker asks the network for it, in the worker's. Only the page's is delivered. The two
sessions are lines of two processes: on a busy machine the worker's may be heard first.

The browser says nothing about requests left behind by a navigation or a crash, so we look
at those ourselves: every request ends exactly once, and if we do not know how, as LOST.

One tap per session: another tap on the same tab needs a session of its own.
"""

import time
from collections.abc import Callable

from msgspec.structs import replace

from tabwire.browser.tap.events import End, EventCame, Request, RequestLeft, TapEvent, Unheard
from tabwire.browser.tap.load import Load
from tabwire.browser.tap.messages import (
    About,
    Data,
    EventMessage,
    Finished,
    FrameDetached,
    FrameNavigated,
    PostData,
    Responded,
    Sent,
)
from tabwire.browser.tap.parts import Part, Parts
from tabwire.browser.tap.sockets import Sockets
from tabwire.cdp.connection import Session
from tabwire.cdp.protocol import Event

PAST = 1000
"""Requests remembered after their end: another part of the tab may still speak of one."""


class Tap:
    """`hear` is called inside the receive loop, in the order of the line; it must not wait.

    `wanted` is asked once for each request (again after a redirect) whether its bytes are to
    be told. Close it with `close` or `disarm`; after that nothing is heard.
    """

    def __init__(
        self,
        session: Session,
        *,
        wanted: Callable[[Request], bool],
        hear: Callable[[TapEvent], None],
    ) -> None:
        self._wanted = wanted
        self._hear = hear
        self._loads: dict[str, Load] = {}
        self._past: dict[str, Session] = {}
        self._strangers: set[str] = set()
        self._sockets = Sockets(wanted, hear, self._stranger)
        self._parts = Parts(
            session,
            listeners={
                "Network.requestWillBeSent": self._on_request,
                "Network.requestServedFromCache": self._on_cached,
                "Network.responseReceived": self._on_response,
                "Network.dataReceived": self._on_data,
                "Network.loadingFinished": self._on_finished,
                "Network.loadingFailed": self._on_failed,
                "Network.eventSourceMessageReceived": self._on_event,
                "Page.frameNavigated": self._on_navigated,
                "Page.frameDetached": self._on_frame_detached,
                **self._sockets.listeners,
            },
            lost=self._part_lost,
            unheard=lambda why, url: hear(Unheard(why, time.monotonic(), url)),
        )

    @property
    def parts(self) -> tuple[str, ...]:
        """What of the tab is listened to, in the browser's words, the page first."""
        return self._parts.kinds

    async def arm(self) -> None:
        """Listen. Requests that leave after this returns are heard. Raises `CdpError`."""
        await self._parts.arm()

    def close(self) -> None:
        """Stop listening, at once. The browser goes on telling until the session ends."""
        self._parts.close()
        for load in self._loads.values():
            load.mute()
        self._loads.clear()
        self._sockets.close()

    async def disarm(self) -> None:
        """Close, and ask the browser to tell no more."""
        self.close()
        await self._parts.disarm()

    async def request_body(self, request_id: str) -> bytes:
        """What a request carried, even one that was not wanted. Raises `CdpError`."""
        load = self._loads.get(request_id)
        session = load.session if load else self._past.get(request_id, self._parts.root.session)
        said = await session.call(
            "Network.getRequestPostData", {"requestId": request_id}, shape=PostData
        )
        return said.body

    def _on_request(self, event: Event) -> None:
        said = event.read(Sent)
        part = self._parts.of(event)
        before = self._loads.get(said.id)
        request = self._request(said, part, before)
        if before is None:
            load = Load(request, part.session, said.loader, hear=self._hear, forget=self._forget)
            self._loads[said.id] = load
        else:
            load = before
            load.request, load.session = request, part.session
        if load.wanted or (request.serves is None and self._wanted(request)):
            load.want()  # first: every moment counts with an instant response
        self._hear(RequestLeft(request))
        if before is None and not part.serves:
            self._know_leg(request)
        if said.kind == "Script" and not said.loader and not load.ended:
            self._parts.look_for_shared_worker(part, said.id)

    def _request(self, said: Sent, part: Part, before: Load | None) -> Request:
        asked = said.request
        body = asked.body
        return Request(
            id=said.id,
            method=asked.method,
            url=asked.url,
            kind=said.kind,
            at=said.at,
            body=body,
            has_body=body is None and asked.has_post_data,
            frame=said.frame,
            where=part.where(said.frame),
            redirects=0 if before is None else before.request.redirects + bool(said.redirect),
            serves=self._served_by(asked.method, asked.url) if part.serves else None,
        )

    def _served_by(self, method: str, url: str) -> str | None:
        """The request which a service worker that asks for this is about to answer."""
        for load in reversed(self._loads.values()):
            request = load.request
            if request.url != url or request.method != method:
                continue
            if request.where == "service_worker":
                continue
            if load.head is None or load.head.from_service_worker:
                return request.id
        return None

    def _know_leg(self, request: Request) -> None:
        """A service worker that asked after this left, and was heard before it, serves it."""
        for load in list(self._loads.values()):
            leg = load.request
            if (
                leg.where == "service_worker"
                and leg.serves is None
                and (leg.method, leg.url) == (request.method, request.url)
                and leg.at >= request.at
            ):
                load.request = replace(leg, serves=request.id)
                self._hear(RequestLeft(load.request))
                load.leave()
                return

    def _on_cached(self, event: Event) -> None:
        if (load := self._loads.get(event.read(About).id)) is not None:
            load.cached = True

    def _on_response(self, event: Event) -> None:
        said = event.read(Responded)
        if (load := self._load(said.id, event, said.at, said.response.url)) is not None:
            load.began(said)

    def _on_data(self, event: Event) -> None:
        said = event.read(Data)
        if (load := self._load(said.id, event, said.at)) is not None:
            load.came(said)

    def _on_finished(self, event: Event) -> None:
        said = event.read(Finished)
        if (load := self._load(said.id, event, said.at)) is not None:
            load.over(said.at, End.WHOLE)
        self._no_longer_strange(said.id)

    def _on_failed(self, event: Event) -> None:
        said = event.read(Finished)
        if (load := self._loads.get(said.id)) is not None:
            load.over(said.at, End.CANCELED if said.canceled else End.FAILED, said.why)
        self._no_longer_strange(said.id)

    def _on_event(self, event: Event) -> None:
        said = event.read(EventMessage)
        load = self._load(said.id, event, said.at)
        if load is not None and load.wanted:
            self._hear(EventCame(said.id, said.name, said.data, said.event_id, said.at))

    def _load(self, request_id: str, event: Event, at: float, url: str = "") -> Load | None:
        """Which load an event is about. It is with that part of the tab from now on."""
        load = self._loads.get(request_id)
        if load is None:
            self._stranger(request_id, at, url)
        elif load.session.id != event.session:
            load.session = self._parts.of(event).session
        return load

    def _stranger(self, request_id: str, at: float, url: str = "") -> None:
        if request_id not in self._past and request_id not in self._strangers:
            if len(self._strangers) >= PAST:
                self._strangers.clear()
            self._strangers.add(request_id)
            self._hear(Unheard("a request that began before Tabwire was listening", at, url))

    def _no_longer_strange(self, request_id: str) -> None:
        if request_id in self._strangers:
            self._strangers.discard(request_id)
            self._remember(request_id, self._parts.root.session)

    def _forget(self, load: Load) -> None:
        if self._loads.pop(load.request.id, None) is not None:
            self._remember(load.request.id, load.session)

    def _remember(self, request_id: str, session: Session) -> None:
        self._past[request_id] = session
        if len(self._past) > PAST:
            del self._past[next(iter(self._past))]

    def _on_navigated(self, event: Event) -> None:
        frame = event.read(FrameNavigated).frame
        part = self._parts.of(event)
        top = frame.parent is None or frame.id == part.target
        if top:
            part.frame = frame.id
            self._sockets.lose(part.session.id, "the page navigated to another")
        for load in list(self._loads.values()):
            here = load.session.id == event.session and load.request.frame is not None
            if (
                (load.request.frame == frame.id or (top and here))
                and load.loader != frame.loader
                and not load.navigates
            ):
                load.lost(time.monotonic(), "the page navigated to another")

    def _on_frame_detached(self, event: Event) -> None:
        frame = event.read(FrameDetached).frame
        for load in list(self._loads.values()):
            if (
                load.request.frame == frame
                and load.session.id == event.session
                and not load.navigates
            ):
                load.lost(time.monotonic(), "its frame was removed from the page")

    def _part_lost(self, session_id: str, why: str) -> None:
        at = time.monotonic()
        for load in list(self._loads.values()):
            if load.session.id == session_id:
                load.lost(at, why)
        self._sockets.lose(session_id, why)
