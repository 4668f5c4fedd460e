"""Requests and answers as JSON, and any text as text a database takes.

What goes in comes out equal. Three things that Python allows stand in the way: half a surrogate
pair (pages send those; neither UTF-8 nor JSON by msgspec takes them), NUL (PostgreSQL does not
take it as text) and infinite numbers (JSON has none). Text with such a character is written with
escapes: `ESCAPE` and four hexadecimal digits for each, and for `ESCAPE` itself. Without one it is
written as it is, so nearly all text on disk is plain.

A value that JSON cannot hold at all, which only `debug` may have, is kept as its description: an
answer is never lost for it.
"""

import math
import re
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

T = TypeVar("T")

ESCAPE = "\x1a"  # "substitute": no site sends it, and if one does it is escaped too
MARK = "escaped:"  # before JSON whose strings are escaped; no JSON begins with it

_ODD = re.compile("[\x00\x1a\ud800-\udfff]")
_ESCAPED = re.compile(ESCAPE + "([0-9a-f]{4})")

_encoder = msgspec.json.Encoder(enc_hook=repr)


def escaped(text: str) -> str:
    """Text that every database takes. Equal texts stay equal, others stay different."""
    return _ODD.sub(lambda odd: f"{ESCAPE}{ord(odd[0]):04x}", text)


def unescaped(text: str) -> str:
    """What `escaped` was given."""
    return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text)


def to_json(value: object) -> str:
    """A dataclass as JSON. Read back before it is trusted; with escapes where that differs."""
    try:
        text = _encoder.encode(value).decode()
        if from_json(text, type(value)) == value:
            return text
    except (UnicodeEncodeError, msgspec.ValidationError):
        pass  # half a surrogate pair, an infinite number: below
    plain = msgspec.to_builtins(value, enc_hook=repr)
    return MARK + _encoder.encode(_walked(plain, _hide)).decode()


def from_json(text: str, kind: type[T]) -> T:
    """What `to_json` was given. Raises `msgspec.MsgspecError` where the text is damaged."""
    if not text.startswith(MARK):
        return msgspec.json.decode(text, type=kind)
    hidden = msgspec.json.decode(text[len(MARK) :])
    return msgspec.convert(_walked(hidden, _show), kind)


def _walked(value: Any, change: Any) -> Any:
    match value:
        case dict():
            return {change(key): _walked(inner, change) for key, inner in value.items()}
        case list() | tuple():
            return [_walked(inner, change) for inner in value]
        case _:
            return change(value)


def _hide(value: Any) -> Any:
    match value:
        case str():
            return escaped(value)
        case float() if not math.isfinite(value):
            return f"{ESCAPE}{value}"  # "inf", "-inf", "nan": none is four digits
        case _:
            return value


def _show(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value in _NUMBERS:
        return _NUMBERS[value]
    return unescaped(value)


_NUMBERS = {f"{ESCAPE}{word}": float(word) for word in ("inf", "-inf", "nan")}


class AnyText(TypeDecorator[str]):
    """A column that takes every Python string, and compares as strings do."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, _: Dialect) -> str | None:
        """On its way to the database."""
        return None if value is None else escaped(value)

    def process_result_value(self, value: str | None, _: Dialect) -> str | None:
        """On its way back."""
        return None if value is None else unescaped(value)
