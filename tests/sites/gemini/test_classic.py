"""Gemini's completion conditions of seed 001, 4.3, each as a story with seconds.

A story is polls by the second; each condition is told once as it holds, and once for every
part of it that is missing. A text that grows keeps condition 3 out of a story; a stop control
that was seen keeps the fallback out.
"""

import pytest

from tabwire.sites.classic import Conditions, Poll
from tabwire.sites.gemini.classic import CLASSIC, MARKS

BEFORE = 1
"""Answers that were there before the question."""

NEW = {"answers": 2}
OLD = {"answers": 1}
STOP = {"stop": True}
THUMBS = {"feedback": True}
MIC = {"mic": True}
SEND = {"send": True, "send_enabled": True}
EMPTY = {"composer_empty": True}


def text(length):
    return {"text_length": length}


def decided(story):
    """(condition, second) of the first decision."""
    conditions = Conditions(CLASSIC, BEFORE)
    for at, *parts in story:
        seen = Poll(**{name: value for part in parts for name, value in part.items()})
        decision = conditions.feed(seen, at)
        if decision is not None:
            return decision.condition, at
    return None


def growing(first, last, *parts):
    return [(at, text(at), *parts) for at in range(first, last + 1)]


def still(first, last, *parts):
    return [(at, text(100), *parts) for at in range(first, last + 1)]


ZERO, ONE, TWO, THREE = (f"condition {number}" for number in (0, 1, 2, 3))
FALLBACK = "fallback"
BEGUN = (1, NEW, STOP)
ALL = (MIC, SEND, EMPTY, THUMBS)

STORIES = [
    # id, polls (second, what is seen), decision
    ("0: whole", [BEGUN, (2, NEW, THUMBS)], (ZERO, 2)),
    ("0: stop control never seen", growing(1, 10, NEW, THUMBS), None),
    ("0: stop control still there", growing(1, 60, NEW, THUMBS, STOP), None),
    ("0: no feedback buttons", [BEGUN, *growing(2, 60, NEW)], None),
    ("0: no new answer", [(1, OLD, STOP), *growing(2, 60, OLD, THUMBS)], None),
    ("1: whole", [BEGUN, (2, NEW, MIC)], (ONE, 2)),
    ("1: stop control never seen", growing(1, 10, NEW, MIC), None),
    ("1: stop control still there", growing(1, 60, NEW, MIC, STOP), None),
    ("1: no microphone", [BEGUN, *growing(2, 60, NEW, SEND)], None),
    ("1: no new answer", [(1, OLD, STOP), *growing(2, 60, OLD, MIC)], None),
    ("2: whole", [BEGUN, (2, NEW, SEND, EMPTY)], (TWO, 2)),
    ("2: stop control never seen", growing(1, 10, NEW, SEND, EMPTY), None),
    ("2: stop control still there", growing(1, 60, NEW, SEND, EMPTY, STOP), None),
    ("2: send not enabled", [BEGUN, *growing(2, 60, NEW, EMPTY)], None),
    ("2: composer holds text", [BEGUN, *growing(2, 60, NEW, SEND)], None),
    ("2: no new answer", [(1, OLD, STOP), *growing(2, 60, OLD, SEND, EMPTY)], None),
    ("3: whole", still(1, 9, NEW), (THREE, 6)),
    ("3: whole, after a stop control", [BEGUN, *still(2, 20, NEW)], (THREE, 7)),
    ("3: four times the same is too few", still(1, 5, NEW), None),
    ("3: growth begins the count anew",
     [*still(1, 5, NEW), (6, NEW, text(101)), *still(7, 11, NEW)], None),
    ("3: no text at all is not still", [(at, NEW, text(0)) for at in range(1, 11)], None),
    ("3: an old answer that stands still does not count",
     [*still(1, 30, OLD), *still(31, 35, NEW)], None),
    ("3: no new answer", still(1, 60, OLD), None),
    ("3: stop control there", still(1, 60, NEW, STOP), None),
    ("3: counted while the stop control was there", [*still(1, 9, NEW, STOP), *still(10, 10, NEW)],
     (THREE, 10)),
    ("fallback: whole", growing(1, 20, NEW), (FALLBACK, 12)),
    ("fallback: counts from the new answer", [*growing(1, 30, OLD), *growing(31, 50, NEW)],
     (FALLBACK, 42)),
    ("fallback: ten seconds are not more than ten", growing(1, 11, NEW), None),
    ("fallback: a stop control was seen", [BEGUN, *growing(2, 60, NEW)], None),
    ("fallback: stop control there", growing(1, 60, NEW, STOP), None),
    ("fallback: no new answer", growing(1, 60, OLD), None),
    ("the most reliable is named", [BEGUN, (2, NEW, *ALL)], (ZERO, 2)),
    ("then the next", [BEGUN, (2, NEW, *ALL[:3])], (ONE, 2)),
    ("an old chat, reconnected: nothing is new", still(1, 60, OLD, *ALL), None),
    ("words about thinking are chatgpt's", [BEGUN, (2, NEW, THUMBS, {"skip_thinking": True})],
     (ZERO, 2)),
]  # fmt: skip


@pytest.mark.parametrize("story, decision", [c[1:] for c in STORIES], ids=[c[0] for c in STORIES])
def test_an_answer_is_over_by_the_named_condition_or_not_at_all(story, decision):
    assert decided(story) == decision


def test_the_conditions_are_asked_in_the_order_of_their_reliability():
    assert [line.name for line in CLASSIC.conditions] == [ZERO, ONE, TWO, THREE, FALLBACK]


def test_the_text_is_not_waited_for_and_the_ladder_is_the_seeds():
    assert CLASSIC.render_seconds == 0
    assert [step.way for step in MARKS.steps] == ["feedback", "answer", "live"]
    assert 'img[alt="thumb_up"]' in MARKS.steps[0].near
    assert MARKS.stop_words == ("停止", "Stop")
