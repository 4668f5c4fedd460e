"""Braces of bash: `a{b,c}d` is two words, `{1..3}` three."""

from collections.abc import Sequence

from tabwire_guard.pattern import pattern
from tabwire_guard.script import Lit, Piece, Unknown, Unparsable

MAX_BRACES = 64
"""Words one brace expansion may make."""

_RANGE = pattern(r"(-?\d+)\.\.(-?\d+)(?:\.\.-?\d+)?|([A-Za-z])\.\.([A-Za-z])")


class Mark:
    """An unquoted `{`, `,` or `}` whose meaning shows only at the end of its word."""

    __slots__ = ("char",)

    def __init__(self, char: str) -> None:
        self.char = char


Item = Piece | Mark


def without_marks(items: Sequence[Item]) -> tuple[Piece, ...]:
    """Braces that mean nothing are letters."""
    return tuple(Lit(one.char) if isinstance(one, Mark) else one for one in items)


def expand_braces(items: list[Item]) -> list[list[Item]]:
    """`a{b,c}d` -> `abd`, `acd`; what is no such group means itself."""
    for start, item in enumerate(items):
        if not (isinstance(item, Mark) and item.char == "{"):
            continue
        group = _group(items, start)
        if group is None:
            continue
        end, choices = group
        tails = expand_braces(items[end + 1 :])
        made: list[list[Item]] = []
        for choice in choices:
            for middle in expand_braces(choice):
                made.extend(items[:start] + middle + tail for tail in tails)
                if len(made) > MAX_BRACES:
                    raise Unparsable("braces that expand to too many words")
        return made
    return [items]


def _group(items: list[Item], start: int) -> tuple[int, list[list[Item]]] | None:
    """Where the group that opens at `start` ends, and what it offers."""
    depth = 0
    choices: list[list[Item]] = [[]]
    for at in range(start, len(items)):
        item = items[at]
        char = item.char if isinstance(item, Mark) else ""
        if char == "{":
            depth += 1
            if depth == 1:
                continue
        elif char == "}":
            depth -= 1
            if depth == 0:
                if len(choices) > 1:
                    return at, choices
                ranged = _range(choices[0])
                return (at, ranged) if ranged else None
        elif char == "," and depth == 1:
            choices.append([])
            continue
        choices[-1].append(item)
    return None


def _range(items: list[Item]) -> list[list[Item]] | None:
    if not all(isinstance(one, Lit) and not one.quoted for one in items):
        return None
    found = _RANGE.fullmatch("".join(one.text for one in items if isinstance(one, Lit)))
    if not found:
        return None
    first, last = (found[1], found[2]) if found[1] else (found[3], found[4])
    low, high = (int(first), int(last)) if found[1] else (ord(first), ord(last))
    if abs(high - low) >= MAX_BRACES:
        return [[Unknown(found[0], harmless=True)]]
    step = 1 if high >= low else -1
    numbers = range(low, high + step, step)
    return [[Lit(str(one) if found[1] else chr(one))] for one in numbers]
