"""Moments as people read them."""

import time

import pytest

from tabwire.model.moments import moment, span

SPANS = [
    (0.2, "1 s"),
    (59.6, "1 min"),
    (40, "40 s"),
    (90, "1 min"),
    (12 * 60, "12 min"),
    (3600, "1 h"),
    (5400, "1 h 30 min"),
    (3 * 3600 - 20, "3 h"),
    (26 * 3600, "1 day 2 h"),
    (7 * 86_400, "7 days"),
]


@pytest.mark.parametrize("seconds, said", SPANS)
def test_a_span_is_said_in_its_largest_units(seconds, said):
    assert span(seconds) == said


def test_a_moment_is_of_the_persons_own_clock_with_how_long_it_is_until_then(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert moment(1_795_000_000, 1_795_000_000 - 3 * 3600) == "2026-11-18 20:06, in 3 h"
        assert moment(1_795_000_000, 1_795_000_001) == "2026-11-18 20:06"
    finally:
        monkeypatch.undo()
        time.tzset()
