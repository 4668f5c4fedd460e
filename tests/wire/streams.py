"""How the wire's tests write streams and read them back."""

import json
import random
from collections.abc import Iterable
from typing import Any, Protocol

from hypothesis import strategies as st

from kit.cuts import random_cuts
from tabwire.wire.delta import Appended, Changed, DeltaDecoder, Opened
from tabwire.wire.records import Unread

ANNOUNCED = b'event: delta_encoding\ndata: "v1"\n\n'
PART = "/message/content/parts/0"


class Decoder(Protocol):
    def feed(self, chunk: bytes) -> list[Any]: ...

    def close(self) -> list[Any]: ...


def read(decoder: Decoder, chunks: Iterable[bytes]) -> list[Any]:
    """All a decoder says to these chunks and their end."""
    said = [record for chunk in chunks for record in decoder.feed(chunk)]
    return [*said, *decoder.close()]


def event(value: Any, name: str = "") -> bytes:
    """One SSE block; bytes are its data as they are, anything else is written as JSON."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return b"%sdata: %s\n\n" % (f"event: {name}\n".encode() if name else b"", data)


def delta(value: Any) -> bytes:
    return event(value, "delta")


def stream(*deltas: Any) -> bytes:
    """An announced stream of these deltas."""
    return ANNOUNCED + b"".join(map(delta, deltas))


def message(*parts: Any, **more: Any) -> dict[str, Any]:
    """The holder of an assistant message: `{message, conversation_id, error}`."""
    content = {"content_type": "text", "parts": list(parts)}
    return {"message": {"id": "m", "content": content, **more}, "conversation_id": "c"}


def opened(*parts: Any, channel: int = 0, **more: Any) -> dict[str, Any]:
    return {"p": "", "o": "add", "v": message(*parts, **more), "c": channel}


def documents(decoder: DeltaDecoder) -> dict[int, Any]:
    return {channel: document.get() for channel, document in decoder.documents.items()}


def tell(records: Iterable[Any]) -> list[Any]:
    """Records in short, for tables: ("+", place, text), ("=", place), "new", "unread", …"""
    return [_tell(record) for record in records]


def _tell(record: Any) -> Any:
    match record:
        case Appended(channel=0, pointer=pointer, text=text):
            return ("+", pointer, text)
        case Changed(channel=0, pointer=pointer):
            return ("=", pointer)
        case Opened(channel=0):
            return "new"
        case Unread():
            return "unread"
        case _:
            return record


def cuts(data: bytes) -> st.SearchStrategy[list[bytes]]:
    """Hypothesis' choice of where to cut, empty pieces among them."""
    return st.integers(0, 2**32).map(lambda seed: random_cuts(data, seed))


def mutate(records: list[bytes], seed: int, changes: int) -> bytes:
    """A valid stream, damaged: records swapped, lost, doubled; bytes flipped, lost, put in."""
    rng = random.Random(seed)
    records = list(records)
    for _ in range(rng.randint(0, changes)):
        one, other = rng.randrange(len(records)), rng.randrange(len(records))
        match rng.randrange(3):
            case 0:
                records[one], records[other] = records[other], records[one]
            case 1:
                records.insert(other, records[one])
            case _ if len(records) > 1:
                del records[one]
    data = bytearray(b"".join(records))
    for _ in range(rng.randint(0, changes)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(4):
            case 0 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 1:
                del data[at : at + rng.choice((1, 1, 2, 9, 60))]
            case 2:
                data[at:at] = rng.choice(_THROWN_IN)
            case _:
                data[at:at] = data[at : at + 20]
    return bytes(data)


_THROWN_IN = [
    *(b"\n", b"\r", b"\n\n", b"\r\n\r\n", b'"', b"{", b"}", b"[", b"]", b",", b"\\", b"\x00"),
    *(b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\xbd", b"\\ud83d", b"NaN", b"-", b"1e999", b"null"),
    *(b"data: ", b"event: delta\n", b'"p":"/', b'"o":"remove"', b'"c":1,', b"__proto__"),
]
