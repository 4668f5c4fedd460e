"""Keys, as the DevTools protocol wants them pressed."""

from collections.abc import Iterable
from typing import Any

MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}

_CODES = {
    "Backspace": 8,
    "Tab": 9,
    "Enter": 13,
    "Escape": 27,
    "PageUp": 33,
    "PageDown": 34,
    "End": 35,
    "Home": 36,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Delete": 46,
}
"""Named keys and their Windows key codes, which Chromium reads on every system."""

_TEXTS = {"Enter": "\r"}
"""Named keys that also write something."""


def strokes(key: str, modifiers: Iterable[str] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
    """The two events of one key press, down and up. `key` is a name or one character."""
    if len(key) != 1 and key not in _CODES:
        raise ValueError(f"no such key: {key!r}")
    held = sum(MODIFIERS[name] for name in set(modifiers))
    about: dict[str, Any] = {"key": key, "modifiers": held}
    if key in _CODES:
        about |= {"code": key, "windowsVirtualKeyCode": _CODES[key]}
        text = _TEXTS.get(key, "")
    else:
        about |= _written(key)
        text = key
    writes = text and not held & ~MODIFIERS["Shift"]  # Control+a is a command, not an "a"
    down = {"type": "keyDown", "text": text} if writes else {"type": "rawKeyDown"}
    return {**down, **about}, {"type": "keyUp", **about}


def _written(character: str) -> dict[str, Any]:
    """Where a character lies on a keyboard, if it is a letter, a digit or the space."""
    upper = character.upper()
    if len(upper) == 1 and upper.isascii() and upper.isalnum():
        place = "Digit" if upper.isdigit() else "Key"
        return {"code": f"{place}{upper}", "windowsVirtualKeyCode": ord(upper)}
    if character == " ":
        return {"code": "Space", "windowsVirtualKeyCode": 32}
    return {}
