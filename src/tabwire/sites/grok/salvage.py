"""A JSON body that was cut: its whole parts, closed where the cut is.

The structure is followed mark by mark; the text is cut after the last value that was
whole inside its object or list, and the open brackets are closed.
"""

import re
from typing import Any

from tabwire.wire.records import MAX_DEPTH
from tabwire.wire.text import NotJson, read_json

_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}


def salvage_json(raw: bytes) -> Any:
    """The value as far as it is whole, or None where nothing of it is."""
    text = raw.decode("utf-8", "replace").strip()
    if text[:1] not in ("{", "["):
        return None
    open_marks: list[str] = []
    end, still_open = 0, ""
    for match in _MARKS.finditer(text):
        mark = match[0]
        if mark in _CLOSING:
            open_marks.append(mark)
            if len(open_marks) > MAX_DEPTH:
                return None
        elif mark in ("}", "]"):
            if not open_marks or _CLOSING[open_marks.pop()] != mark:
                break
            end, still_open = match.end(), "".join(open_marks)
            if not open_marks:
                break
    if not end:
        return None
    closing = "".join(_CLOSING[mark] for mark in reversed(still_open))
    try:
        return read_json(text[:end] + closing)
    except NotJson:
        return None
