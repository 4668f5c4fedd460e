"""What an exported file is called: safe on every system, whatever the title.

A title is a stranger's text. It may hold a path, a device of Windows, letters that run the
other way, or nothing. The file's name is made of what is harmless in it; the title itself stays
as it is inside the file.
"""

import re
import unicodedata
from datetime import UTC, datetime

MAX_CHARACTERS = 80
MAX_BYTES = 180  # of 255 that file systems take; the rest is for date, ending and temporary names
UNTITLED = "untitled"

_FORBIDDEN = re.compile(r'[/\\:*?"<>|]')
_GAPS = re.compile(r"[\s_]+")
_DEVICE = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\..*)?", re.IGNORECASE
)


def safe_stem(title: str) -> str:
    """The harmless part of a title, never empty."""
    plain = unicodedata.normalize("NFC", title)
    # control, format (they turn the direction), half characters, private and unassigned ones
    plain = "".join(
        " " if char.isspace() else char
        for char in plain
        if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    plain = _GAPS.sub("_", _FORBIDDEN.sub("", plain))
    plain = plain.strip("_. -~")[:MAX_CHARACTERS]
    while len(plain.encode()) > MAX_BYTES:
        plain = plain[:-1]
    plain = plain.rstrip("_. -")
    if _DEVICE.fullmatch(plain):
        plain = f"_{plain}"
    return plain or UNTITLED


def file_name(title: str, when: float | None, ending: str = ".json") -> str:
    """The title, and when the conversation was last changed, in UTC."""
    stem = safe_stem(title)
    try:
        moment = datetime.fromtimestamp(when or 0.0, UTC) if when is not None else None
    except (ValueError, OverflowError, OSError):
        moment = None
    return f"{stem}_{moment:%Y-%m-%d_%H-%M-%S}{ending}" if moment else f"{stem}{ending}"
