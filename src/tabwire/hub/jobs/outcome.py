"""Which state a job rests in without a whole answer.

A person has to do something where the site or the browser wants one, where a limit is spent,
and where a prompt may have been sent whose answer was not found. All else has failed.
"""

from tabwire.model.ask_errors import AskError
from tabwire.model.errors import TabwireError
from tabwire.model.exits import LIMIT, NEEDS_YOU
from tabwire.model.failure import Failure, failure_of
from tabwire.model.job import JobState

NO_BROWSER = "no_browser"  # the code of whatever stands in the way of an ask, and has none


def state_after(error: TabwireError) -> JobState:
    """The state of a job that this happened to."""
    if not isinstance(error, AskError):
        return JobState.INPUT_REQUIRED  # no browser to ask in: it never came to an ask
    needs_you = error.exit_code in (NEEDS_YOU, LIMIT) or error.pending
    return JobState.INPUT_REQUIRED if needs_you else JobState.FAILED


def kept_failure(error: TabwireError) -> Failure:
    """What is kept of it."""
    return failure_of(error, code=NO_BROWSER)
