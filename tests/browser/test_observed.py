"""What was seen of a page, compared with what was seen of it before."""

import pytest

from kit.drift import Drifted, drifted_from
from tabwire.browser.observed import CandidateHealth, Health, PartHealth, nth


def part(name, used, count=3):
    """A part with so many candidates, of which the `used`th serves; 0 where none does."""
    candidates = [CandidateHealth(f"#{n}", n == used, used=n == used) for n in range(1, count + 1)]
    return PartHealth(name, tuple(candidates))


def health(**parts):
    return Health("", "", "a", tuple(part(name, used) for name, used in parts.items()))


def test_a_part_says_by_which_candidate_it_is_found():
    assert (part("send", 2).rung, part("send", 2).found) == (2, True)
    assert (part("send", 0).rung, part("send", 0).found) == (0, False)


def test_a_part_that_is_lost_or_found_by_a_later_selector_has_drifted():
    before = health(send=1, stop=0, composer=2, title=1, upload=1)
    now = health(send=0, stop=0, composer=3, title=1)
    assert drifted_from(now, before) == (
        Drifted("send", "gone"),
        Drifted("composer", "found by its 3rd selector instead of its 2nd"),
        Drifted("upload", "gone"),
    )


def test_a_part_that_is_found_better_or_only_now_has_not_drifted():
    assert drifted_from(health(send=1, stop=2), health(send=2, stop=0)) == ()


def test_parts_not_found_by_their_best_selector_are_weak():
    assert [one.part for one in health(send=1, stop=0, composer=2).weak] == ["composer"]


@pytest.mark.parametrize(
    "number, words",
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (13, "13th"), (21, "21st")],
)
def test_counting(number, words):
    assert nth(number) == words
