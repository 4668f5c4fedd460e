"""`hook doctor` starts what is configured, as the assistant would."""

import json
import os

import pytest

from tabwire_guard.hook.arguments import main
from tabwire_guard.hook.doctor import examine
from tabwire_guard.hook.install import config_path, install

ASSISTANTS = ("claude-code", "codex", "gemini-cli", "cursor")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "tabwire"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


@pytest.mark.parametrize("assistant", ASSISTANTS)
def test_what_was_just_installed_works(assistant):
    install(assistant, project=None)
    report = examine(assistant, None)
    assert (report.installed, report.problems) == (True, [])
    assert "blocks `rm -rf /`, lets `ls` pass" in report.notes[0]


def configured(assistant, command):
    """A configuration that an earlier version, or somebody, has written."""
    install(assistant, project=None)
    path = config_path(assistant, None)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    old = json.dumps(install(assistant, project=None).command)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, json.dumps(command)))


@pytest.mark.parametrize(
    "command, says",
    [
        ("/no/such/tabwire-guard hook claude-code", "does not exist"),
        ("tabwire-guard hook claude-code", "not an absolute path"),
        ("'/x/tabwire-guard hook claude-code", "not a valid command"),
        ("/bin/true tabwire-guard hook claude-code", "not JSON"),
        ("/bin/false tabwire-guard hook claude-code", "`rm -rf /` is not blocked"),
        ("/bin/echo '{}' ; : tabwire-guard hook claude-code", "`rm -rf /` is not blocked"),
        ("/bin/sh -c 'exit 2' tabwire-guard hook claude-code", "`ls` is blocked"),
    ],
)
def test_what_does_not_work_is_a_problem(command, says):
    configured("claude-code", command)
    report = examine("claude-code", None)
    assert any(says in one for one in report.problems), report.problems
    assert main(["doctor", "claude-code"], "hook") == 1


def test_hooks_that_are_switched_off_are_a_problem(home):
    install("claude-code", project=None)
    path = home / ".claude" / "settings.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "disableAllHooks": True}))
    assert "switched off" in examine("claude-code", None).problems[0]


def test_codex_says_whether_the_hook_is_trusted(home):
    install("codex", project=None)
    assert any("not trusted yet" in one for one in examine("codex", None).notes)
    key = f"{home}/.codex/hooks.json:pre_tool_use:0:0"
    (home / ".codex" / "config.toml").write_text(
        f'[hooks.state."{key}"]\nenabled = true\ntrusted_hash = "sha256:00"\n'
    )
    assert not any("trusted" in one for one in examine("codex", None).notes)


def test_codex_hooks_that_are_switched_off_are_a_problem(home):
    install("codex", project=None)
    (home / ".codex" / "config.toml").write_text("[features]\nhooks = false\n")
    assert "features.hooks is false" in examine("codex", None).problems[0]


def test_nothing_installed_is_no_problem_unless_it_was_asked_for(capsys):
    assert main(["doctor"], "hook") == 0
    assert capsys.readouterr().out.count("not installed") == 4
    assert main(["doctor", "cursor"], "hook") == 1


def test_json_has_a_line_for_each_assistant(capsys):
    install("cursor", project=None)
    assert main(["doctor", "--json"], "hook") == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["installed"] for one in told] == [False, False, False, True]


def test_a_configuration_that_cannot_be_read_is_a_problem(home):
    os.makedirs(home / ".gemini")
    (home / ".gemini" / "settings.json").write_text("{")
    assert "not valid JSON" in examine("gemini-cli", None).problems[0]
