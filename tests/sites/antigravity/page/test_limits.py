"""A limit is told by what stands together in a notice, in any order and wording."""

import pytest

from sites.antigravity.page.wordings import DOUBTFUL, ERRORS, LIMITS, STEPS
from tabwire.autopilot.rules import Do, decide
from tabwire.model.agent import Card, Control
from tabwire.model.autopilot import ALL_ON
from tabwire.sites.antigravity.page import is_limit, may_be_limit


def popup(text, kind="error", rule="retry", *more):
    """A popup as the page tells it, its buttons in reach."""
    controls = tuple(
        Control(at, label, label.lower(), "button", one, visible=True, enabled=True, onscreen=True)
        for at, (label, one) in enumerate([(rule.title(), rule), ("Dismiss", "dismiss"), *more])
    )
    return Card("1", kind, text, "", controls=controls)


@pytest.mark.parametrize("text", LIMITS)
def test_a_limit_in_any_wording_is_one_and_is_never_tried_again(text):
    assert is_limit(text)
    assert may_be_limit(text)
    assert decide(popup(text), "allow", ALL_ON).do is Do.ASK
    assert decide(popup(text, "continue", "continue"), "allow", ALL_ON).do is Do.ASK


@pytest.mark.parametrize("text", ERRORS)
def test_a_plain_error_is_no_limit_and_is_tried_again(text):
    assert not may_be_limit(text)
    assert decide(popup(text), "allow", ALL_ON).do is Do.CLICK


@pytest.mark.parametrize("text", DOUBTFUL)
def test_what_may_be_a_limit_is_not_tried_again(text):
    assert not is_limit(text)
    assert decide(popup(text), "allow", ALL_ON).do is Do.ASK


@pytest.mark.parametrize("text", STEPS)
def test_a_limit_of_one_turn_is_gone_on_after(text):
    assert not is_limit(text)
    assert decide(popup(text, "continue", "continue"), "allow", ALL_ON).do is Do.CLICK


def test_a_popup_that_sells_more_is_not_tried_again():
    card = popup("Something went wrong", "error", "retry", ("See plans", "upgrade"))
    assert decide(card, "allow", ALL_ON).do is Do.ASK
