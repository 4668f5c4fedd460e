"""Text of others on a terminal: it must not drive it, nor break what prints it."""

import json
import re
from typing import Any

# What would move the cursor, change colours or ring, and halves of characters, which no
# terminal takes.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# Inside JSON: the same halves, and what many readers of lines take for the end of one.
_ESCAPED = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def print_text(text: str) -> None:
    """Print, with what would drive a terminal made visible."""
    print(_CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text))


def print_json(data: Any) -> None:
    """Print data as one line of JSON, whatever texts are in it; nothing of them is lost."""
    line = json.dumps(data, ensure_ascii=False)
    print(_ESCAPED.sub(lambda one: f"\\u{ord(one[0]):04x}", line))


def shorten(text: str, most: int = 200) -> str:
    """A part of a command in one line."""
    line = " ⏎ ".join(text.splitlines())
    return line if len(line) <= most else f"{line[: most - 20]} … ({len(line):,} characters)"
