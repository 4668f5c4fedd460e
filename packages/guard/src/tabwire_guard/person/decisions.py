"""The last decisions, so that a change of rules can be tried on them."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from tabwire_guard.judgement import judge
from tabwire_guard.person.home import make_folder, write_file
from tabwire_guard.person.judgement import home_beside
from tabwire_guard.person.rule_files import own_rules
from tabwire_guard.rules import Rules
from tabwire_guard.verdict import Judgement

FILE = "guard-decisions.jsonl"
KEPT = 1_000
"""Decisions that are remembered, the newest."""
MAX_COMMAND = 2_000
"""Characters of a command that are remembered."""
MAX_FILE = 2_000_000
"""Bytes of remembered decisions, before older ones are forgotten."""


def remember(judgement: Judgement, workspace: str, home: Path) -> None:
    """Keep a decision."""
    path = make_folder(home) / FILE
    line = {"cmd": judgement.command[:MAX_COMMAND], "shell": judgement.shell,
            "workspace": workspace, "verdict": judgement.verdict.word}  # fmt: skip
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "ab") as file:
        file.write(json.dumps(line).encode() + b"\n")
        large = file.tell() > MAX_FILE
    if large:
        write_file(path, "\n".join(_lines(path)[-KEPT:]) + "\n")


def changed_decisions(before: Mapping[str, Rules], home: Path) -> Iterator[dict[str, str]]:
    """Earlier decisions that would be different now; `before` has the old rules by workspace."""
    for command, shell, workspace in _decisions(home):
        old = before.get(workspace)
        if old is None:
            continue
        now = own_rules(Path(workspace), home).rules
        was, is_now = (
            judge(command, shell=shell, workspace=workspace, home=home_beside(workspace), rules=one)
            for one in (old, now)
        )
        if was.verdict is not is_now.verdict:
            yield {
                "cmd": command,
                "workspace": workspace,
                "before": was.verdict.word,
                "now": is_now.verdict.word,
            }


def rules_by_workspace(home: Path) -> dict[str, Rules]:
    """The rules that hold now, for each workspace that decisions were made in."""
    workspaces = dict.fromkeys(workspace for _, _, workspace in _decisions(home))
    return {one: own_rules(Path(one), home).rules for one in workspaces}


def _decisions(home: Path) -> Iterator[tuple[str, str, str]]:
    """Command, shell and workspace of each."""
    for line in _lines(home / FILE):
        try:
            one = json.loads(line)
            yield one["cmd"], one["shell"], one["workspace"]
        except (ValueError, KeyError, TypeError):
            continue


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, UnicodeDecodeError):
        return []
