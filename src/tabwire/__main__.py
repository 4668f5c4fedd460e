"""The `tabwire` command: joins the commands of `doors/cli` and `lab/cli`.

This is the one place that knows both, and the last one an error can reach. Nothing heavy
is imported here: `tabwire --help` costs what Typer costs.
"""

import os
import sys

from tabwire.model.errors import TabwireError

FAILED = 1
INTERRUPTED = 130  # 128 + SIGINT, as shells count it


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        try:
            run(sys.argv[1:])
        finally:
            sys.stdout.flush()  # while a reader that left can still be noticed here
    except TabwireError as error:
        print(f"tabwire: {error}\n{error.what_to_do}", file=sys.stderr)
        sys.exit(FAILED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # `tabwire … | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)


def run(arguments: list[str]) -> None:
    """Do what the arguments say; without any, print help."""
    from tabwire.doors.cli.app import build
    from tabwire.doors.cli.lazy import lazy_group
    from tabwire.lab import cli as lab

    command = build()
    command.add_command(lazy_group("lab", lab.HELP, lab.COMMANDS))
    command(args=arguments or ["--help"], prog_name="tabwire")


if __name__ == "__main__":
    main()
