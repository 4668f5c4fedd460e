"""ChatGPT's four completion conditions of seed 001, 3.3, each as a story with seconds.

A story is polls by the second; each condition is told once as it holds, and once for every
part of it that is missing. To keep the other conditions out of a story, parts they need and
this one does not are missing throughout.
"""

import re

import pytest

from tabwire.sites.chatgpt.classic import CLASSIC, MARKS, until_end_marker
from tabwire.sites.classic import Conditions, Look, Poll, Rung, pick

BEFORE = 1
"""Answers that were there before the question."""

NEW = {"answers": 2}
OLD = {"answers": 1}
STOP = {"stop": True}
SEND = {"send": True, "send_enabled": True}
SEND_OFF = {"send": True, "send_enabled": False}
SEND_GONE = {"send": False, "send_enabled": True}  # no page shows that; the part is missing
EMPTY = {"composer_empty": True}
WRITES = {"generating_words": True}
OVER = {"thinking_over": True}
SKIP = {"skip_thinking": True}


def poll(*parts):
    return Poll(**{name: value for part in parts for name, value in part.items()})


def decided(story):
    """(condition, second) of the first decision."""
    conditions = Conditions(CLASSIC, BEFORE)
    for at, *parts in story:
        decision = conditions.feed(poll(*parts), at)
        if decision is not None:
            return decision.condition, at
    return None


def every_second(first, last, *parts):
    return [(at, *parts) for at in range(first, last + 1)]


ONE, TWO, THREE, FOUR = (f"condition {number}" for number in (1, 2, 3, 4))

STORIES = [
    # id, polls (second, what is seen), decision
    ("1: whole", [(1, NEW, SEND)], (ONE, 1)),
    ("1: whole, though the composer holds text", [(1, NEW), (2, NEW, SEND)], (ONE, 2)),
    ("1: stop control there", [(1, NEW, SEND, STOP)], None),
    ("1: no send", [(1, NEW, SEND_GONE)], None),
    ("1: send not enabled", every_second(1, 20, NEW, SEND_OFF), None),
    ("1: no new answer", every_second(1, 20, OLD, SEND, EMPTY), None),
    ("1: fewer answers than before", every_second(1, 20, {"answers": 0}, SEND, EMPTY), None),
    ("1: not asked while thinking may be skipped", every_second(1, 20, NEW, SEND, SKIP), None),
    ("1: asked though it says it writes", [(1, NEW, SEND, WRITES)], (ONE, 1)),
    ("2: whole", [(1, OLD, STOP), (2, NEW, STOP), (3, NEW, EMPTY)], (TWO, 3)),
    ("2: stop control seen long before", [(1, OLD, STOP), (2, OLD), (3, NEW, EMPTY)], (TWO, 3)),
    ("2: stop control never seen", every_second(1, 4, NEW, EMPTY), None),
    ("2: stop control still there", every_second(1, 9, NEW, EMPTY, STOP), None),
    ("2: no new answer", [(1, OLD, STOP), *every_second(2, 20, OLD, EMPTY)], None),
    ("2: composer holds text", [(1, NEW, STOP), *every_second(2, 20, NEW)], None),
    ("2: not asked while thinking may be skipped",
     [(1, NEW, STOP), *every_second(2, 20, NEW, EMPTY, SKIP), (21, NEW, EMPTY)], (TWO, 21)),
    ("3: whole", every_second(1, 9, NEW, EMPTY), (THREE, 6)),
    ("3: the seconds count from the new answer",
     [*every_second(1, 9, OLD, EMPTY), *every_second(10, 20, NEW, EMPTY)], (THREE, 15)),
    ("3: five seconds are not over", every_second(1, 5, NEW, EMPTY), None),
    ("3: stop control there", every_second(1, 10, NEW, EMPTY, STOP), None),
    ("3: composer holds text", every_second(1, 30, NEW), None),
    ("3: says it still writes", every_second(1, 30, NEW, EMPTY, WRITES), None),
    ("3: says it writes, but thinking is over", every_second(1, 9, NEW, EMPTY, WRITES, OVER),
     (THREE, 6)),
    ("3: thinking may be skipped", every_second(1, 30, NEW, EMPTY, SKIP), None),
    ("3: no new answer", every_second(1, 30, OLD, EMPTY), None),
    ("4: whole, the stop control is not asked for", every_second(1, 20, NEW, EMPTY, STOP),
     (FOUR, 11)),
    ("4: ten seconds are not over", every_second(1, 10, NEW, EMPTY, STOP), None),
    ("4: says it still writes", every_second(1, 30, NEW, EMPTY, STOP, WRITES), None),
    ("4: says it writes, but thinking is over",
     every_second(1, 20, NEW, EMPTY, STOP, WRITES, OVER), (FOUR, 11)),
    ("4: thinking may be skipped", every_second(1, 30, NEW, EMPTY, STOP, SKIP), None),
    ("4: no new answer", every_second(1, 30, OLD, EMPTY, STOP), None),
    ("4: composer holds text", every_second(1, 30, NEW, STOP), None),
    ("the first that holds is named", [(1, NEW, STOP), (20, NEW, SEND, EMPTY)], (ONE, 20)),
    ("an old chat, reconnected: nothing is new", every_second(1, 60, OLD, SEND, EMPTY, OVER), None),
]  # fmt: skip


@pytest.mark.parametrize("story, decision", [c[1:] for c in STORIES], ids=[c[0] for c in STORIES])
def test_an_answer_is_over_by_the_named_condition_or_not_at_all(story, decision):
    assert decided(story) == decision


THINKING = [
    # body text, hasThinkingComplete
    ("思考時間: 17s", True),
    ("思考時間：3", True),
    ("Thinking time: 17s", True),
    ("Thinking for 3 seconds", True),
    ("思考時間", False),
    ("Thinking", False),
    ("Thinking\n17s", False),
    ("An answer of 17s", False),
]


@pytest.mark.parametrize("body, over", THINKING)
def test_the_words_that_say_thinking_is_over_are_the_seeds(body, over):
    assert any(re.search(pattern, body) for pattern in MARKS.thinking_over) is over


def test_the_words_of_the_seed_are_looked_for_in_both_languages():
    assert MARKS.stop_words == ("Stop generating", "生成を停止")
    assert MARKS.skip_words == ("今すぐ回答", "Skip thinking")
    assert MARKS.generating_words[0] == "回答を生成しています"
    assert set(MARKS.generating_words[1:]) == {"is still generating", "generating a response"}


CUTS = [
    # id, text of the whole page, what is left
    ("at the person's words", "The answer is here. You: next", "The answer is here."),
    ("in japanese", "答えはここにあります。\nあなた: 次の質問", "答えはここにあります。"),
    ("at the first of several", "0123456789ab あなた: x You: y", "0123456789ab"),
    ("not within ten characters", "You: what? The answer.", "You: what? The answer."),
    ("not at the tenth character", "0123456789You: x", "0123456789You: x"),
    ("at the eleventh", "0123456789aYou: x", "0123456789a"),
    ("an early one hides none", "You: q? A long answer. You: more", "You: q? A long answer."),
    ("none", "Only an answer, no marker", "Only an answer, no marker"),
]  # fmt: skip


@pytest.mark.parametrize("text, left", [c[1:] for c in CUTS], ids=[c[0] for c in CUTS])
def test_a_whole_page_is_cut_at_end_markers_beyond_the_tenth_character(text, left):
    assert until_end_marker(text) == left


def test_only_the_rung_of_the_whole_page_is_cut():
    said = "The answer quotes You: hello"
    assert pick(CLASSIC, Look(Poll(), (Rung(1, ".markdown", said),))) == Rung(1, ".markdown", said)
    whole = Rung(5, "main and body innerText", said)
    assert pick(CLASSIC, Look(Poll(), (whole,))).text == "The answer quotes"


def test_the_ladder_is_the_seeds_and_the_whole_page_its_last_rung():
    assert [step.number for step in MARKS.steps] == [1, 2, 3, 4, 5]
    assert [step.way for step in MARKS.steps] == ["within", "within", "within", "turn", "page"]
    assert [step.css for step in MARKS.steps[:1]] == [".markdown"]
