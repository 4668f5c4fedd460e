"""Seed 003, 4: the strict tier, a mapping that is reversible."""

import pytest

from tabwire.capture.calibration import (
    STEP_OF,
    STRATEGY_OF,
    Step,
    Steps,
    Strategy,
    step_named,
    strict,
)
from tabwire.model.signals import Source


def test_step_and_strategy_tell_each_other():
    assert {STEP_OF[STRATEGY_OF[step]] for step in Step} == set(Step)
    assert {STRATEGY_OF[STEP_OF[one]] for one in Strategy} == set(Strategy)
    assert STRATEGY_OF[Step.PAGE_SNAPSHOT] is Strategy.SNAPSHOT


@pytest.mark.parametrize("step", Step)
def test_the_strict_policy_is_the_same_whatever_is_tried_first(step):
    profile = strict("grok", step)
    assert profile.step is step
    assert profile.for_fusion.page_quiet_seconds == 0.8
    assert profile.for_fusion.ignored_hints == {Source.PAGE, Source.SNAPSHOT}
    assert {str(one) for one in profile.untrusted} == {"dom_hint", "snapshot_fallback"}


def test_a_word_of_another_version_names_no_step():
    assert step_named("reread") is Step.REREAD
    assert step_named("telepathy") is None
    assert step_named(None) is None


def test_what_worked_last_is_tried_first_the_next_time():
    steps, key = Steps(), ("grok", "c1")
    assert not steps.knows("grok")
    assert steps.knows("grok")
    assert steps.first("grok") is Step.REREAD
    assert steps.became_ready(key) is Step.PASSIVE_WAIT
    assert steps.learn("grok", Step.PASSIVE_WAIT)
    assert not steps.learn("grok", Step.PASSIVE_WAIT)
    assert steps.first("grok") is Step.PASSIVE_WAIT
    steps.read_again(key)
    assert steps.became_ready(key) is Step.REREAD
    assert steps.became_ready(key) is Step.PASSIVE_WAIT
    assert steps.first("gemini") is Step.REREAD
