"""Text of others on a terminal: it must not drive it, nor break what prints it."""

import json
import re
from typing import Any

# What would move the cursor, change colours or ring, and halves of characters, which no
# terminal takes.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# Inside JSON: the same halves, and what many readers of lines take for the end of one.
_ESCAPED = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def harmless(text: str) -> str:
    """The text with what would drive a terminal made visible."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def json_line(data: Any) -> str:
    """Data as one line of JSON, whatever texts are in it; nothing of them is lost."""
    return _ESCAPED.sub(lambda one: f"\\u{ord(one[0]):04x}", json.dumps(data, ensure_ascii=False))
