"""Why something came to nothing, as one value: the same from the flow to the store and to every
door, and back into an error where a caller raises or prints one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tabwire.model.ask_errors import AskError
from tabwire.model.errors import Retry, TabwireError
from tabwire.model.exits import FAILED, NEEDS_YOU

FAILED_CODE = AskError.code  # of errors that have no code of their own
LOST_CODE = "unknown"  # of a question whose process ended before it could say why

KINDS: tuple[type[AskError], ...] = (AskError, *AskError.__subclasses__())
EXIT_CODES: Mapping[str, int] = MappingProxyType({kind.code: kind.exit_code for kind in KINDS})
"""What a command ends with, by the code of an ask's error: all are in model/ask_errors.py."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What happened and what to do, for people and for programs."""

    code: str
    message: str
    what_to_do: str = ""
    retry: Retry = Retry.NO
    resets_at: float | None = None  # seconds since 1970, where a limit says so
    debug: dict[str, object] | None = None  # what helps to find the cause; `bundle` is a file
    exit_code: int = FAILED


def failure_of(error: TabwireError, *, code: str = FAILED_CODE) -> Failure:
    """The error as data. `code`: of one that has none of its own."""
    own = getattr(error, "code", None)
    return Failure(
        code=own if isinstance(own, str) else code,
        message=str(error),
        what_to_do=error.what_to_do,
        retry=error.retry,
        resets_at=error.resets_at,
        debug=error.debug,
        exit_code=error.exit_code,
    )


def error_of(failure: Failure, site: str) -> AskError:
    """The failure as an error again, for whoever asked."""
    error = AskError(site, failure.message, what_to_do=failure.what_to_do, retry=failure.retry)
    error.code, error.exit_code = failure.code, failure.exit_code
    error.resets_at, error.debug = failure.resets_at, failure.debug
    return error


def exit_code_of(code: str, *, needs_you: bool) -> int:
    """What a command ends with for this code. `needs_you`: of a code that is no ask's, whether a
    person has to do something first."""
    return EXIT_CODES.get(code, NEEDS_YOU if needs_you else FAILED)
