"""The extension's half of the relay, in Python: says hello, proves, pairs, and does as it is told.

    async with Peer(port) as peer:            # dials, nothing more
        await peer.pair(code)                 # or: await peer.enter(), where it is paired already
        peer.answer("tabs.list", [])          # a value, or a function of the request
        await peer.event("tab.changed", tab=1, url="https://chatgpt.com/")
        asked = await peer.asked("debugger.attach")

Requests are answered as they come; one without an answer waits (`asked` gives it, `reply` answers).
Everything said is kept for `replay`, until it is acknowledged. `cut` breaks the socket as a proxy
would, without a goodbye; `resume` dials again as the same worker.
"""

import asyncio
import itertools
import json
import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tabwire.hub.relay.pairing import (
    EXTENSION,
    HUB,
    code_key,
    from_text,
    lasting_key,
    new_nonce,
    proof,
    proves,
    to_text,
)
from tabwire.model.extension import ORIGIN, PROTOCOL

SECONDS = 30.0  # a hang guard, nothing more
PIECE = 512 * 1024


class Impostor(Exception):
    """The other side did not prove that it is our hub."""


class SentAway(Exception):
    """The hub refused; `told` is what it said, or how it hung up."""

    def __init__(self, told: dict[str, Any]) -> None:
        super().__init__(str(told))
        self.told = told


class Refuse(Exception):
    """Raised by an answer: the verb fails so."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message}


Answer = Callable[[dict[str, Any]], Any]


class Peer:
    """One install of the extension, in one worker (`boot`)."""

    def __init__(
        self,
        port: int,
        *,
        install: str | None = None,
        key: str | None = None,
        hub: str | None = None,
        origin: str = ORIGIN,
        **hello: Any,
    ) -> None:
        self.port, self.origin = port, origin
        self.install = install or f"install-{secrets.token_hex(8)}"
        self.key, self.hub = key, hub
        self.boot = secrets.token_hex(8)
        self.hello: dict[str, Any] = {"version": "0.1.0", "chrome": "156", **hello}
        self.n = 0
        self.unacked: dict[int, str] = {}
        self.last = 0
        self.told: list[dict[str, Any]] = []  # everything the hub said after `ready`
        self.requests: list[dict[str, Any]] = []
        self.ready: dict[str, Any] = {}
        self.attached: list[int] = []
        self._answers: dict[str, Answer] = {
            "getVersion": lambda _: {"version": "0.1.0", "protocol": PROTOCOL},
            "tabs.list": lambda _: [],
            "notice": lambda _: None,
            "page.tell": lambda _: None,
            "debugger.detach": lambda _: {},
        }
        self._changed = asyncio.Condition()
        self._socket: ClientConnection | None = None
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Peer":
        await self.dial()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # --- the handshake -------------------------------------------------------------------

    async def dial(self) -> None:
        """Open a socket, and say nothing. Raises what `websockets` raises where it is refused."""
        self._socket = await connect(
            f"ws://127.0.0.1:{self.port}/relay",
            origin=self.origin,  # type: ignore[arg-type]
            compression=None,
            max_size=None,
            ping_interval=None,
            proxy=None,
        )

    async def say_hello(self, **more: Any) -> dict[str, Any]:
        """The first word; what the hub answers to it."""
        self.nonce = new_nonce()
        said = {
            "t": "hello",
            "protocol": PROTOCOL,
            "install": self.install,
            "boot": self.boot,
            "nonce": self.nonce,
            "attached": self.attached,
            "last": self.last,
            "sent": self.n,
            "paired": self.hub,
            **self.hello,
            **more,
        }
        await self.send(said)
        return await self.next()

    async def pair(self, code: str) -> dict[str, Any]:
        """Hello, the code, and ready."""
        told = await self.say_hello()
        assert told["t"] == "pair", told
        return await self.type_code(code, told)

    async def type_code(self, code: str, told: dict[str, Any]) -> dict[str, Any]:
        """Prove the code to a hub that said `pair`."""
        key = code_key(code, self.nonce, told["nonce"])
        await self.send({"t": "code", "proof": proof(key, EXTENSION, told["nonce"], self.nonce)})
        paired = await self.next()
        if not proves(key, HUB, self.nonce, told["nonce"], paired["proof"]):
            raise Impostor
        self.key, self.hub = to_text(lasting_key(key)), told["hub"]
        return await self._begin()

    async def enter(self, **more: Any) -> dict[str, Any]:
        """Hello, proofs, and ready; for one that is paired."""
        told = await self.say_hello(**more)
        assert told["t"] == "prove", told
        assert self.key is not None
        key = from_text(self.key)
        if told["hub"] != self.hub or not proves(
            key, HUB, self.nonce, told["nonce"], told["proof"]
        ):
            raise Impostor
        await self.send({"t": "proof", "proof": proof(key, EXTENSION, told["nonce"], self.nonce)})
        return await self._begin()

    async def _begin(self) -> dict[str, Any]:
        self.ready = await self.next()
        assert self.ready["t"] == "ready", self.ready
        if self.ready["fresh"]:
            self.n, self.unacked = self.ready["have"], {}
        for number in sorted(self.unacked):
            if number > self.ready["have"]:
                await self._raw(self.unacked[number])
        # only now: an answer must not overtake what is said again
        self._listening = asyncio.get_running_loop().create_task(self._listen())
        return self.ready

    async def next(self) -> dict[str, Any]:
        """The next thing the hub says before `ready`. Raises `SentAway`."""
        assert self._socket is not None
        try:
            async with asyncio.timeout(SECONDS):
                told: dict[str, Any] = msgspec.json.decode(await self._socket.recv())
        except ConnectionClosed as exc:
            code = exc.rcvd.code if exc.rcvd else None
            raise SentAway({"why": "closed", "code": code}) from exc
        if told.get("t") == "refused":
            raise SentAway(told)
        return told

    # --- after it ------------------------------------------------------------------------

    def answer(self, verb: str, answer: Any) -> None:
        """Answer every such request, with this or with what this makes of the request."""
        self._answers[verb] = answer if callable(answer) else lambda _: answer

    def leave_open(self, verb: str) -> None:
        """Do not answer such requests."""
        self._answers.pop(verb, None)

    async def asked(self, verb: str, count: int = 1) -> dict[str, Any]:
        """The last of so many such requests, when they are there."""
        found: list[dict[str, Any]] = []

        def enough() -> bool:
            found[:] = [one for one in self.requests if one["do"] == verb]
            return len(found) >= count

        async with asyncio.timeout(SECONDS), self._changed:
            await self._changed.wait_for(enough)
        return found[count - 1]

    async def heard(self, what: str) -> dict[str, Any]:
        """The first thing the hub said that has this field (`ack`, `ping`, `bye`)."""
        async with asyncio.timeout(SECONDS), self._changed:
            await self._changed.wait_for(lambda: any(what in one for one in self.told))
        return next(one for one in self.told if what in one)

    async def acked(self) -> None:
        """When the hub has everything we said."""
        async with asyncio.timeout(SECONDS), self._changed:
            await self._changed.wait_for(lambda: not self.unacked)

    async def event(self, event: str, **fields: Any) -> None:
        """Something happened."""
        await self.say({"on": event, **fields})

    async def debugger(
        self, tab: int, method: str, session: str | None = None, **params: Any
    ) -> None:
        """A DevTools event of a tab."""
        inside = {} if session is None else {"session": session}
        await self.event("debugger.event", tab=tab, **inside, method=method, params=params)

    async def reply(self, request: dict[str, Any], ok: Any = None) -> None:
        """Answer a request that was left open."""
        await self.say({"re": request["id"], "ok": ok})

    async def refuse(self, request: dict[str, Any], code: int, message: str) -> None:
        """Answer that it cannot be."""
        await self.say({"re": request["id"], "error": {"code": code, "message": message}})

    async def say(self, message: dict[str, Any]) -> None:
        """Numbered, kept, and in pieces where it is long."""
        text = as_text(message)
        if len(text) <= 1024 * 1024:
            await self._number(message)
            return
        for at in range(0, len(text), PIECE):
            await self._number({"piece": text[at : at + PIECE], "more": at + PIECE < len(text)})

    async def _number(self, message: dict[str, Any]) -> None:
        self.n += 1
        text = as_text({"n": self.n, **message})
        self.unacked[self.n] = text
        await self._raw(text)

    async def _raw(self, text: str) -> None:
        if self._socket is not None:
            try:
                await self._socket.send(text)
            except ConnectionClosed:
                return  # said again after the next hello

    async def send(self, message: Any) -> None:
        """Exactly this, whatever it is."""
        assert self._socket is not None
        if not isinstance(message, str | bytes):
            message = msgspec.json.encode(message).decode()
        await self._socket.send(message)

    async def _listen(self) -> None:
        assert self._socket is not None
        socket = self._socket
        try:
            async for text in socket:
                await self._hear(msgspec.json.decode(text))
        except ConnectionClosed:
            pass
        async with self._changed:
            self._changed.notify_all()

    async def _hear(self, told: dict[str, Any]) -> None:
        async with self._changed:
            self.told.append(told)
            if "ack" in told:
                self.unacked = {n: one for n, one in self.unacked.items() if n > told["ack"]}
            if "do" in told:
                self.last = max(self.last, told["id"])
                self.requests.append(told)
            self._changed.notify_all()
        if "ping" in told:
            await self._raw(msgspec.json.encode({"pong": told["ping"]}).decode())
        if "do" in told and (answer := self._answers.get(told["do"])) is not None:
            try:
                ok = answer(told)
            except Refuse as refuse:
                await self.say({"re": told["id"], "error": refuse.error})
            else:
                await self.say({"re": told["id"], "ok": ok})

    # --- ends ----------------------------------------------------------------------------

    async def cut(self) -> None:
        """The socket breaks, without a goodbye."""
        assert self._socket is not None
        self._socket.transport.abort()
        await self.hung_up()

    async def hung_up(self) -> int | None:
        """When the socket is gone; the code with which the hub closed it, if it did."""
        assert self._socket is not None
        async with asyncio.timeout(SECONDS):
            await self._socket.wait_closed()
            if self._listening is not None:
                await asyncio.wait([self._listening])
        return self._socket.close_code

    async def resume(self, *, new_boot: bool = False, **more: Any) -> dict[str, Any]:
        """Dial and enter again, as the same worker or as the next one."""
        if new_boot:
            self.boot, self.n, self.unacked = secrets.token_hex(8), 0, {}
        await self.dial()
        return await self.enter(**more)

    async def close(self) -> None:
        """Hang up politely."""
        if self._socket is not None:
            await self._socket.close()
            if self._listening is not None:
                await asyncio.wait([self._listening])


def as_text(message: dict[str, Any]) -> str:
    """As JavaScript writes it, which lets half a character pass."""
    try:
        return msgspec.json.encode(message).decode()
    except UnicodeEncodeError:
        return json.dumps(message)


class FakeChrome:
    """Tabs as the extension would tell of them: answers the peer's verbs about tabs.

    `send` is called for every `debugger.send` and says the result; it may raise `Refuse`.
    """

    def __init__(self, peer: Peer, send: Answer | None = None) -> None:
        self.peer = peer
        self.tabs: dict[int, dict[str, Any]] = {}
        self.sent: list[dict[str, Any]] = []
        self.created: list[dict[str, Any]] = []
        self.attached: set[int] = set()
        self._numbers = itertools.count(1)
        self._send = send or _usual
        peer.answer("tabs.list", lambda _: list(self.tabs.values()))
        peer.answer("tabs.create", self._create)
        peer.answer("tabs.close", self._close)
        peer.answer("debugger.attach", self._attach)
        peer.answer("debugger.detach", self._detach)
        peer.answer("debugger.send", self._sent)

    def add(self, url: str = "https://chatgpt.com/", **more: Any) -> int:
        """One more tab, as if it had been there."""
        tab = next(self._numbers)
        target = f"{tab:032X}"
        said = {"tab": tab, "url": url, "title": "", "target": target, "offered": True, **more}
        self.tabs[tab] = {"opened": False, "attached": False, "group": None, **said}
        return tab

    def target(self, tab: int) -> str:
        """Its name as a target."""
        return str(self.tabs[tab]["target"])

    def _create(self, request: dict[str, Any]) -> Any:
        self.created.append(request)
        return self.tabs[self.add(request["url"], opened=True)]

    def _close(self, request: dict[str, Any]) -> Any:
        if self.tabs.pop(request["tab"], None) is None:
            raise Refuse(-32001, "no such tab")
        return {}

    def _attach(self, request: dict[str, Any]) -> Any:
        if request["tab"] not in self.tabs:
            raise Refuse(-32001, "no such tab")
        if request["tab"] in self.attached:
            raise Refuse(-32000, "Another debugger is already attached")
        self.attached.add(request["tab"])
        return {"target": self.target(request["tab"])}

    def _detach(self, request: dict[str, Any]) -> Any:
        self.attached.discard(request["tab"])
        return {}

    def _sent(self, request: dict[str, Any]) -> Any:
        if request["tab"] not in self.attached:
            raise Refuse(-32001, "not attached")
        self.sent.append(request)
        return self._send(request)


def _usual(request: dict[str, Any]) -> Any:
    """What Chrome says to the commands with which a tab is armed."""
    match request["method"]:
        case "Page.getFrameTree":
            return {"frameTree": {"frame": {"id": "F", "url": "about:blank", "loaderId": "L"}}}
        case "Runtime.evaluate":
            return {"result": {"type": "number", "value": 1}}
    return {}
