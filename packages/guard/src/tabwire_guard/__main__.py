"""The program `tabwire-guard`, and `python -m tabwire_guard`.

`hook` is started before every tool call of a coding assistant, so it is told apart before
anything else is imported.
"""

import os
import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    if sys.argv[1:2] == ["hook"]:
        hook(sys.argv[2:])
    from tabwire_guard.cli.main import main as command_line

    command_line()


def hook(arguments: list[str]) -> None:
    """Run `hook` and leave. Whatever goes wrong ends with 2: assistants ignore other codes."""
    try:
        from tabwire_guard.hook.arguments import main as run

        code = run(arguments, "tabwire-guard hook")
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException as problem:  # noqa: BLE001 (also one in an import)
        told = f"tabwire-guard hook: {type(problem).__name__}: {problem}\n"
        os.write(2, told.encode("ascii", "backslashreplace"))
        code = 2
    os._exit(code)  # nothing is left to do, and tearing down takes as long as judging


if __name__ == "__main__":
    main()
