"""Which model is used up, and when to go on: stories with seconds."""

import pytest

from tabwire.monitor.agent_quota import Allowance, ModelQuota, Quota, QuotaState
from tabwire.monitor.agent_quota_watch import (
    BANNER_SECONDS,
    QuotaBack,
    QuotaChanged,
    QuotaWatch,
    reset_in,
)

MODEL = "Claude"


def reading(state: QuotaState, resets_at: float | None = None) -> Allowance:
    spent = state is QuotaState.EXHAUSTED
    quota = Quota(state, 0.0 if spent else 0.7, resets_at)
    return Allowance((ModelQuota(MODEL, "m", quota),))


FULL, SPENT, NOBODY = (
    reading(QuotaState.AVAILABLE),
    reading(QuotaState.EXHAUSTED, 500.0),
    reading(QuotaState.UNKNOWN),
)
LATE = BANNER_SECONDS + 10

STORIES = [
    # id, what happens (seconds, what), states told, episodes that were told to be over
    ("full from the first", [(0, FULL)], ["available"], []),
    (
        "used up, back",
        [(0, FULL), (60, SPENT), (500, FULL)],
        ["available", "exhausted", "available"],
        [1],
    ),
    ("used up when we came", [(0, SPENT), (500, FULL)], ["exhausted", "available"], [1]),
    (
        "said once, however often it is read",
        [(0, SPENT), (60, SPENT), (500, FULL), (560, FULL)],
        ["exhausted", "available"],
        [1],
    ),
    (
        "nobody counts in between",
        [(0, SPENT), (60, NOBODY), (500, FULL)],
        ["exhausted", "unknown", "available"],
        [1],
    ),
    ("nobody counts", [(0, NOBODY), (60, NOBODY)], [], []),
    (
        "twice",
        [(0, SPENT), (500, FULL), (600, SPENT), (900, FULL)],
        ["exhausted", "available"] * 2,
        [1, 2],
    ),
    (
        "a banner before the server counted",
        [(0, FULL), (10, "limit"), (60, FULL)],
        ["available", "exhausted"],
        [],
    ),
    (
        "a banner the server never agreed with",
        [(0, FULL), (10, "limit"), (10 + LATE, FULL)],
        ["available", "exhausted", "available"],
        [1],
    ),
    (
        "a banner and the server",
        [(10, "limit"), (60, SPENT), (500, FULL)],
        ["exhausted", "available"],
        [1],
    ),
    (
        "a banner that names its end",
        [(0, "resets in 2m"), (60, None), (120, None)],
        ["exhausted", "available"],
        [1],
    ),
    ("a banner alone is believed", [(0, "limit"), (10_000, None)], ["exhausted"], []),
    ("somebody went on", [(0, "limit"), (900, "ran")], ["exhausted", "unknown"], []),
    (
        "somebody went on, and the server agrees",
        [(0, FULL), (5, "limit"), (9, "ran")],
        ["available", "exhausted", "available"],
        [],
    ),
]


@pytest.mark.parametrize(
    "story, states, over", [c[1:] for c in STORIES], ids=[c[0] for c in STORIES]
)
def test_a_story_of_a_quota(story, states, over):
    watch, events = QuotaWatch(), []
    for at, what in story:
        match what:
            case None:
                events += watch.tick(at)
            case "ran":
                events += watch.ran(MODEL, at)
            case Allowance():
                events += watch.reading(what, at, using=(MODEL,))
            case _:
                events += watch.banner(MODEL, what, at)
    assert [one.quota.state.value for one in events if isinstance(one, QuotaChanged)] == states
    assert [one.episode for one in events if isinstance(one, QuotaBack)] == over


def test_another_model_blocks_nothing():
    """S2-049 and its other side: only the model in use is asked for."""
    watch = QuotaWatch()
    watch.reading(SPENT, 0.0)
    assert watch.blocks(MODEL, 1.0)
    assert not watch.blocks("Gemini 3 Flash", 1.0)
    assert not watch.blocks("", 1.0)


def test_the_reset_time_is_told():
    watch = QuotaWatch()
    (changed,) = watch.reading(SPENT, 0.0)
    assert changed.quota.resets_at == 500.0


TEXTS = [
    # what a banner says, seconds until its end
    ("Model quota reached. Resets in 2h 30m.", 9000),
    ("You can try again in 5 minutes", 300),
    ("Quota exceeded; available again in 1 day", 86400),
    ("It refreshes in 45s.", 45),
    ("あと 3時間20分 後にリセットされます", 12000),
    ("Model quota reached Dismiss Upgrade", None),
    ("There are 3 models in 2 pools", None),
    ("resets in a while", None),
]


@pytest.mark.parametrize("text, seconds", TEXTS)
def test_a_banner_that_says_when(text, seconds):
    assert reset_in(text, 1000.0) == (None if seconds is None else 1000.0 + seconds)
