"""Whether the guard is in an assistant's configuration, starts, and blocks what it must."""

import json
import os
import shlex
import subprocess
import time
from collections.abc import Iterator

from tabwire_guard.hook.config_file import ConfigFile
from tabwire_guard.hook.configuration import (
    SECONDS,
    BadConfiguration,
    Json,
    commands,
    switched_off,
)
from tabwire_guard.hook.install import config_path

_EVENT = {
    "claude-code": "PreToolUse",
    "codex": "PreToolUse",
    "gemini-cli": "BeforeTool",
    "cursor": "beforeShellExecution",
}
SLOW = 1.0
"""Seconds from which every tool call feels slower."""


class Report:
    """What was found for one assistant, in one place."""

    def __init__(self, assistant: str, path: str) -> None:
        self.assistant = assistant
        self.path = path
        self.installed = False
        self.problems: list[str] = []
        self.notes: list[str] = []

    def as_data(self) -> Json:
        """For `--json`."""
        return {
            "assistant": self.assistant,
            "path": self.path,
            "installed": self.installed,
            "problems": self.problems,
            "notes": self.notes,
        }


def examine(assistant: str, project: str | None) -> Report:
    """Look at the configuration, then start the hook as the assistant would."""
    path = config_path(assistant, project)
    report = Report(assistant, path)
    try:
        file = ConfigFile(path, within=project)
    except BadConfiguration as problem:
        report.problems.append(str(problem))
        return report
    found = dict(commands(file.data, assistant))
    if not found:
        return report
    report.installed = True
    if off := switched_off(file.data, assistant):
        report.problems.append(f"hooks are switched off: {off}")
    if _EVENT[assistant] not in found:
        report.problems.append(f"no entry for {_EVENT[assistant]}: run `hook install` again")
        return report
    report.problems += _fails(assistant, found[_EVENT[assistant]], report)
    if assistant == "codex":
        _codex_settings(path, report)
    return report


def _fails(assistant: str, command: str, report: Report) -> Iterator[str]:
    try:
        program = shlex.split(command)[0] if os.name != "nt" else ""
    except ValueError as problem:
        yield f"not a valid command: {command}: {problem}"
        return
    if program and not os.path.isabs(program):
        yield f"the program is not an absolute path: {program}"
    if program and not os.access(program, os.X_OK):
        yield f"the program does not exist or cannot be run: {program}"
        return
    blocked, _, told = _run(assistant, command, "rm -rf /")
    if not blocked:
        yield f"`rm -rf /` is not blocked: {told}"
        return
    blocked, seconds, told = _run(assistant, command, "ls")
    if blocked:
        yield f"`ls` is blocked: {told}"
    report.notes.append(f"blocks `rm -rf /`, lets `ls` pass, answers in {seconds * 1000:.0f} ms")
    if seconds > SLOW:
        report.notes.append("this is slow, and every tool call waits for it")


def _run(assistant: str, command: str, shell_command: str) -> tuple[bool, float, str]:
    """Whether the hook blocks that command, after how long, and what it said."""
    began = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            shell=True,
            input=json.dumps(payload(assistant, shell_command)).encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False, SECONDS, f"no answer within {SECONDS} s"
    seconds = time.perf_counter() - began
    said = done.stderr.decode(errors="replace").strip() or f"exit code {done.returncode}"
    if done.returncode == 2:
        return True, seconds, said
    if done.returncode:
        return False, seconds, said
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return False, seconds, "the answer is not JSON"
    return _blocks(answer), seconds, json.dumps(answer)[:200]


def _blocks(answer: object) -> bool:
    if not isinstance(answer, dict):
        return False
    inner = answer.get("hookSpecificOutput")
    told = inner.get("permissionDecision") if isinstance(inner, dict) else None
    return "deny" in (answer.get("permission"), answer.get("decision"), told)


def payload(assistant: str, command: str) -> Json:
    """A tool call as that assistant hands it over."""
    call: Json = {
        "session_id": "doctor",
        "transcript_path": "",
        "cwd": os.getcwd(),
        "hook_event_name": _EVENT[assistant],
    }
    if assistant == "cursor":
        return {**call, "command": command, "workspace_roots": [os.getcwd()]}
    tool = "run_shell_command" if assistant == "gemini-cli" else "Bash"
    return {**call, "tool_name": tool, "tool_input": {"command": command}}


def _codex_settings(path: str, report: Report) -> None:
    """Codex skips a hook in silence until the person has trusted it; config.toml remembers that."""
    import tomllib

    settings = os.path.join(os.path.dirname(config_path("codex", None)), "config.toml")
    try:
        with open(settings, "rb") as file:
            told = tomllib.load(file)
    except (OSError, ValueError):
        told = {}
    features, hooks = told.get("features"), told.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    if isinstance(features, dict) and features.get("hooks") is False:
        off = f"hooks are switched off in {settings}: features.hooks is false"
        report.problems.append(off)
    known = state if isinstance(state, dict) else {}
    names = {path, os.path.realpath(path)}
    if not any(str(key).rsplit(":", 3)[0] in names for key in known):
        report.notes.append(
            "not trusted yet, so Codex skips it: start codex and trust it in /hooks"
        )
