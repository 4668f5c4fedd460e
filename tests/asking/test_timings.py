"""How long each part of an ask took."""

from tabwire.asking.timings import Stopwatch
from tabwire.model.ask import Phase, PhaseBegan


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_each_part_is_timed_and_told_once():
    clock, told = Clock(), []
    watch = Stopwatch("grok", told.append, clock, began=99.0)
    for phase, seconds in [
        (Phase.NAVIGATE, 0.5),
        (Phase.WAIT_INPUT, 0.25),
        (Phase.INPUT, 0.125),
        (Phase.SEND, 0.0625),
    ]:
        watch.phase(phase)
        clock.now += seconds
    watch.left_at = clock.now - 0.01
    watch.phase(Phase.WAIT_RESPONSE)
    clock.now += 1.0
    watch.first_at = clock.now
    watch.phase(Phase.ANSWERING)
    watch.phase(Phase.ANSWERING)
    clock.now += 2.0
    watch.judged_at, watch.heard_at = clock.now, clock.now - 0.004
    clock.now += 9.0
    timings = watch.timings()
    assert (timings.connect, timings.navigate, timings.wait_input) == (1000.0, 500.0, 250.0)
    assert (timings.input, timings.send) == (125.0, 62.5)
    assert (timings.first_token, timings.wait_response) == (1010.0, 3010.0)
    assert timings.detect == 4.0
    assert timings.total == 4937.5
    assert [one.phase for one in told if isinstance(one, PhaseBegan)] == [
        Phase.NAVIGATE,
        Phase.WAIT_INPUT,
        Phase.INPUT,
        Phase.SEND,
        Phase.WAIT_RESPONSE,
        Phase.ANSWERING,
    ]


def test_a_phase_that_comes_twice_is_added_up():
    clock = Clock()
    watch = Stopwatch("grok", lambda _one: None, clock, began=100.0)
    for phase in (Phase.INPUT, Phase.SEND, Phase.INPUT):
        watch.phase(phase)
        clock.now += 1.0
    assert watch.timings().input == 2000.0
    assert watch.timings().detect is None


def test_an_answer_that_is_looked_for_after_its_verdict_took_until_it_was_found():
    clock = Clock()
    watch = Stopwatch("chatgpt", lambda _one: None, clock, began=100.0)
    watch.phase(Phase.NAVIGATE)
    clock.now += 68.0
    watch.judged_at = watch.heard_at = clock.now  # nobody knew more
    watch.look_on()
    clock.now += 36.0
    assert watch.timings().total == 104_000.0
    assert watch.timings().detect is None
