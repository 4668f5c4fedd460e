"""Who drives a window: pure tables. S2-024 of ../shared/corpus/behaviours.json."""

import pytest

from tabwire.autopilot.owner import Claim, Watched, is_ours, is_stale, watched

CLAIM = Claim("n", 1, "tick 1", "boot-a", at=100.0, beat=3)

STALE = [
    # id, boot, now, seen since, runs, free
    ("S2-024 4 s old", "boot-a", 104.0, 104.0, True, False),
    ("14.9 s old", "boot-a", 114.9, 104.0, True, False),
    ("15 s old", "boot-a", 115.0, 115.0, True, True),
    ("its process is dead", "boot-a", 101.0, 101.0, False, True),
    ("another machine's, just seen", "boot-b", 9e9, 9e9, False, False),
    ("another machine's, seen still for 15 s", "boot-b", 9e9 + 15, 9e9, False, True),
    ("its clock is ahead of ours", "boot-a", 50.0, 50.0, True, False),
    ("its clock is ahead and it stood still", "boot-a", 65.0, 50.0, True, True),
]


@pytest.mark.parametrize(
    "boot, now, since, runs, free", [c[1:] for c in STALE], ids=[c[0] for c in STALE]
)
def test_when_a_window_is_free(boot, now, since, runs, free):
    assert is_stale(Watched(CLAIM, since), boot=boot, now=now, runs=runs) is free


def test_a_beat_begins_the_watching_anew():
    first = watched(None, CLAIM, 1.0)
    assert watched(first, CLAIM, 5.0) == first
    beaten = Claim("n", 1, "tick 1", "boot-a", at=105.0, beat=4)
    assert watched(first, beaten, 6.0) == Watched(beaten, 6.0)


def test_we_stop_acting_before_another_may_take_it():
    assert is_ours(100.0, 109.9)
    assert not is_ours(100.0, 110.0)
    assert not is_ours(float("-inf"), 0.0)
