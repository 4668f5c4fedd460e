"""The frame of the benchmarks. What they measure is for `make bench` alone to say."""

import gc
import json
import shutil
import subprocess
import sys

import pytest
from rich.console import Console

from bench import measure_export, peak, race, run
from bench.table import Row, meets, row, show, speedup, write

FIELDS = ["name", "value", "unit", "baseline", "ratio", "goal", "ok"]

GOALS = [
    # ratio, goal, met
    (1.3, "<= 1.3", True),
    (1.31, "<= 1.3", False),
    (2.0, ">= 2", True),
    (1.99, ">= 2", False),
]


@pytest.mark.parametrize("ratio, goal, met", GOALS)
def test_a_goal_includes_its_bound(ratio, goal, met):
    assert meets(ratio, goal) is met


def test_a_cost_is_judged_against_its_baseline_and_a_speed_the_other_way_round():
    assert row("cost", 3.0, "s", 2.0, "<= 1.4") == Row("cost", 3.0, "s", 2.0, 1.5, "<= 1.4", False)
    assert speedup("speed", 2.0, 3.0, ">= 1.4") == Row("speed", 2.0, "s", 3.0, 1.5, ">= 1.4", True)


def test_a_value_without_a_baseline_is_its_own_ratio():
    assert row("memory", 90.0, "MB", None, "<= 400").ratio == 90.0


def test_the_report_is_a_list_of_objects_with_the_agreed_fields(tmp_path):
    rows = [row("a", 1.0, "s", 2.0, "<= 1.3"), row("b", 500.0, "MB", None, "<= 400")]
    write(rows, tmp_path / "bench.json")
    report = json.loads((tmp_path / "bench.json").read_text())
    assert [list(one) for one in report] == [FIELDS, FIELDS]
    assert [one["ok"] for one in report] == [True, False]
    assert report[1]["baseline"] is None


def test_the_table_shows_what_was_missed(capsys):
    show([row("memory", 500.0, "MB", None, "<= 400")], Console(width=100))
    out = capsys.readouterr().out
    assert "500 MB" in out
    assert "missed" in out


BESIDE = [
    # goal, before, now, said of it
    ("<= 1.3", 1.0, 1.09, "ok"),
    ("<= 1.3", 1.0, 1.12, "worse"),
    ("<= 1.3", 1.0, 0.5, "ok"),
    (">= 20", 40.0, 37.0, "ok"),
    (">= 20", 40.0, 30.0, "worse"),
    (">= 20", 40.0, 90.0, "ok"),
]


@pytest.mark.parametrize("goal, before, now, said", BESIDE)
def test_ratios_stand_beside_those_of_an_earlier_run(
    monkeypatch, tmp_path, capsys, goal, before, now, said
):
    old = tmp_path / "old.json"
    write([row("a", before, "s", 1.0, goal), row("gone", 2.0, "s", 1.0, goal)], old)
    monkeypatch.setattr(run, "REPORT", tmp_path / "bench.json")
    monkeypatch.setattr(run, "measured", lambda _: [row("a", now, "s", 1.0, goal)])
    run.main(["--against", str(old), "help"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines if line.startswith("a ")][-1] == said
    assert any(line.startswith("gone ") and line.endswith("not measured") for line in lines)


@pytest.mark.parametrize("argument", [[], ["missing.json"]])
def test_an_earlier_run_that_cannot_be_read_is_refused_before_anything_is_measured(
    monkeypatch, tmp_path, argument
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "measured", pytest.fail)
    assert run.main(["--against", *argument]) == 2


@pytest.mark.parametrize("value, code", [(1.0, 0), (2.0, 1)])
def test_a_missed_goal_is_the_exit_code_after_the_report_is_written(
    monkeypatch, tmp_path, value, code
):
    report = tmp_path / "bench.json"
    monkeypatch.setattr(run, "REPORT", report)
    monkeypatch.setattr(run, "measured", lambda _: [row("a", value, "s", 1.0, "<= 1.3")])
    assert run.main(["help"]) == code
    assert json.loads(report.read_text())[0]["value"] == value


def test_a_subject_nobody_measures_is_refused():
    assert run.main(["weather"]) == 2


def test_a_subject_that_fails_costs_only_its_own_rows(monkeypatch, tmp_path, capsys):
    """Promise: keep. Each row is in the report before the next subject begins."""
    report = tmp_path / "bench.json"
    kept = []

    def measured(subject):
        kept.append(len(json.loads(report.read_text())) if report.exists() else 0)
        if subject == "hook":
            return "exit 1; its traceback is above"
        return [row(subject, 1.0, "s", 1.0, "<= 1.3")]

    monkeypatch.setattr(run, "REPORT", report)
    monkeypatch.setattr(run, "measured", measured)
    assert run.main(["help", "hook", "lab"]) == 1
    assert kept == [0, 1, 1]
    assert [one["name"] for one in json.loads(report.read_text())] == ["help", "lab"]
    assert "not measured: hook" in capsys.readouterr().out


SUBJECTS = [
    # how a subject ends, what comes of it
    ("def measure(): return [row('a', 1.0, 's', 2.0, '<= 1')]", [row("a", 1.0, "s", 2.0, "<= 1")]),
    ("def measure(): raise RuntimeError('no')", "exit 1; its traceback is above"),
    ("import os\ndef measure(): os._exit(9)", "exit 9; its traceback is above"),
    ("import threading\ndef measure(): threading.Event().wait()", "no result within 1 s"),
]


@pytest.mark.parametrize("text, found", SUBJECTS, ids=["rows", "raises", "crashes", "hangs"])
def test_a_subject_is_measured_in_a_process_of_its_own(monkeypatch, tmp_path, text, found):
    package = tmp_path / "bench"
    shutil.copytree(run.HERE, package, ignore=shutil.ignore_patterns("measure_*", "__pycache__"))
    (package / "measure_made_up.py").write_text(f"from bench.table import row\n{text}\n")
    monkeypatch.setattr(run, "HERE", package)
    if isinstance(found, str) and "within" in found:
        monkeypatch.setattr(run, "SUBJECT_SECONDS", 1.0)
    assert run.measured("made_up") == found


def test_contestants_take_turns_and_the_first_round_is_practice():
    order = []
    times = race.in_turns(2, lambda: order.append("a"), lambda: order.append("b"))
    assert order == ["a", "b"] * 3
    assert [len(kept) for kept in times] == [2, 2]
    assert gc.isenabled()


def test_the_peak_is_the_childs_own():
    """A child that holds 60 MB more than another shows at least most of that."""
    bare, big = (
        json.loads(
            subprocess.run(
                [sys.executable, peak.__file__, sys.executable, "-c", program],
                capture_output=True,
                check=True,
            ).stdout
        )
        for program in ("pass", "held = b'x' * 60_000_000")
    )
    assert bare["code"] == big["code"] == 0
    assert big["peak_mb"] - bare["peak_mb"] > 50


def test_the_generated_export_is_json_of_the_size_asked_for_and_always_the_same(tmp_path):
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    measure_export.write_export(first, 300_000)
    measure_export.write_export(second, 300_000)
    assert first.read_bytes() == second.read_bytes()
    assert 300_000 <= first.stat().st_size < 400_000
    for one in json.loads(first.read_bytes()):
        assert one["mapping"][one["current_node"]]["message"]["end_turn"] is True
