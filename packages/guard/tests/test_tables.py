"""Labelled commands: ours always, the corpus where it is beside the checkout."""

import json
from pathlib import Path

import pytest

from tabwire_guard.judgement import judge

TABLES = Path(__file__).parent / "tables"
CORPUS = Path(__file__).resolve().parents[4] / "shared" / "corpus" / "commands.json"
WORKSPACES = {
    "bash": "/home/dev/app",
    "powershell": r"C:\Users\dev\app",
    "cmd": r"C:\Users\dev\app",
}


def entries(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))


def verdict(entry: dict) -> str:
    shell = entry["shell"]
    workspace = WORKSPACES.get(shell, WORKSPACES["bash"])
    return judge(entry["cmd"], shell=shell, workspace=workspace).verdict.word


def misses(path: Path, label: str) -> list[str]:
    return [
        one["cmd"]
        for one in entries(path)
        if one["label"] == label and (verdict(one) == "allow") != (label == "allow")
    ]


OURS = sorted(TABLES.glob("*.json"))


@pytest.mark.parametrize("path", OURS, ids=[one.stem for one in OURS])
@pytest.mark.parametrize("label", ["deny", "ask", "allow"])
def test_our_own_tables_are_judged_as_labelled(path, label):
    assert misses(path, label) == []


@pytest.mark.parametrize("path", OURS, ids=[one.stem for one in OURS])
@pytest.mark.parametrize("home", ["/home/dev", "/root"])
def test_a_shell_of_windows_is_judged_alike_where_no_path_has_a_drive(path, home):
    """So `tabwire guard check` and `tabwire.judge` see it on Linux and on macOS."""
    wrong = [
        one["cmd"]
        for one in entries(path)
        if one["shell"] in ("powershell", "cmd")
        and (one["label"] == "allow")
        != (
            judge(one["cmd"], shell=one["shell"], workspace="/home/dev/app", home=home).verdict == 0
        )
    ]
    assert wrong == []


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not beside the checkout")
@pytest.mark.parametrize("label", ["deny", "ask", "allow"])
def test_the_corpus_is_judged_as_labelled(label):
    assert misses(CORPUS, label) == []


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not beside the checkout")
def test_what_must_never_be_clicked_is_denied_not_only_asked_about():
    """From a chat an `ask` can be approved, a `deny` cannot."""
    assert denied(CORPUS) > 0.95


def test_the_same_holds_for_what_strangers_wrote():
    assert denied(TABLES / "strangers.json") > 0.95


def denied(path: Path) -> float:
    """How much of what must never be clicked is denied, not only asked about."""
    known = [verdict(one) for one in entries(path) if one["label"] == "deny"]
    return known.count("deny") / len(known)


def test_every_table_has_all_labels_and_shells():
    for path in OURS:
        found = {(one["label"], one["shell"]) for one in entries(path)}
        assert {label for label, _ in found} == {"deny", "ask", "allow"}, path
        assert {shell for _, shell in found} >= set(WORKSPACES), path


HOLES = Path(__file__).parent / "holes.json"


@pytest.mark.parametrize("shell", WORKSPACES)
def test_what_once_slipped_through_does_not_any_more(shell):
    """Written by somebody who read the guard's code to get around it."""
    known = [one for one in entries(HOLES) if one["shell"] == shell]
    assert len(known) > 5
    let_through = [
        one["cmd"]
        for one in known
        for home in (None, "/home/you" if shell == "bash" else r"C:\Users\you")
        if judge(one["cmd"], shell=shell, home=home).verdict.word == "allow"
    ]
    assert let_through == []
