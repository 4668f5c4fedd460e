"""What `tabwire guard check` does, without the library that reads command lines.

Something asks before every click, so this command is told apart before Typer is imported, which
takes longer than the judgement. What it cannot read it leaves to Typer, which explains it.
"""

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from tabwire.doors.cli.safe_text import harmless, json_line
from tabwire.hub.guard import SHELLS as KNOWN
from tabwire.hub.guard import as_data, judged
from tabwire.model.errors import TabwireError
from tabwire.model.exits import USAGE

EXITS = {"allow": 0, "ask": 3, "deny": 4}
"""What a verdict ends with."""
SHELLS = ("", *KNOWN)

_VALUES = {"--shell": "shell", "--cwd": "cwd", "--workspace": "workspace", "--file": "file"}
_FLAGS = {
    "--json": ("as_json", True),
    "--record": ("record", True),
    "--no-record": ("record", False),
}


class BadInput(TabwireError):
    """What was said to the guard cannot be meant."""

    exit_code = USAGE


def quick(arguments: list[str]) -> int | None:
    """The exit code, or None where Typer should read the arguments."""
    said: dict[str, Any] = {}
    rest = list(arguments)
    words: list[str] = []
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word == "--":
            words += rest
            break
        if name in _VALUES and (equals or rest):
            said[_VALUES[name]] = value if equals else rest.pop(0)
        elif word in _FLAGS:
            key, value_of = _FLAGS[word]
            said[key] = value_of
        elif word.startswith("-"):
            return None
        else:
            words.append(word)
    return check(words, **said)


def check(
    command: list[str],
    *,
    shell: str = "",
    cwd: str | None = None,
    workspace: str | None = None,
    file: str | None = None,
    record: bool = True,
    as_json: bool = False,
) -> int:
    """Judge one command, or those of a file; print it; the exit code."""
    known_shell(shell)
    if file is not None:
        if command:
            stop("a command and --file at once", "Leave one of them out.")
        worst = 0
        for told in _many(file, shell, cwd, workspace):
            print(json_line(told))
            worst = max(worst, EXITS[str(told["verdict"])])
        return worst
    judgement = judged(
        text_of(command, shell), shell=shell, cwd=cwd, workspace=workspace, record=record
    )
    if as_json:
        print(json_line(as_data(judgement)))
    else:
        print(harmless(f"{judgement.verdict.word}: {judgement.reason}"))
        if judgement.verdict:
            print(harmless(f"  rule: {judgement.rule}"))
            print(harmless(f"  part: {short(judgement.segment)}"))
    return EXITS[judgement.verdict.word]


def known_shell(shell: str) -> None:
    """Stop where that is no shell of ours."""
    if shell not in SHELLS:
        stop(f"no shell of ours: {shell}", f"Say one of {', '.join(KNOWN)}.")


def text_of(command: list[str], shell: str) -> str:
    """The command as one text; several words were words already, and stay such."""
    if not command:
        if sys.stdin.isatty():
            stop("no command to judge", "Put it in quotes, or behind `--`.")
        return sys.stdin.read()
    if len(command) == 1:
        return command[0]
    return " ".join(command) if shell in ("powershell", "cmd", "windows") else shlex.join(command)


def _many(
    file: str, shell: str, cwd: str | None, workspace: str | None
) -> Iterator[dict[str, object]]:
    """One answer for each command of a file, in the file's order."""
    for given in entries(file):
        entry: dict[str, Any] = given if isinstance(given, dict) else {}
        command, said = entry.get("cmd"), entry.get("shell") or shell
        told: dict[str, object]
        if not isinstance(command, str):
            told = _unreadable('an entry without "cmd"', str(given))
        elif said not in SHELLS:
            told = _unreadable(f"no shell of ours: {said}", command)
        else:
            told = as_data(judged(command, shell=said, cwd=cwd, workspace=workspace))
        yield {"id": entry["id"], **told} if "id" in entry else told


def _unreadable(reason: str, segment: str) -> dict[str, object]:
    return {"verdict": "ask", "reason": reason, "rule": "input", "segment": segment[:200]}


def entries(file: str) -> list[Any]:
    """What a file has: a JSON list, or JSON Lines. A line that is neither is an entry that asks."""
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        stop(f"{file} cannot be read: {exc}", "Name a file of JSON Lines, or a JSON list.")
    if text.lstrip().startswith("["):
        try:
            return list(json.loads(text))
        except (ValueError, RecursionError) as exc:
            stop(f"{file} is no JSON list: {exc}", 'Write [{"cmd": "…", "shell": "bash"}, …].')
    found: list[Any] = []
    for line in text.split("\n"):  # alone: a command may hold other ends of lines
        if line.strip():
            try:
                found.append(json.loads(line))
            except (ValueError, RecursionError):
                found.append(line)
    if not found:
        stop(f"{file} has no commands", 'Write a line {"cmd": "…", "shell": "bash"} for each.')
    return found


def short(text: str, most: int = 200) -> str:
    """A part of a command in one line."""
    line = " ⏎ ".join(text.splitlines())
    return line if len(line) <= most else f"{line[: most - 20]} … ({len(line):,} characters)"


def stop(what: str, help_: str) -> NoReturn:
    """Say what cannot be meant."""
    raise BadInput(what, what_to_do=help_)
