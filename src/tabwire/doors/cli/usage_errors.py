"""Usage errors: in a box for a person, as an object with `--json`.

Every command that fails ends here, so a program that passed `--json` always gets JSON.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from tabwire.model.errors import TabwireError

JSON = "--json"


def run(command: Any, arguments: Sequence[str]) -> None:
    """Run the command and exit with its code; a `TabwireError` passes through."""
    try:
        code = command.main(args=list(arguments), prog_name="tabwire", standalone_mode=False)
    except typer.TyperException as error:  # every complaint of the library
        sys.exit(_refuse(error, as_json=wants_json(arguments)))
    except typer.Abort:
        sys.exit(1)
    sys.exit(code if isinstance(code, int) else 0)


def wants_json(arguments: Sequence[str]) -> bool:
    """Whether a program reads what is printed."""
    options = list(arguments)
    return JSON in (options[: options.index("--")] if "--" in options else options)


def write_error(error: "TabwireError") -> None:
    """An error of ours as an object on stdout."""
    from tabwire.doors.cli.ask.json_output import error_data, write_line

    data = error_data(error.site or "", error, str)
    write_line({**data, "site": error.site or None, "exit_code": error.exit_code})


def _refuse(error: Any, *, as_json: bool) -> int:
    """Say what was wrong with the command line; the exit code."""
    error.message = _in_our_words(error)
    code: int = error.exit_code
    if as_json:
        from tabwire.model.ask_errors import BadAsk

        path = error.ctx.command_path if error.ctx else "tabwire"
        write_error(BadAsk("", error.format_message(), f"See `{path} --help`."))
    from typer.rich_utils import rich_format_error

    rich_format_error(error)
    return code


def _in_our_words(error: Any) -> str:
    """The message, where it came from the library that reads values."""
    problems = getattr(error.__cause__, "errors", None)
    if not callable(problems):
        return str(error.message)
    first: Mapping[str, Any] = problems()[0]
    about = first.get("ctx") or {}
    if first["type"] == "value_error":  # the library's own check, in plain words behind a prefix
        return str(about.get("error", error.message))
    expected = _expected(first["type"], about)
    return f"{first['input']!r}: expected {expected}" if expected else str(error.message)


def _expected(kind: str, about: Mapping[str, Any]) -> str:
    match kind:
        case "greater_than_equal":
            return f"{about['ge']} or more"
        case "less_than_equal":
            return f"{about['le']} or less"
        case "finite_number":
            return "a finite number"
        case "enum" | "literal_error":
            return f"one of {about['expected']}"
    if kind.startswith("int_"):
        return "a whole number"
    return "a number" if kind.startswith("float_") else ""
