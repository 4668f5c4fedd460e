"""A hub that does what a test says: the contract's handshake, and nothing behind it.

    async with scripted_hub() as hub:
        await extension.join(hub)
        made = await hub.ask("tabs.create", url="about:blank", client="a test")

It keeps the account a real hub keeps: the highest number it has of a boot, the requests without
an answer, which it sends again after a resume. What it hears out of order is a fault of the test's.
"""

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from tabwire.model.extension import ORIGIN

HEAR_SECONDS = 60.0  # a hang guard, on a busy machine
MAX_FRAME = 4 << 20
ROUNDS = 200_000
EVERY_ACK = 64

Message = dict[str, Any]


def to_text(data: bytes) -> str:
    """As nonces and proofs travel."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def sign(key: bytes, words: str) -> str:
    """A proof."""
    return to_text(hmac.digest(key, words.encode(), "sha256"))


class Refusal(Exception):
    """An error the extension answered."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


@dataclass
class Account:
    """What the hub knows of one install."""

    boot: str = ""
    have: int = 0
    parts: list[str] = field(default_factory=list)


class ScriptedHub:
    """One listening hub. Public fields may be changed by a test before or between lines."""

    def __init__(self) -> None:
        self.id = f"hub-{secrets.token_hex(4)}"
        self.port = 0
        self.keys: dict[str, bytes] = {}
        self.code: str | None = None
        self.refusal: Message | None = None
        self.impostor = False
        self.acks = True
        self.answers_discovery = True
        self.called: list[str] = []  # paths, as they were asked for
        self.answering = asyncio.Event()  # cleared: whoever calls is kept waiting
        self.answering.set()
        self.hellos: list[Message] = []
        self.events: list[Message] = []
        self.gaps: list[tuple[int, int]] = []
        self.doubles = 0
        self.opened = 0
        self.discovered = 0
        self.discovery: dict[str, Any] = {"wsUrl": "…"}
        self.pings = 0
        self.ready = asyncio.Event()
        self.hearing = asyncio.Event()
        self.hearing.set()
        self.on_message: Callable[[Message], None] = lambda _message: None
        self._accounts: dict[str, Account] = {}
        self._socket: ServerConnection | None = None
        self._ids = 0
        self._asked: dict[int, tuple[str, asyncio.Future[Any]]] = {}
        self._news = asyncio.Event()

    # --- what a test does ------------------------------------------------------------------------

    def begin(self, verb: str, **given: Any) -> "asyncio.Future[Any]":
        """Ask for something; it is sent when there is a line, and again after a resume."""
        self._ids += 1
        text = json.dumps({"do": verb, "id": self._ids, **given})
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._asked[self._ids] = (text, answer)
        if self._socket is not None and self.ready.is_set():
            self._post(text)
        return answer

    async def ask(self, verb: str, **given: Any) -> Any:
        """Ask, and wait for what came of it. Raises `Refusal`."""
        async with asyncio.timeout(HEAR_SECONDS):
            return await self.begin(verb, **given)

    async def until(self, fits: Callable[[Message], bool], since: int = 0) -> Message:
        """The first event that fits, waited for if need be."""
        try:
            async with asyncio.timeout(HEAR_SECONDS):
                while True:
                    self._news.clear()
                    for event in self.events[since:]:
                        if fits(event):
                            return event
                    await self._news.wait()
        except TimeoutError:
            told = [str(one)[:120] for one in self.events[-20:]]
            raise AssertionError(f"no such event; the last were {told}") from None

    async def event(self, name: str, since: int = 0, **fields: Any) -> Message:
        """The first event of a name with these fields."""

        def fits(event: Message) -> bool:
            return event.get("on") == name and all(event.get(k) == v for k, v in fields.items())

        return await self.until(fits, since)

    async def joined(self, times: int = 1) -> Message:
        """Wait until a line was ready so often; the greeting of the last."""
        async with asyncio.timeout(HEAR_SECONDS):
            while self.opened < times or not self.ready.is_set():
                self._news.clear()
                await self._news.wait()
        return self.hellos[-1]

    async def pinged(self, times: int, seconds: float) -> None:
        """Wait until it was asked so often whether it is there."""
        async with asyncio.timeout(seconds):
            while self.pings < times:
                self._news.clear()
                await self._news.wait()

    async def was_called(self, times: int) -> None:
        """Wait until somebody has called so often, answered or not."""
        async with asyncio.timeout(HEAR_SECONDS):
            while len(self.called) < times:
                self._news.clear()
                await self._news.wait()

    async def greeted(self, times: int) -> Message:
        """Wait until somebody has said hello so often."""
        async with asyncio.timeout(HEAR_SECONDS):
            while len(self.hellos) < times:
                self._news.clear()
                await self._news.wait()
        return self.hellos[times - 1]

    @property
    def highest(self) -> int:
        """The number up to which it has everything."""
        return max((account.have for account in self._accounts.values()), default=0)

    def forget(self) -> None:
        """As if started anew: it knows its keys and nothing else."""
        self._accounts.clear()
        self._asked.clear()
        self._ids = 0

    def cut(self) -> None:
        """Break the line without a goodbye."""
        if self._socket is not None:
            self._socket.transport.abort()

    def say(self, message: Message | str) -> None:
        """Anything, to a line that is ready."""
        self._post(message if isinstance(message, str) else json.dumps(message))

    # --- what it does by itself ------------------------------------------------------------------

    async def answer_plainly(
        self, _connection: ServerConnection, request: Request
    ) -> Response | None:
        """The discovery; anything but it and the relay is not here."""
        self.called.append(request.path)
        self._news.set()
        await self.answering.wait()
        if request.path == "/mcp-discovery" and self.answers_discovery:
            self.discovered += 1
            response = _connection.respond(HTTPStatus.OK, json.dumps(self.discovery))
            response.headers["Access-Control-Allow-Origin"] = ORIGIN
            return response
        if request.path != "/relay" or request.headers.get("Origin") != ORIGIN:
            return _connection.respond(HTTPStatus.FORBIDDEN, "not here")
        return None

    async def serve(self, socket: ServerConnection) -> None:
        """One line, from its greeting to its end."""
        with suppress(ConnectionClosed):
            hello = json.loads(await socket.recv())
            self.hellos.append(hello)
            self._news.set()
            if not await self._shake_hands(socket, hello):
                return
            await self._listen(socket, self._begin(socket, hello))
        if self._socket is socket:
            self._socket = None
            self.ready.clear()

    async def _shake_hands(self, socket: ServerConnection, hello: Message) -> bool:
        mine, theirs = to_text(secrets.token_bytes(32)), hello["nonce"]
        about = {"protocol": 1, "version": "0.0.test", "hub": self.id, "nonce": mine}
        if self.refusal is not None:
            await socket.send(json.dumps({"t": "refused", **self.refusal}))
            return False
        key = self.keys.get(hello["install"])
        if key is not None:
            proof = sign(secrets.token_bytes(32) if self.impostor else key, f"hub.{theirs}.{mine}")
            await socket.send(json.dumps({"t": "prove", **about, "proof": proof}))
            said = json.loads(await socket.recv())
            return bool(said == {"t": "proof", "proof": sign(key, f"extension.{mine}.{theirs}")})
        await socket.send(json.dumps({"t": "pair", **about, "waiting": self.code is not None}))
        said = json.loads(await socket.recv())
        salt = f"{theirs}.{mine}".encode()
        plain = (self.code or "").replace("-", "").encode()
        of_code = hashlib.pbkdf2_hmac("sha256", plain, salt, ROUNDS)
        if said != {"t": "code", "proof": sign(of_code, f"extension.{mine}.{theirs}")}:
            wrong = {"t": "refused", "why": "key", "message": "wrong", "what_to_do": "again"}
            await socket.send(json.dumps(wrong))
            return False
        self.keys[hello["install"]] = hmac.digest(of_code, b"tabwire relay key", "sha256")
        proof = sign(of_code, f"hub.{theirs}.{mine}")
        await socket.send(json.dumps({"t": "paired", "proof": proof}))
        return True

    def _begin(self, socket: ServerConnection, hello: Message) -> Account:
        fresh = hello["install"] not in self._accounts
        account = self._accounts.setdefault(hello["install"], Account())
        if account.boot != hello["boot"]:
            account.have = 0
        account.boot = hello["boot"]
        account.parts.clear()
        self._socket = socket
        ready = {"t": "ready", "have": account.have, "session": self.id, "fresh": fresh}
        self._post(json.dumps(ready))
        for text, _answer in self._asked.values():
            self._post(text)
        self.opened += 1
        self.ready.set()
        self._news.set()
        return account

    async def _listen(self, socket: ServerConnection, account: Account) -> None:
        async for data in socket:
            await self.hearing.wait()
            message = json.loads(data)
            if "ping" in message:
                self.pings += 1
                self._news.set()
                self._post(json.dumps({"pong": message["ping"]}))
            if "n" not in message:
                continue
            number = message.pop("n")
            if number <= account.have:
                self.doubles += 1
                continue
            if number != account.have + 1:
                self.gaps.append((account.have, number))
                return
            account.have = number
            self._join(account, message)
            if self.acks:
                self._post(json.dumps({"ack": number}))

    def _join(self, account: Account, message: Message) -> None:
        if "piece" in message:
            account.parts.append(message["piece"])
            if message["more"]:
                return
            message = json.loads("".join(account.parts))
            account.parts.clear()
        self.on_message(message)
        if "re" in message:
            _text, answer = self._asked.pop(message["re"], ("", None))
            if answer is None or answer.done():
                return
            if "error" in message:
                answer.set_exception(Refusal(**message["error"]))
            else:
                answer.set_result(message["ok"])
        else:
            self.events.append(message)
            self._news.set()

    def _post(self, text: str) -> None:
        if self._socket is not None:
            with suppress(ConnectionClosed):
                # the sync side of a send: what a test says leaves before it goes on
                self._socket.protocol.send_text(text.encode())
                self._socket.send_data()


@asynccontextmanager
async def scripted_hub(port: int = 0) -> AsyncIterator[ScriptedHub]:
    """A hub for the length of a block."""
    hub = ScriptedHub()
    async with listening_hub(hub, port):
        yield hub


@asynccontextmanager
async def listening_hub(hub: ScriptedHub, port: int = 0) -> AsyncIterator[None]:
    """The same hub on a port: again, after it was away."""
    async with serve(
        hub.serve,
        "127.0.0.1",
        port,
        process_request=hub.answer_plainly,
        compression=None,
        ping_interval=None,
        close_timeout=0.1,
        max_size=MAX_FRAME,
    ) as server:
        hub.port = next(iter(server.sockets)).getsockname()[1]
        try:
            yield
        finally:
            hub.hearing.set()
            hub.answering.set()
            hub.cut()
