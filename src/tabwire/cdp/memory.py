"""The carrier to a script: no browser, no socket, the same behaviour.

Ships in the package because the lab uses it too. Whatever is said here (`reply`, `emit`,
`cut` …) is delivered in that order by the event loop, never inside the call that says it,
just as a socket would.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from tabwire.cdp.carrier import Delivery, Gone

_REFUSED = -32000  # what Chrome says for most refusals


@dataclass(frozen=True, slots=True)
class Command:
    """What was sent to the script."""

    id: int
    method: str
    params: dict[str, Any]
    session: str | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a script answers to make a command fail."""

    message: str
    code: int = _REFUSED


Answer = Callable[[Command], Any]


class MemoryCarrier(Delivery):
    """A browser that does what it is told to.

    A command without an `answer` is kept in `sent` and left without a reply.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[Command] = []
        self._answers: dict[str, Answer] = {}
        self._outgoing: deque[bytes | Gone] = deque()
        self._wanted: list[tuple[str | None, asyncio.Future[Command]]] = []
        self._pumping = False

    def send(self, message: bytes) -> None:
        """Take a command, and answer it if the script says how."""
        if self.gone is not None:
            return
        said = msgspec.json.decode(message)
        command = Command(
            said["id"], said["method"], said.get("params") or {}, said.get("sessionId")
        )
        self.sent.append(command)
        for method, future in self._wanted:
            if method in (None, command.method) and not future.done():
                future.set_result(command)
        self._wanted = [one for one in self._wanted if not one[1].done()]
        if (answer := self._answers.get(command.method)) is not None:
            self.reply(command, answer(command))

    async def close(self) -> None:
        """We let go. What was not delivered yet never is."""
        self.end(Gone("Tabwire closed it", by_us=True))

    def answer(self, method: str, answer: Answer | dict[str, Any] | Refusal) -> None:
        """Answer every such command, with this or with what this makes of the command."""
        self._answers[method] = answer if callable(answer) else lambda _: answer

    async def next_sent(self, method: str | None = None) -> Command:
        """The next such command, or any, sent from now on. Bound the wait yourself."""
        future: asyncio.Future[Command] = asyncio.get_running_loop().create_future()
        self._wanted.append((method, future))
        return await future

    def reply(self, command: Command, result: Any = None) -> None:
        """Answer one command, with a result or a `Refusal`."""
        body: dict[str, Any] = {"id": command.id}
        if isinstance(result, Refusal):
            body["error"] = {"code": result.code, "message": result.message}
        else:
            body["result"] = {} if result is None else result
        self._say(body, command.session)

    def emit(self, method: str, params: Any = None, session: str | None = None) -> None:
        """Let something happen."""
        self._say({"method": method, "params": {} if params is None else params}, session)

    def say(self, message: bytes) -> None:
        """Say exactly these bytes."""
        self._put(message)

    def cut(self, why: str = "the connection was cut") -> None:
        """Break the line, behind all that was said before."""
        self._put(Gone(why))

    def _say(self, body: dict[str, Any], session: str | None) -> None:
        if session is not None:
            body["sessionId"] = session
        self._put(msgspec.json.encode(body))

    def _put(self, item: bytes | Gone) -> None:
        self._outgoing.append(item)
        self._wake()

    def _wake(self) -> None:
        if not self._pumping:
            self._pumping = True
            asyncio.get_running_loop().call_soon(self._pump)

    def _pump(self) -> None:
        self._pumping = False
        try:
            while self._outgoing:
                item = self._outgoing.popleft()
                if isinstance(item, Gone):
                    self.end(item)
                else:
                    self.deliver(item)
        finally:
            if self._outgoing:  # a listener raised; the line goes on
                self._wake()
