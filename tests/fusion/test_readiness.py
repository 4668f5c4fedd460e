import pytest

from tabwire.fusion.profile import CLASSIC, DEFAULT, SAMPLE_TTL_SECONDS
from tabwire.fusion.readiness import Gate, GateResult, RetryPlan, decide
from tabwire.fusion.verdict import Mode, Readiness, Reason

READY = ()
EMPTY = (Reason.NO_CANONICAL_DATA,)
UNFINISHED = (Reason.CANONICAL_NOT_TERMINAL,)
FIRST = (Reason.AWAITING_SECOND_SAMPLE,)
CHANGED = (Reason.CONTENT_HASH_CHANGED, Reason.AWAITING_SECOND_SAMPLE)
CHANGED_LATE = (Reason.CONTENT_HASH_CHANGED, Reason.STABILIZATION_TIMEOUT)
SOON = (Reason.STABILITY_WINDOW_NOT_ELAPSED,)
LATE = (Reason.STABILIZATION_TIMEOUT,)

# Samples: second, text, terminal, what the gate says.
SERIES = [
    ("two equal samples apart", DEFAULT, [(0, "a", True, FIRST), (0.9, "a", True, READY)]),
    ("two equal samples too soon", DEFAULT, [(0, "a", True, FIRST), (0.89, "a", True, SOON)]),
    ("no text", DEFAULT, [(0, "", True, EMPTY), (1, " \u200b", True, EMPTY)]),
    ("not terminal", DEFAULT, [(0, "a", False, UNFINISHED), (1, "a", True, FIRST)]),
    ("not terminal breaks a series", DEFAULT,
     [(0, "a", True, FIRST), (1, "a", False, UNFINISHED), (2, "a", True, FIRST)]),
    ("a change restarts the window", DEFAULT,
     [(0, "a", True, FIRST), (1, "b", True, CHANGED), (1.5, "b", True, SOON),
      (1.9, "b", True, READY)]),
    ("changing past the wait", DEFAULT,
     [(0, "a", True, FIRST), (30.1, "b", True, CHANGED_LATE), (30.5, "b", True, LATE)]),
    ("ready even past the wait", DEFAULT,
     [(0, "a", True, FIRST), (30.1, "b", True, CHANGED_LATE), (31, "b", True, READY)]),
    ("the seed's runner waits 3.2 s", CLASSIC,
     [(0, "a", True, FIRST), (3.3, "b", True, CHANGED_LATE)]),
    ("what storing changes is no change", DEFAULT,
     [(0, "caf\u00e9\r\n", True, FIRST), (1, "cafe\u0301", True, READY)]),
    ("a sample of ten minutes ago", DEFAULT,
     [(0, "a", True, FIRST), (SAMPLE_TTL_SECONDS + 0.1, "a", True, FIRST)]),
    ("lone surrogates", DEFAULT, [(0, "\ud83d", True, FIRST), (1, "\ud83d", True, READY)]),
]  # fmt: skip


@pytest.mark.parametrize("profile, samples", [c[1:] for c in SERIES], ids=[c[0] for c in SERIES])
def test_the_gate_opens_on_two_equal_terminal_samples(profile, samples):
    gate = Gate(profile)
    for now, text, terminal, reasons in samples:
        assert gate.sample("a", text, terminal, now) == GateResult(reasons == READY, reasons), now


def test_a_picture_needs_no_text():
    gate = Gate()
    gate.sample("a", "", True, 0.0, media=True)
    assert gate.sample("a", "", True, 1.0, media=True).ready


def test_samples_of_two_attempts_do_not_mix():
    gate = Gate()
    gate.sample("a", "text", True, 0.0)
    assert gate.sample("b", "text", True, 1.0).reasons == FIRST


def test_a_reset_gate_starts_over():
    gate = Gate()
    gate.sample("a", "text", True, 0.0)
    gate.reset("a")
    assert gate.sample("a", "text", True, 1.0).reasons == FIRST


def test_the_gate_forgets_the_oldest_samples_and_warns_before():
    gate = Gate(max_samples=10)
    for number in range(9):
        assert gate.warning() is None
        gate.sample(str(number), "text", True, 0.0)
    assert gate.warning() == "samples: 9 of 10"
    for number in range(9, 12):
        gate.sample(str(number), "text", True, 0.5)
    assert len(gate) == 10
    assert gate.sample("11", "text", True, 2.0).ready
    assert gate.sample("0", "text", True, 2.0).reasons == FIRST


def test_old_samples_are_pruned_at_most_once_a_second():
    gate = Gate()
    gate.sample("old", "text", True, 0.0)
    gate.sample("a", "text", True, SAMPLE_TTL_SECONDS - 0.5)
    gate.sample("a", "text", True, SAMPLE_TTL_SECONDS + 0.4)  # within a second: not yet
    assert len(gate) == 2
    gate.sample("a", "text", True, SAMPLE_TTL_SECONDS + 0.6)
    assert len(gate) == 1


def test_the_plan_re_reads_six_times_and_ends_after_7_3_seconds():
    plan, steps = RetryPlan(), []
    plan.start(10.0)
    while plan.next_at is not None:
        at = plan.next_at
        steps.append((round(at - 10.0, 2), plan.step(at)))
    assert steps == [(1.15, 1), (2.3, 2), (3.45, 3), (4.6, 4), (5.75, 5), (6.9, 6), (7.3, None)]
    assert plan.exhausted
    assert pytest.approx(7.3) == DEFAULT.witness_seconds


def test_a_plan_slept_through_goes_on_instead_of_being_spent():
    plan = RetryPlan()
    plan.start(0.0)
    assert plan.step(3600.0) == 1
    assert plan.next_at == pytest.approx(3601.15)


def test_a_plan_started_again_is_fresh():
    plan = RetryPlan()
    plan.start(0.0)
    while plan.next_at is not None:
        plan.step(plan.next_at)
    plan.start(100.0)
    assert (plan.running, plan.exhausted, plan.reads) == (True, False, 0)


OPEN = GateResult(True)
WAITS = GateResult(False, FIRST)
TIMED_OUT = GateResult(False, LATE)
C, W, M = Mode.CANONICAL_READY, Mode.AWAITING_STABILIZATION, Mode.DEGRADED_MANUAL_ONLY
GRADED = Reason.SNAPSHOT_DEGRADED_CAPTURE

DECISIONS = [
    # id                            gate  complete degraded text  exhausted  mode, reasons
    ("gate open and complete", OPEN, True, False, True, False, C, ()),
    ("gate open, cut short", OPEN, False, False, True, False, M, (Reason.ANSWER_NOT_COMPLETE,)),
    ("gate open, then a snapshot", OPEN, True, True, True, False, W, (GRADED,)),
    ("no data", None, False, False, True, False, W, EMPTY),
    ("no data and nothing to save", None, False, False, False, True, W, EMPTY),
    ("no data ever, text in hand", None, False, False, True, True, M, EMPTY + LATE),
    ("only a snapshot", None, False, True, False, False, W, (GRADED,)),
    ("only a snapshot, no more reads", None, False, True, False, True, M, (GRADED, *LATE)),
    ("waiting for the second sample", WAITS, True, False, True, False, W, FIRST),
    ("the gate timed out", TIMED_OUT, True, False, True, False, M, LATE),
    ("no more reads", WAITS, True, False, True, True, M, FIRST + LATE),
]


@pytest.mark.parametrize(
    "gate, complete, degraded, has_text, exhausted, mode, reasons",
    [c[1:] for c in DECISIONS],
    ids=[c[0] for c in DECISIONS],
)
def test_what_save_may_do(gate, complete, degraded, has_text, exhausted, mode, reasons):
    decided = decide(
        gate, complete=complete, degraded=degraded, has_text=has_text, exhausted=exhausted
    )
    assert decided == Readiness(mode, reasons)
    assert decided.ready is (mode is Mode.CANONICAL_READY)
