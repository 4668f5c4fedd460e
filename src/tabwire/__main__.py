"""The `tabwire` command: joins the commands of `doors/cli` and `lab/cli`.

This is the one place that knows both, and the last one an error can reach. Nothing heavy
is imported here: `tabwire --help` costs what Typer costs. `tabwire mcp` costs less still: every
assistant starts one, so it is told apart before anything else is imported. So are
`tabwire guard check`, which is asked before every click, and `tabwire guard hook`, which is
started before every tool call of a coding assistant.
"""

import os
import sys

TYPE_CHECKING = False  # importing `typing` for it would cost as much as the pump
if TYPE_CHECKING:
    from tabwire.model.errors import TabwireError


def main() -> None:
    """Run the command line and leave with its exit code."""
    if sys.argv[1:] == ["mcp"]:
        from tabwire.doors.mcp.pump import main as pump

        sys.exit(pump())
    if sys.argv[1:3] == ["guard", "hook"]:
        hook(sys.argv[3:])
    command_line()


def hook(arguments: list[str]) -> None:
    """Run the guard's hook and leave. Whatever goes wrong ends with 2: other codes are ignored."""
    try:
        from tabwire_guard.hook.arguments import main as run

        code = run(arguments, "tabwire guard hook")
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException as problem:  # noqa: BLE001 (also one in an import)
        told = f"tabwire guard hook: {type(problem).__name__}: {problem}\n"
        os.write(2, told.encode("ascii", "backslashreplace"))
        code = 2
    os._exit(code)  # nothing is left to do, and tearing down takes as long as judging


def command_line() -> None:
    """Everything but the pump."""
    from tabwire.model.errors import TabwireError
    from tabwire.model.exits import FAILED, INTERRUPTED

    try:
        try:
            run(sys.argv[1:])
        finally:
            sys.stdout.flush()  # while a reader that left can still be noticed here
    except TabwireError as error:
        sys.exit(complain(error))
    except ExceptionGroup as group:  # from tasks that ran side by side: the first says it
        sys.exit(complain(first_of(group)))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # `tabwire … | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except OSError as error:  # a home that is read only, not ours, or on a full disk
        from tabwire.doors.cli.app import named_error

        if (named := named_error(error)) is None:
            raise
        sys.exit(complain(named))


def complain(error: "TabwireError") -> int:
    """Say what happened and what to do; the exit code it has. With `--json`, as JSON too."""
    from tabwire.doors.cli.usage_errors import wants_json, write_error

    if wants_json(sys.argv[1:]):
        write_error(error)
    print(f"tabwire: {error}\n{error.what_to_do}", file=sys.stderr)
    return error.exit_code


def first_of(group: ExceptionGroup[Exception]) -> "TabwireError":
    """The first error of ours in a group. A group with any other is a bug: it goes on up."""
    from tabwire.model.errors import TabwireError

    ours, others = group.split(TabwireError)
    if ours is None or others is not None:
        raise group
    error: BaseException = ours
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, TabwireError), "split by its class"
    return error


def run(arguments: list[str]) -> None:
    """Do what the arguments say; without any, print help."""
    if arguments[:2] == ["guard", "check"]:
        from tabwire.hub.guard import quick_check

        if (code := quick_check(arguments[2:])) is not None:
            sys.exit(code)
    from tabwire.doors.cli import usage_errors as usage
    from tabwire.doors.cli.app import build
    from tabwire.doors.cli.lazy import lazy_group
    from tabwire.lab import cli as lab

    command = build()
    command.add_command(lazy_group("lab", lab.HELP, lab.COMMANDS))
    usage.run(command, arguments or ["--help"])


if __name__ == "__main__":
    main()
