"""`make test`: run the tests, then run the few that failed once more, each alone.

    python scripts/test.py [arguments for pytest …]      WORKERS=… (3) sets how many run at once

A test that fails beside others and passes alone is flaky: it is listed last, by its name, and the
run is green. The list is a bug list. A test that fails twice is red, and so are more than
`MAX_RERUNS` failures (those are no accident), an error outside a test, and an interrupted run.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_RERUNS = 5
TESTS_FAILED = 1  # pytest's exit code where tests ran to the end and some failed
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
RERUN_SECONDS = 900  # for one test alone, with its browser; pytest's own timeout is shorter


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Run everything once and the failures twice; the exit code of the whole."""
    workers = os.environ.get("WORKERS", "3")
    with tempfile.TemporaryDirectory(prefix="tabwire-test-") as folder:
        cache = Path(folder)
        how = ["-n", workers, "--dist", "loadgroup", "-o", f"cache_dir={cache}"]
        code = run_pytest(root, *how, *arguments)
        if code != TESTS_FAILED:
            return code
        failed = failures_in(cache)
    if not failed or len(failed) > MAX_RERUNS or any("::" not in test for test in failed):
        print(f"\ntest: {len(failed)} failed; at most {MAX_RERUNS} tests are run again")
        return code
    flaky: list[str] = []
    broken: list[str] = []
    for test in failed:
        print(f"\ntest: running again, alone: {test}", flush=True)
        (broken if failed_alone(root, test) else flaky).append(test)
    summary(flaky, broken)
    return TESTS_FAILED if broken else 0


def run_pytest(root: Path, *arguments: str, seconds: float | None = None) -> int:
    """pytest in a process of its own; its exit code."""
    command = [sys.executable, "-m", "pytest", *arguments]
    # Each worker compiles all the tests anew where Python is told to keep no bytecode.
    around = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
    return subprocess.run(command, cwd=root, env=around, check=False, timeout=seconds).returncode


def failures_in(cache: Path) -> list[str]:
    """The node ids pytest noted as failed, in the order of their names."""
    note = cache / "v" / "cache" / "lastfailed"
    noted = json.loads(note.read_text()) if note.exists() else ()
    # xdist puts the group of a test behind its name
    return sorted(re.sub(r"@[\w-]+$", "", test) for test in noted)


def failed_alone(root: Path, test: str) -> bool:
    """Whether a test fails in a process of its own, with nothing beside it."""
    # `-m ""`: its node id chose it; a marker must not leave it out and count as passed
    alone = ["-p", "no:cacheprovider", "-n", "0", "-q", "-m", "", test]
    try:
        return run_pytest(root, *alone, seconds=RERUN_SECONDS) != 0
    except subprocess.TimeoutExpired:
        return True


def summary(flaky: Sequence[str], broken: Sequence[str]) -> None:
    """What came of the second try, as the last lines of the run."""
    print()
    for test in broken:
        print(f"failed twice: {test}")
    for test in flaky:
        print(f"flaky (failed once, passed alone): {test}")
    print(f"test: {len(broken)} failed twice, {len(flaky)} flaky", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
