"""One line to one browser: commands with a bound each, flat sessions, events.

Theory of operation. The carrier calls `_received` for each message in the order of the
line. A reply settles its command, an event goes to whoever asked for it, and all of that
happens before the next message is looked at; there is no task of ours that could lag.

That matters in one place above all: the reply to `Network.streamResourceContent` holds the
bytes so far, and the events behind it the bytes that follow. A caller that awaits the reply
is resumed only after events that came in the same read. So `send` takes a callback that
runs inside the receive loop, and `listen` does the same for events.

When the line goes, every command that waits is refused with the reason and its own name,
and every subscription ends with the reason. When a session goes (the browser says
`Target.detachedFromTarget`), the same happens to what belonged to it and its children.
When a tab crashes its session stays, so only the commands that wait are refused: Chromium
156 never answers those, and says no more than that the target crashed.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Set
from contextlib import ExitStack
from functools import partial
from typing import Any, NamedTuple, TypeVar, overload

import msgspec

from tabwire.cdp.carrier import Carrier, Gone
from tabwire.cdp.errors import (
    CdpError,
    CommandFailed,
    ConnectionClosed,
    ConnectionEnded,
    ConnectionLost,
    LineFull,
    Malformed,
    SessionLost,
)
from tabwire.cdp.pending import CALL_SECONDS, OnReply, Outcome, Pending, Waiting
from tabwire.cdp.protocol import Event, Failure, Numbering, Reply, Unread, read
from tabwire.cdp.routes import Listener, Routes
from tabwire.cdp.subscription import QUEUE_BYTES, QUEUE_EVENTS, TERMINAL, Subscription

T = TypeVar("T")

NO_SUCH_SESSION = -32001
"""Chrome's code for a command to a session that is gone."""

_ATTACHED = "Target.attachedToTarget"
_DETACHED = "Target.detachedFromTarget"
_CRASHED = "Target.targetCrashed"  # told to whoever discovers targets
_CRASHED_HERE = "Inspector.targetCrashed"  # told to the session, once it enabled Inspector
_LIFE = frozenset({_ATTACHED, _DETACHED, _CRASHED, _CRASHED_HERE})


logger = logging.getLogger(__name__)


class _Attached(NamedTuple):
    parent: str | None
    target: str


class _Target(msgspec.Struct):
    target: str = msgspec.field(default="", name="targetId")


class _AboutTarget(msgspec.Struct):
    """What the events about sessions say; each leaves out some of it."""

    session: str = msgspec.field(default="", name="sessionId")
    target: str = msgspec.field(default="", name="targetId")
    info: _Target = msgspec.field(default_factory=_Target, name="targetInfo")


class Connection:
    """Made from an open carrier, inside a running loop. `async with` closes it."""

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self._loop = asyncio.get_running_loop()
        self._numbering = Numbering()
        self._pending = Pending()
        self._routes = Routes()
        self._subscriptions: dict[Subscription, tuple[str, ...]] = {}
        self._sessions: dict[str, _Attached] = {}
        self._told: set[str] = set()  # sessions that heard of their crash before the browser
        self._gone: Gone | None = None
        self._ended: asyncio.Future[Gone] = self._loop.create_future()
        self.unread_count = 0
        self.last_unread: Unread | None = None
        self.late_replies = 0
        carrier.start(self._received, self._end)

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def gone(self) -> Gone | None:
        """Why the line is no more, or None while it stands."""
        return self._gone

    @property
    def waiting(self) -> tuple[str, ...]:
        """The commands that wait for their reply, oldest first."""
        return self._pending.methods

    def session(self, session_id: str) -> "Session":
        """The same verbs, for one tab, frame or worker."""
        return Session(self, session_id)

    @overload
    async def call(
        self,
        method: str,
        params: Any = None,
        *,
        session: str | None = None,
        seconds: float = CALL_SECONDS,
    ) -> dict[str, Any]: ...
    @overload
    async def call(
        self,
        method: str,
        params: Any = None,
        *,
        shape: type[T],
        session: str | None = None,
        seconds: float = CALL_SECONDS,
    ) -> T: ...
    async def call(
        self,
        method: str,
        params: Any = None,
        *,
        shape: Any = dict,
        session: str | None = None,
        seconds: float = CALL_SECONDS,
    ) -> Any:
        """Send a command and wait for its result, as a dict or as `shape`.

        The command is on the line before this first waits, so calls gathered together
        leave in their order. Raises `CdpError`; every kind names the command.
        """
        future: asyncio.Future[Outcome] = self._loop.create_future()
        number = self._post(method, params, session, seconds, partial(_settle, future))
        try:
            outcome = await future
        except asyncio.CancelledError:
            self._pending.take(number)
            raise
        if not isinstance(outcome, Reply):
            raise outcome
        try:
            return outcome.read(shape)
        except Malformed as exc:
            raise Malformed(method, str(exc)) from exc

    def send(
        self,
        method: str,
        params: Any = None,
        *,
        on_reply: OnReply,
        session: str | None = None,
        seconds: float = CALL_SECONDS,
    ) -> None:
        """Send a command; `on_reply` runs once, before anything behind the reply is read.

        It gets the reply or the error, and must not wait; it may run before this returns."""
        self._post(method, params, session, seconds, on_reply)

    def listen(
        self, method: str, listener: Listener, *, session: str | None = None
    ) -> Callable[[], None]:
        """Call `listener` for each such event, inside the receive loop. Returns the stop.

        `session` None means the browser itself; see `EVERY_SESSION`.
        """
        self._routes.add(session, method, listener)
        return lambda: self._routes.remove(session, method, listener)

    def subscribe(
        self,
        methods: Iterable[str],
        *,
        session: str | None = None,
        limit: int = QUEUE_EVENTS,
        limit_bytes: int = QUEUE_BYTES,
        terminal: frozenset[str] = TERMINAL,
    ) -> Subscription:
        """A bounded queue of these events from now on. `with` or `close` ends it."""
        wanted = tuple(dict.fromkeys(methods))
        subscription = Subscription(
            self._unsubscribe,
            session=session,
            limit=limit,
            limit_bytes=limit_bytes,
            terminal=terminal,
        )
        if self._gone is not None:
            subscription.end(self._reason())
            return subscription
        self._subscriptions[subscription] = wanted
        for method in wanted:
            self._routes.add(session, method, subscription.offer)
        return subscription

    def hold(self, session: str, until: float | None) -> None:
        """Its commands are not overdue before then, by the loop's clock; None: as ever again."""
        self._pending.hold(session, until)

    async def wait_gone(self) -> Gone:
        """Wait until the line is no more. The one wait without a bound: bound it yourself."""
        return await asyncio.shield(self._ended)

    def on_gone(self, listener: Callable[[Gone], None]) -> None:
        """Call `listener` once when the line is no more, even if it is so already. It runs
        in the loop's next turn, after all that waited was told."""
        self._ended.add_done_callback(lambda ended: listener(ended.result()))

    async def close(self) -> None:
        """Let go of the browser. Everything that waits is told that we closed it."""
        self._end(Gone("Tabwire closed it", by_us=True))
        await self._carrier.close()

    def _post(
        self, method: str, params: Any, session: str | None, seconds: float, on_reply: OnReply
    ) -> int:
        if self._gone is not None:
            on_reply(self._reason(method, sent=False))
            return 0
        number, message = self._numbering.write(method, params, session)
        self._pending.add(number, method, session, on_reply, seconds)
        try:
            self._carrier.send(message)
        except LineFull as full:
            if self._pending.take(number) is not None:
                on_reply(LineFull(full.waiting_bytes, method))
        return number

    def _received(self, message: bytes) -> None:
        if self._gone is not None:
            return
        said = read(message)
        if isinstance(said, Event):
            self._dispatch(said)
        elif isinstance(said, Unread):
            self.unread_count += 1
            self.last_unread = said
            logger.warning("unreadable DevTools message of %d bytes: %s", said.size, said.why)
        elif (waiting := self._pending.take(said.id)) is None:
            self.late_replies += 1  # its caller gave up: timed out or cancelled
        elif isinstance(said, Reply):
            waiting.on_reply(said)
        else:
            waiting.on_reply(_refusal(waiting, said))

    def _dispatch(self, event: Event) -> None:
        try:
            self._routes.tell(event)
        finally:
            if event.method in _LIFE:
                self._follow(event)

    def _follow(self, event: Event) -> None:
        """Keep up with which sessions there are."""
        try:
            said = event.read(_AboutTarget)
        except Malformed:
            return
        if event.method == _ATTACHED:
            self._sessions[said.session] = _Attached(event.session, said.info.target)
        elif event.method == _DETACHED:
            self._lose_session(said.session)
        elif event.method == _CRASHED_HERE:
            self._told |= {event.session or ""}
            self._refuse({event.session}, crashed=True)
        elif said.target:
            sessions = {
                session for session, one in self._sessions.items() if one.target == said.target
            }
            # told to the session first: what was sent since is to bring the tab back
            self._refuse(sessions - self._told, crashed=True)
            self._told -= sessions

    def _refuse(self, sessions: Set[str | None], *, crashed: bool = False) -> None:
        """Refuse every command that waits on one of these sessions."""
        self._pending.refuse(
            sessions, lambda one: SessionLost(one.session or "", one.method, crashed=crashed)
        )

    def _lose_session(self, session: str) -> None:
        """Refuse and end all that belonged to a session that is gone, children included."""
        self._sessions.pop(session, None)
        self._told.discard(session)
        for subscription in [one for one in self._subscriptions if one.session == session]:
            self._unsubscribe(subscription)
            subscription.end(SessionLost(session))
        self._routes.drop(session)
        with ExitStack() as all_of_them:
            for child in [key for key, one in self._sessions.items() if one.parent == session]:
                all_of_them.callback(self._lose_session, child)
            all_of_them.callback(self._refuse, {session})

    def _end(self, gone: Gone) -> None:
        if self._gone is not None:
            return
        self._gone = gone
        ended, self._subscriptions = self._subscriptions, {}
        self._routes.clear()
        self._sessions.clear()
        for subscription in ended:
            subscription.end(self._reason())
        try:
            self._pending.refuse_all(lambda one: self._reason(one.method))
        finally:
            self._ended.set_result(gone)

    def _reason(self, command: str | None = None, *, sent: bool = True) -> ConnectionEnded:
        gone = self._gone or Gone("unknown")
        kind = ConnectionClosed if gone.by_us else ConnectionLost
        return kind(gone.why, command, sent=sent)

    def _unsubscribe(self, subscription: Subscription) -> None:
        for method in self._subscriptions.pop(subscription, ()):
            self._routes.remove(subscription.session, method, subscription.offer)


class Session:
    """The verbs of a connection, bound to one tab, frame or worker."""

    __slots__ = ("connection", "id")

    def __init__(self, connection: Connection, session_id: str) -> None:
        self.connection = connection
        self.id = session_id

    @overload
    def call(
        self, method: str, params: Any = None, *, seconds: float = CALL_SECONDS
    ) -> Coroutine[Any, Any, dict[str, Any]]: ...
    @overload
    def call(
        self, method: str, params: Any = None, *, shape: type[T], seconds: float = CALL_SECONDS
    ) -> Coroutine[Any, Any, T]: ...
    def call(
        self,
        method: str,
        params: Any = None,
        *,
        shape: Any = dict,
        seconds: float = CALL_SECONDS,
    ) -> Coroutine[Any, Any, Any]:
        """See `Connection.call`. Hands over its coroutine: one frame less for every call."""
        return self.connection.call(method, params, shape=shape, session=self.id, seconds=seconds)

    def send(
        self,
        method: str,
        params: Any = None,
        *,
        on_reply: OnReply,
        seconds: float = CALL_SECONDS,
    ) -> None:
        """See `Connection.send`."""
        self.connection.send(method, params, on_reply=on_reply, session=self.id, seconds=seconds)

    def listen(self, method: str, listener: Listener) -> Callable[[], None]:
        """See `Connection.listen`."""
        return self.connection.listen(method, listener, session=self.id)

    def subscribe(
        self,
        methods: Iterable[str],
        *,
        limit: int = QUEUE_EVENTS,
        limit_bytes: int = QUEUE_BYTES,
        terminal: frozenset[str] = TERMINAL,
    ) -> Subscription:
        """See `Connection.subscribe`."""
        return self.connection.subscribe(
            methods, session=self.id, limit=limit, limit_bytes=limit_bytes, terminal=terminal
        )


def _settle(future: "asyncio.Future[Outcome]", outcome: Outcome) -> None:
    """A caller cancelled in this very turn of the loop has not come to forget us yet."""
    if not future.done():
        future.set_result(outcome)


def _refusal(waiting: Waiting, failure: Failure) -> CdpError:
    if failure.code == NO_SUCH_SESSION and waiting.session is not None:
        return SessionLost(waiting.session, waiting.method, sent=False)
    return CommandFailed(waiting.method, failure.code, failure.message, failure.data)
