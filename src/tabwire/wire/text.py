"""JSON text with the faults real sites send: lone surrogates, bad UTF-8, NaN, depth.

A site cuts its deltas by UTF-16 unit, so an emoji may arrive as two escapes in two
records. Each half is kept as it came and the halves are joined when they meet.
"""

import json
from typing import Any

import msgspec

from tabwire.wire.records import MAX_DEPTH

MAX_LENIENT = 32 * 1024 * 1024
"""Largest value given to the slower, forgiving reader. It needs some ten times the size
in memory, and no real body with such faults was over 1 MB."""

_decode = msgspec.json.Decoder().decode


TOO_DEEP = f"nested more than {MAX_DEPTH} deep"


class NotJson(ValueError):
    """These bytes are not one JSON value; `str` says why."""


def read_json(raw: bytes | str) -> Any:
    """One JSON value, fast where it is well-formed and forgiving where it is not.

    Bytes that are no UTF-8 become U+FFFD, as a browser shows them. Escaped lone
    surrogates survive as such: `join_surrogates` pairs them once their text is whole.
    """
    try:
        return _shallow(_decode(raw), raw)
    except RecursionError:
        raise NotJson(TOO_DEEP) from None
    except NotJson:
        raise
    except ValueError as exc:  # msgspec refuses what JavaScript accepts: read it leniently
        if len(raw) > MAX_LENIENT:
            raise NotJson(f"not JSON: {exc}") from None
    try:
        text = raw if isinstance(raw, str) else raw.decode("utf-8", "replace")
        return _shallow(json.loads(text, parse_constant=_refuse_constant), text)
    except RecursionError:
        raise NotJson(TOO_DEEP) from None
    except NotJson:
        raise
    except ValueError as exc:
        raise NotJson(f"not JSON: {exc}") from None


def _shallow(value: Any, raw: bytes | str) -> Any:
    """The value, unless it is nested deeper than anything that walks it can bear."""
    opening = ("[", "{") if isinstance(raw, str) else (b"[", b"{")
    if raw.count(opening[0]) + raw.count(opening[1]) <= MAX_DEPTH:  # type: ignore[arg-type]
        return value
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(MAX_DEPTH):
        if not level:
            return value
        level = [
            item
            for one in level
            for item in (one.values() if isinstance(one, dict) else one)
            if isinstance(item, dict | list)
        ]
    if level:
        raise NotJson(TOO_DEEP)
    return value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def has_surrogates(text: str) -> bool:
    """Whether half a character stands somewhere in this text."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def join_surrogates(text: str) -> str:
    """Pair the halves that met; a half that stayed alone is left as it is."""
    if text.isascii() or not has_surrogates(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def showable(text: str) -> str:
    """Text that can be written anywhere: a half that stayed alone becomes U+FFFD."""
    joined = join_surrogates(text)
    return joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def utf16_units(text: str) -> int:
    """The length JavaScript would report."""
    if text.isascii():
        return len(text)
    return len(text) + sum(char > "\uffff" for char in text)
