"""Seed 003, 4: two tiers, a mapping that is reversible, the snapshot last."""

import pytest

from tabwire.capture.calibration import (
    STEP_OF,
    STRATEGY_OF,
    Step,
    Strategy,
    generic,
    order,
    step_named,
    strict,
)
from tabwire.model.signals import Source


def test_step_and_strategy_tell_each_other():
    assert {STEP_OF[STRATEGY_OF[step]] for step in Step} == set(Step)
    assert {STRATEGY_OF[STEP_OF[one]] for one in Strategy} == set(Strategy)
    assert STRATEGY_OF[Step.PAGE_SNAPSHOT] is Strategy.SNAPSHOT


@pytest.mark.parametrize("first", [None, *Step])
def test_every_step_is_tried_once_and_the_snapshot_last(first):
    steps = order(first)
    assert sorted(steps) == sorted(Step)
    assert steps[-1] is Step.PAGE_SNAPSHOT
    if first not in (None, Step.PAGE_SNAPSHOT):
        assert steps[0] is first


@pytest.mark.parametrize("step", Step)
def test_the_strict_policy_is_the_same_whatever_is_tried_first(step):
    profile = strict("grok", step)
    assert profile.step is step
    assert profile.for_fusion.page_quiet_seconds == 0.8
    assert profile.for_fusion.ignored_hints == {Source.PAGE, Source.SNAPSHOT}
    assert {str(one) for one in profile.untrusted} == {"dom_hint", "snapshot_fallback"}


def test_generic_profiles_have_numbers_of_their_own():
    assert generic("grok", Strategy.CONSERVATIVE).quiet_seconds == 1.2
    assert generic("grok", Strategy.SNAPSHOT).quiet_seconds == 1.2
    assert generic("grok", Strategy.BALANCED).quiet_seconds == 0.8
    assert generic("grok", Strategy.CONSERVATIVE).untrusted == frozenset()


def test_a_word_of_another_version_names_no_step():
    assert step_named("reread") is Step.REREAD
    assert step_named("telepathy") is None
    assert step_named(None) is None
