"""`tabwire guard rules` and what changes them; `tabwire guard test`."""

from typing import Annotated

import typer

from tabwire.doors.cli.guard import JSON, WORKSPACE
from tabwire.hub import guard_rules as guard

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
    _run("test", file, workspace=workspace, as_json=as_json)


def rules(workspace: WORKSPACE = None, as_json: JSON = False) -> None:
    """List the built-in rules and your own, with where each comes from.

    Built-in rules are named in every verdict. Your own are in guard.toml in Tabwire's home, and
    in `.tabwire/guard.toml` of a project, whose allow rules hold only after `tabwire guard accept`.

    Examples:

      tabwire guard rules

      tabwire guard rules --json --workspace ~/app
    """
    _run("rules", workspace=workspace, as_json=as_json)


def allow(rule: RULE, here: HERE = False, as_json: JSON = False) -> None:
    """Let a command pass that would be asked about: its first words, `*` for whatever follows.

    It lifts an `ask`, never a `deny`: `allow "make *"` does not allow what `make` must not do.
    Without `*` nothing may follow. Shows which of the last decisions would have been others.

    Examples:

      tabwire guard allow "npm install"  --here

      tabwire guard allow "docker compose up *"
    """
    _run("change", "allow", rule, here=here, as_json=as_json)


def ban(rule: RULE, here: HERE = False, as_json: JSON = False) -> None:
    """Never click what has this text, or matches this /pattern/flags.

    Plain text is found anywhere, whatever its letters' case. A pattern's flags are i (also
    without a word), m, s. Shows which of the last decisions would have been others.

    Examples:

      tabwire guard ban "prod-db"

      tabwire guard ban "/git push .*main/i"
    """
    _run("change", "ban", rule, here=here, as_json=as_json)


def forget(rule: RULE, as_json: JSON = False) -> None:
    """Remove a rule of your own, wherever it stands.

    Exit code 1: there was none.

    Examples:

      tabwire guard forget "npm install"
    """
    _run("forget", rule, as_json=as_json)


def accept(workspace: WORKSPACE = None, as_json: JSON = False) -> None:
    """Let the allow rules of a project's own `.tabwire/guard.toml` hold, as they are now.

    That file came with the project; read it first. When it changes, its allow rules hold no
    longer, until you accept it again. Its bans hold always.

    Examples:

      tabwire guard accept --workspace ~/app
    """
    _run("accept", workspace=workspace, as_json=as_json)


def _run(name: str, *words: str, **options: object) -> None:
    raise typer.Exit(guard.command(name, *words, **options))
