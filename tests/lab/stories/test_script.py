"""A script in detail: what is told when."""

from tabwire.lab.plan import Plan
from tabwire.lab.stories.script import Cue, Part, Said, cues, text_of
from tabwire.lab.stories.steps import (
    GiveUp,
    Mark,
    Pause,
    Preamble,
    Say,
    Silence,
    Think,
    Tool,
    Wire,
    Withhold,
)

PLAN = Plan(tuple("abcd"), ("hm",), every_seconds=1.0, first_seconds=5.0, pace=2.0)


def told(*script):
    return [(cue.after, getattr(cue.what, "text", cue.what)) for cue in cues(PLAN, script)]


def test_thoughts_and_pieces_come_one_after_the_other():
    assert told(Think(), Say()) == [(5.0, "hm"), (1.0, "a"), (1.0, "b"), (1.0, "c"), (1.0, "d")]


def test_a_pause_is_shortened_by_the_pace_and_adds_to_the_time_between():
    assert told(Say(0.5), Pause(6.0), Say()) == [(5.0, "a"), (1.0, "b"), (4.0, "c"), (1.0, "d")]


def test_marks_and_tools_take_no_time():
    tool = Tool()
    assert told(Say(0.5), Mark(Wire.HINT), tool, Say()) == [
        (5.0, "a"),
        (1.0, "b"),
        (1.0, Mark(Wire.HINT)),
        (0.0, tool),
        (0.0, "c"),
        (1.0, "d"),
    ]


def test_what_a_script_leaves_out_is_told_at_its_end():
    assert text_of(PLAN, (Say(0.25), Mark(Wire.CUT))) == "abcd"
    assert text_of(PLAN, (Withhold(),)) == "abcd"


def test_nothing_follows_silence_or_an_error():
    assert text_of(PLAN, (Say(0.5), Silence(), Say())) == "ab"
    assert text_of(PLAN, (Say(0.5), GiveUp(), Say())) == "ab"
    assert text_of(PLAN, (Say(0.5), Mark(Wire.ERROR))) == "ab"


def test_thoughts_that_the_plan_has_not_are_made_up():
    made = [cue.what for cue in cues(PLAN, (Think(), Think(2), Say()))][1:3]
    assert all(one.part is Part.THOUGHT and one.text for one in made)


def test_a_preamble_is_part_of_the_answer():
    assert text_of(PLAN, (Preamble("Well. "), Think(), Say())) == "Well. abcd"


def test_the_first_cue_waits_for_the_plans_first_second():
    assert next(cues(PLAN, (Say(),))) == Cue(5.0, Said(Part.TEXT, "a"))
