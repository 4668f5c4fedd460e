"""The real hook as a process of its own: a tool call in, an answer and an exit code out."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


class Hook:
    """Starts `tabwire-guard hook` for a person with a home and a project.

    Both are only names: a folder of a test lies among temporary files, which are judged otherwise.
    """

    home = "/home/ann"
    project = "/home/ann/app"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tabwire = folder / "tabwire"
        self.environment = {
            "HOME": self.home,
            "USERPROFILE": self.home,
            "TABWIRE_HOME": str(self.tabwire),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(one for one in sys.path if one),
        }

    def run(
        self, *arguments: str, given: bytes = b"", **options: Any
    ) -> subprocess.CompletedProcess[bytes]:
        """What the program does with these arguments and that on standard input."""
        settings: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        if "stdin" not in options:
            settings["input"] = given
        return subprocess.run(
            [sys.executable, "-m", "tabwire_guard", "hook", *arguments],
            cwd=self.folder,
            env=self.environment,
            check=False,
            timeout=60,
            **settings | options,
        )

    def call(self, assistant: str, payload: Any, *options: str) -> tuple[int, Any, str]:
        """Exit code, answer and what was said on standard error."""
        done = self.run(assistant, *options, given=json.dumps(self.filled(payload)).encode())
        return done.returncode, json.loads(done.stdout), done.stderr.decode()

    def filled(self, payload: Any) -> Any:
        """A payload with the folders of this test in it."""
        text = json.dumps(payload)
        return json.loads(text.replace("{project}", self.project).replace("{home}", self.home))

    def bash(self, command: str) -> Any:
        """A command as Claude Code hands it over."""
        return {
            "session_id": "s",
            "cwd": self.project,
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command},
        }


def verdict_of(answer: Any) -> tuple[str, str]:
    """The verdict of an answer in any of the formats, and its reason."""
    if answer == {}:
        return "none", ""
    if "permission" in answer:
        return answer["permission"], answer.get("agent_message", "")
    if "decision" in answer:
        return answer["decision"], answer["reason"]
    inner = answer["hookSpecificOutput"]
    if inner["hookEventName"] == "PermissionRequest":
        return f"request-{inner['decision']['behavior']}", inner["decision"]["message"]
    return inner["permissionDecision"], inner["permissionDecisionReason"]
