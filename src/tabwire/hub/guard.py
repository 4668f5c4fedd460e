"""The guard with the person's own rules, and what it decided before.

Rules are in guard.toml in Tabwire's home, and in `.tabwire/guard.toml` of a workspace. What
stands in a workspace came with a repository: its bans hold, its allow rules only once the person
has accepted that very text (`tabwire guard accept`).
"""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabwire.config.home import home, made
from tabwire.guard.explain import as_data, tree
from tabwire.guard.judging import SHELLS, judge
from tabwire.guard.looks import WHOLE
from tabwire.guard.rules import Allow, BadRule, Ban, Rules, allow, ban
from tabwire.guard.verdict import Judgement
from tabwire.model.errors import BadSetting

FILE = "guard.toml"
WORKSPACE_FILE = Path(".tabwire", "guard.toml")
ACCEPTED = "guard-accepted.json"
DECISIONS = "guard-decisions.jsonl"
__all__ = ["SHELLS", "BadRule", "Judgement", "Own", "Rules", "as_data"]
"""Beside what stands here, for the doors."""

KEPT = 1_000
"""Decisions that are remembered, the newest."""
MAX_KEPT = 2_000
"""Characters of a command that are remembered."""
MAX_DECISIONS = 2_000_000
"""Bytes of remembered decisions, before older ones are forgotten."""
MAX_FILE = 200_000
"""Bytes of a file of rules."""


@dataclass(frozen=True, slots=True)
class Own:
    """The rules that hold in a workspace, and what does not hold and why."""

    rules: Rules
    waiting: tuple[str, ...] = ()
    """Allow rules of the workspace's own file that nobody has accepted."""


def own_rules(workspace: Path, environment: Mapping[str, str] = os.environ) -> Own:
    """All rules of the person's for a workspace."""
    bans: list[Ban] = []
    allows: list[Allow] = []
    mine = home(environment) / FILE
    said = _read(mine)
    here = _tables(said, mine).get(str(workspace), {})
    _add(said, str(mine), bans, allows)
    _add(here, f"{mine} for {workspace}", bans, allows)
    theirs = workspace / WORKSPACE_FILE
    waiting: tuple[str, ...] = ()
    said = _read(theirs)
    if said:
        accepted = _accepted(environment).get(str(theirs)) == _digest(theirs)
        unaccepted: list[Allow] = []
        _add(said, str(theirs), bans, allows if accepted else unaccepted)
        waiting = tuple(one.said for one in unaccepted)
    return Own(Rules(tuple(bans), tuple(allows)), waiting)


def judged(
    command: str,
    *,
    shell: str = "",
    cwd: str | None = None,
    workspace: str | None = None,
    environment: Mapping[str, str] = os.environ,
    record: bool = False,
) -> Judgement:
    """Judge a command with the person's rules. Nothing is run."""
    shell = shell or usual_shell()
    folder = workspace or os.getcwd()
    # A Windows path is judged on any system, so only one of this system's is made whole.
    whole = folder if re.match(r"[A-Za-z]:", folder) else str(Path(folder).expanduser().absolute())
    own = own_rules(Path(whole), environment)
    where = os.path.join(whole, cwd) if cwd and not re.match(r"[A-Za-z]:", cwd) else cwd
    judgement = judge(
        command, shell=shell, cwd=where, workspace=whole, home=_home(whole), rules=own.rules
    )
    if record:
        remember(judgement, whole, environment)
    return judgement


def usual_shell() -> str:
    """The shell of this system: nobody knows which of them it is."""
    return "windows" if os.name == "nt" else "unix"


def _home(workspace: str) -> str | None:
    """The person's home, where it is of the same kind as the workspace's path."""
    here = str(Path.home())
    same = bool(re.match(r"[A-Za-z]:", here)) == bool(re.match(r"[A-Za-z]:", workspace))
    return here if same else None


# Decisions


def remember(judgement: Judgement, workspace: str, environment: Mapping[str, str]) -> None:
    """Keep a decision, so that a change of rules can be tried on it."""
    path = made(home(environment)) / DECISIONS
    line = {"cmd": judgement.command[:MAX_KEPT], "shell": judgement.shell, "workspace": workspace,
            "verdict": judgement.verdict.word}  # fmt: skip
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(handle, "ab") as file:
        file.write(json.dumps(line).encode() + b"\n")
        large = file.tell() > MAX_DECISIONS
    if large:
        _write(path, "\n".join(_lines(path)[-KEPT:]) + "\n")


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, UnicodeDecodeError):
        return []


def changes(
    before: Mapping[str, Rules], environment: Mapping[str, str] = os.environ
) -> Iterator[dict[str, str]]:
    """Decisions of before that would be others now; `before` has the old rules by workspace."""
    for line in _lines(home(environment) / DECISIONS):
        try:
            one = json.loads(line)
            command, shell, workspace = one["cmd"], one["shell"], one["workspace"]
        except (ValueError, KeyError, TypeError):
            continue
        old = before.get(workspace)
        if old is None:
            continue
        now = own_rules(Path(workspace), environment).rules
        verdicts = [
            judge(command, shell=shell, workspace=workspace, home=_home(workspace), rules=rules)
            for rules in (old, now)
        ]
        if verdicts[0].verdict is not verdicts[1].verdict:
            yield {
                "cmd": command,
                "workspace": workspace,
                "before": verdicts[0].verdict.word,
                "now": verdicts[1].verdict.word,
            }


def decided_workspaces(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Where decisions were made."""
    found: dict[str, None] = {}
    for line in _lines(home(environment) / DECISIONS):
        try:
            found[json.loads(line)["workspace"]] = None
        except (ValueError, KeyError, TypeError):
            continue
    return list(found)


# Changing rules


def add(
    kind: str, said: str, *, workspace: Path | None, environment: Mapping[str, str] = os.environ
) -> Path:
    """Add a rule of the person's; for one workspace, or everywhere."""
    (ban if kind == "ban" else allow)(said, "said now")
    path = home(environment) / FILE
    rules = _read(path)
    table = rules if workspace is None else _tables(rules, path).setdefault(str(workspace), {})
    listed = table.setdefault(kind, [])
    if said not in listed:
        listed.append(said)
    _write(path, _toml(rules))
    return path


def remove(said: str, environment: Mapping[str, str] = os.environ) -> int:
    """Remove a rule of the person's wherever it stands; how many were there."""
    path = home(environment) / FILE
    rules = _read(path)
    gone = 0
    for table in (rules, *_tables(rules, path).values()):
        for kind in ("ban", "allow"):
            listed = table.get(kind, [])
            gone += listed.count(said)
            if said in listed:
                table[kind] = [one for one in listed if one != said]
    if gone:
        _write(path, _toml(rules))
    return gone


def accept(workspace: Path, environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Let the allow rules of a workspace's own file hold, as they are now."""
    path = workspace / WORKSPACE_FILE
    said = _read(path)
    bans: list[Ban] = []
    allows: list[Allow] = []
    _add(said, str(path), bans, allows)
    accepted = _accepted(environment)
    accepted[str(path)] = _digest(path)
    _write(made(home(environment)) / ACCEPTED, json.dumps(accepted, indent=1) + "\n")
    return tuple(one.said for one in allows)


# Files


def _read(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as exc:
        raise _broken(path, str(exc.strerror or exc)) from exc
    if len(data) > MAX_FILE:
        raise _broken(path, f"has more than {MAX_FILE:,} bytes")
    try:
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise _broken(path, str(exc)) from exc


def _broken(path: Path, why: str) -> BadSetting:
    return BadSetting(
        FILE,
        str(path),
        f"cannot be read: {why}",
        "Correct the file; until then nothing is allowed.",
    )


def _tables(said: dict[str, Any], path: Path) -> dict[str, dict[str, Any]]:
    tables = said.setdefault("workspace", {})
    if not isinstance(tables, dict) or not all(isinstance(one, dict) for one in tables.values()):
        raise _broken(path, "`workspace` has tables, one for each folder")
    return tables


def _add(said: Mapping[str, Any], origin: str, bans: list[Ban], allows: list[Allow]) -> None:
    for name, value in said.items():
        if name == "workspace":
            continue
        if name not in ("ban", "allow") or not (
            isinstance(value, list) and all(isinstance(one, str) for one in value)
        ):
            raise BadSetting(
                origin, name, "is no list of rules", 'Write ban = ["…"] and allow = ["…"].'
            )
        try:
            if name == "ban":
                bans += [ban(one, origin) for one in value]
            else:
                allows += [allow(one, origin) for one in value]
        except BadRule as problem:
            raise BadSetting(origin, name, str(problem), "Correct or remove that rule.") from None


def _accepted(environment: Mapping[str, str]) -> dict[str, str]:
    try:
        said = json.loads((home(environment) / ACCEPTED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _toml(rules: Mapping[str, Any]) -> str:
    """The person's rules as TOML: two lists, and two for each workspace."""
    lines = ["# Rules of the guard. `tabwire guard --help` says what can be written here."]
    lines += [f"{kind} = {_list(rules[kind])}" for kind in ("ban", "allow") if rules.get(kind)]
    for folder, table in rules.get("workspace", {}).items():
        if any(table.get(kind) for kind in ("ban", "allow")):
            lines += ["", f"[workspace.{json.dumps(folder)}]"]
            lines += [
                f"{kind} = {_list(table[kind])}" for kind in ("ban", "allow") if table.get(kind)
            ]
    return "\n".join(lines) + "\n"


def _list(texts: list[str]) -> str:
    return "[\n" + "".join(f"    {json.dumps(one, ensure_ascii=False)},\n" for one in texts) + "]"


def _write(path: Path, text: str) -> None:
    """The whole file or nothing of it, for this person alone."""
    made(path.parent)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)


# For the doors


def explained(judgement: Judgement) -> Iterator[tuple[int, str, str, list[str]]]:
    """Depth, verdict, line and reasons of every part."""
    for finding in judgement.findings:
        if finding.segment == WHOLE:
            yield 0, finding.verdict.word, WHOLE, [finding.reason]
    for depth, part, line in tree(judgement):
        reasons = [f"{one.rule}: {one.reason}" for one in part.findings]
        if part.allowed_by:
            reasons.append(f"allowed by {part.allowed_by}")
        yield depth, part.verdict.word, line, reasons


def listed(workspace: Path, environment: Mapping[str, str] = os.environ) -> list[dict[str, str]]:
    """Every rule: the built-in ones, then the person's."""
    from tabwire.guard.catalogue import CATALOGUE

    rows = [
        {"kind": "built-in", "rule": name, "meaning": meaning, "origin": "Tabwire"}
        for name, meaning in CATALOGUE.items()
    ]
    own = own_rules(workspace, environment)
    rows += [
        {"kind": "ban", "rule": one.said, "meaning": "never clicked", "origin": one.origin}
        for one in own.rules.bans
    ]
    rows += [
        {"kind": "allow", "rule": one.said, "meaning": "not asked about", "origin": one.origin}
        for one in own.rules.allows
    ]
    theirs = str(workspace / WORKSPACE_FILE)
    rows += [
        {
            "kind": "waiting",
            "rule": one,
            "meaning": "holds after `tabwire guard accept`",
            "origin": theirs,
        }
        for one in own.waiting
    ]
    return rows


def scored(entries: list[Any], workspace: str | None = None) -> dict[str, Any]:
    """How the guard does on labelled commands."""
    counts: dict[str, dict[str, int]] = {one: {} for one in ("deny", "ask", "allow")}
    missed: list[dict[str, str]] = []
    for entry in entries:
        if not isinstance(entry, dict) or entry.get("label") not in counts:
            raise BadSetting(
                "the file", str(entry)[:80], "has no label", 'Each entry needs "cmd" and "label".'
            )
        label = entry["label"]
        shell = entry.get("shell") or "bash"
        windows = shell in ("powershell", "cmd", "windows")
        folder = workspace or (r"C:\Users\you\project" if windows else None)
        found = judged(str(entry.get("cmd", "")), shell=shell, workspace=folder)
        verdict = found.verdict.word
        counts[label][verdict] = counts[label].get(verdict, 0) + 1
        if (verdict == "allow") != (label == "allow"):
            missed.append(
                {
                    "cmd": found.command,
                    "shell": shell,
                    "label": label,
                    "verdict": verdict,
                    "rule": found.rule,
                }
            )
    totals = {label: sum(row.values()) for label, row in counts.items()}
    through = counts["deny"].get("allow", 0)
    held = 1 - counts["ask"].get("allow", 0) / totals["ask"] if totals["ask"] else 1.0
    stopped = 1 - counts["allow"].get("allow", 0) / totals["allow"] if totals["allow"] else 0.0
    return {
        "counts": counts,
        "deny_allowed": through,
        "ask_held": held,
        "allow_stopped": stopped,
        "met": through == 0 and held >= 0.95 and stopped < 0.10,
        "missed": missed,
    }
