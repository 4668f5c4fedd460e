"""What the lab will answer: directed by a line of the prompt, or pleasant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.lab.plan import MAX_TITLE, plan_for, plan_in_story
from tabwire.lab.stories.known import STORIES
from tabwire.lab.words import mark_of


def test_a_line_of_the_prompt_directs_the_answer():
    plan = plan_for("Tell me.\nlab: pieces=50 every=0.02 first=0.1 think=3 seed=7 chars=12")
    assert [len(piece) for piece in plan.pieces] == [12] * 50
    assert (plan.every_seconds, plan.first_seconds) == (0.02, 0.1)
    assert len(plan.thoughts) == 3
    assert plan.title == "Tell me."


@pytest.mark.parametrize("count, chars", [(1, 1), (1, 5), (7, 1), (300, 13), (3, 5000)])
def test_pieces_have_exactly_the_size_asked_for_and_no_blank_ends(count, chars):
    plan = plan_for(f"lab: pieces={count} chars={chars} seed=3")
    assert [len(piece) for piece in plan.pieces] == [chars] * count
    assert plan.text == plan.text.strip()


def test_the_same_seed_gives_the_same_words_and_another_gives_others():
    prompts = [f"{p}\nlab: seed={s} pieces=400" for p, s in [("a", 1), ("b", 1), ("a", 2)]]
    one, same, other = (plan_for(prompt).text[:4000].partition(" ") for prompt in prompts)
    assert one[2] == same[2] != other[2]


def test_an_answer_made_of_chance_says_whose_it_is():
    prompt = "a\nlab: pieces=9"
    assert plan_for(prompt).text.startswith(mark_of(prompt))
    assert plan_for(prompt + " ").text != plan_for(prompt).text


def test_a_prompt_may_choose_a_story_its_pace_and_a_kind_of_answer():
    plan = plan_for("Hi\nlab: story=cut pace=10 answer=rich")
    assert (plan.story, plan.pace, plan.answer) == ("cut", 10.0, "rich")
    assert plan_in_story(plan, STORIES["instant"], "Hi").text.startswith("# Everything")
    assert len(plan_in_story(plan_for("Hi"), STORIES["instant"], "Hi").text) == 1
    assert plan_in_story(plan_for("Hi"), STORIES["cut"], "Hi") == plan_for("Hi")


def test_what_is_left_out_is_as_usual():
    plan = plan_for("lab: pieces=3")
    assert (plan.every_seconds, plan.first_seconds, plan.thoughts) == (0.05, 0.2, ())
    assert plan.pieces == plan_for("lab: pieces=3").pieces


@pytest.mark.parametrize(
    "word",
    [
        "peices=3",
        "pieces=x",
        "every=-1",
        "every=nan",
        "pieces=0",
        "chars=9999999",
        "think",
        "story=none",
        "answer=none",
    ],
)
def test_a_direction_nobody_understands_is_said_in_the_answer(word):
    plan = plan_for(f"lab: chars=4 {word}")
    assert plan.pieces[0] == f"The lab does not understand “{word}”.\n\n"
    assert len(plan.pieces) > 1


def test_where_only_times_are_said_the_answer_is_the_pleasant_one():
    plan = plan_for("Hello\nlab: every=0 first=1 think=1")
    assert plan.pieces == plan_for("Hello").pieces
    assert (plan.every_seconds, plan.first_seconds, len(plan.thoughts)) == (0.0, 1.0, 1)


def test_without_directions_the_answer_shows_what_markdown_can():
    plan = plan_for("Why is\n the *sky* blue?")
    assert "“Why is the sky blue?”" in plan.text
    for part in ("\n## ", "\n1. ", "\n   - ", "```python", "|---|", "**", "日本語", "😀"):
        assert part in plan.text
    assert 30 <= len(plan.pieces) <= 60
    assert plan.thoughts
    assert plan.text == plan.text.strip()


def test_a_long_prompt_gets_a_short_title():
    title = plan_for("word " * 100).title
    assert len(title) <= MAX_TITLE
    assert title.endswith("…")


@given(st.text())
def test_any_prompt_has_an_answer(prompt):
    plan = plan_for(prompt)
    assert plan.text.strip()
    assert plan == plan_for(prompt)
