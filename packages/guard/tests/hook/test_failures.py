"""Whatever goes wrong blocks the call: exit code 2, a reason, and a `deny` for who reads it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tabwire_guard
from guard_kit.hooks import Hook, verdict_of
from tabwire_guard.person.where import has_rules

ASSISTANTS = ("claude-code", "codex", "gemini-cli", "cursor")


@pytest.fixture
def hook(tmp_path):
    return Hook(tmp_path)


CALL = {
    "session_id": "s",
    "cwd": "/home/ann/app",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
}
NOT_JSON = {
    "empty": (b"", "is empty"),
    "blank": (b" \n", "is empty"),
    "text": (b"ls -la", "not valid JSON"),
    "half": (json.dumps(CALL).encode()[:-5], "not valid JSON"),
    "two": (json.dumps(CALL).encode() * 2, "not valid JSON"),
    "not UTF-8": (b'{"tool_name": "\xff\xfe"}', "not valid JSON"),
    "UTF-16": (json.dumps(CALL).encode("utf-16"), "not valid JSON"),
    "NUL": (b'{"tool_name": "Ba\0sh"}', "not valid JSON"),
    "a list": (json.dumps([CALL]).encode(), "not a JSON object"),
    "null": (b"null", "not a JSON object"),
    "deep": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    "deep list": (b"[" * 200_000, "nested too deeply"),
}


@pytest.mark.parametrize(
    "assistant, name",
    [*(("claude-code", name) for name in NOT_JSON), *((one, "text") for one in ASSISTANTS[1:])],
)
def test_what_is_not_a_tool_call_is_blocked(hook, assistant, name):
    given, says = NOT_JSON[name]
    done = hook.run(assistant, given=given)
    assert done.returncode == 2
    assert says in done.stderr.decode()
    assert verdict_of(json.loads(done.stdout))[0] == "deny"


CHANGES = {
    "an unknown event": ({"hook_event_name": "PostToolUse"}, "unknown event"),
    "no tool": ({"tool_name": None}, "no tool_name"),
    "a tool without a name": ({"tool_name": ""}, "no tool_name"),
    "a tool that is a number": ({"tool_name": 7}, "tool_name is not a string"),
    "no input": ({"tool_input": None}, "no tool_input"),
    "input that is text": ({"tool_input": "ls"}, "no tool_input"),
    "no command": ({"tool_input": {}}, "has no command"),
    "a command that is a list": ({"tool_input": {"command": ["ls"]}}, "not a string"),
    "a folder that is a number": ({"cwd": 7}, "cwd is not a string"),
    "a file tool without a file": ({"tool_name": "Write", "tool_input": {}}, "names no file"),
    "a file that is a list": (
        {"tool_name": "Edit", "tool_input": {"file_path": ["a"]}},
        "not a string",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_call_that_lacks_what_it_must_have_is_blocked(hook, name):
    change, says = CHANGES[name]
    code, answer, said = hook.call("claude-code", CALL | change)
    assert (code, verdict_of(answer)[0]) == (2, "deny")
    assert says in said


@pytest.mark.parametrize("patch", ["", "*** Begin Patch\n*** End Patch", "diff --git a/x b/x"])
def test_a_patch_that_names_no_file_is_blocked(hook, patch):
    change = {"tool_name": "apply_patch", "tool_input": {"command": patch}}
    assert hook.call("codex", CALL | change)[0] == 2


def test_another_assistants_event_is_blocked(hook):
    for assistant in ("gemini-cli", "cursor"):
        assert hook.call(assistant, CALL)[0] == 2


def test_large_calls_are_judged(hook):
    """A tool that writes a file hands over all of it; a command nobody can read asks."""
    large = "x" * 10_000_000
    change = {"tool_name": "Write", "tool_input": {"file_path": "/etc/hosts", "content": large}}
    assert verdict_of(hook.call("claude-code", CALL | change)[1])[0] == "deny"
    change = {"tool_input": {"command": f"echo {large}"}}
    verdict, reason = verdict_of(hook.call("claude-code", CALL | change)[1])
    assert verdict == "ask"
    assert len(reason) < 1000


def test_too_large_calls_are_blocked(hook):
    change = {"tool_input": {"command": "ls", "more": "x" * 33_000_000}}
    code, _, said = hook.call("claude-code", CALL | change)
    assert code == 2
    assert "more than 32,000,000 bytes" in said


ODD = ["echo \ud800", "ls \x00", "ls\x1b[2K", "ls \u202e", "ls \ufdd0", "é" * 300]


@pytest.mark.parametrize("command", ODD, ids=ascii)
def test_odd_characters_are_answered_in_plain_ones(hook, command):
    done = hook.run("claude-code", given=json.dumps(hook.bash(command)).encode())
    assert done.returncode == 0
    assert verdict_of(json.loads(done.stdout))[0] in ("ask", "deny")
    assert done.stdout.isascii()


def test_a_nul_in_a_path_is_denied(hook):
    change = {"tool_name": "Write", "tool_input": {"file_path": "/home/ann/app/a\x00b"}}
    assert verdict_of(hook.call("claude-code", CALL | change)[1])[0] == "deny"


def test_a_closed_standard_input_is_blocked(hook):
    program = [sys.executable, "-m", "tabwire_guard", "hook", "codex"]
    line = 'exec "$@" <&-'
    done = subprocess.run(
        ["/bin/sh", "-c", line, "sh", *program],
        env=hook.environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"standard input" in done.stderr


def test_a_call_that_never_ends_is_blocked_in_time(hook):
    reading, writing = os.pipe()
    began = time.monotonic()
    done = hook.run("claude-code", "--timeout", "0.3", stdin=reading)
    os.close(reading)
    os.close(writing)
    assert done.returncode == 2
    assert b"no verdict within 0.3 s" in done.stderr
    assert verdict_of(json.loads(done.stdout))[0] == "deny"
    assert time.monotonic() - began < 20


def test_a_file_of_rules_that_is_not_valid_blocks(hook):
    hook.tabwire.mkdir()
    (hook.tabwire / "guard.toml").write_text("allow = [")
    code, _, said = hook.call("claude-code", CALL)
    assert code == 2
    assert "guard.toml" in said


def test_a_home_that_is_not_valid_blocks(hook):
    hook.environment["TABWIRE_HOME"] = "somewhere"
    code, _, said = hook.call("claude-code", CALL)
    assert code == 2
    assert "absolute path" in said


def test_a_home_that_cannot_be_reached_blocks(hook):
    """Whether there are bans is not known then."""
    hook.tabwire.symlink_to(hook.tabwire)
    code, answer, said = hook.call("claude-code", CALL)
    assert (code, verdict_of(answer)[0]) == (2, "deny")
    assert "cannot be read" in said


def test_rules_that_may_not_be_looked_at_count_as_there(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "tabwire"))
    assert not has_rules(str(tmp_path))

    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "lstat", refuse)
    assert has_rules(str(tmp_path))


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_hook_that_is_ended_blocks(hook, name):
    """An exit code of a signal would let the call go on."""
    program = [sys.executable, "-m", "tabwire_guard", "hook", "claude-code"]
    with subprocess.Popen(
        program,
        cwd=hook.folder,
        env=hook.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdin.write(b'"' + b"x" * 1_000_000)  # more than a pipe holds: it is reading
        process.stdin.flush()
        process.send_signal(getattr(signal, name))
        told, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert f"ended by {name}".encode() in said
    assert verdict_of(json.loads(told))[0] == "deny"


@pytest.mark.parametrize("module", ["arguments", "command", "protocols", "decision"])
def test_a_guard_that_cannot_be_imported_blocks(hook, module):
    copy = hook.folder / "broken" / "tabwire_guard"
    shutil.copytree(Path(tabwire_guard.__path__[0]), copy)
    (copy / "hook" / f"{module}.py").write_text("raise RuntimeError('broken')")
    hook.environment["PYTHONPATH"] = f"{copy.parent}{os.pathsep}{hook.environment['PYTHONPATH']}"
    done = hook.run("codex", given=json.dumps(CALL).encode())
    assert done.returncode == 2
    assert b"broken" in done.stderr


def test_a_full_or_closed_standard_output_blocks(hook):
    with open("/dev/full", "wb") as full:
        done = hook.run("claude-code", given=json.dumps(CALL).encode(), stdout=full)
    assert done.returncode == 2
    assert done.stderr


def test_a_closed_standard_output_is_named_once(hook):
    program = [sys.executable, "-m", "tabwire_guard", "hook", "codex"]
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *program],
        env=hook.environment,
        cwd=hook.folder,
        input=json.dumps(CALL).encode(),
        stderr=subprocess.PIPE,
        check=False,
    )
    assert done.returncode == 2
    said = "this call could not be judged: standard output is closed"
    assert done.stderr.decode() == f"Tabwire guard: {said}\n"


BAD_OPTIONS = [
    ["--on-failure", "allow"],
    ["--on-failure"],
    ["--on-ask", "ask"],
    ["--nonsense", "1"],
    ["--timeout", "0"],
    ["--timeout", "inf"],
    ["--timeout", "soon"],
    ["extra"],
]


@pytest.mark.parametrize("options", BAD_OPTIONS, ids=" ".join)
def test_an_invalid_option_blocks(hook, options):
    done = hook.run("claude-code", *options, given=json.dumps(CALL).encode())
    assert done.returncode == 2
    assert b"invalid" in done.stderr


@pytest.mark.parametrize(
    "arguments", [["claude"], ["install"], ["doctor", "vim"], ["install", "x"]]
)
def test_an_assistant_nobody_knows_is_an_error(hook, arguments):
    done = hook.run(*arguments)
    assert done.returncode == 2
    assert b"expected one of" in done.stderr


ON_FAILURE = {"claude-code": (0, "ask"), "gemini-cli": (0, "ask"), "codex": (2, "deny")}


@pytest.mark.parametrize("assistant", ON_FAILURE)
def test_who_prefers_it_is_asked_after_a_failure_where_that_is_possible(hook, assistant):
    done = hook.run(assistant, "--on-failure", "ask", given=b"nonsense")
    code, verdict = ON_FAILURE[assistant]
    assert (done.returncode, verdict_of(json.loads(done.stdout))[0]) == (code, verdict)
    assert b"not valid JSON" in done.stderr


NO_COMMAND = {"tool_name": "Bash", "tool_input": {}}
BROKEN = [
    # assistant, call, options, exit code and verdict
    ("claude-code", {"hook_event_name": "PermissionRequest", **NO_COMMAND}, "deny", (2, "deny")),
    ("claude-code", {"hook_event_name": "PermissionRequest", **NO_COMMAND}, "ask", (0, "none")),
    ("codex", {"hook_event_name": "PermissionRequest", **NO_COMMAND}, "ask", (0, "none")),
    ("codex", {"hook_event_name": "PreToolUse", **NO_COMMAND}, "ask", (2, "deny")),
    ("cursor", {"hook_event_name": "beforeShellExecution"}, "ask", (0, "ask")),
    ("cursor", {"hook_event_name": "beforeReadFile"}, "ask", (2, "deny")),
]


@pytest.mark.parametrize("assistant, call, preferred, told", BROKEN)
def test_a_broken_call_is_answered_as_its_event_allows(hook, assistant, call, preferred, told):
    code, answer, said = hook.call(assistant, call, "--on-failure", preferred)
    assert (code, verdict_of(answer)[0].removeprefix("request-")) == told
    event = answer.get("hookSpecificOutput", {}).get("hookEventName")
    assert event in (call["hook_event_name"], None)
    assert "could not be judged" in said


def test_help_teaches(hook):
    for arguments in ([], ["--help"], ["claude-code", "--help"], ["install", "-h"]):
        done = hook.run(*arguments)
        assert done.returncode == 0
        for word in ("install", "--on-ask", "Exit codes", "Examples"):
            assert word in done.stdout.decode()
