"""`check`: the verdict on one command or on many, and an exit code.

Something asks before every click, so its arguments are read here without a library for command
lines, which takes longer to import than the judgement does.
"""

import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tabwire_guard.cli.terminal import print_json, print_text, shorten
from tabwire_guard.errors import BadInput
from tabwire_guard.explanation import as_data
from tabwire_guard.judgement import SHELLS
from tabwire_guard.person.decisions import remember
from tabwire_guard.person.judgement import judge_with_own_rules, whole_path

EXITS = {"allow": 0, "ask": 3, "deny": 4}
"""The exit code of each verdict."""

_VALUES = {"--shell": "shell", "--cwd": "cwd", "--workspace": "workspace", "--file": "file"}
_FLAGS = {
    "--json": ("as_json", True),
    "--record": ("record", True),
    "--no-record": ("record", False),
}


def read_arguments(arguments: Sequence[str]) -> dict[str, Any] | None:
    """The arguments of `check`, by name; None where they need explaining or are invalid."""
    options: dict[str, Any] = {}
    rest = list(arguments)
    words: list[str] = []
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            words += rest
            break
        if name in _VALUES and (equals or rest):
            options[_VALUES[name]] = value if equals else rest.pop(0)
        elif word in _FLAGS:
            key, flag = _FLAGS[word]
            options[key] = flag
        elif word.startswith("-"):
            return None
        else:
            words.append(word)
    return {"command": words, **options}


def check(
    command: Sequence[str],
    *,
    home: Path,
    shell: str = "",
    cwd: str | None = None,
    workspace: str | None = None,
    file: str | None = None,
    record: bool = True,
    as_json: bool = False,
) -> int:
    """Judge one command, or those of a file; print it; the exit code."""
    check_shell(shell)
    if file is not None:
        if command:
            raise BadInput("a command and --file cannot be combined", "Leave one of them out.")
        worst = 0
        for answer in _judge_file(file, shell, cwd, workspace, home):
            print_json(answer)
            worst = max(worst, EXITS[str(answer["verdict"])])
        return worst
    text = command_text(command, shell)
    judgement = judge_with_own_rules(text, shell=shell, cwd=cwd, workspace=workspace, home=home)
    if record:
        remember(judgement, whole_path(workspace or "."), home)
    if as_json:
        print_json(as_data(judgement))
    else:
        print_text(f"{judgement.verdict.word}: {judgement.reason}")
        if judgement.verdict:
            print_text(f"  rule: {judgement.rule}")
            print_text(f"  part: {shorten(judgement.segment)}")
    return EXITS[judgement.verdict.word]


def check_shell(shell: str) -> None:
    """Refuse a shell that the guard does not know; empty is the system's own."""
    if shell not in ("", *SHELLS):
        raise BadInput(f"unknown shell: {shell}", f"Use one of {', '.join(SHELLS)}.")


def command_text(words: Sequence[str], shell: str) -> str:
    """The command as one text; several words were words already, and stay such."""
    if not words:
        if sys.stdin.isatty():
            raise BadInput("no command to judge", "Put it in quotes, or after `--`.")
        return sys.stdin.read()
    if len(words) == 1:
        return words[0]
    return " ".join(words) if shell in ("powershell", "cmd", "windows") else shlex.join(words)


def _judge_file(
    file: str, shell: str, cwd: str | None, workspace: str | None, home: Path
) -> Iterator[dict[str, object]]:
    """One answer for each command of a file, in the file's order."""
    for item in read_entries(file):
        entry: dict[str, Any] = item if isinstance(item, dict) else {}
        command, wanted = entry.get("cmd"), entry.get("shell") or shell
        answer: dict[str, object]
        if not isinstance(command, str):
            answer = _unreadable('an entry without "cmd"', str(item))
        elif wanted not in ("", *SHELLS):
            answer = _unreadable(f"unknown shell: {wanted}", command)
        else:
            answer = as_data(
                judge_with_own_rules(command, shell=wanted, cwd=cwd, workspace=workspace, home=home)
            )
        yield {"id": entry["id"], **answer} if "id" in entry else answer


def _unreadable(reason: str, segment: str) -> dict[str, object]:
    return {"verdict": "ask", "reason": reason, "rule": "input", "segment": segment[:200]}


def read_entries(file: str) -> list[Any]:
    """What a file has: a JSON list, or JSON Lines. A line that is neither is an entry that asks."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise BadInput(
            f"{file} cannot be read: {exc}", "Name a file of JSON Lines, or a JSON list."
        ) from exc
    if text.lstrip().startswith("["):
        try:
            return list(json.loads(text))
        except (ValueError, RecursionError) as exc:
            raise BadInput(
                f"{file} is not a JSON list: {exc}", 'Write [{"cmd": "…", "shell": "bash"}, …].'
            ) from exc
    entries: list[Any] = []
    for line in text.split("\n"):  # alone: a command may hold other ends of lines
        if line.strip():
            try:
                entries.append(json.loads(line))
            except (ValueError, RecursionError):
                entries.append(line)
    if not entries:
        raise BadInput(
            f"{file} has no commands", 'Write a line {"cmd": "…", "shell": "bash"} for each.'
        )
    return entries
