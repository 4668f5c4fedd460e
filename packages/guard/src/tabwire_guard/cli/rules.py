"""`rules`, what changes them (`allow`, `ban`, `forget`, `accept`), and `test`."""

from collections.abc import Mapping
from pathlib import Path

from tabwire_guard.cli.check import read_entries
from tabwire_guard.cli.terminal import print_json, print_text
from tabwire_guard.errors import BadInput, GuardError
from tabwire_guard.person.decisions import changed_decisions, rules_by_workspace
from tabwire_guard.person.listing import list_rules, score
from tabwire_guard.person.rule_files import WORKSPACE_FILE, accept_rules, add_rule, remove_rule
from tabwire_guard.rules import BadRule, Rules

MOST = 20
"""Changed decisions that are printed."""


def show_rules(*, home: Path, workspace: str | None = None, as_json: bool = False) -> int:
    """Print every rule that holds, with where each comes from."""
    for row in list_rules(_folder(workspace), home):
        if as_json:
            print_json(row)
        else:
            print_text(f"{row['kind']:<8} {row['rule']:<24} {row['meaning']}  [{row['origin']}]")
    return 0


def change_rules(
    kind: str, rule: str, *, home: Path, here: bool = False, as_json: bool = False
) -> int:
    """Add a `ban` or an `allow`; print which of the last decisions would have been others."""
    before = rules_by_workspace(home)
    try:
        path = add_rule(kind, rule, workspace=Path.cwd() if here else None, home=home)
    except BadRule as problem:
        raise BadInput(str(problem), "Correct the rule.") from problem
    if not as_json:
        print_text(f"{kind}: {rule}  [{path}{f' for {Path.cwd()}' if here else ''}]")
    return _print_changes(before, home, as_json)


def forget_rule(rule: str, *, home: Path, as_json: bool = False) -> int:
    """Remove a rule of the person's, wherever it stands."""
    before = rules_by_workspace(home)
    if not remove_rule(rule, home):
        raise GuardError(f"you have no rule {rule!r}", "`rules` lists them.")
    return _print_changes(before, home, as_json)


def accept_workspace(*, home: Path, workspace: str | None = None, as_json: bool = False) -> int:
    """Let the allow rules of a workspace's own file hold, as they are now."""
    before = rules_by_workspace(home)
    folder = _folder(workspace)
    accepted = accept_rules(folder, home)
    if not accepted:
        raise GuardError(f"{folder / WORKSPACE_FILE} has no allow rules", "There is nothing to do.")
    if not as_json:
        for rule in accepted:
            print_text(f"allow: {rule}")
    return _print_changes(before, home, as_json)


def score_file(
    file: str, *, home: Path, workspace: str | None = None, as_json: bool = False
) -> int:
    """Score the guard on a labelled file; exit code 1 where it misses a goal."""
    result = score(read_entries(file), workspace, home)
    if as_json:
        print_json(result)
    else:
        for label, row in result["counts"].items():
            verdicts = "  ".join(f"{verdict} {count}" for verdict, count in row.items())
            print_text(f"{label:<6} {verdicts}")
        print_text(f"deny let through:   {result['deny_allowed']} (none may be)")
        print_text(f"ask held:           {result['ask_held']:.1%} (at least 95 %)")
        print_text(f"allow stopped:      {result['allow_stopped']:.1%} (under 10 %)")
        for miss in result["missed"]:
            print_text(
                f"{miss['label']} -> {miss['verdict']}: {miss['cmd'][:120]!r} ({miss['rule']})"
            )
    return 0 if result["met"] else 1


def _print_changes(before: Mapping[str, Rules], home: Path, as_json: bool) -> int:
    rows = list(changed_decisions(before, home))
    if as_json:
        print_json({"changed": rows})
    elif not rows:
        print_text("No recent decision would have been different.")
    else:
        print_text(f"Recent decisions that would have been different: {len(rows)}")
        for row in rows[:MOST]:
            print_text(f"  {row['before']} -> {row['now']}: {row['cmd'][:120]}")
    return 0


def _folder(workspace: str | None) -> Path:
    return Path(workspace or ".").expanduser().absolute()
