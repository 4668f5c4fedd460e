"""`make bench`: every measurement, one table, bench.json.

    make bench                    all of them
    make bench ARGS='help wire'   only measure_help.py and measure_wire.py

Leaves with 1 if any goal was missed, after everything has been measured and written.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from rich.console import Console

from bench.table import Row, show, write

HERE = Path(__file__).resolve().parent
REPORT = HERE.parent / "bench.json"


def main(subjects: Sequence[str]) -> int:
    """Measure the subjects named, or all."""
    console = Console()
    known = sorted(path.stem.removeprefix("measure_") for path in HERE.glob("measure_*.py"))
    if unknown := set(subjects) - set(known):
        console.print(f"no such subject: {', '.join(sorted(unknown))}; there are {known}")
        return 2
    rows = collect(subjects or known, console)
    show(rows, console)
    write(rows, REPORT)
    missed = [one.name for one in rows if not one.ok]
    console.print(f"{len(rows) - len(missed)} of {len(rows)} goals met; wrote {REPORT.name}")
    return 1 if missed else 0


def collect(subjects: Sequence[str], console: Console) -> list[Row]:
    """One subject after the other: two at once would measure each other."""
    rows: list[Row] = []
    for subject in subjects:
        console.print(f"measuring {subject} …", style="dim")
        rows += import_module(f"bench.measure_{subject}").measure()
    return rows


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
