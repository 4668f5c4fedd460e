"""The guard with rules from files: the person's own, and those that came with a project."""

import json
import os
import stat

import pytest

from tabwire_guard.errors import BadSetting
from tabwire_guard.person import decisions, rule_files
from tabwire_guard.person.decisions import changed_decisions, remember, rules_by_workspace
from tabwire_guard.person.judgement import judge_with_own_rules
from tabwire_guard.person.rule_files import accept_rules, add_rule, remove_rule


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def verdict(home, project):
    def of(command, workspace=project):
        judged = judge_with_own_rules(command, home=home, shell="bash", workspace=str(workspace))
        return judged.verdict.word

    return of


def recorded(command, home, project):
    judged = judge_with_own_rules(command, home=home, shell="bash", workspace=str(project))
    remember(judged, str(project), home)


def test_without_any_file_the_built_in_rules_hold(verdict):
    assert verdict("rm -rf /") == "deny"
    assert verdict("npm install") == "ask"


def test_own_rules_hold_everywhere_or_in_one_workspace(verdict, home, project, tmp_path):
    add_rule("allow", "npm install", workspace=project, home=home)
    add_rule("ban", "left-pad", workspace=None, home=home)
    assert verdict("npm install") == "allow"
    assert verdict("npm install", tmp_path) == "ask"
    assert verdict("echo left-pad", tmp_path) == "deny"


def test_own_rules_are_for_this_person_alone(home, project):
    add_rule("allow", "npm install", workspace=project, home=home)
    recorded("ls", home, project)
    for name in (rule_files.FILE, decisions.FILE):
        assert stat.S_IMODE(os.stat(home / name).st_mode) == 0o600


def test_a_removed_rule_holds_no_longer(verdict, home, project):
    add_rule("allow", "npm install", workspace=project, home=home)
    assert remove_rule("npm install", home) == 1
    assert remove_rule("npm install", home) == 0
    assert verdict("npm install") == "ask"


def test_a_file_that_came_with_a_project_never_loosens_until_it_is_accepted(verdict, home, project):
    path = project / rule_files.WORKSPACE_FILE
    path.parent.mkdir()
    path.write_text('allow = ["npm install"]\nban = ["left-pad"]\n')
    assert verdict("npm install") == "ask"
    assert verdict("echo left-pad") == "deny"
    assert accept_rules(project, home) == ("npm install",)
    assert verdict("npm install") == "allow"
    path.write_text('allow = ["npm install", "make deploy"]\n')
    assert verdict("npm install") == "ask"
    assert verdict("make deploy") == "ask"


BROKEN = [
    'allow = "npm"', "allow = [1]", "other = []", "allow = [", 'ban = ["/[/"]', 'workspace = "x"',
    'allow = ["*"]', "\x00",
]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_file_is_an_error_not_an_allowance(verdict, home, text):
    (home / rule_files.FILE).write_text(text)
    with pytest.raises(BadSetting):
        verdict("ls")


def test_a_rule_change_shows_what_it_would_have_changed(home, project):
    for command in ("npm install", "ls", "rm -rf /"):
        recorded(command, home, project)
    before = rules_by_workspace(home)
    add_rule("allow", "npm install", workspace=None, home=home)
    add_rule("ban", "ls", workspace=None, home=home)
    changed = {row["cmd"]: (row["before"], row["now"]) for row in changed_decisions(before, home)}
    assert changed == {"npm install": ("ask", "allow"), "ls": ("allow", "deny")}


def test_remembered_decisions_are_bounded(home, project, monkeypatch):
    monkeypatch.setattr(decisions, "MAX_FILE", 2000)
    monkeypatch.setattr(decisions, "KEPT", 5)
    for at in range(60):
        recorded(f"echo {at}", home, project)
    lines = (home / decisions.FILE).read_text().splitlines()
    assert len(lines) < 30
    assert json.loads(lines[-1])["cmd"] == "echo 59"


WHERE = [
    # command, cwd, verdict; in /home/dev/app
    ("rm -rf build", None, "ask"),
    ("rm -rf build", "/", "deny"),
    ("rm -rf ..", "/home/dev/app/src", "deny"),
    ("rm -rf ../lib", "/home/dev/app/src", "ask"),
    ("rm -rf ../lib", "src", "ask"),
    ("rm -rf /home/dev/app/build", None, "ask"),
    ("rm -rf /home/dev/app-other", None, "deny"),
]


@pytest.mark.parametrize("command, cwd, verdict", WHERE)
def test_paths_are_judged_against_cwd_and_workspace(home, command, cwd, verdict):
    where = {"workspace": "/home/dev/app", "cwd": cwd}
    judged = judge_with_own_rules(command, home=home, shell="bash", **where)
    assert judged.verdict.word == verdict


WINDOWS = [
    (r"Remove-Item D:\work\app\dist -Recurse", "powershell", "ask"),
    (r"Remove-Item D:\work -Recurse -Force", "powershell", "deny"),
    (r"rd /s /q D:\work\app\dist", "cmd", "ask"),
    (r"rd /s /q D:\other", "cmd", "deny"),
]


@pytest.mark.parametrize("command, shell, verdict", WINDOWS)
def test_windows_paths_are_judged_on_any_system(home, command, shell, verdict):
    judged = judge_with_own_rules(command, home=home, shell=shell, workspace=r"D:\work\app")
    assert judged.verdict.word == verdict
