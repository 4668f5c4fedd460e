"""DevTools messages: commands to bytes, bytes to replies, failures and events. No I/O.

Theory of operation. A browser that streams fifty tabs sends thousands of events a second,
of which most readers want a few fields. So only the envelope is decoded here; `params` and
`result` stay bytes (a view into the message, no copy) until somebody asks for them with
`read`, best with a type that names the fields wanted. The records are msgspec structs, not
dataclasses, because making a frozen dataclass costs as much as decoding the message.

A message that cannot be read is an `Unread`, never a crash: browsers change monthly.
"""

import json
from functools import lru_cache
from typing import Any, TypeVar, overload

import msgspec

from tabwire.cdp.errors import Malformed

T = TypeVar("T")

MAX_UNREAD = 2048
"""How much of an unreadable message is kept to show: enough to recognise it."""

MAX_LENIENT = 32 * 1024 * 1024
"""Largest content given to the slower, forgiving reader: it takes ten times the memory."""

NO_REASON = 0
"""The code of a failure that carried none. Real ones are negative (JSON-RPC)."""

NOTHING = msgspec.Raw(b"{}")
_ABSENT = msgspec.Raw(b"")


class Reply(msgspec.Struct, frozen=True, gc=False):
    """The answer to command `id`."""

    id: int
    raw: msgspec.Raw
    session: str | None = None

    @overload
    def read(self) -> Any: ...
    @overload
    def read(self, shape: type[T]) -> T: ...
    def read(self, shape: Any = Any) -> Any:
        """The result as a dict, or as `shape`. Raises `Malformed`."""
        try:
            return _decoder(shape).decode(self.raw)
        except (ValueError, RecursionError) as exc:
            return _read_leniently(f"reply {self.id}", self.raw, shape, str(exc))


class Failure(msgspec.Struct, frozen=True, gc=False):
    """The browser refused command `id`."""

    id: int
    code: int
    message: str
    data: str = ""
    session: str | None = None


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something happened. `session` is None for the browser itself; `size` is in bytes."""

    method: str
    raw: msgspec.Raw
    session: str | None = None
    size: int = 0

    @overload
    def read(self) -> Any: ...
    @overload
    def read(self, shape: type[T]) -> T: ...
    def read(self, shape: Any = Any) -> Any:
        """The params as a dict, or as `shape`. Raises `Malformed`."""
        try:
            return _decoder(shape).decode(self.raw)
        except (ValueError, RecursionError) as exc:
            return _read_leniently(self.method, self.raw, shape, str(exc))


class Unread(msgspec.Struct, frozen=True):
    """A message that is none of these: its beginning, its size, and why."""

    raw: bytes
    why: str
    size: int


Message = Reply | Failure | Event | Unread


class _Envelope(msgspec.Struct, gc=False):
    id: int | None = None
    method: str | None = None
    session: str | None = msgspec.field(default=None, name="sessionId")
    params: msgspec.Raw = NOTHING
    result: msgspec.Raw = _ABSENT
    error: msgspec.Raw = _ABSENT


class _Error(msgspec.Struct, gc=False):
    code: int = NO_REASON
    message: str = ""
    data: Any = ""


class _Command(msgspec.Struct, omit_defaults=True, gc=False):
    id: int
    method: str
    params: Any = None
    session: str | None = msgspec.field(default=None, name="sessionId")


_envelope = msgspec.json.Decoder(_Envelope).decode
_error = msgspec.json.Decoder(_Error).decode
_encode = msgspec.json.Encoder().encode


@lru_cache(maxsize=256)
def _decoder(shape: Any) -> "msgspec.json.Decoder[Any]":
    """Making one costs ten times what using it does."""
    return msgspec.json.Decoder(shape)


class Numbering:
    """Writes commands, each with the next id. One per connection: sessions share ids."""

    def __init__(self) -> None:
        self._last = 0

    def write(
        self, method: str, params: Any = None, session: str | None = None
    ) -> tuple[int, bytes]:
        """The id given and the bytes to send. `params` is a dict or a struct."""
        self._last += 1
        command = _Command(self._last, method, params, session)
        try:
            return self._last, _encode(command)
        except UnicodeEncodeError:  # half a character, as a page or a paste may hold it
            return self._last, json.dumps(msgspec.to_builtins(command)).encode()


def read(message: bytes) -> Message:
    """What one message says."""
    try:
        envelope = _envelope(message)
    except (ValueError, RecursionError) as exc:
        forgiven = _leniently(message)
        if forgiven is None:
            return _unread(message, str(exc))
        envelope = forgiven
    if envelope.id is not None:
        if envelope.result and not envelope.error:
            return Reply(envelope.id, envelope.result, envelope.session)
        return _failure(envelope.id, envelope)
    if envelope.method is not None:
        return Event(envelope.method, envelope.params, envelope.session, len(message))
    if envelope.error:
        return _unread(message, "an error without a command id")
    return _unread(message, "neither a reply nor an event")


def _leniently(message: bytes) -> _Envelope | None:
    """The envelope of a message with half a character in it, or None.

    JavaScript strings may hold a lone surrogate, and pages do send such. msgspec refuses
    the whole message for it, and a reply refused here is a caller left waiting.
    """
    if len(message) > MAX_LENIENT or b"\\u" not in message:
        return None
    try:
        said = json.loads(message)
        if not isinstance(said, dict):
            return None
        raws = {name: said.pop(name) for name in ("params", "result", "error") if name in said}
        envelope = msgspec.convert(said, _Envelope)
        for name, value in raws.items():
            setattr(envelope, name, msgspec.Raw(json.dumps(value).encode()))
    except (ValueError, RecursionError):
        return None
    return envelope


def _failure(number: int, envelope: _Envelope) -> Failure:
    if not envelope.error:
        # Left alone, the caller would wait for its whole bound to learn less than this.
        return Failure(number, NO_REASON, "a reply with neither result nor error")
    try:
        said = _error(envelope.error)
    except (ValueError, RecursionError):
        text = bytes(envelope.error)[:MAX_UNREAD].decode("utf-8", "replace")
        return Failure(number, NO_REASON, f"an error of unknown shape: {text}")
    data = said.data if isinstance(said.data, str) else _encode(said.data).decode()
    return Failure(number, said.code, said.message, data, envelope.session)


def _read_leniently(name: str, raw: msgspec.Raw, shape: Any, why: str) -> Any:
    """Content with half a character in it, see `_leniently`; else `Malformed`, saying `why`."""
    if len(raw) > MAX_LENIENT:
        raise Malformed(name, why) from None
    try:
        return msgspec.convert(json.loads(bytes(raw).decode("utf-8", "replace")), shape)
    except (ValueError, RecursionError):
        raise Malformed(name, why) from None


def _unread(message: bytes, why: str) -> Unread:
    return Unread(bytes(message[:MAX_UNREAD]), why, len(message))
