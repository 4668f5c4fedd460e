"""`tabwire guard hook`: the guard's hook, told apart before anything slow is imported."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tabwire.doors.cli.app import GROUPS
from tabwire.doors.cli.lazy import lazy_commands
from tests.doors.cli.test_json_docs import ROWS

CALL = {
    "session_id": "s",
    "cwd": "/home/ann/app",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
}
SLOW = ("typer", "pathlib", "dataclasses", "typing", "tomllib", "urllib.parse", "tabwire.hub")


@pytest.fixture
def hook(tmp_path):
    """Runs the installed program: exit code, output, errors."""
    tabwire = Path(sys.executable).with_name("tabwire")
    environment = {**os.environ, "HOME": "/home/ann", "TABWIRE_HOME": str(tmp_path / "home")}

    def program(*arguments, command="", python=(), extra=None):
        done = subprocess.run(
            [sys.executable, *python, str(tabwire), "guard", "hook", *arguments],
            cwd=tmp_path,
            env=environment | (extra or {}),
            input=json.dumps(CALL | {"tool_input": {"command": command}}),
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    return program


@pytest.mark.parametrize("command, verdict", [("ls", "allow"), ("rm -rf /", "deny")])
def test_a_tool_call_is_judged(hook, command, verdict):
    code, out, _ = hook("claude-code", command=command)
    told = json.loads(out)["hookSpecificOutput"]
    assert (code, told["permissionDecision"]) == (0, verdict)


def test_nothing_slow_is_imported_for_it(hook):
    """The assistant waits for it before every tool call."""
    code, _, err = hook("claude-code", command="git status", python=("-X", "importtime"))
    imported = {line.rpartition("|")[2].strip() for line in err.splitlines() if "|" in line}
    assert code == 0
    assert "tabwire_guard.judgement" in imported
    assert imported.isdisjoint(SLOW)


def test_a_guard_that_cannot_be_imported_blocks(hook, tmp_path):
    (tmp_path / "tabwire_guard").mkdir()
    (tmp_path / "tabwire_guard" / "__init__.py").write_text("raise RuntimeError('broken')")
    code, _, err = hook("codex", command="ls", extra={"PYTHONPATH": str(tmp_path)})
    assert code == 2
    assert "broken" in err


def test_what_is_installed_is_this_program(hook, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    code, out, _ = hook("install", "cursor", "--project", str(project), "--json")
    assert code == 0
    tabwire = Path(sys.executable).with_name("tabwire")
    assert json.loads(out)["command"] == f"{tabwire} guard hook cursor"
    assert hook("doctor", "cursor", "--project", str(project))[0] == 0


def test_json_has_the_shape_and_the_fields_of_the_page(hook, tmp_path):
    of_change, of_doctor = (
        set(re.findall(r"`(\w+)`", part))
        for part in ROWS["tabwire guard hook"][1].split("JSON Lines, one object per assistant")
    )
    for said in (["install", "cursor"], ["uninstall", "cursor"], ["install", "codex"]):
        (line,) = hook(*said, "--project", str(tmp_path), "--json")[1].splitlines()
        assert set(json.loads(line)) <= of_change
    lines = hook("doctor", "--project", str(tmp_path), "--json")[1].splitlines()
    told = [json.loads(line) for line in lines]
    assert [one["installed"] for one in told] == [False, True, False, False]
    assert all(set(one) <= of_doctor for one in told)


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that closes a stream")
def test_a_closed_standard_output_is_named_once(hook, tmp_path):
    """The reason alone: an assistant shows what it reads to the agent."""
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "tabwire", "guard", "hook",
         "codex"],
        cwd=tmp_path,
        env={**os.environ, "TABWIRE_HOME": str(tmp_path / "home")},
        input=json.dumps(CALL | {"tool_input": {"command": "ls"}}).encode(),
        stderr=subprocess.PIPE,
        check=False,
    )  # fmt: skip
    said = "this call could not be judged: standard output is closed"
    assert (done.returncode, done.stderr.decode()) == (2, f"Tabwire guard: {said}\n")


def test_help_teaches(hook):
    code, out, _ = hook("--help")
    assert code == 0
    assert "tabwire guard hook install claude-code" in out


def test_the_listed_command_does_the_same(capsys):
    """Where options of `tabwire` itself stand before it, Typer reads the words."""
    (command,) = [one for one in lazy_commands(GROUPS["guard"][1]) if one.name == "hook"]
    with pytest.raises(SystemExit) as left:
        command.load().main(["install", "cursor", "--dry-run", "--project", "/no/such"])
    assert left.value.code == 1
    assert "/no/such is not a folder" in capsys.readouterr().err
