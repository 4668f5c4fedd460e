"""The first words of an extension: who it is, whether we share a key, and whether it may stay.

Nothing that comes before the proof is believed or answered with anything but the next step, and
every wait has a bound. What an extension says of itself besides (a role, say) is not looked at:
our own record decides.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from tabwire import __version__
from tabwire.config.logs import get_log
from tabwire.hub.relay.pairing import (
    CODE_SECONDS,
    EXTENSION,
    HUB,
    INSTALL,
    Known,
    Pairing,
    from_text,
    is_nonce,
    new_nonce,
    proof,
    proves,
)
from tabwire.model.extension import PROTOCOL

SAY_SECONDS = 10.0  # for an extension to say the next thing
MAX_EARLY = 64 * 1024  # characters of anything said before the proof
MAX_WORD = 64  # of a version, or of the like


class Socket(Protocol):
    """A socket that somebody opened to us."""

    async def receive(self) -> str | None:
        """The next text; None when it is gone."""

    async def send(self, text: str) -> None:
        """One text. To a socket that is gone: nothing happens, `receive` says so."""

    async def close(self, code: int, reason: str) -> None:
        """Hang up. Twice is once."""


class Hello(msgspec.Struct):
    """What an extension says first. Whatever else it says is left unread."""

    protocol: int
    install: str
    boot: str
    nonce: str
    version: str = ""
    chrome: str = ""
    attached: list[int] = []
    last: int = 0
    sent: int = 0
    paired: str | None = None


class _Said(msgspec.Struct):
    t: str = ""
    proof: str = ""
    ping: Any = None


class Refused(Exception):
    """It may not stay. `code` is for programs, the rest for a person."""

    def __init__(self, code: str, message: str, what_to_do: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.what_to_do = what_to_do

    @property
    def told(self) -> dict[str, str]:
        """As the extension gets it."""
        what = {"message": self.message, "what_to_do": self.what_to_do}
        return {"t": "refused", "why": self.code, **what}


class Nonsense(Exception):
    """No handshake of ours; there is nobody to explain it to."""


@dataclass(slots=True)
class Handshake:
    """One socket, until it is known."""

    socket: Socket
    pairing: Pairing
    on_hello: Callable[[Hello], None] = lambda _hello: None
    on_paired: Callable[[Known], None] = lambda _known: None

    async def run(self) -> tuple[Hello, Known]:
        """Who it is. Raises `Refused`, `Nonsense`."""
        hello = await self._hello()
        self.on_hello(hello)
        if hello.protocol != PROTOCOL:
            raise _other_protocol(hello)
        ours = new_nonce()
        known = self.pairing.find(hello.install)
        # One that does not share our key any more says so by asking to be paired.
        if known is not None and hello.paired == self.pairing.hub_id:
            await self._prove(hello, known, ours)
        else:
            known = await self._pair(hello, ours)
        return hello, known

    async def _hello(self) -> Hello:
        text = await self._next(SAY_SECONDS)
        try:
            said = msgspec.json.decode(text, type=_Said)
            hello = msgspec.json.decode(text, type=Hello)
        except (ValueError, RecursionError) as exc:
            raise Nonsense(f"invalid hello: {str(exc)[:100]}") from None
        if said.t != "hello" or not INSTALL.fullmatch(hello.install) or not is_nonce(hello.nonce):
            raise Nonsense("invalid hello")
        hello.version, hello.chrome = hello.version[:MAX_WORD], hello.chrome[:MAX_WORD]
        if not 0 < len(hello.boot) <= MAX_WORD or not 0 <= hello.last < 1 << 53:
            raise Nonsense("invalid hello")
        return hello

    async def _prove(self, hello: Hello, known: Known, ours: str) -> None:
        key = from_text(known.key)
        await self._say({**self._about("prove", ours), "proof": proof(key, HUB, hello.nonce, ours)})
        said = await self._answer(SAY_SECONDS, "proof")
        if not proves(key, EXTENSION, ours, hello.nonce, said.proof):
            raise Refused(
                "key",
                "this extension's key does not match the one it was paired with",
                "Pair it again: run `tabwire extension pair`.",
            )

    async def _pair(self, hello: Hello, ours: str) -> Known:
        get_log().warn("an unknown extension wants to connect", install=hello.install[:12])
        said = await self._code_typed(ours)
        if locked := self.pairing.locked_seconds:
            raise _locked(locked)
        if self.pairing.code is None:
            what = "Run `tabwire extension pair` and type the new code."
            raise Refused("key", "no code is shown now, or it has expired", what)
        key = await self.pairing.guessed(hello.nonce, ours, said.proof)
        if key is None:
            if locked := self.pairing.locked_seconds:
                raise _locked(locked)
            what = "Type the code again, as `tabwire extension pair` shows it."
            raise Refused("key", "the code is wrong", what)
        known = self.pairing.keep(hello.install, key, hello.version, hello.chrome)
        get_log().info("an extension was paired", name=known.name, chrome=hello.chrome)
        self.on_paired(known)
        await self._say({"t": "paired", "proof": proof(key, HUB, hello.nonce, ours)})
        return known

    async def _code_typed(self, ours: str) -> _Said:
        """A person reads and types: that may take as long as a code lives."""
        waiting = self.pairing.code is not None
        await self._say({**self._about("pair", ours), "waiting": waiting})
        return await self._answer(CODE_SECONDS, "code")

    def _about(self, kind: str, ours: str) -> dict[str, Any]:
        who = {"version": __version__, "hub": self.pairing.hub_id, "nonce": ours}
        return {"t": kind, "protocol": PROTOCOL, **who}

    async def _answer(self, seconds: float, kind: str) -> _Said:
        """The next step. A ping keeps a worker awake while its person types."""
        while True:
            text = await self._next(seconds)
            try:
                said = msgspec.json.decode(text, type=_Said)
            except (ValueError, RecursionError):
                raise Nonsense(f"no {kind}") from None
            if said.t == kind:
                return said
            if said.t or said.ping is None:
                raise Nonsense(f"no {kind}")
            await self._say({"pong": said.ping})

    async def _next(self, seconds: float) -> str:
        try:
            async with asyncio.timeout(seconds):
                text = await self.socket.receive()
        except TimeoutError:
            raise Nonsense("it sent nothing") from None
        if text is None:
            raise Nonsense("it closed the connection")
        if len(text) > MAX_EARLY:
            raise Nonsense("it sent too much before it was identified")
        return text

    async def _say(self, what: dict[str, Any]) -> None:
        await self.socket.send(msgspec.json.encode(what).decode())


def _other_protocol(hello: Hello) -> Refused:
    older = hello.protocol < PROTOCOL
    message = (
        f"the extension {hello.version} speaks protocol {hello.protocol}, "
        f"Tabwire {__version__} speaks {PROTOCOL}"
    )
    what = (
        "Update the extension: load the folder that `tabwire extension path` prints, or press "
        "its reload button in chrome://extensions."
        if older
        else "Update Tabwire, then run `tabwire restart`."
    )
    return Refused("protocol", message, what)


def _locked(seconds: float) -> Refused:
    minutes = max(1, round(seconds / 60))
    return Refused(
        "locked",
        f"too many wrong codes were typed; pairing is locked for {minutes} min",
        f"Wait {minutes} min, then run `tabwire extension pair` for a new code.",
    )
