"""The elements of a huge JSON list, one at a time, without holding them all.

The buffer is a memory-mapped file: the system keeps what is needed and forgets the rest.
A whole list is cut by msgspec, which is fast; a damaged one by a scanner that gives the
elements before the damage.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from mmap import mmap

import msgspec

# A string (to its end, or to the end of the buffer), or a bracket.
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+("|\\?\Z)|[\[\]{}]', re.DOTALL)
_LIST = msgspec.json.Decoder(list[msgspec.Raw])


@dataclass(frozen=True, slots=True)
class Element:
    """One element's bytes, and where in the buffer it ends."""

    raw: bytes
    end: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The buffer ended inside the list."""

    at: int


def whole_list(buffer: mmap | bytes) -> list[memoryview] | None:
    """The elements of a buffer that is one well-formed list, else None."""
    try:
        return [memoryview(raw) for raw in _LIST.decode(buffer)]
    except (ValueError, RecursionError):
        return None


def scan_list(buffer: mmap | bytes, start: int) -> Iterator[Element | Cut]:
    """The objects of the list whose `[` stands at `start`, as far as they are whole."""
    depth = 0
    begin = -1
    for token in _TOKEN.finditer(buffer, start):
        mark = token[0]
        if mark[:1] == b'"':
            if token[1] != b'"' or (token.end() == len(buffer) and len(mark) == 1):
                break
        elif mark in b"[{":
            depth += 1
            if depth == 2 and mark == b"{":
                begin = token.start()
        else:
            depth -= 1
            if depth == 1 and begin >= 0:
                yield Element(bytes(buffer[begin : token.end()]), token.end())
                begin = -1
            elif depth == 0:
                return
    yield Cut(len(buffer))
