"""One row of the table, and how a goal is judged."""

import json
import operator
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

_COMPARE: dict[str, Callable[[float, float], bool]] = {"<=": operator.le, ">=": operator.ge}
TOLERATED = 0.1  # a ratio that is this much worse than before is said to be worse


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: what it came to, against what, and what it should come to.

    `goal` is a comparison with `ratio` ("<= 1.3", ">= 2"); where there is no baseline the
    ratio is the value itself.
    """

    name: str
    value: float
    unit: str
    baseline: float | None
    ratio: float
    goal: str
    ok: bool


def row(name: str, value: float, unit: str, baseline: float | None, goal: str) -> Row:
    """Judge `value / baseline`, or `value` alone where there is nothing to compare with.

    Where more is better and times are measured, the caller swaps the two: see `speedup`.
    """
    ratio = value if baseline is None else value / baseline
    return Row(name, value, unit, baseline, ratio, goal, meets(ratio, goal))


def speedup(name: str, seconds: float, baseline: float, goal: str) -> Row:
    """Judge how many times as fast as the baseline: `baseline / seconds`."""
    ratio = baseline / seconds
    return Row(name, seconds, "s", baseline, ratio, goal, meets(ratio, goal))


def meets(ratio: float, goal: str) -> bool:
    """Whether a ratio is where its goal wants it."""
    sign, _, bound = goal.partition(" ")
    return _COMPARE[sign](ratio, float(bound))


def worse(now: Row, before: Row) -> float:
    """How much worse a ratio is than before, as a share of before; negative where it is better."""
    change = now.ratio / before.ratio - 1
    return change if now.goal.startswith("<=") else -change


def compare(rows: Sequence[Row], before: Sequence[Row], console: Console) -> None:
    """The ratios of two runs side by side; rows that only one of them has are said too."""
    former = {one.name: one for one in before}
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("ratio of")
    for heading in ("before", "now", "change"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    for one in rows:
        old = former.pop(one.name, None)
        if old is None:
            table.add_row(one.name, "", f"{one.ratio:.2f}", "", "new")
            continue
        change = f"{one.ratio / old.ratio - 1:+.0%}"
        verdict = "[bold red]worse[/]" if worse(one, old) > TOLERATED else "[green]ok[/]"
        table.add_row(one.name, f"{old.ratio:.2f}", f"{one.ratio:.2f}", change, verdict)
    for name, old in former.items():
        table.add_row(name, f"{old.ratio:.2f}", "", "", "not measured")
    console.print(table)


def show(rows: Sequence[Row], console: Console) -> None:
    """The table, for people."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("measured")
    for heading in ("value", "baseline", "ratio", "goal"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("")
    for one in rows:
        baseline = "" if one.baseline is None else f"{one.baseline:.4g} {one.unit}"
        verdict = "[green]ok[/]" if one.ok else "[bold red]missed[/]"
        value = f"{one.value:.4g} {one.unit}"
        table.add_row(one.name, value, baseline, f"{one.ratio:.2f}", one.goal, verdict)
    console.print(table)


def write(rows: Sequence[Row], path: Path) -> None:
    """The table, for programs: a list of objects with the fields of `Row`."""
    path.write_text(json.dumps([asdict(one) for one in rows], indent=2) + "\n")


def read(path: Path) -> list[Row]:
    """The rows that `write` wrote."""
    return [Row(**one) for one in json.loads(path.read_text())]
