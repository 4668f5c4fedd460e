"""A JSON document that is changed in place by pointer: the state behind `delta.py`.

Text that grows by many small pieces is kept as pieces (`Growing`) and joined when it is
read, so a long answer costs what its length costs and not its square.
"""

import re
from itertools import pairwise
from typing import Any

from tabwire.wire.records import MAX_DEPTH
from tabwire.wire.text import join_surrogates

MAX_INDEX = 100_000  # longest list an operation may reach into; real ones hold a few dozen
OPERATIONS = frozenset({"add", "append", "replace", "remove", "truncate"})
_MAKING = frozenset({"add", "append", "replace"})
_INDEX = re.compile(r"0|[1-9][0-9]{0,5}", re.ASCII)
_FIRST = frozenset({"0", "-"})  # of a list
FOLD = 512  # pieces of growing text kept apart
FORBIDDEN_KEYS = frozenset({"__proto__", "constructor", "prototype"})


class BadOperation(ValueError):
    """An operation that does not fit the document. The document is unchanged."""


class Growing:
    """A string in the making.

    Small pieces are folded into larger ones as they come: a hundred thousand little
    strings kept apart would cost more in memory traffic than the text itself.
    """

    __slots__ = ("_folded", "_pieces")

    def __init__(self, text: str) -> None:
        self._folded: list[str] = []
        self._pieces = [text]

    def add(self, piece: str) -> None:
        """Let it grow."""
        pieces = self._pieces
        pieces.append(piece)
        if len(pieces) > FOLD:
            self._folded.append("".join(pieces))
            pieces.clear()

    def text(self) -> str:
        """The string so far, halves of characters that met joined."""
        whole = "".join((*self._folded, *self._pieces))
        self._folded.clear()
        self._pieces[:] = [whole]
        return join_surrogates(whole)


def parse_pointer(pointer: str) -> tuple[str, ...]:
    """JSON pointer to segments: `~1` is `/`, `~0` is `~`. Forbidden keys are refused."""
    if not pointer:
        return ()
    if pointer[0] != "/":
        raise BadOperation(f"pointer {pointer!r} does not start with '/'")
    segments = tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/"))
    if not FORBIDDEN_KEYS.isdisjoint(segments):
        raise BadOperation(f"pointer {pointer!r} names a forbidden key")
    if len(segments) > MAX_DEPTH:
        raise BadOperation(f"a pointer of more than {MAX_DEPTH} segments")
    return segments


def plain(value: Any) -> Any:
    """A copy without `Growing` inside, safe to keep."""
    if isinstance(value, Growing):
        return value.text()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


class Document:
    """One document and the operations the wire knows."""

    __slots__ = ("root",)

    def __init__(self, root: Any = None) -> None:
        self.root: Any = {} if root is None else root

    def get(self, *segments: str | int) -> Any:
        """The plain value at a place, or None where there is none."""
        found = self.root
        for segment in segments:
            if isinstance(found, dict):
                found = found.get(segment)
            elif isinstance(found, list) and isinstance(segment, int):
                found = found[segment] if segment < len(found) else None
            else:
                return None
        return plain(found)

    def growing(self, segments: tuple[str, ...]) -> Growing | None:
        """The text at a place, made ready to grow; None where something else stands."""
        if not segments:
            return None
        parent = self._parent(segments, make=True)
        if isinstance(parent, list) and segments[-1] == "-":
            return None  # after the end of a list each text is an item of its own
        key = self._key(parent, segments[-1])
        found = _at(parent, key)
        if found is None or isinstance(found, str):
            found = Growing(found or "")
            _put(parent, key, found)
        return found if isinstance(found, Growing) else None

    def apply(self, op: str, segments: tuple[str, ...], value: Any) -> None:
        """Do one operation other than the growing of text. One that fails does nothing."""
        if op not in OPERATIONS:
            raise BadOperation(f"unknown operation {op!r}")
        if _depth(value) + len(segments) > MAX_DEPTH:
            raise BadOperation(f"nested more than {MAX_DEPTH} deep")
        if not segments:
            self._apply_to_root(op, value)
            return
        parent = self._parent(segments, make=op in _MAKING)
        key = self._key(parent, segments[-1])
        exists = key in parent if isinstance(parent, dict) else key < len(parent)
        match op:
            case "add" if isinstance(parent, list):
                parent.insert(key, value)
            case "add" | "replace":
                _put(parent, key, value)
            case "append":
                _put(parent, key, _appended(parent[key] if exists else None, value))
            case "remove":
                if not exists:
                    raise BadOperation(f"nothing to remove at {segments[-1]!r}")
                del parent[key]
            case "truncate":
                if not exists:
                    raise BadOperation(f"nothing to truncate at {segments[-1]!r}")
                _put(parent, key, _truncated(parent[key], value))

    def _apply_to_root(self, op: str, value: Any) -> None:
        match op:
            case "add" | "replace":
                self.root = value
            case "append":
                self.root = _appended(self.root, value)
            case "remove":
                self.root = {}
            case "truncate":
                self.root = _truncated(self.root, value)

    def _parent(self, segments: tuple[str, ...], *, make: bool) -> dict[str, Any] | list[Any]:
        """The container of a place. What is missing on the way is made, if it may be: a list
        where its first element is meant, else an object.

        Nothing can fail once the first is made: everything below it is new.
        """
        found: Any = self.root
        is_new = False  # what is found was made on this way
        for segment, below in pairwise(segments):
            if isinstance(found, dict):
                if found.get(segment) is None:
                    if not make:
                        raise BadOperation(f"nothing exists at {segment!r}")
                    found[segment] = [] if below in _FIRST else {}
                    is_new = True
                found = found[segment]
            elif isinstance(found, list):
                index = self._key(found, segment)
                if index >= len(found):
                    if not is_new:
                        raise BadOperation(f"no element {segment} in a list of {len(found)}")
                    found.append([] if below in _FIRST else {})
                found = found[index]
            else:
                raise BadOperation(f"nothing exists at {segment!r}")
        if not isinstance(found, dict | list):
            raise BadOperation(f"{segments[-1]!r} is not inside an object or a list")
        return found

    @staticmethod
    def _key(parent: dict[str, Any] | list[Any], segment: str) -> Any:
        if isinstance(parent, dict):
            return segment
        if segment == "-":
            return len(parent)
        if not _INDEX.fullmatch(segment):
            raise BadOperation(f"{segment!r} is not a list index")
        index = int(segment)
        if index > min(len(parent), MAX_INDEX):
            raise BadOperation(f"no element {index} in a list of {len(parent)}")
        return index


def _at(parent: dict[str, Any] | list[Any], key: Any) -> Any:
    if isinstance(parent, dict):
        return parent.get(key)
    return parent[key] if key < len(parent) else None


def _put(parent: dict[str, Any] | list[Any], key: Any, value: Any) -> None:
    if isinstance(parent, list) and key == len(parent):
        parent.append(value)
    else:
        parent[key] = value


def _appended(target: Any, value: Any) -> Any:
    if target is None:
        return value
    if isinstance(target, str | Growing) and isinstance(value, str):
        grown = target if isinstance(target, Growing) else Growing(target)
        grown.add(value)
        return grown
    if isinstance(target, list):
        target.extend(value if isinstance(value, list) else [value])
        return target
    if isinstance(target, dict) and isinstance(value, dict):
        target.update(value)
        return target
    kinds = f"{type(value).__name__} to {type(target).__name__}"
    raise BadOperation(f"cannot append {kinds}")


def _truncated(target: Any, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadOperation("truncate needs a length of zero or more")
    if isinstance(target, Growing):
        target = target.text()
    if isinstance(target, str):
        units = target.encode("utf-16-le", "surrogatepass")[: 2 * value]
        return units.decode("utf-16-le", "surrogatepass")
    if isinstance(target, list):
        return target[:value]
    raise BadOperation(f"cannot truncate {type(target).__name__}")


def _depth(value: Any) -> int:
    """How deep a value is nested; keys that would poison a JavaScript reader are refused."""
    if isinstance(value, dict):
        if not FORBIDDEN_KEYS.isdisjoint(value):
            raise BadOperation("the value holds a forbidden key")
        items: Any = value.values()
    elif isinstance(value, list):
        items = value
    else:
        return 0
    return 1 + max((_depth(item) for item in items if isinstance(item, dict | list)), default=0)
