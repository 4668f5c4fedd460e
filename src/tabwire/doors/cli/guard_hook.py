"""`tabwire guard hook`: the guard before every tool call of a coding assistant.

The program tells it apart before Typer is imported (`__main__`), which takes longer than a
judgement. What is here lists the command and hands the same words on.
"""

from typing import Annotated

import typer

from tabwire.hub import guard_hook

WORDS = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[install|uninstall|doctor] ASSISTANT",
        help="claude-code, codex, gemini-cli or cursor.",
    ),
]


def hook(
    words: WORDS = None,
    user: Annotated[bool, typer.Option("--user", help="Your own configuration (default).")] = False,
    project: Annotated[
        str | None, typer.Option("--project", metavar="DIR", help="One project's configuration.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the change and write nothing.")
    ] = False,
    on_failure: Annotated[
        str | None,
        typer.Option(
            "--on-failure",
            metavar="deny|ask",
            help="Answer if a call cannot be judged. Default: deny.",
        ),
    ] = None,
    on_ask: Annotated[
        str | None,
        typer.Option(
            "--on-ask",
            metavar="deny|pass",
            help="Answer if the assistant cannot ask you from a hook. Default: deny.",
        ),
    ] = None,
    timeout: Annotated[
        str | None,
        typer.Option(
            "--timeout", metavar="SECONDS", help="Time limit for the verdict. Default: 5."
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print one JSON object; with doctor, JSON Lines, one object per assistant.",
        ),
    ] = False,
) -> None:
    """Judge every tool call of a coding assistant before it runs (docs/guard.md)."""
    given = {"--project": project, "--on-failure": on_failure, "--on-ask": on_ask,
             "--timeout": timeout}  # fmt: skip
    flags = {"--user": user, "--dry-run": dry_run, "--json": as_json}
    arguments = list(words or [])
    arguments += [
        one for name, value in given.items() if value is not None for one in (name, value)
    ]
    arguments += [name for name, said in flags.items() if said]
    raise typer.Exit(guard_hook(arguments))
