"""The envelope both kinds of answers come in: a chunk is a list of records.

`["wrb.fr", call or null, "<payload JSON>" or null, null, null, error?, …]` carries data;
`["di", …]`, `["af.httprm", …]` and `["e", …]` keep the books. Two shapes a peer met are
read as well: a list of `[call, payload]` as one JSON string, and a bare `[call, payload]`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tabwire.sites.gemini.fields import at
from tabwire.wire.text import NotJson, read_json

DATA = "wrb.fr"
BOOKS = frozenset({"di", "af.httprm", "e", "er", "xsrf", "noop"})


@dataclass(frozen=True, slots=True)
class Reply:
    """What one call answered: a payload still in JSON, or the code of an error."""

    call: str | None
    payload: str | None
    code: int | None = None


def read_chunk(chunk: Any) -> tuple[list[Reply], int]:
    """The replies of a parsed chunk, and how many records of any kind it has."""
    records = chunk if isinstance(chunk, list) else []
    if records and isinstance(records[0], str):
        records = [records]  # a record that was not put in a list
    records = [record for record in records if isinstance(record, list) and record]
    return [reply for record in records for reply in _read_record(record)], len(records)


def _read_record(record: list[Any]) -> Iterator[Reply]:
    match record:
        case ["wrb.fr", None | str() as call, None | str() as payload, *_]:
            if payload is not None:
                yield Reply(call, payload)
            elif (code := _error_code(record)) is not None:
                yield Reply(call, None, code)
            elif call is not None:
                yield from _read_pairs(call)
        case ["er", *_]:
            code = at(record, 5)
            yield Reply(None, None, code if isinstance(code, int) else 0)
        case [str(call), str(payload)] if call not in BOOKS and call != DATA:
            yield Reply(call, payload)


def _error_code(record: list[Any]) -> int | None:
    code = at(record, 5, 2, 0, 1, 0)
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _read_pairs(text: str) -> Iterator[Reply]:
    try:
        pairs = read_json(text)
    except NotJson:
        return
    for pair in pairs if isinstance(pairs, list) else []:
        match pair:
            case [str(call), str(payload), *_]:
                yield Reply(call, payload)
