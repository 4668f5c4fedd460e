"""What `make test` leaves to `make soak`, and that a test that is named runs all the same."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
GUARD = TESTS.parent / "packages" / "guard"
REAL = "lab/replicas/chatgpt/test_layouts.py::test_an_exchange_in_every_language"

CONFTEST = """
import pytest
from guard_kit.named import run_what_is_named
from kit import turns

@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    turns.leave_rows_to_soak(items)
    run_what_is_named(config, items)
"""
MATRIX_AND_CLASS = """
import pytest
from kit.turns import by_turns

@pytest.mark.parametrize("row", by_turns("rows", ["one", "a::b", "x[2]"]))
def test_matrix(row): pass

@pytest.mark.soak
class TestLong:
    def test_one(self): pass
    def test_other(self): pass

@pytest.mark.rows(2, first=1)
@pytest.mark.parametrize("n", range(6))
def test_spread(n): pass

@pytest.mark.rows(5)
@pytest.mark.parametrize("n", [0, pytest.param(1, marks=pytest.mark.soak), 2])
def test_fewer(n): pass

def test_short(): pass
"""
PYTEST_INI = """
[pytest]
addopts = --strict-markers -m "not soak"
markers =
    soak: long
    rows: how many
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text(PYTEST_INI)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "test_some.py").write_text(MATRIX_AND_CLASS)
    return tmp_path


def names(folder, *arguments):
    """The tests that pytest runs for these arguments, without their file."""
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *arguments]
    outer = {name for name in os.environ if name.startswith("PYTEST_")}
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    environment["PYTHONPATH"] = os.pathsep.join([str(TESTS), str(GUARD / "tests")])
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 5), done.stdout + done.stderr  # 5: no test was left
    found = re.findall(r"^PASSED \S*?::(.+)$", done.stdout, re.MULTILINE)
    return {re.sub(r"@\w+$", "", name) for name in found}


FILE = "deep/test_some.py"
MATRIX = {"test_matrix[one]", "test_matrix[a::b]", "test_matrix[x[2]]"}
SPREAD = {f"test_spread[{n}]" for n in range(6)}
LONG = {"TestLong::test_one", "TestLong::test_other"}

# what is meant, the folder, arguments of pytest, what runs
NAMED = [
    ("rows", ".", [f"{FILE}::test_matrix[{row}]" for row in ("one", "a::b", "x[2]")], MATRIX),
    ("a function, a class", ".", [f"{FILE}::test_spread", f"{FILE}::TestLong"], SPREAD | LONG),
    ("from its own folder", "deep", ["test_some.py::TestLong::test_one"], {"TestLong::test_one"}),
    ("with workers", ".", ["-n", "2", f"{FILE}::TestLong"], LONG),
    ("a name and a marker", ".", ["-m", "not soak and not slow", f"{FILE}::TestLong"], set()),
]


@pytest.mark.parametrize(
    "folder, arguments, run", [c[1:] for c in NAMED], ids=[c[0] for c in NAMED]
)
def test_a_test_that_is_named_runs_also_when_it_is_set_aside(project, folder, arguments, run):
    assert names(project / folder, *arguments) == run


def test_naming_only_a_file_leaves_out_what_is_set_aside(project):
    due = names(project, FILE)
    assert len(due & MATRIX) == 1
    rows = {"test_spread[1]", "test_spread[4]", "test_fewer[0]", "test_fewer[2]"}
    assert due - MATRIX == {"test_short", *rows}


LONG_OF_GUARD = "tests/test_shells.py::test_no_script_of_a_long_run_does_what_was_not_seen"
ROWS = [f"tests/{REAL}[{row}]" for row in ("octane", "turn_key")]

# where pytest starts, what is named there
OURS = [
    (TESTS.parent, ROWS),
    (TESTS.parent, [f"packages/guard/{LONG_OF_GUARD}"]),
    (GUARD, [LONG_OF_GUARD]),
    (TESTS.parent, [*ROWS, f"packages/guard/{LONG_OF_GUARD}"]),
]


@pytest.mark.parametrize("folder, named", OURS, ids=["tabwire", "guard", "inside", "both"])
def test_so_it_is_in_our_own_tests(folder, named):
    """Promise: docs. CONTRIBUTING says that a test that is named runs."""
    found = collected(folder, named)
    assert len(found) == len(named)
    assert all(name.endswith(test) for name, test in zip(named, found, strict=True))


def test_what_nobody_names_is_left_out_of_both():
    """The guard's hook must not leave out before Tabwire's has marked the rows of a matrix."""
    files = [f"tests/{REAL.partition('::')[0]}", "packages/guard/tests/test_shells.py"]
    found = collected(TESTS.parent, files)
    assert f"packages/guard/{LONG_OF_GUARD}" not in found
    assert not set(ROWS) & set(found)
    assert {test.partition("::")[0] for test in found} == set(files)


def collected(folder, named):
    """The node ids that pytest collects for these arguments."""
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", *named],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return [line for line in found.stdout.splitlines() if "::" in line]
