"""The thirteen waits of seed 001, section 9.1, by name."""

import pytest

from tabwire.asking.timeouts import Wait
from tabwire.sites.known import SITES
from tabwire.sites.page import Timings

SEED = {  # chatgpt, gemini; `answer` is the person's own --timeout here
    "reuse": (3, 3),
    "open": (5, 5),
    "connect": (10, 10),
    "load": (30, 30),
    "settle": (0.5, 0.5),
    "composer": (30, 15),
    "after_input": (0.2, 0.2),
    "send": (60, 60),
    "sent": (15, 8),
    "first_output": (30, 30),
    "render": (120, 120),
    "health": (4, 4),
}


def test_there_are_thirteen_and_each_has_a_number_at_every_site():
    assert len(Wait) == 13
    for site in SITES.values():
        for wait in Wait:
            assert wait.seconds(site.page.timings) > 0


@pytest.mark.parametrize("name", SEED)
def test_the_numbers_are_the_seeds(name):
    found = [Wait(name).seconds(SITES[site].page.timings) for site in ("chatgpt", "gemini")]
    assert found == list(SEED[name])


def test_a_wait_is_its_own_number_and_no_other():
    names = [f"{wait.value}_seconds" for wait in Wait]
    timings = Timings(**{name: float(number) for number, name in enumerate(names, 1)})
    assert [wait.seconds(timings) for wait in Wait] == list(range(1, 14))
