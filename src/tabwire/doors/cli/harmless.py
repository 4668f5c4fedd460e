"""Text of others on a terminal: it must not drive it."""

import re

# What would move the cursor, change colours or ring.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def harmless(text: str) -> str:
    """The text with what would drive a terminal made visible."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)
