"""`make test` runs the few tests that failed once more, alone, and lists the flaky ones last."""

import pytest

from scripts import test as script

FLAKY = """
    from pathlib import Path
    import pytest
    @pytest.mark.xdist_group("browser")
    def test_flaky():
        seen = Path(__file__).with_name("seen")
        first = not seen.exists()
        seen.touch()
        assert not first
"""
BROKEN = "def test_broken(): assert False\n"
FINE = "def test_fine(): pass\n"
SIX = "".join(f"def test_{n}(): assert False\n" for n in range(script.MAX_RERUNS + 1))
UNREADABLE = "import no_such_module_at_all\n"
CRASHES = "import os\ndef test_crashes(): os._exit(3)\n"
LEFT_OUT = """
    import pytest
    @pytest.mark.slow
    def test_slow(): assert False
"""

CASES = [
    # name, files, exit code, last lines of the run
    ("all pass", {"fine": FINE}, 0, []),
    (
        "one is flaky",
        {"flaky": FLAKY, "fine": FINE},
        0,
        [
            "flaky (failed once, passed alone): test_flaky.py::test_flaky",
            "test: 0 failed twice, 1 flaky",
        ],
    ),
    (
        "one fails twice",
        {"flaky": FLAKY, "broken": BROKEN},
        1,
        [
            "failed twice: test_broken.py::test_broken",
            "flaky (failed once, passed alone): test_flaky.py::test_flaky",
            "test: 1 failed twice, 1 flaky",
        ],
    ),
    (
        "more than five fail",
        {"six": SIX},
        1,
        [f"test: 6 failed; at most {script.MAX_RERUNS} tests are run again"],
    ),
    (
        "one ends its process",
        {"crashes": CRASHES, "fine": FINE},
        1,
        ["failed twice: test_crashes.py::test_crashes", "test: 1 failed twice, 0 flaky"],
    ),
]


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKERS", "0")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\naddopts = --strict-markers\nmarkers =\n    slow: left out\n"
    )

    def write(files):
        for name, text in files.items():
            lines = text.splitlines()
            kept = "\n".join(one.removeprefix("    ") for one in lines)
            (tmp_path / f"test_{name}.py").write_text(kept if text[0] == "\n" else text)
        return tmp_path

    return write


@pytest.mark.parametrize("files, code, last", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_failure_is_tried_again_alone(project, capfd, monkeypatch, files, code, last):
    if {"flaky", "crashes"} & files.keys():  # a group is put behind a name; a worker ends
        monkeypatch.setenv("WORKERS", "2")
    assert script.main([], project(files)) == code
    said = capfd.readouterr().out.splitlines()
    assert said[len(said) - len(last) :] == last


def test_a_file_that_cannot_be_read_is_red_at_once(project, capfd):
    assert script.main([], project({"unreadable": UNREADABLE, "fine": FINE})) != 0
    assert "running again" not in capfd.readouterr().out


def test_a_test_chosen_against_its_marker_fails_the_second_time_too(project):
    """Promise: truth. A marker that leaves a test out would let its second try pass unseen."""
    root = project({"slow": LEFT_OUT})
    (root / "pytest.ini").write_text(
        "[pytest]\naddopts = -m 'not slow'\nmarkers =\n    slow: left out\n"
    )
    assert script.main(["-m", "slow"], root) == 1


def test_what_was_compiled_is_kept_also_where_python_is_told_not_to(project, monkeypatch):
    """Every worker would compile every test anew, which is a minute of the whole run."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    root = project({"fine": FINE})
    assert script.main([], root) == 0
    assert list(root.glob("__pycache__/test_fine*.pyc"))
