"""What a play came to, from what was told: the outcome, and everything that is not as promised."""

from dataclasses import replace

import pytest

from tabwire.fusion.table import State
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.lab.ledger import Entry
from tabwire.lab.play.played import Played, faults, outcome_of, told_text
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.story import Outcome
from tabwire.model.signals import Refusal, Refused, Source
from tabwire.monitor import sightings as told

PROMPT, TEXT = "Why?", "Because of *that*."
ONCE = (Entry("grok", "c1", PROMPT, 0.0),)
LOST = told.Befell(1.0, "closed", "the tab was closed", "", over=True)


def judged(judgement, text=TEXT, **more):
    verdict = Verdict(Judgement(judgement), more.pop("why", "because"), text, **more)
    return told.Judged(1.0, "a", State.STREAMING, verdict, ())


def refused(kind, judgement="refused"):
    return judged(judgement, "", refusal=Refused(Refusal(kind)))


@pytest.mark.parametrize(
    "sightings, outcome",
    [
        ([], "nothing"),
        ([judged("open")], "nothing"),
        ([judged("complete")], "complete"),
        ([judged("partial")], "partial"),
        ([judged("partial"), judged("complete")], "complete"),
        ([judged("complete"), judged("partial")], "partial"),
        ([judged("partial", why="stopped")], "stopped"),
        ([LOST, judged("partial")], "lost"),
        ([judged("complete"), LOST], "complete"),
        ([LOST], "lost"),
        ([refused("rate_limit")], "limit"),
        ([refused("rate_limit", "partial")], "limit"),
        ([refused("login")], "login"),
        ([refused("challenge")], "challenge"),
        ([refused("error")], "error"),
        ([refused("blocked")], "error"),
        ([told.PageNotice(0.0, "login", "", "")], "login"),
        ([told.PageNotice(0.0, "challenge", "", "")], "challenge"),
        ([told.PageNotice(0.0, "consent", "", "")], "nothing"),
        ([told.PageNotice(0.0, "login", "", ""), judged("complete")], "complete"),
    ],
)
def test_the_outcome_is_what_the_watcher_said_last(sightings, outcome):
    assert outcome_of(sightings) is Outcome(outcome)


def found(*sightings, story="plain", entries=ONCE, expected=TEXT):
    return faults(STORIES[story], PROMPT, expected, sightings, entries)


def test_what_is_as_promised_has_no_fault():
    assert found(told.Grew(0.5, "a", TEXT), judged("complete")) == []
    assert found(judged("partial", "Because"), story="cut-for-good") == []
    assert found(judged("partial", "Because"), judged("complete"), story="cut") == []


def test_another_outcome_than_promised_is_named():
    assert found(judged("partial", "Be")) == ["partial instead of complete"]
    assert found(judged("complete"), story="limit") == ["complete instead of limit"]


def test_complete_means_all_of_the_labs_text_and_nothing_else():
    assert found(judged("complete", "Because")) == ["complete with 7 of the lab's 18 characters"]
    (fault,) = found(judged("complete", "Because of this."))
    assert fault.startswith("complete with a text that is not the lab's from character 11 on")
    assert "'this.' instead of '*that*.'" in fault


def test_a_complete_that_was_said_too_early_stays_a_fault_though_it_was_amended():
    assert found(judged("complete", "Because"), judged("complete")) != []


def test_a_complete_that_is_taken_back_is_a_fault():
    assert "was withdrawn" in found(judged("complete"), judged("partial"), story="cut-for-good")[-1]


def test_part_of_an_answer_must_be_its_beginning():
    assert found(judged("partial", "of that"), story="cut-for-good") != []
    page = judged("partial", "Because of that", text_from=Source.PAGE)
    assert found(page, story="cut-for-good") == []  # Markdown is lost on a page
    other = judged("partial", "Another one", text_from=Source.PAGE)
    assert found(other, story="cut-for-good") != []


def test_text_that_was_told_on_the_way_is_looked_at_too():
    other = told.Grew(0.5, "a", "Another answer")
    assert found(other, judged("complete")) == ["the streamed text is not the lab's"]
    thought = told.Grew(0.4, "a", "A thought", thinking=True)
    mended = told.Rewritten(0.6, "a", TEXT)
    assert found(thought, other, mended, judged("complete")) == []
    assert told_text([thought, other, mended]) == TEXT


def test_a_prompt_is_received_once_and_never_where_nobody_can_ask():
    twice = found(judged("complete"), entries=ONCE * 2)
    assert twice == ["the prompt is in the ledger 2 times"]
    assert found(judged("complete"), entries=()) == ["the prompt is in the ledger 0 times"]
    other = (*ONCE, replace_prompt(ONCE[0], "Another"))
    assert found(judged("complete"), entries=other) == []
    assert found(story="overlay", entries=()) == []
    assert found(story="overlay") == ["the prompt is in the ledger 1 times"]


def replace_prompt(entry, prompt):
    return Entry(entry.site, entry.conversation_id, prompt, entry.at)


def test_a_play_is_as_promised_when_nothing_is_amiss():
    played = Played(
        STORIES["plain"], "grok", PROMPT, Outcome.COMPLETE, None, (), ONCE, TEXT, why=""
    )
    assert played.as_promised
    assert not replace(played, why="something").as_promised
