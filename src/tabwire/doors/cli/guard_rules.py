"""`tabwire guard rules` and what changes them; `tabwire guard test`."""

from pathlib import Path
from typing import Annotated

import typer

from tabwire.doors.cli.guard import JSON, WORKSPACE
from tabwire.doors.cli.guard_check import entries
from tabwire.doors.cli.safe_text import harmless, json_line
from tabwire.hub import guard as guarding
from tabwire.model.errors import TabwireError
from tabwire.model.exits import FAILED, USAGE

HERE = Annotated[
    bool, typer.Option("--here", help="For the current folder's project only, not everywhere.")
]
RULE = Annotated[str, typer.Argument(metavar="RULE", help="The rule, in quotes.")]


def scored(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help='JSON of {"cmd", "shell", "label"}; - is standard input.'
        ),
    ],
    workspace: WORKSPACE = None,
    as_json: JSON = False,
) -> None:
    """Score the guard on a labelled file.

    Three figures count: how many `deny` commands would be allowed (none may), how many `ask`
    commands would not be (at least 95 %), how many `allow` commands would be stopped (under
    10 %). What was missed is listed.

    Exit code 0: all three are met. 1: one is not. 2: the file cannot be read.

    Examples:

      tabwire guard test commands.json
    """
    score = guarding.scored(entries(file), workspace)
    if as_json:
        print(json_line(score))
    else:
        for label, row in score["counts"].items():
            told = "  ".join(f"{verdict} {count}" for verdict, count in row.items())
            print(f"{label:<6} {told}")
        print(f"deny let through:   {score['deny_allowed']} (none may be)")
        print(f"ask held:           {score['ask_held']:.1%} (at least 95 %)")
        print(f"allow stopped:      {score['allow_stopped']:.1%} (under 10 %)")
        for miss in score["missed"]:
            print(
                harmless(
                    f"{miss['label']} -> {miss['verdict']}: {miss['cmd'][:120]!r} ({miss['rule']})"
                )
            )
    if not score["met"]:
        raise typer.Exit(FAILED)


def rules(workspace: WORKSPACE = None, as_json: JSON = False) -> None:
    """List the built-in rules and your own, with where each comes from.

    Built-in rules are named in every verdict. Your own are in guard.toml in Tabwire's home, and
    in `.tabwire/guard.toml` of a project, whose allow rules hold only after `tabwire guard accept`.

    Examples:

      tabwire guard rules

      tabwire guard rules --json --workspace ~/app
    """
    listed = guarding.listed(Path(workspace or ".").expanduser().absolute())
    if as_json:
        for row in listed:
            print(json_line(row))
        return
    for row in listed:
        print(harmless(f"{row['kind']:<8} {row['rule']:<24} {row['meaning']}  [{row['origin']}]"))


def _changed(before: dict[str, guarding.Rules], as_json: bool) -> None:
    rows = list(guarding.changes(before))
    if as_json:
        print(json_line({"changed": rows}))
        return
    if not rows:
        print("None of the last decisions would have been another.")
        return
    print(f"{len(rows)} of the last decisions would have been others:")
    for row in rows[:20]:
        print(harmless(f"  {row['before']} -> {row['now']}: {row['cmd'][:120]}"))


def _before() -> dict[str, guarding.Rules]:
    return {one: guarding.own_rules(Path(one)).rules for one in guarding.decided_workspaces()}


def allow(rule: RULE, here: HERE = False, as_json: JSON = False) -> None:
    """Let a command pass that would be asked about: its first words, `*` for whatever follows.

    It lifts an `ask`, never a `deny`: `allow "make *"` does not allow what `make` must not do.
    Without `*` nothing may follow. Shows which of the last decisions would have been others.

    Examples:

      tabwire guard allow "npm install"  --here

      tabwire guard allow "docker compose up *"
    """
    _add("allow", rule, here, as_json)


def ban(rule: RULE, here: HERE = False, as_json: JSON = False) -> None:
    """Never click what has this text, or matches this /pattern/flags.

    Plain text is found anywhere, whatever its letters' case. A pattern's flags are i (also
    without a word), m, s. Shows which of the last decisions would have been others.

    Examples:

      tabwire guard ban "prod-db"

      tabwire guard ban "/git push .*main/i"
    """
    _add("ban", rule, here, as_json)


def _add(kind: str, rule: str, here: bool, as_json: bool) -> None:
    before = _before()
    try:
        path = guarding.add(kind, rule, workspace=Path.cwd() if here else None)
    except guarding.BadRule as problem:
        print(harmless(f"tabwire: {problem}"))
        raise typer.Exit(USAGE) from None
    if not as_json:
        print(harmless(f"{kind}: {rule}  [{path}{' for ' + str(Path.cwd()) if here else ''}]"))
    _changed(before, as_json)


def forget(rule: RULE, as_json: JSON = False) -> None:
    """Remove a rule of your own, wherever it stands.

    Exit code 1: there was none.

    Examples:

      tabwire guard forget "npm install"
    """
    before = _before()
    if not guarding.remove(rule):
        raise TabwireError(
            harmless(f"no rule of yours says {rule!r}"),
            what_to_do="`tabwire guard rules` lists them.",
        )
    _changed(before, as_json)


def accept(workspace: WORKSPACE = None, as_json: JSON = False) -> None:
    """Let the allow rules of a project's own `.tabwire/guard.toml` hold, as they are now.

    That file came with the project; read it first. When it changes, its allow rules hold no
    longer, until you accept it again. Its bans hold always.

    Examples:

      tabwire guard accept --workspace ~/app
    """
    before = _before()
    folder = Path(workspace or ".").expanduser().absolute()
    accepted = guarding.accept(folder)
    if not accepted:
        print(harmless(f"tabwire: {folder / guarding.WORKSPACE_FILE} has no allow rules"))
        raise typer.Exit(FAILED)
    if not as_json:
        for one in accepted:
            print(harmless(f"allow: {one}"))
    _changed(before, as_json)
