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
        description="Judge a shell command before it runs: allow, ask or deny, and why. "
        "Nothing is run.",
        epilog="Exit codes of check and explain: 0 allow, 3 ask, 4 deny, 2 invalid input.",
    )
    parser.add_argument("--version", action="version", version=f"tabwire-guard {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Any, about: str, *, workspace: bool = True) -> "ArgumentParser":
        added = commands.add_parser(name, help=about, description=about)
        added.set_defaults(run=run)
        added.add_argument("--json", dest="as_json", action="store_true", help="print JSON")
        if workspace:
            added.add_argument("--workspace", metavar="DIR", help="the project; default: here")
        return added

    judging = [
        command("check", check, "Judge a command, or with --file many."),
        command("explain", explain, "Print the tree of a command, a verdict for each part."),
    ]
    for one in judging:
        one.add_argument("--shell", default="", help="the shell that would run it")
        one.add_argument("--cwd", metavar="DIR", help="where it would run; default: the workspace")
        one.add_argument("command", nargs="*", help="the command, in quotes or behind `--`")
    judging[0].add_argument("--file", help="JSON Lines or a JSON list; - is standard input")
    judging[0].add_argument("--no-record", dest="record", action="store_false",
                            help="do not remember this decision")  # fmt: skip
    command("test", rules.score_file, "Score the guard on a labelled file.").add_argument("file")
    command("rules", rules.show_rules, "List the built-in rules and your own.")
    for kind, about in (
        ("allow", "Let commands that begin with these words pass."),
        ("ban", "Never allow what has this text or matches this /pattern/."),
    ):
        added = command(kind, partial(rules.change_rules, kind), about, workspace=False)
        added.add_argument("rule")
        added.add_argument("--here", action="store_true", help="for the current folder only")
    command(
        "forget", rules.forget_rule, "Remove a rule of your own.", workspace=False
    ).add_argument("rule")
    command("accept", rules.accept_workspace, "Let the allow rules that a project brings hold.")
    commands.add_parser("hook", help="Judge the tool calls of coding assistants: `hook --help`.")
    return parser


if __name__ == "__main__":
    main()
