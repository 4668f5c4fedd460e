"""Why an ask rests without a whole answer: which state that is, and what is kept of it.

A person has to do something where the site or the browser wants one, where a limit is spent,
and where a prompt may have been sent whose answer was not found. All else has failed.
"""

from tabwire.model.ask_errors import AskError, LimitReached
from tabwire.model.errors import ExtensionNotConnected, TabwireError
from tabwire.model.exits import LIMIT, NEEDS_YOU
from tabwire.model.job import JobState
from tabwire.store.errors import StoreError
from tabwire.store.rows import Trouble

NO_BROWSER = "no_browser"
STORE_FAILED = "store_failed"


def state_after(error: TabwireError) -> JobState:
    """The state of a job that this happened to."""
    if not isinstance(error, AskError):
        return JobState.INPUT_REQUIRED  # no browser to ask in: it never came to an ask
    needs_you = error.exit_code in (NEEDS_YOU, LIMIT) or error.pending
    return JobState.INPUT_REQUIRED if needs_you else JobState.FAILED


def trouble_of(error: TabwireError) -> Trouble:
    """What is kept of it."""
    elsewhere = STORE_FAILED if isinstance(error, StoreError) else NO_BROWSER
    return Trouble(
        code=error.code if isinstance(error, AskError | ExtensionNotConnected) else elsewhere,
        what=str(error),
        what_to_do=error.what_to_do,
        retry=error.retry,
        resets_at=error.resets_at if isinstance(error, LimitReached) else None,
        debug=error.debug if isinstance(error, AskError) else None,
    )
