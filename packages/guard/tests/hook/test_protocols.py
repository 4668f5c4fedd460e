"""Each assistant's tool calls, handed to the real program, and its answers in their format."""

import json
from pathlib import Path

import pytest

from guard_kit.hooks import Hook, verdict_of
from tabwire_guard.catalogue import CATALOGUE
from tabwire_guard.hook.advice import advice

CASES = json.loads(Path(__file__).with_name("payloads.json").read_text(encoding="utf-8"))


@pytest.fixture
def hook(tmp_path):
    return Hook(tmp_path)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_tool_call_is_answered_in_its_assistants_format(hook, case):
    code, answer, said = hook.call(case["assistant"], case["payload"], *case.get("options", []))
    verdict, reason = verdict_of(answer)
    assert (code, verdict, said) == (0, case["verdict"], "")
    assert case.get("says", "") in reason


def pre_tool_use(verdict):
    decided = {"permissionDecision": verdict, "permissionDecisionReason": 1}
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decided}}


FORMATS = [
    ("claude-code", "ls", pre_tool_use("allow")),
    ("claude-code", "npm install x", pre_tool_use("ask")),
    ("claude-code", "rm -rf /", pre_tool_use("deny")),
    ("codex", "ls", {}),
    ("codex", "rm -rf /", pre_tool_use("deny")),
    ("gemini-cli", "ls", {"decision": "allow", "reason": 1}),
    ("gemini-cli", "npm install x", {"decision": "ask", "reason": 1, "systemMessage": 1}),
    ("gemini-cli", "rm -rf /", {"decision": "deny", "reason": 1}),
    ("cursor", "ls", {"permission": "allow"}),
    ("cursor", "npm install x", {"permission": "ask", "user_message": 1, "agent_message": 1}),
    ("cursor", "rm -rf /", {"permission": "deny", "user_message": 1, "agent_message": 1}),
]


@pytest.mark.parametrize(
    "assistant, command, shape", FORMATS, ids=[f"{one[0]}: {one[1]}" for one in FORMATS]
)
def test_an_answer_has_the_fields_of_the_protocol_and_no_others(hook, assistant, command, shape):
    payload = hook.bash(command)
    if assistant == "gemini-cli":
        payload |= {"hook_event_name": "BeforeTool", "tool_name": "run_shell_command"}
    elif assistant == "cursor":
        payload |= {"hook_event_name": "beforeShellExecution", "command": command}
    _, answer, _ = hook.call(assistant, payload)
    assert shape_of(answer) == shape


def shape_of(answer):
    """An answer with 1 for each text for people."""
    if isinstance(answer, dict):
        return {name: shape_of(value) for name, value in answer.items()}
    return 1 if " " in answer else answer


def test_the_persons_rules_count(hook):
    hook.tabwire.mkdir()
    (hook.tabwire / "guard.toml").write_text(
        'allow = ["npm install left-pad"]\nban = ["/prod-\\\\d/"]'
    )
    for command, verdict in (
        ("npm install left-pad", "allow"),
        ("npm install other", "ask"),
        ("echo prod-7", "deny"),
    ):
        assert verdict_of(hook.call("claude-code", hook.bash(command))[1])[0] == verdict
    payload = hook.bash("") | {"tool_name": "Write"}
    payload["tool_input"] = {"file_path": f"{hook.project}/prod-7.txt"}
    assert verdict_of(hook.call("claude-code", payload)[1])[0] == "deny"


def test_a_projects_own_bans_hold_and_its_allow_rules_wait(hook):
    (hook.folder / ".tabwire").mkdir()
    rules = hook.folder / ".tabwire" / "guard.toml"
    rules.write_text('ban = ["prod"]\nallow = ["npm install x"]')
    for command, verdict in (("echo prod", "deny"), ("npm install x", "ask")):
        payload = hook.bash(command) | {"cwd": str(hook.folder)}
        assert verdict_of(hook.call("claude-code", payload)[1])[0] == verdict


def test_the_project_is_where_the_assistant_was_started(hook):
    """Claude Code's `cwd` goes where the agent goes; the project stays."""
    payload = hook.bash("") | {"tool_name": "Write", "cwd": f"{hook.project}/web"}
    payload["tool_input"] = {"file_path": f"{hook.project}/src/a.py"}
    assert verdict_of(hook.call("claude-code", payload)[1])[0] == "ask"
    hook.environment["CLAUDE_PROJECT_DIR"] = hook.project
    assert verdict_of(hook.call("claude-code", payload)[1])[0] == "none"


@pytest.mark.parametrize("folder", ["{home}", "/", "/etc"])
def test_a_folder_that_is_no_project_is_none(hook, folder):
    """Started in a home folder, not everything in it is the project's."""
    payload = hook.filled(hook.bash("rm -rf documents") | {"cwd": folder})
    assert verdict_of(hook.call("claude-code", payload)[1])[0] == "deny"
    payload |= {"tool_name": "Write", "tool_input": {"file_path": f"{payload['cwd']}/.profile"}}
    assert verdict_of(hook.call("claude-code", payload)[1])[0] != "none"


@pytest.mark.parametrize("shell, verdict", [("/bin/bash", "allow"), ("/bin/dash", "deny")])
def test_the_persons_own_shell_reads_the_command(hook, shell, verdict):
    """A sum for bash, and for dash a subshell that deletes."""
    hook.environment["SHELL"] = shell
    assert verdict_of(hook.call("claude-code", hook.bash("((rm -rf ~))"))[1])[0] == verdict


SEARCHES = [
    # assistant, tool, input, verdict
    ("claude-code", "Glob", {"pattern": "{home}/.ssh/*"}, "deny"),
    ("claude-code", "Glob", {"pattern": "~/.aws/**/*"}, "deny"),
    ("claude-code", "Glob", {"pattern": "**/*.py"}, "none"),
    ("claude-code", "Glob", {"pattern": "src/*.py", "path": "{project}"}, "none"),
    ("claude-code", "Grep", {"pattern": "{home}/.ssh/", "glob": "*.py"}, "none"),
    ("claude-code", "Grep", {"pattern": "x", "glob": ".env"}, "ask"),
    ("claude-code", "Grep", {"pattern": "x", "path": "{home}", "glob": ".ssh/*"}, "deny"),
    ("gemini-cli", "search_file_content", {"pattern": "x", "include": ".env"}, "ask"),
    ("gemini-cli", "glob", {"pattern": "/etc/../{home}/.ssh/id_*"}, "deny"),
]


@pytest.mark.parametrize("assistant, tool, given, verdict", SEARCHES)
def test_a_search_is_judged_by_where_its_pattern_begins(hook, assistant, tool, given, verdict):
    payload = hook.bash("") | {"tool_name": tool, "tool_input": given}
    if assistant == "gemini-cli":
        payload |= {"hook_event_name": "BeforeTool"}
    assert verdict_of(hook.call(assistant, payload)[1])[0] == verdict


def test_every_file_a_call_names_is_judged(hook):
    payload = hook.bash("") | {"tool_name": "Write"}
    payload["tool_input"] = {"file_path": "a.py", "path": "/etc/hosts"}
    assert verdict_of(hook.call("claude-code", payload)[1])[0] == "deny"
    patch = {"command": "*** Update File: a.py", "input": "*** Delete File:/etc/hosts"}
    payload |= {"tool_name": "apply_patch", "tool_input": patch}
    assert verdict_of(hook.call("codex", payload)[1])[0] == "deny"


def test_every_rule_comes_with_advice():
    assert [name for name in (*CATALOGUE, "empty", "input") if not advice(name, denied=False)] == []
