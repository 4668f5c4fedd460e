"""The parts of the profile `classic` that every site shares, as stories with seconds.

The numbers are those of seed 001, sections 3.6, 3.7, 7, 9.1 and 9.3.
"""

from dataclasses import replace

import msgspec
import pytest

from tabwire.sites.chatgpt.classic import CLASSIC as CHATGPT
from tabwire.sites.classic import (
    ANSWER_SECONDS,
    POLL_SECONDS,
    RENDER_POLL_SECONDS,
    RENDER_SECONDS,
    STUCK_POLL_SECONDS,
    STUCK_SECONDS,
    Decision,
    Look,
    Poll,
    Rung,
    clean,
    pick,
    read_look,
    read_poll,
)
from tabwire.sites.classic_wait import (
    Beginning,
    Following,
    Left,
    RenderWait,
    Stuck,
    StuckBy,
    TimedOut,
)
from tabwire.sites.classics import NoClassicProfile, classic_of
from tabwire.sites.gemini.classic import CLASSIC as GEMINI

CHAT = "https://chatgpt.com/c/11111111-2222-3333-4444-555555555555"
OTHER = "https://chatgpt.com/c/99999999-2222-3333-4444-555555555555"
APP = "https://gemini.google.com/app/0123456789abcdef"


def test_the_numbers_are_the_seeds():
    assert (POLL_SECONDS, ANSWER_SECONDS) == (1, 8 * 60)
    assert (RENDER_SECONDS, RENDER_POLL_SECONDS) == (120, 0.2)
    assert (STUCK_SECONDS, STUCK_POLL_SECONDS) == (5, 0.5)


def test_two_sites_have_a_classic_profile_and_grok_is_told_that_it_has_none():
    assert classic_of("chatgpt") is CHATGPT
    assert classic_of("gemini") is GEMINI
    with pytest.raises(NoClassicProfile, match="grok has no classic profile") as refused:
        classic_of("grok")
    assert refused.value.site == "grok"
    assert "--profile classic" in refused.value.what_to_do


def test_what_the_page_returned_is_read_and_a_wrong_kind_is_not():
    assert read_poll({"answers": 2, "stop": True}) == Poll(answers=2, stop=True)
    look = {"poll": {}, "rungs": [{"number": 1, "what": "x", "text": "y"}]}
    assert read_look(look) == Look(Poll(), (Rung(1, "x", "y"),))
    with pytest.raises(msgspec.ValidationError):
        read_poll({"answers": "2"})


GENERATING = [
    # id, words, over, skip -> still generating
    ("nothing said", False, False, False, False),
    ("says it writes", True, False, False, True),
    ("says it writes, thinking is over", True, True, False, False),
    ("thinking is over", False, True, False, False),
    ("may be skipped", False, False, True, True),
    ("may be skipped, though thinking is over", False, True, True, True),
]


@pytest.mark.parametrize(
    "words, over, skip, still", [c[1:] for c in GENERATING], ids=[c[0] for c in GENERATING]
)
def test_still_generating_as_the_seed_computes_it(words, over, skip, still):
    poll = Poll(generating_words=words, thinking_over=over, skip_thinking=skip)
    assert poll.still_generating is still


MARKERS = [
    "思考時間: 17s",
    "思考時間：17秒",
    "思考時間 17 秒",
    "思考時間 1分 3秒",
    "Thinking time: 17s",
    "Thinking time 2m 5s",
    "Thinking 17s",
    "Thought for 9 seconds",
    "Thought for a few seconds",
]

NO_MARKERS = [
    "思考時間を減らすには、問題を分けます。",
    "The thinking time: 17s of it, was spent well.",
    "Thinking time matters",
    "It took 17s",
    "17秒",
    "Thinking in 3 steps",
    "Thought 1 leads to thought 2",
]


@pytest.mark.parametrize("marker", MARKERS)
def test_a_line_that_only_says_how_long_was_thought_is_no_text(marker):
    assert clean(f"{marker}\n\nThe answer.\n  {marker} \nMore.") == "The answer.\nMore."
    assert clean(marker) == ""


@pytest.mark.parametrize("line", NO_MARKERS)
def test_a_sentence_about_thinking_stays(line):
    assert clean(f"{line}\nMore.") == f"{line}\nMore."


def test_the_beginning_of_an_indented_first_line_and_blank_lines_inside_stay():
    assert clean("\n    code\n\n  more  \n\n\n\nend\n\n") == "    code\n\n  more\n\nend"


def test_the_first_rung_with_a_text_is_taken_and_a_marker_is_no_text():
    rungs = (Rung(1, ".markdown", "思考時間: 3s\n"), Rung(2, ".prose", " \n"), Rung(3, "p", "Yes."))
    assert pick(CHATGPT, Look(Poll(), rungs)) == Rung(3, "p", "Yes.")
    assert pick(CHATGPT, Look(Poll(), rungs[:2])) is None


# --- Beginning ------------------------------------------------------------------------------

BEGINNINGS = [
    # id, polls (url, questions, answers, stop), the number of answers to count from
    ("nobody asks", [("a", 1, 1, 0), ("a", 1, 1, 0)], None),
    ("a question came", [("a", 1, 1, 0), ("a", 2, 1, 0)], 1),
    ("question and answer came at once", [("a", 1, 1, 0), ("a", 2, 2, 0)], 1),
    ("an answer came", [("a", 1, 0, 0), ("a", 1, 1, 0)], 0),
    ("the first look is in the middle of an answer", [("a", 2, 2, 1)], 1),
    ("the first look is before the answer's element", [("a", 2, 1, 1)], 1),
    ("the first question of a chat, stop only", [("a", 0, 0, 0), ("a", 0, 0, 1)], 0),
    ("asked once more for the same answer", [("a", 2, 2, 0), ("a", 2, 2, 1)], 1),
    ("an old conversation was opened", [("a", 0, 0, 0), ("b", 5, 5, 0), ("b", 5, 5, 0)], None),
    ("opened, and a question asked there", [("a", 0, 0, 0), ("b", 5, 5, 0), ("b", 6, 5, 0)], 5),
    ("a new chat got its address", [("a", 0, 0, 0), ("b", 1, 1, 1)], 0),
    ("a conversation with fewer answers", [("a", 5, 5, 0), ("b", 1, 1, 0), ("b", 2, 1, 1)], 1),
]


@pytest.mark.parametrize(
    "looks, initial", [c[1:] for c in BEGINNINGS], ids=[c[0] for c in BEGINNINGS]
)
def test_a_watcher_tells_when_an_answer_is_awaited_and_counts_right(looks, initial):
    beginning = Beginning()
    said = [
        beginning.feed(Poll(url=url, questions=questions, answers=answers, stop=bool(stop)))
        for url, questions, answers, stop in looks
    ]
    assert said == [None] * (len(looks) - 1) + [initial]


# --- Following ------------------------------------------------------------------------------

ASKED = Poll(url=CHAT, questions=1)
THERE = Poll(url=APP, questions=1)


def followed(classic, story, initial=0):
    """The first outcome of a story, and when."""
    following = Following(classic, initial, 0.0)
    for at, poll in story:
        outcome = following.tick(at) if poll is None else following.feed(poll, at)
        if outcome is not None:
            return outcome, at
    return None


def test_eight_minutes_without_an_end_are_too_long_and_the_answer_is_named():
    writing = Poll(url=CHAT, questions=2, answers=2, stop=True)
    story = [(at, writing) for at in range(1, 600)]
    outcome, at = followed(CHATGPT, story, initial=1)
    assert (outcome, at) == (TimedOut("the end of the answer", 480.0, answer=2), 480)


def test_no_old_answer_is_named_when_none_came():
    outcome, _ = followed(CHATGPT, [(at, ASKED) for at in range(1, 600)])
    assert outcome == TimedOut("the end of the answer", 480.0)


def test_eight_minutes_pass_even_if_the_page_lets_nobody_in():
    outcome, at = followed(CHATGPT, [(1, ASKED), *((at, None) for at in range(2, 600))])
    assert (type(outcome), at) == (TimedOut, 480)


def test_a_decision_that_brings_no_text_does_not_put_off_the_eight_minutes():
    following = Following(GEMINI, 0, 0.0)
    empty = Poll(url=APP, questions=1, answers=1)
    said = [following.feed(empty, float(at)) for at in range(1, 481)]
    assert said[9] is None
    assert isinstance(said[20], Decision)
    assert isinstance(said[-1], TimedOut)


STUCK = [
    # id, the site, story, outcome
    ("no answer begins", GEMINI, [(29, THERE), (30, THERE)], Stuck(StuckBy.NO_RESPONSE, 30)),
    ("not yet", GEMINI, [(29.9, THERE)], None),
    ("the page is shut", GEMINI, [(1, THERE), (30, None)], Stuck(StuckBy.NO_RESPONSE, 30)),
    ("it works on it", GEMINI, [(5, msgspec.structs.replace(THERE, stop=True)), (40, THERE)], None),
    ("it answers", GEMINI, [(5, msgspec.structs.replace(THERE, answers=1)), (9, THERE)], None),
    ("chatgpt may take its time", CHATGPT, [(29, ASKED), (31, ASKED)], None),
]


@pytest.mark.parametrize(
    "classic, story, outcome", [c[1:] for c in STUCK], ids=[c[0] for c in STUCK]
)
def test_gemini_is_stuck_when_no_answer_begins_in_thirty_seconds(classic, story, outcome):
    said = followed(classic, story)
    assert (said and said[0]) == outcome


def test_an_answer_in_another_conversation_is_not_the_awaited_one():
    done = Poll(url=CHAT, questions=1, answers=1, stop=True)
    elsewhere = Poll(url=OTHER, questions=9, answers=9, composer_empty=True)
    assert followed(CHATGPT, [(1, done), (2, elsewhere)]) == (Left(OTHER), 2)


def test_going_to_a_new_chat_is_leaving_and_getting_an_address_is_not():
    home = "https://chatgpt.com/"
    asked = Poll(url=home, questions=1, stop=True)
    there = Poll(url=CHAT, questions=1, answers=1, stop=True)
    assert followed(CHATGPT, [(1, asked), (2, there)]) is None
    gone = Poll(url=home)
    assert followed(CHATGPT, [(1, asked), (2, there), (3, gone)]) == (Left(home), 3)


# --- RenderWait -----------------------------------------------------------------------------

DECISION = Decision("chatgpt", "condition 2", "", 3.0, 1, CHAT, 100.0)
TEXT = (Rung(1, ".markdown", "Yes."),)
OPEN = Poll(url=CHAT, answers=1)


def looked(text=TEXT, **poll):
    return Look(msgspec.structs.replace(OPEN, **poll), text)


def rendered(story, classic=CHATGPT):
    """The first outcome of a story, and when."""
    wait = RenderWait(classic, DECISION)
    for at, look in story:
        outcome = wait.tick(at) if look is None else wait.feed(look, at)
        if outcome is not None:
            return outcome, at
    return None


NOT_YET = "the text of the answer"
RENDERED = [
    # id, story (decided at 100), outcome, when
    ("there at once", [(100.1, looked())], TEXT[0], 100.1),
    ("there after a minute", [(100, looked(())), (160, looked(())), (161, looked())], TEXT[0], 161),
    ("never there", [(100, looked(())), (219.9, looked(())), (220, looked(()))],
     TimedOut(NOT_YET, 120.0), 220),
    ("thinking may be skipped", [(101, looked(skip_thinking=True)), (150, looked())], TEXT[0], 150),
    ("skipping is offered for ever", [(101, looked(skip_thinking=True)),
     (220, looked(skip_thinking=True))], TimedOut(NOT_YET, 120.0, TEXT[0]), 220),
    ("says it still writes", [(101, looked(generating_words=True)), (102, looked())], TEXT[0], 102),
    ("thinking over, whatever it says",
     [(101, looked(generating_words=True, thinking_over=True))], TEXT[0], 101),
    ("still has a stop control", [(101, looked(stop=True)), (102, looked())], TEXT[0], 102),
    ("the wait begins when the stop control is gone",
     [(300, looked(stop=True)), (400, looked(())), (419, looked())], TEXT[0], 419),
    ("and ends 120 s later",
     [(300, looked(stop=True)), (419.9, looked(())), (420, looked(()))],
     TimedOut(NOT_YET, 320.0, TEXT[0]), 420),
    ("a stop control that stays ends it too",
     [(at, looked(stop=True)) for at in range(101, 800)], TimedOut(NOT_YET, 600.0, TEXT[0]), 700),
    ("a text that went away again is none",
     [(101, looked(stop=True)), (102, looked(()))], None, None),
    ("the page is shut", [(101, looked(stop=True)), (220, None), (221, None)],
     TimedOut(NOT_YET, 121.0, TEXT[0]), 221),
    ("the tab shows another conversation", [(101, looked(url=OTHER))], Left(OTHER), 101),
]  # fmt: skip


@pytest.mark.parametrize(
    "story, outcome, at", [c[1:] for c in RENDERED], ids=[c[0] for c in RENDERED]
)
def test_the_text_is_waited_for_as_the_seed_waits(story, outcome, at):
    assert rendered(story) == (None if outcome is None else (outcome, at))


def test_a_site_that_is_not_waited_for_has_its_text_at_once_or_not():
    never = replace(CHATGPT, render_seconds=0.0)
    assert rendered([(100, looked())], never) == (TEXT[0], 100)
    assert rendered([(100, looked(()))], never) == (TimedOut(NOT_YET, 0.0), 100)
