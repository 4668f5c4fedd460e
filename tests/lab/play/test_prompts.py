"""What is asked in a play: understood by the lab, quick, and never the same twice."""

import pytest

from tabwire.lab.plan import plan_for
from tabwire.lab.play.play import planned, prompt_for, seconds_of
from tabwire.lab.stories.known import STORIES

LONGEST = 20.0  # seconds of a play that somebody waits for


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_every_story_has_a_prompt_that_the_lab_understands(story):
    prompt = prompt_for(story, "grok")
    plan = plan_for(prompt)
    assert plan.story == story.name
    assert "does not understand" not in plan.text
    assert seconds_of(planned(prompt, story), story) < LONGEST


def test_no_two_prompts_are_the_same():
    assert len({prompt_for(STORIES["plain"], "grok") for _ in range(50)}) == 50


def test_what_befalls_a_tab_finds_an_answer_under_way():
    """A hand needs some time, and the answer must not be over by then."""
    for story in STORIES.values():
        if story.fate is not None:
            assert seconds_of(planned(prompt_for(story, "grok"), story), story) > 2.0
