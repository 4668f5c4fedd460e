"""One response, from its request to its end: subscribe, tell its bytes, read what is left.

Theory of operation. At the request we ask for its bytes (`Network.streamResourceContent`).
The reply is handled inside the receive loop and brings the bytes so far; `tap_body` sees to
it that none is told twice. A response may be over before the subscription takes hold, or be
unknown yet to the part of the browser that was asked (a document before it is shown, the
script of a worker). So a chunk that comes while we are not subscribed lets us ask again, and
what is missing at the end is read whole (`Network.getResponseBody`).

Only this file tells of responses. A command refused because its session went is no end:
whoever sees the session go calls `lost`.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import NamedTuple

from tabwire.browser.tap.body import Body
from tabwire.browser.tap.events import (
    BodyKnown,
    BytesCame,
    End,
    Request,
    ResponseBegan,
    ResponseEnded,
    TapEvent,
    Unheard,
)
from tabwire.browser.tap.messages import Buffered, Data, Head, PostData, Responded, Stored
from tabwire.cdp.connection import Session
from tabwire.cdp.errors import Malformed
from tabwire.cdp.pending import Outcome
from tabwire.cdp.protocol import Reply

BODY_SECONDS = 30.0
"""Bound for reading a whole body: 20 MB took 3 s on a busy machine with two cores."""

TRIES = 3
"""How often one response is subscribed to. The second try has always been enough."""


class _Stream(Enum):
    """How we stand with the browser about the bytes of one response."""

    NONE = auto()  # not asked: nobody wants it
    ASKED = auto()  # the reply is on its way
    OPEN = auto()  # chunks come with their bytes
    SHUT = auto()  # refused, timed out or with a gap: ask again, or read it whole at the end


class _Over(NamedTuple):
    at: float
    how: End
    why: str


class Load:
    """One request and its response. `session` is the part of the tab that spoke of it last.

    `forget` is called at its end, just before that is told.
    """

    __slots__ = (
        "_at",
        "_body",
        "_forget",
        "_hear",
        "_hollow",
        "_over",
        "_post_due",
        "_stream",
        "_tries",
        "cached",
        "ended",
        "head",
        "loader",
        "request",
        "session",
        "wanted",
    )

    def __init__(
        self,
        request: Request,
        session: Session,
        loader: str,
        *,
        hear: Callable[[TapEvent], None],
        forget: Callable[["Load"], None],
    ) -> None:
        self.request = request
        self.session = session
        self.loader = loader
        self.wanted = False
        self.cached = False
        self.ended = False
        self.head: Head | None = None
        self._hear = hear
        self._forget = forget
        self._body = Body()
        self._stream = _Stream.NONE
        self._tries = 0
        self._at = request.at
        self._over: _Over | None = None
        self._post_due = False
        self._hollow = False

    @property
    def navigates(self) -> bool:
        """It brings the next document of a frame, and so outlives the present one."""
        return self.request.kind == "Document" and self.request.id == self.loader

    def want(self) -> None:
        """Its bytes are to be told. Saying so again changes nothing."""
        if not self.wanted:
            self.wanted = True
            self._subscribe()
            if self.request.has_body:
                self._ask_post_data(self._post_data)

    def leave(self) -> None:
        """Another load tells its bytes; what was asked for is not waited for."""
        self.wanted = False
        self._stream = _Stream.NONE
        if self._over is not None and not self.ended:
            self._conclude(self._over)

    def began(self, said: Responded) -> None:
        """The head of the response is here. It may be said more than once."""
        if self.head is not None or self.ended:
            return
        self.head = head = said.response
        cached = self.cached or head.from_disk_cache or head.from_prefetch_cache
        self._hear(
            ResponseBegan(
                self.request.id,
                head.status,
                head.mime,
                head.url,
                said.at,
                head.encoded,
                head.from_service_worker,
                cached,
                head.retry_after,
                head.date,
                head.came_at / 1000,
            )
        )
        if self._post_due:
            self._ask_post_data(self._post_data_or_complain)

    def came(self, said: Data) -> None:
        """A chunk was told of, with its bytes or without."""
        if not self.wanted:
            self._body.counted += said.length
            return
        self._at = said.at
        if not said.length and said.encoded > 0:
            self._hollow = True
        news = self._body.came(said.length, said.data)
        if news:
            self._hear(BytesCame(self.request.id, news, said.at))
        elif self._stream is _Stream.SHUT:
            if said.length and self._tries < TRIES:
                self._subscribe()
        elif self._stream is _Stream.OPEN and self._body.missing:
            self._stream = _Stream.SHUT

    def over(self, at: float, how: End, why: str = "") -> None:
        """The browser says that it is over. It is told as soon as all bytes are."""
        if self.ended or self._over is not None:
            return
        self._over = _Over(at, how, why)
        if self._stream is not _Stream.ASKED:
            self._conclude(self._over)

    def lost(self, at: float, why: str) -> None:
        """Nothing more can be heard of it."""
        if not self.ended:
            self._end(_Over(at, End.LOST, why))

    def mute(self) -> None:
        """Nobody listens any more."""
        self.ended = True
        self._hear = _nobody

    def _subscribe(self) -> None:
        self._stream = _Stream.ASKED
        self._tries += 1
        self._body.hold()
        self.session.send(
            "Network.streamResourceContent",
            {"requestId": self.request.id},
            on_reply=self._subscribed,
        )

    def _subscribed(self, outcome: Outcome) -> None:
        if self.ended or not self.wanted:
            return
        self._stream = _Stream.SHUT
        if isinstance(outcome, Reply):
            try:
                said = outcome.read(Buffered)
            except Malformed:
                said = Buffered()
            self._stream = _Stream.OPEN
            self._tell(self._body.buffered(said.data))
        if self._over is not None:
            self._conclude(self._over)

    def _conclude(self, over: _Over) -> None:
        if self._passed_on:
            self._end(over._replace(how=End.LOST, why="a service worker passed it on unobserved"))
        elif not self.wanted or (self._stream is _Stream.OPEN and not self._body.missing):
            self._end(over)
        elif over.how is End.WHOLE:
            self.session.send(
                "Network.getResponseBody",
                {"requestId": self.request.id},
                on_reply=self._stored,
                seconds=BODY_SECONDS,
            )
        elif self._body.missing:  # of what broke off the browser stores nothing
            why = f"{over.why}; {self._body.missing} received bytes were not observed"
            self._end(over._replace(why=why))
        else:
            self._end(over)

    @property
    def _passed_on(self) -> bool:
        """Bytes travelled, and none came to the worker: the page has them (or another tab)."""
        hollow = self._hollow and not self._body.counted
        return self.wanted and hollow and self.request.where == "service_worker"

    def _stored(self, outcome: Outcome) -> None:
        if self.ended or self._over is None:
            return
        over = self._over
        try:
            news, why = self._read_stored(outcome)
        except Malformed as exc:
            news, why = None, str(exc)
        if news is None:
            self._end(_Over(over.at, End.LOST, why))
        else:
            self._tell(news)
            self._end(over)

    def _read_stored(self, outcome: Outcome) -> tuple[bytes | None, str]:
        if not isinstance(outcome, Reply):
            return None, str(outcome)
        said = outcome.read(Stored)
        charset = self.head.charset if self.head else ""
        news = self._body.stored(said.body, said.base64, charset)
        return news, "the body the browser stored is not the one received"

    def _tell(self, news: bytes) -> None:
        if news:
            self._hear(BytesCame(self.request.id, news, self._at))

    def _end(self, over: _Over) -> None:
        self.ended = True
        self._forget(self)
        size = self._body.size if self.wanted else self._body.counted
        status = self.head.status if self.head is not None else 0
        self._hear(ResponseEnded(self.request.id, over.at, over.how, over.why, size, status))

    def _ask_post_data(self, on_reply: Callable[[Outcome], None]) -> None:
        self._post_due = False
        self.session.send(
            "Network.getRequestPostData", {"requestId": self.request.id}, on_reply=on_reply
        )

    def _post_data(self, outcome: Outcome) -> None:
        """Where it is not to be had yet, the next chance is when the response begins."""
        if isinstance(outcome, Reply):
            self._hear(BodyKnown(self.request.id, outcome.read(PostData).body))
        elif self.head is not None:
            self._ask_post_data(self._post_data_or_complain)
        else:
            self._post_due = True

    def _post_data_or_complain(self, outcome: Outcome) -> None:
        if isinstance(outcome, Reply):
            self._post_data(outcome)
        else:
            why = f"a request body cannot be read: {outcome}"
            self._hear(Unheard(why, self.request.at, self.request.url))


def _nobody(_: TapEvent) -> None:
    pass
