"""Switches of Windows' own programs: `/s`, `/s/q`, `/w:C:\\`, in letters of any size."""

import re

from tabwire_guard.call import Call
from tabwire_guard.record import field, record
from tabwire_guard.values import ANY, STAR, Value

_PATTERN = str.maketrans({"*": STAR, "?": ANY})


@record
class Switches:
    """What was said."""

    said: dict[str, list[Value]] = field(default_factory=dict)
    """By name in small letters, without the slash."""
    operands: list[Value] = field(default_factory=list)

    def has(self, *names: str) -> bool:
        """Whether one of these was said."""
        return any(name in self.said for name in names)

    def values(self, *names: str) -> list[Value]:
        """What was said with these."""
        return [one for name in names for one in self.said.get(name, ())]

    def verb(self, at: int = 0) -> str:
        """An operand in small letters: what is to be done."""
        return self.operands[at].text.lower() if at < len(self.operands) else ""


def switches(call: Call, takes: str = "", *, dashes: bool = False) -> Switches:
    """Read them; `takes` names those whose value is the next argument."""
    valued = frozenset(takes.split())
    found = Switches()
    rest = list(call.args)
    while rest:
        word = rest.pop(0)
        text = word.text
        if text == f"/{ANY}":
            text = "/?"
        if re.match(r"//[a-z]", text, re.IGNORECASE):  # as bash on Windows needs it
            text = text[1:]
        if not (text.startswith("/") or (dashes and text.startswith("-"))) or len(text) < 2:
            found.operands.append(word)
            continue
        name, colon, value = text[1:].partition(":")
        names = name.lower().split("/") if "\\" not in name else [name.lower()]
        for one in names:
            found.said.setdefault(one, [])
        if colon:
            found.said[names[-1]].append(word._replace(text=value.strip('"')))
        elif names[-1] in valued and rest:
            found.said[names[-1]].append(rest.pop(0))
    return found


def path(value: Value) -> Value:
    """A value as a path: patterns work in quotes too."""
    return value._replace(text=value.text.translate(_PATTERN))
