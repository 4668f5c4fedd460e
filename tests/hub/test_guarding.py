"""The guard with rules from files: the person's own, and those that came with a project."""

import json
import os
import stat
from pathlib import Path

import pytest

from tabwire.hub import guard as guarding
from tabwire.model.errors import BadSetting


@pytest.fixture
def place(tmp_path, monkeypatch):
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir(mode=0o700)
    project.mkdir()
    monkeypatch.setenv("TABWIRE_HOME", str(home))
    monkeypatch.chdir(project)
    return home, project


def verdict(command: str, project: Path) -> str:
    return guarding.judged(command, shell="bash", workspace=str(project)).verdict.word


def test_without_any_file_the_built_in_rules_hold(place):
    _, project = place
    assert verdict("rm -rf /", project) == "deny"
    assert verdict("npm install", project) == "ask"


def test_own_rules_hold_everywhere_or_in_one_workspace(place, tmp_path):
    _, project = place
    guarding.add("allow", "npm install", workspace=project)
    guarding.add("ban", "left-pad", workspace=None)
    assert verdict("npm install", project) == "allow"
    assert verdict("npm install", tmp_path) == "ask"
    assert verdict("echo left-pad", tmp_path) == "deny"


def test_own_rules_are_for_this_person_alone(place):
    home, project = place
    guarding.add("allow", "npm install", workspace=project)
    guarding.judged("ls", workspace=str(project), record=True)
    for name in (guarding.FILE, guarding.DECISIONS):
        assert stat.S_IMODE(os.stat(home / name).st_mode) == 0o600


def test_a_removed_rule_holds_no_longer(place):
    _, project = place
    guarding.add("allow", "npm install", workspace=project)
    assert guarding.remove("npm install") == 1
    assert guarding.remove("npm install") == 0
    assert verdict("npm install", project) == "ask"


def test_a_file_that_came_with_a_project_never_loosens_until_it_is_accepted(place):
    _, project = place
    path = project / guarding.WORKSPACE_FILE
    path.parent.mkdir()
    path.write_text('allow = ["npm install"]\nban = ["left-pad"]\n')
    assert verdict("npm install", project) == "ask"
    assert verdict("echo left-pad", project) == "deny"
    assert guarding.accept(project) == ("npm install",)
    assert verdict("npm install", project) == "allow"
    path.write_text('allow = ["npm install", "make deploy"]\n')
    assert verdict("npm install", project) == "ask"
    assert verdict("make deploy", project) == "ask"


BROKEN = [
    'allow = "npm"', "allow = [1]", "other = []", "allow = [", 'ban = ["/[/"]', 'workspace = "x"',
    'allow = ["*"]', "\x00",
]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_file_is_an_error_not_an_allowance(place, text):
    home, project = place
    (home / guarding.FILE).write_text(text)
    with pytest.raises(BadSetting):
        verdict("ls", project)


def test_a_rule_change_shows_what_it_would_have_changed(place):
    _, project = place
    for command in ("npm install", "ls", "rm -rf /"):
        guarding.judged(command, shell="bash", workspace=str(project), record=True)
    before = {one: guarding.own_rules(Path(one)).rules for one in guarding.decided_workspaces()}
    guarding.add("allow", "npm install", workspace=None)
    guarding.add("ban", "ls", workspace=None)
    changed = {row["cmd"]: (row["before"], row["now"]) for row in guarding.changes(before)}
    assert changed == {"npm install": ("ask", "allow"), "ls": ("allow", "deny")}


def test_remembered_decisions_are_bounded(place, monkeypatch):
    home, project = place
    monkeypatch.setattr(guarding, "MAX_DECISIONS", 2000)
    monkeypatch.setattr(guarding, "KEPT", 5)
    for at in range(60):
        guarding.judged(f"echo {at}", shell="bash", workspace=str(project), record=True)
    lines = (home / guarding.DECISIONS).read_text().splitlines()
    assert len(lines) < 30
    assert json.loads(lines[-1])["cmd"] == "echo 59"


def test_paths_are_judged_against_cwd_and_workspace(place):
    folder = "/home/dev/app"

    def said(command: str, **where: str) -> str:
        return guarding.judged(command, shell="bash", **where).verdict.word

    assert said("rm -rf build", workspace=folder) == "ask"
    assert said("rm -rf build", workspace=folder, cwd="/") == "deny"
    assert said("rm -rf ..", workspace=folder, cwd=f"{folder}/src") == "deny"
    assert said("rm -rf ../lib", workspace=folder, cwd=f"{folder}/src") == "ask"
    assert said("rm -rf ../lib", workspace=folder, cwd="src") == "ask"
    assert said(f"rm -rf {folder}/build", workspace=folder) == "ask"
    assert said(f"rm -rf {folder}-other", workspace=folder) == "deny"


def test_windows_paths_are_judged_on_any_system(place):
    def said(command: str, shell: str) -> str:
        judged = guarding.judged(command, shell=shell, workspace=r"D:\work\app")
        return judged.verdict.word

    assert said(r"Remove-Item D:\work\app\dist -Recurse", "powershell") == "ask"
    assert said(r"Remove-Item D:\work -Recurse -Force", "powershell") == "deny"
    assert said(r"rd /s /q D:\work\app\dist", "cmd") == "ask"
    assert said(r"rd /s /q D:\other", "cmd") == "deny"
