"""`tabwire guard rules` and what changes them; `tabwire guard test`."""

from typing import Annotated

import typer

from tabwire.doors.cli.guard import JSON, WORKSPACE
from tabwire.hub import guard_command

HERE = Annotated[bool, typer.Option("--here", help="Only for the project in the current folder.")]
RULE = Annotated[str, typer.Argument(metavar="RULE", help="The rule, in quotes.")]


def scored(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help='JSON list of {"cmd", "shell", "label"} objects; - reads standard input.',
        ),
    ],
    workspace: WORKSPACE = None,
    as_json: JSON = False,
) -> None:
    """Measure the accuracy of the guard on a labelled file.

    Checks three targets: no command labelled deny is allowed, at least 95 % of those labelled
    ask are not allowed, and under 10 % of those labelled allow are stopped. Lists every command
    with a wrong verdict.

    Exit codes: 0 all targets are met, 1 a target is missed, 2 the file cannot be read.

    Examples:

      tabwire guard test commands.json
    """
    _run("test", file, workspace=workspace, as_json=as_json)


def rules(
    workspace: WORKSPACE = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per rule.")
    ] = False,
) -> None:
    """List the built-in rules and your own, and where each comes from.

    Every verdict names the built-in rule behind it. Your own rules are in guard.toml in Tabwire's
    home folder and in a project's `.tabwire/guard.toml`. The allow rules of a project apply only
    after `tabwire guard accept`.

    Examples:

      tabwire guard rules

      tabwire guard rules --json --workspace ~/app
    """
    _run("rules", workspace=workspace, as_json=as_json)


def allow(rule: RULE, here: HERE = False, as_json: JSON = False) -> None:
    """Allow a command that the guard would otherwise ask about.

    A rule is the beginning of a command, with a final `*` if any arguments may follow. It turns
    ask into allow, never deny. Prints which recent decisions the rule would have changed.

    Examples:

      tabwire guard allow "npm install"  --here

      tabwire guard allow "docker compose up *"
    """
    _run("change", "allow", rule, here=here, as_json=as_json)


def ban(rule: RULE, here: HERE = False, as_json: JSON = False) -> None:
    """Deny every command that contains this text or matches this /pattern/flags.

    Text matches anywhere in the command; case is ignored. Pattern flags are i, m and s. Prints
    which recent decisions the rule would have changed.

    Examples:

      tabwire guard ban "prod-db"

      tabwire guard ban "/git push .*main/i"
    """
    _run("change", "ban", rule, here=here, as_json=as_json)


def forget(rule: RULE, as_json: JSON = False) -> None:
    """Remove one of your own rules.

    Exit codes: 0 removed, 1 there is no such rule.

    Examples:

      tabwire guard forget "npm install"
    """
    _run("forget", rule, as_json=as_json)


def accept(workspace: WORKSPACE = None, as_json: JSON = False) -> None:
    """Trust the allow rules in a project's `.tabwire/guard.toml`.

    The file comes with the project, so read it first. If it changes, its allow rules no longer
    apply until you accept it again. Its bans always apply.

    Examples:

      tabwire guard accept --workspace ~/app
    """
    _run("accept", workspace=workspace, as_json=as_json)


def _run(name: str, *words: str, **options: object) -> None:
    raise typer.Exit(guard_command(name, *words, **options))
