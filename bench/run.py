"""`make bench`: every measurement, one table, bench.json.

    make bench                    all of them
    make bench ARGS='help cdp'   only measure_help.py and measure_cdp.py
    make bench ARGS='--against old.json'   also shows each ratio beside that of an earlier run

Each subject is measured in a process of its own, one after the other: a subject that fails or
hangs costs its own rows, and bench.json is written after each. Exits with 1 if a goal was missed
or a subject failed, after everything has been measured and written.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from rich.console import Console

from bench.table import Row, compare, read, show, write

HERE = Path(__file__).resolve().parent
REPORT = HERE.parent / "bench.json"
SUBJECT_SECONDS = 1200.0  # the longest, `ask`, takes about six minutes on an idle machine


def main(arguments: Sequence[str]) -> int:
    """Measure the subjects named, or all."""
    console = Console()
    subjects = list(arguments)
    before: list[Row] | None = None
    if subjects[:1] == ["--against"]:
        try:
            before = read(Path(subjects[1]))
        except (IndexError, OSError, ValueError, TypeError) as error:
            console.print(f"--against wants a bench.json of an earlier run: {error}")
            return 2
        del subjects[:2]
    known = sorted(path.stem.removeprefix("measure_") for path in HERE.glob("measure_*.py"))
    if unknown := set(subjects) - set(known):
        console.print(f"no such subject: {', '.join(sorted(unknown))}; there are {known}")
        return 2
    rows: list[Row] = []
    failed: dict[str, str] = {}
    for subject in subjects or known:
        console.print(f"measuring {subject} …", style="dim")
        found = measured(subject)
        if isinstance(found, str):
            failed[subject] = found
            console.print(f"{subject} failed: {found}", style="bold red")
        else:
            rows += found
        write(rows, REPORT)
    show(rows, console)
    if before is not None:
        compare(rows, before, console)
    missed = [one.name for one in rows if not one.ok]
    console.print(f"{len(rows) - len(missed)} of {len(rows)} goals met; wrote {REPORT.name}")
    for subject, why in failed.items():
        console.print(f"not measured: {subject} ({why})", style="bold red")
    return 1 if missed or failed else 0


def measured(subject: str) -> list[Row] | str:
    """The rows of one subject, or why there are none. Its own output goes to ours."""
    with tempfile.TemporaryDirectory(prefix="tabwire-bench-") as folder:
        rows = Path(folder) / "rows.json"
        command = [sys.executable, "-m", "bench.run", "--into", str(rows), subject]
        try:
            done = subprocess.run(
                command, cwd=HERE.parent, check=False, timeout=SUBJECT_SECONDS
            ).returncode
        except subprocess.TimeoutExpired:
            return f"no result within {SUBJECT_SECONDS:g} s"
        if done or not rows.exists():
            return f"exit {done}; its traceback is above"
        return read(rows)


def measure_into(path: Path, subject: str) -> None:
    """In a subject's own process: measure it and write its rows."""
    write(import_module(f"bench.measure_{subject}").measure(), path)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--into"]:
        measure_into(Path(sys.argv[2]), sys.argv[3])
    else:
        sys.exit(main(sys.argv[1:]))
