"""The guard with the person's own rules, for the hub and the doors.

`tabwire_guard` does the work and knows nothing of Tabwire: here it gets Tabwire's home folder,
and what it raises becomes an error of ours.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from tabwire.config.home import home
from tabwire.model.errors import BadSetting, TabwireError
from tabwire.model.exits import USAGE
from tabwire_guard import errors
from tabwire_guard.person import rule_files
from tabwire_guard.person.decisions import remember
from tabwire_guard.person.judgement import judge_with_own_rules, usual_shell, whole_path
from tabwire_guard.person.rule_files import ACCEPTED, FILE, WORKSPACE_FILE, OwnRules
from tabwire_guard.verdict import Judgement

__all__ = [
    "ACCEPTED", "FILE", "WORKSPACE_FILE", "BadInput", "Judgement", "OwnRules", "command", "hook",
    "judged", "own_rules", "quick_check", "usual_shell",
]  # fmt: skip


class BadInput(TabwireError):
    """An argument or an input file of `tabwire guard` is invalid."""

    exit_code = USAGE


def own_rules(workspace: Path, environment: Mapping[str, str] = os.environ) -> OwnRules:
    """All rules of the person's for a workspace."""
    with _as_ours():
        return rule_files.own_rules(workspace, home(environment))


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
    ours = home(environment)
    with _as_ours():
        judgement = judge_with_own_rules(
            command, home=ours, shell=shell, cwd=cwd, workspace=workspace
        )
        if record:
            remember(judgement, whole_path(workspace or os.getcwd()), ours)
    return judgement


def hook(arguments: Sequence[str]) -> int:
    """What `tabwire guard hook` does with these arguments; its exit code."""
    from tabwire_guard.hook.arguments import main

    return main(arguments, "tabwire guard hook")


COMMANDS = {
    "check": "tabwire_guard.cli.check:check",
    "explain": "tabwire_guard.cli.explain:explain",
    "test": "tabwire_guard.cli.rules:score_file",
    "rules": "tabwire_guard.cli.rules:show_rules",
    "change": "tabwire_guard.cli.rules:change_rules",
    "forget": "tabwire_guard.cli.rules:forget_rule",
    "accept": "tabwire_guard.cli.rules:accept_workspace",
}
"""Where the guard has its commands; each is imported when it runs."""


def command(name: str, *words: str | Sequence[str], **options: object) -> int:
    """Run a command of the guard's own command line with our home folder; its exit code."""
    module, _, function = COMMANDS[name].partition(":")
    run: Callable[..., int] = getattr(import_module(module), function)
    with _as_ours():
        return run(*words, **options, home=home())


def quick_check(arguments: Sequence[str]) -> int | None:
    """`tabwire guard check` without Typer; None where Typer should read the arguments."""
    from tabwire_guard.cli.check import read_arguments

    options = read_arguments(arguments)
    return None if options is None else command("check", **options)


@contextmanager
def _as_ours() -> Iterator[None]:
    """What the guard raises in this block, as an error of ours."""
    try:
        yield
    except errors.BadSetting as error:
        raise BadSetting(error.name, error.value, error.why, error.what_to_do) from error
    except errors.BadInput as error:
        raise BadInput(str(error), what_to_do=error.what_to_do) from error
    except errors.GuardError as error:
        raise TabwireError(str(error), what_to_do=error.what_to_do) from error
