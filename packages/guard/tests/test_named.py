"""A test of ours that is named runs, also when it is set aside for long runs."""

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent
LONG = "test_no_script_of_a_long_run_does_what_was_not_seen"

# where pytest starts, what is named, whether the long test is among what is collected
CASES = [
    (PACKAGE, f"tests/test_shells.py::{LONG}", True),
    (PACKAGE / "tests", f"test_shells.py::{LONG}", True),
    (PACKAGE, "tests/test_shells.py", False),
]


@pytest.mark.parametrize("folder, named, runs", CASES)
def test_a_test_that_is_named_runs_also_when_it_is_set_aside(folder, named, runs):
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", named],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (LONG in found.stdout) is runs, found.stdout + found.stderr
