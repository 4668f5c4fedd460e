"""The guard: commands per second on one core, and how fast `tabwire guard check` starts."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bench.race import median_of
from bench.table import Row, row
from tabwire_guard.judgement import judge

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "packages" / "guard" / "tests" / "tables"
CORPUS = ROOT.parent / "shared" / "corpus" / "commands.json"
ROUNDS = 21
REPEATS = 5


def measure() -> list[Row]:
    """The corpus where it is beside the checkout, else our own tables; whole processes in turns."""
    paths = [CORPUS] if CORPUS.exists() else sorted(TABLES.glob("*.json"))
    commands = [one for path in paths for one in json.loads(path.read_text(encoding="utf-8"))]
    for one in commands:  # rooms are imported when first needed
        judge(one["cmd"], shell=one["shell"])
    began = time.process_time()
    for _ in range(REPEATS):
        for one in commands:
            judge(one["cmd"], shell=one["shell"])
    seconds = time.process_time() - began
    tabwire = str(Path(sys.executable).with_name("tabwire"))
    ours, theirs = median_of(
        ROUNDS,
        started([sys.executable, tabwire, "guard", "check", "--no-record", "--", "ls", "-la"]),
        started([sys.executable, tabwire, "--help"]),
    )
    rate = len(commands) * REPEATS / seconds
    return [
        row("guard: commands judged per second of one core", rate, "1/s", None, ">= 2000"),
        row("tabwire guard check, against tabwire --help", ours, "s", theirs, "<= 2"),
    ]


def started(command: list[str]) -> Callable[[], object]:
    """Something that runs a command in a process of its own."""
    return lambda: subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
