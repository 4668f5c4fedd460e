"""The program `tabwire-guard`: reads arguments, runs a command, prints errors.

Exit codes: 0 allow, 3 ask, 4 deny; 2 invalid input, 1 failed.
"""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tabwire_guard.cli.check import check, read_arguments
from tabwire_guard.errors import GuardError
from tabwire_guard.person.home import home_folder

if TYPE_CHECKING:
    from argparse import ArgumentParser

INTERRUPTED = 130


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        try:
            code = run(sys.argv[1:])
        finally:
            sys.stdout.flush()  # while a reader that left can still be noticed here
    except GuardError as error:
        print(f"tabwire-guard: {error}\n{error.what_to_do}", file=sys.stderr)
        code = error.exit_code
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:  # `tabwire-guard … | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except OSError as error:
        print(f"tabwire-guard: {error}", file=sys.stderr)
        code = 1
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit code."""
    if arguments[:1] == ["check"] and (quick := read_arguments(arguments[1:])) is not None:
        return check(**quick, home=home_folder())
    options = vars(_parser().parse_args(arguments or ["--help"]))
    command = options.pop("run")
    code: int = command(**options, home=home_folder())
    return code


def _parser() -> "ArgumentParser":
    from argparse import ArgumentParser
    from functools import partial

    from tabwire_guard import __version__
    from tabwire_guard.cli import rules
    from tabwire_guard.cli.explain import explain

    parser = ArgumentParser(
        prog="tabwire-guard",
        description="Judge a shell command before it runs: allow, ask or deny, with a reason. "
        "The command is not run.",
        epilog="Exit codes of check and explain: 0 allow, 3 ask, 4 deny, 2 invalid input.",
    )
    parser.add_argument("--version", action="version", version=f"tabwire-guard {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Any, about: str, *, workspace: bool = True) -> "ArgumentParser":
        added = commands.add_parser(name, help=about, description=about)
        added.set_defaults(run=run)
        added.add_argument("--json", dest="as_json", action="store_true", help="print JSON")
        if workspace:
            added.add_argument(
                "--workspace", metavar="DIR", help="project folder; default: the current folder"
            )
        return added

    judging = [
        command("check", check, "Judge a command, or several with --file."),
        command(
            "explain", explain, "Show the parts of a command as a tree, with a verdict for each."
        ),
    ]
    for one in judging:
        one.add_argument("--shell", default="", help="shell that would run it")
        one.add_argument(
            "--cwd", metavar="DIR", help="folder it would run in; default: the workspace"
        )
        one.add_argument(
            "command",
            nargs="*",
            help="the command, in quotes or after `--`; default: standard input",
        )
    judging[0].add_argument(
        "--file", help="JSON Lines or a JSON list of commands; - reads standard input"
    )
    judging[0].add_argument("--no-record", dest="record", action="store_false",
                            help="do not save this decision")  # fmt: skip
    command(
        "test", rules.score_file, "Measure the accuracy of the guard on a labelled file."
    ).add_argument(
        "file", help='JSON list of {"cmd", "shell", "label"} objects; - reads standard input'
    )
    command("rules", rules.show_rules, "List the built-in rules and your own.")
    for kind, about in (
        ("allow", "Allow a command that the guard would otherwise ask about."),
        ("ban", "Deny every command that contains this text or matches this /pattern/."),
    ):
        added = command(kind, partial(rules.change_rules, kind), about, workspace=False)
        added.add_argument("rule", help="the rule, in quotes")
        added.add_argument(
            "--here", action="store_true", help="only for the project in the current folder"
        )
    command(
        "forget", rules.forget_rule, "Remove one of your own rules.", workspace=False
    ).add_argument("rule", help="the rule, in quotes")
    command(
        "accept",
        rules.accept_workspace,
        "Trust the allow rules in a project's .tabwire/guard.toml.",
    )
    commands.add_parser(
        "hook", help="Judge every tool call of a coding assistant; see `hook --help`."
    )
    return parser


if __name__ == "__main__":
    main()
