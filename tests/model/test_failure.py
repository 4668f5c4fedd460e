"""One value for why something came to nothing: from an error, and back."""

from tabwire.model import ask_errors
from tabwire.model.ask_errors import AskError, LayoutChanged, LimitReached
from tabwire.model.errors import BrowserNotFound, Retry
from tabwire.model.exits import LIMIT, NEEDS_YOU
from tabwire.model.failure import EXIT_CODES, Failure, error_of, exit_code_of, failure_of


def test_the_table_of_exit_codes_has_every_error_of_an_ask():
    classes = [one for one in vars(ask_errors).values() if isinstance(one, type)]
    kinds = [one for one in classes if issubclass(one, AskError)]
    assert {one.code: one.exit_code for one in kinds} == EXIT_CODES
    assert len(EXIT_CODES) == len(kinds), "a code means one class"


def test_an_error_becomes_a_failure_and_an_error_again_without_a_loss():
    limit = LimitReached("grok", "spent", resets_at=99.0)
    limit.debug = {"bundle": "/kept/x.json"}
    failure = failure_of(limit)
    assert failure == Failure(
        *("limit_reached", str(limit), limit.what_to_do, Retry.SAME, 99.0, limit.debug, LIMIT)
    )
    again = error_of(failure, "grok")
    assert failure_of(again) == failure
    assert (again.site, again.exit_code) == ("grok", LIMIT)


def test_an_error_without_a_code_is_named_by_whoever_keeps_it():
    missing = BrowserNotFound("no browser", what_to_do="Install one.")
    assert failure_of(missing).code == "failed"
    assert failure_of(missing, code="no_browser").code == "no_browser"
    assert failure_of(LayoutChanged("grok", "composer", ()), code="x").code == "layout_changed"


def test_a_code_that_is_no_asks_ends_by_whether_a_person_is_needed():
    assert exit_code_of("no_browser", needs_you=True) == NEEDS_YOU
    assert exit_code_of("no_browser", needs_you=False) == 1
    assert exit_code_of("limit_reached", needs_you=True) == LIMIT
