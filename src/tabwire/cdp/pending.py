"""The commands that wait for their reply, each with a bound.

One alarm serves all bounds: it is set for the nearest deadline and, when it rings, set for
the next. A timer for each command would cost more than writing the command.

Whoever waits is told exactly once, and one that raises while being told does not keep the
others from hearing.
"""

import asyncio
from collections.abc import Callable, Iterable, Set
from contextlib import ExitStack

import msgspec

from tabwire.cdp.errors import CdpError, CommandTimedOut
from tabwire.cdp.protocol import Reply

CALL_SECONDS = 10.0
"""How long a command may take unless its caller says otherwise. Almost all take under a
millisecond; a healthy but busy page has been seen to take four seconds."""

Outcome = Reply | CdpError
OnReply = Callable[[Outcome], None]


class Waiting(msgspec.Struct):
    """One command on its way. A struct, like the messages: made once for each of them."""

    method: str
    session: str | None
    on_reply: OnReply
    seconds: float
    deadline: float


class Pending:
    """All of them, by their id, oldest first."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[int, Waiting] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._held: dict[str | None, float] = {}  # sessions that stand still, and until when

    @property
    def methods(self) -> tuple[str, ...]:
        """What waits, by name."""
        return tuple(one.method for one in self._waiting.values())

    @property
    def alarm_at(self) -> float | None:
        """When we look for overdue ones next."""
        return None if self._alarm is None else self._alarm.when()

    def add(
        self, number: int, method: str, session: str | None, on_reply: OnReply, seconds: float
    ) -> None:
        """Begin to wait."""
        deadline = max(self._loop.time() + seconds, self._held.get(session, 0.0))
        self._waiting[number] = Waiting(method, session, on_reply, seconds, deadline)
        if self._alarm is None or deadline < self._alarm.when():
            self._set_alarm(deadline)

    def hold(self, session: str, until: float | None) -> None:
        """Nothing of this session is overdue before then: it stands still. None: it goes on, and
        all that waits on it has its whole time from now on."""
        ours = [one for one in self._waiting.values() if one.session == session]
        if until is not None:
            self._held[session] = until
            for one in ours:
                one.deadline = max(one.deadline, until)
        elif self._held.pop(session, None) is not None:
            for one in ours:
                one.deadline = self._loop.time() + one.seconds
            self._set_alarm(min((one.deadline for one in self._waiting.values()), default=None))

    def take(self, number: int) -> Waiting | None:
        """No longer wait for this one, and hand it over if it did wait."""
        return self._waiting.pop(number, None)

    def refuse(self, sessions: Set[str | None], error: Callable[[Waiting], CdpError]) -> None:
        """Tell all that wait on one of these sessions, which stand still no more."""
        for session in sessions:
            self._held.pop(session, None)
        numbers = [number for number, one in self._waiting.items() if one.session in sessions]
        self._tell(numbers, error)

    def refuse_all(self, error: Callable[[Waiting], CdpError]) -> None:
        """Tell all, and set no more alarms."""
        self._set_alarm(None)
        self._tell(list(self._waiting), error)

    def _tell(self, numbers: Iterable[int], error: Callable[[Waiting], CdpError]) -> None:
        told = [self._waiting.pop(number) for number in numbers]
        with ExitStack() as all_of_them:
            for waiting in reversed(told):
                all_of_them.callback(waiting.on_reply, error(waiting))

    def _set_alarm(self, at: float | None) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = None if at is None else self._loop.call_at(at, self._ring)

    def _ring(self) -> None:
        now = self._loop.time()
        overdue = [number for number, one in self._waiting.items() if one.deadline <= now]
        overdue.sort(key=lambda number: self._waiting[number].deadline)  # a late alarm finds many
        left = (one.deadline for one in self._waiting.values() if one.deadline > now)
        self._set_alarm(min(left, default=None))
        self._tell(overdue, lambda one: CommandTimedOut(one.method, one.seconds))
