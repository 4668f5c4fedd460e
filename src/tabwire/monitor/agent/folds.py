"""What a line that stands for folded steps says of them, where they were not seen themselves.

The stand-alone program takes folded steps out of its page: `Ran 2 commands`, `Worked for 4m`,
`Show 3 more`. Nobody unfolds them for us, it is a person's window. So the log says how many are
missing, or that some are; where all of them were told while they ran, it says nothing more.
"""

import re
from collections.abc import Iterable

from tabwire.model.agent import Row, RowKind

_MORE = re.compile(r"(\d+)\s+more\b|(\d+)\s*件", re.IGNORECASE)
_COUNTED = re.compile(r"(?<![\w.])(\d+)\s+(?!sec|min|hour)[^\W\d_]{3,}|(\d+)\s*(?:件|個|回)")
_COMMANDS = re.compile(r"command|コマンド", re.IGNORECASE)
_STEPS = frozenset({RowKind.TOOL, RowKind.COMMAND, RowKind.THINKING, RowKind.TASK, RowKind.NOTE})
MORE = "more"
"""The state of a row that stands for steps beside those that are shown."""


def told_fold(row: Row, before: Iterable[Row]) -> str:
    """The line for the log. `before`: the rows of its turn that stand before it, in order."""
    if row.state == MORE:
        found = _MORE.search(row.label)
        return f"{row.label} ({_many(_sum([found]), more=True) if found else 'steps are folded'})"
    group = _since(before, counted := _sum(_COUNTED.finditer(row.label)))
    if counted:
        kind = RowKind.COMMAND if _COMMANDS.search(row.label) else RowKind.TOOL
        missing = counted - sum(one.kind is kind for one in group)
        return f"{row.label} ({_many(missing)})" if missing > 0 else row.label
    # a line that says how long it took: all since something was said
    if any(one.kind in _STEPS or one.kind is RowKind.FOLD for one in group):
        return row.label
    return f"{row.label} (steps are folded; how many is not shown)"


def _since(before: Iterable[Row], counted: int) -> list[Row]:
    """The rows it can stand for: since something was said or, where it counts, since the line
    before that did."""
    group: list[Row] = []
    for one in before:
        ends = one.kind is RowKind.FOLD and (bool(counted) or not _COUNTED.search(one.label))
        if one.kind is RowKind.PROSE or (ends and one.state != MORE):
            group = []
        else:
            group.append(one)
    return group


def _sum(found: Iterable[re.Match[str]]) -> int:
    return sum(int(next(one for one in match.groups() if one)) for match in found)


def _many(count: int, *, more: bool = False) -> str:
    word = "more " if more else ""
    return f"1 {word}step is folded" if count == 1 else f"{count} {word}steps are folded"
