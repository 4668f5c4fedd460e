"""The person's rules, from files.

They are in guard.toml in the person's folder, and in `.tabwire/guard.toml` of a workspace. What
stands in a workspace came with a repository: its bans hold, its allow rules only once the person
has accepted that very text.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tabwire_guard.errors import BadSetting
from tabwire_guard.person.home import write_file
from tabwire_guard.person.where import RULES, WORKSPACE_RULES
from tabwire_guard.rules import Allow, BadRule, Ban, Rules, allow, ban

FILE = RULES
WORKSPACE_FILE = Path(WORKSPACE_RULES)
ACCEPTED = "guard-accepted.json"
MAX_FILE = 200_000
"""Bytes of a file of rules."""
KINDS = ("ban", "allow")


@dataclass(frozen=True, slots=True)
class OwnRules:
    """The rules that hold in a workspace, and which do not hold yet."""

    rules: Rules
    waiting: tuple[str, ...] = ()
    """Allow rules of the workspace's own file that nobody has accepted."""


def own_rules(workspace: Path, home: Path) -> OwnRules:
    """All rules of the person's for a workspace."""
    bans: list[Ban] = []
    allows: list[Allow] = []
    mine = home / FILE
    tables = _read(mine)
    here = _workspaces(tables, mine).get(str(workspace), {})
    _collect(tables, str(mine), bans, allows)
    _collect(here, f"{mine} for {workspace}", bans, allows)
    theirs = workspace / WORKSPACE_FILE
    waiting: tuple[str, ...] = ()
    tables = _read(theirs)
    if tables:
        accepted = _accepted(home).get(str(theirs)) == _digest(theirs)
        unaccepted: list[Allow] = []
        _collect(tables, str(theirs), bans, allows if accepted else unaccepted)
        waiting = tuple(one.said for one in unaccepted)
    return OwnRules(Rules(tuple(bans), tuple(allows)), waiting)


def add_rule(kind: str, text: str, *, workspace: Path | None, home: Path) -> Path:
    """Add a rule of the person's; for one workspace, or everywhere."""
    (ban if kind == "ban" else allow)(text, "new")  # raises BadRule
    path = home / FILE
    tables = _read(path)
    if workspace is None:
        table = tables
    else:
        table = _workspaces(tables, path).setdefault(str(workspace), {})
    rules = table.setdefault(kind, [])
    if text not in rules:
        rules.append(text)
    write_file(path, _toml(tables))
    return path


def remove_rule(text: str, home: Path) -> int:
    """Remove a rule of the person's wherever it stands; how many were there."""
    path = home / FILE
    tables = _read(path)
    removed = 0
    for table in (tables, *_workspaces(tables, path).values()):
        for kind in KINDS:
            rules = table.get(kind, [])
            removed += rules.count(text)
            if text in rules:
                table[kind] = [one for one in rules if one != text]
    if removed:
        write_file(path, _toml(tables))
    return removed


def accept_rules(workspace: Path, home: Path) -> tuple[str, ...]:
    """Let the allow rules of a workspace's own file hold, as they are now."""
    path = workspace / WORKSPACE_FILE
    bans: list[Ban] = []
    allows: list[Allow] = []
    _collect(_read(path), str(path), bans, allows)
    accepted = _accepted(home)
    accepted[str(path)] = _digest(path)
    write_file(home / ACCEPTED, json.dumps(accepted, indent=1) + "\n")
    return tuple(one.said for one in allows)


def _read(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as exc:
        raise _unreadable(path, str(exc.strerror or exc)) from exc
    if len(data) > MAX_FILE:
        raise _unreadable(path, f"has more than {MAX_FILE:,} bytes")
    import tomllib  # only for those who have rules: starting up counts

    try:
        return tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise _unreadable(path, str(exc)) from exc


def _unreadable(path: Path, why: str) -> BadSetting:
    return BadSetting(
        FILE,
        str(path),
        f"cannot be read: {why}",
        "Correct the file; until then nothing is allowed.",
    )


def _workspaces(tables: dict[str, Any], path: Path) -> dict[str, dict[str, Any]]:
    found = tables.setdefault("workspace", {})
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise _unreadable(path, "`workspace` needs a table for each folder")
    return found


def _collect(tables: Mapping[str, Any], origin: str, bans: list[Ban], allows: list[Allow]) -> None:
    for name, value in tables.items():
        if name == "workspace":
            continue
        if name not in KINDS or not (
            isinstance(value, list) and all(isinstance(one, str) for one in value)
        ):
            raise BadSetting(
                origin, name, "is not a list of rules", 'Write ban = ["…"] and allow = ["…"].'
            )
        try:
            if name == "ban":
                bans += [ban(one, origin) for one in value]
            else:
                allows += [allow(one, origin) for one in value]
        except BadRule as problem:
            raise BadSetting(origin, name, str(problem), "Correct or remove that rule.") from None


def _accepted(home: Path) -> dict[str, str]:
    try:
        accepted = json.loads((home / ACCEPTED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return accepted if isinstance(accepted, dict) else {}


def _digest(path: Path) -> str:
    import hashlib

    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _toml(tables: Mapping[str, Any]) -> str:
    """The person's rules as TOML: two lists, and two for each workspace."""
    lines = ["# Rules of the guard. `tabwire guard --help` says what can be written here."]
    lines += [f"{kind} = {_list(tables[kind])}" for kind in KINDS if tables.get(kind)]
    for folder, table in tables.get("workspace", {}).items():
        if any(table.get(kind) for kind in KINDS):
            lines += ["", f"[workspace.{json.dumps(folder)}]"]
            lines += [f"{kind} = {_list(table[kind])}" for kind in KINDS if table.get(kind)]
    return "\n".join(lines) + "\n"


def _list(texts: list[str]) -> str:
    return "[\n" + "".join(f"    {json.dumps(one, ensure_ascii=False)},\n" for one in texts) + "]"
