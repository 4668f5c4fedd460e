"""What a site says instead of an answer, as errors."""

import pytest

from tabwire.asking.refusal import error_of, led_to
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.ask_errors import SiteFailed
from tabwire.model.errors import Retry
from tabwire.model.exits import FAILED, LIMIT, NEEDS_YOU
from tabwire.model.signals import Refusal, Refused


def error(kind, message="no", **more):
    refusal = Refused(kind, message, **more)
    return error_of(Verdict(Judgement.REFUSED, str(kind), refusal=refusal), "grok", 1000.0)


KINDS = [
    (Refusal.RATE_LIMIT, "limit_reached", LIMIT),
    (Refusal.LOGIN, "login_required", NEEDS_YOU),
    (Refusal.CHALLENGE, "challenge", NEEDS_YOU),
    (Refusal.BLOCKED, "blocked", FAILED),
    (Refusal.ERROR, "site_failed", FAILED),
]


@pytest.mark.parametrize("kind, code, exit_code", KINDS)
def test_each_kind_is_an_error_of_its_own(kind, code, exit_code):
    found = error(kind)
    assert (found.code, found.exit_code, found.site) == (code, exit_code, "grok")
    assert found.what_to_do


def test_every_kind_is_covered():
    assert {one for one, _code, _exit in KINDS} == set(Refusal)


def test_a_limit_says_when_it_is_over():
    assert error(Refusal.RATE_LIMIT, resets_at=5000.0).resets_at == 5000.0
    assert error(Refusal.RATE_LIMIT, resets_in=60.0).resets_at == 1060.0
    act = error(Refusal.RATE_LIMIT, resets_in=3 * 3600.0).what_to_do
    assert "It resets 1970" in act
    assert ", in 3 h." in act
    assert "does not say" in error(Refusal.RATE_LIMIT).what_to_do


def test_an_error_of_the_site_after_sending_means_look_before_asking_again():
    assert error(Refusal.ERROR).retry is Retry.RESUME


LED = [
    (
        "c1",
        "https://grok.com/c/c1",
        "the page at https://grok.com/c/c1 does not open a conversation",
    ),
    ("c1", "https://grok.com/c/c1?x=1", "the page at https://grok.com/c/c1?x=1 does not open a"),
    ("c1", "https://grok.com/", "the site redirected to https://grok.com/ instead"),
    ("c1", "https://grok.com/c/c12", "the site redirected to https://grok.com/c/c12 instead"),
]


@pytest.mark.parametrize("named, url, said", LED)
def test_a_site_never_leads_from_a_conversation_to_itself(named, url, said):
    assert led_to(named, url).startswith(said)


@pytest.mark.parametrize("said", ["", "failed", "Failed.", "Error"])
def test_that_a_site_failed_is_not_its_own_reason(said):
    assert str(SiteFailed("chatgpt", said)) == "ChatGPT failed: no reason given"
