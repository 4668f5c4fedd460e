"""The stories as a whole: every fault has one, and each makes sense."""

import pytest

from tabwire.lab.plan import plan_for
from tabwire.lab.stories.known import STORIES, story_named
from tabwire.lab.stories.script import text_of
from tabwire.lab.stories.stage import DEFAULT, Stage, staged
from tabwire.lab.stories.steps import Befall
from tabwire.lab.stories.story import SITES, Outcome

FAULTS = {f"F{number:02}" for number in (*range(1, 8), *range(19, 35))}
DIRECTIONS = {
    "flicker",
    "flash",
    "reload",
    "leave",
    "toast",
    "overlay",
    "rename",
    "aloud",
    "shrink",
    "poll",
}


def test_every_fault_of_the_list_has_a_story():
    assert {fault for story in STORIES.values() for fault in story.faults} == FAULTS


@pytest.mark.parametrize("story", STORIES.values(), ids=lambda story: story.name)
def test_a_story_makes_sense(story):
    assert story.about.endswith(".")
    assert set(story.sites) <= set(SITES)
    assert story.sites
    assert isinstance(staged(DEFAULT, story.stage), Stage)
    assert {direction.do for direction in story.page} <= DIRECTIONS
    fates = [step.what for step in story.script if isinstance(step, Befall)]
    assert fates == ([] if story.fate is None else [story.fate])
    if story.refuse is not None:
        refusals = (Outcome.LIMIT, Outcome.LOGIN, Outcome.CHALLENGE, Outcome.ERROR)
        assert story.outcome in refusals


@pytest.mark.parametrize(
    "story",
    [story for story in STORIES.values() if story.outcome is Outcome.COMPLETE],
    ids=lambda story: story.name,
)
def test_a_complete_answer_holds_all_of_the_plan(story):
    plan = plan_for("Hi\nlab: pieces=20")
    assert text_of(plan, story.script).endswith(plan.text)


def test_a_name_nobody_gave_is_no_story():
    assert story_named("cut") is STORIES["cut"]
    assert story_named("no such story") is None
