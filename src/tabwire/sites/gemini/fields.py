"""Google's array messages: a field is a place in a list, or a number in its last object.

A message is a list; field number n stands at index n - 1. Where most fields are empty,
the rest come in one object at the list's end, keyed by number: `[null,[…],{"26":"…"}]`
states index 25. So `{"11":["A title"]}` and a list with `["A title"]` at index 10 are the
same message, and both are met. We count by index, as every public note on Gemini does.
"""

from typing import Any


def at(node: Any, *path: int) -> Any:
    """The value at a path of indices, or None where there is none."""
    for index in path:
        if isinstance(node, dict):
            node = node.get(str(index + 1))
        elif isinstance(node, list) and node:
            node = _field(node, index)
        else:
            return None
    return node


def text_at(node: Any, *path: int) -> str | None:
    """The text at a path; None where it is empty or no text."""
    found = at(node, *path)
    return found if isinstance(found, str) and found else None


def list_at(node: Any, *path: int) -> list[Any]:
    """The list at a path; empty where there is none."""
    found = at(node, *path)
    return found if isinstance(found, list) else []


def time_at(node: Any, *path: int) -> float | None:
    """`[seconds, nanos]` at a path as seconds since 1970."""
    match at(node, *path):
        case [int(seconds), int(nanos), *_]:
            return seconds + nanos / 1e9
        case [int(seconds)]:
            return float(seconds)
    return None


def _field(items: list[Any], index: int) -> Any:
    rest = items[-1]
    if not isinstance(rest, dict):
        return items[index] if index < len(items) else None
    stated = items[index] if index < len(items) - 1 else None
    return rest.get(str(index + 1)) if stated is None else stated
