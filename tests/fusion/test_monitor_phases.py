"""Seed 000, sections 4.2 to 4.5: the phases of a run that only the page tells of."""

import pytest

from tabwire.fusion.monitor_phases import (
    ENDED,
    INACTIVE_SECONDS,
    MAX_LOG_KEYS,
    MAX_RUN_SECONDS,
    MONITOR_CLASSIC,
    MONITOR_DEFAULT,
    PHASES,
    RECONNECT_SECONDS,
    MonitorProfile,
    PageMonitor,
    Phase,
    PhaseCause,
    PhaseChanged,
    Progressed,
)
from tabwire.model.signals import PageSaw, Refusal, Refused

STOP, GONE = PageSaw(generating=True), PageSaw(generating=False)
QUOTA = Refused(Refusal.RATE_LIMIT)
OLD = "yesterday's answer"
W, T, G, C = Phase.WAITING, Phase.THINKING, Phase.GENERATING, Phase.COMPLETE


def stop(text):
    return PageSaw(generating=True, text=text)


def gone(text):
    return PageSaw(generating=False, text=text)


def classic(sights, **options):
    """Polls two seconds apart."""
    monitor = PageMonitor(0.0, profile=MONITOR_CLASSIC, **options)
    outcomes = []
    for number, sight in enumerate(sights, start=1):
        outcomes += monitor.see(sight, 2.0 * number)
    return monitor, outcomes


POLLS = [
    # id, polls, phase, text, stop-gone count
    ("4.2 waiting", [GONE], W, "", 0),
    ("4.2 waiting -> thinking: the stop control appears", [STOP], T, "", 0),
    ("4.2 thinking -> generating: text changes", [STOP, stop("a")], G, "a", 0),
    ("4.2 thinking stays without text", [STOP, stop(None), stop("")], T, "", 0),
    ("4.2 generating -> complete: gone three times", [stop("a"), GONE, GONE, GONE], C, "a", 3),
    ("4.2 not before the third time", [stop("a"), GONE, GONE], G, "a", 2),
    ("4.2 a fast reply whose stop control nobody saw", [gone("a"), gone("a"), gone("a")], C, "a",
     3),
    ("4.2 never begun never completes", [GONE] * 9, W, "", 0),
    ("4.3 the baseline is suppressed", [stop(OLD)], T, "", 0),
    ("4.3 the baseline alone ends with no text", [stop(OLD), gone(OLD), gone(OLD), gone(OLD)],
     C, "", 3),
    ("4.3 the baseline alone begins nothing", [gone(OLD)] * 9, W, "", 0),
    ("4.3 once new text was seen the old words are new", [stop("a"), stop(OLD)], G, OLD, 0),
    ("4.5 the control comes back: counted anew", [stop("a"), GONE, GONE, STOP, GONE, GONE], G,
     "a", 2),
    ("4.5 flicker three times", [stop("a"), GONE, STOP, GONE, STOP, GONE, STOP], G, "a", 0),
    ("4.5 text does not reset the count", [stop("a"), gone("ab"), gone("abc"), gone("abcd")], C,
     "abcd", 3),
]  # fmt: skip


@pytest.mark.parametrize(
    "sights, phase, text, count", [c[1:] for c in POLLS], ids=[c[0] for c in POLLS]
)
def test_the_seeds_polls(sights, phase, text, count):
    monitor, _ = classic(sights, baseline_text=OLD)
    assert (monitor.phase, monitor.text, monitor.stop_gone) == (phase, text, count)


def test_phase_and_progress_are_told_once_each():
    _, outcomes = classic([STOP, stop("a"), stop("a"), gone("ab"), GONE, GONE, GONE])
    assert outcomes == [
        PhaseChanged(T, ""),
        Progressed("a"),
        PhaseChanged(G, "a"),
        Progressed("ab"),
        PhaseChanged(C, "ab"),
    ]


@pytest.mark.parametrize("phase", [W, T, G])
def test_every_phase_of_a_run_can_end_each_way(phase):
    """4.2: any -> timeout; the table guards itself."""
    assert set(PHASES[phase].values()) >= ENDED


def test_phases_never_go_back():
    order = [W, T, G, *sorted(ENDED)]
    for phase, row in PHASES.items():
        assert all(order.index(target) > order.index(phase) for target in row.values())
    assert all(PHASES[phase] == {} for phase in ENDED)
    assert {cause for row in PHASES.values() for cause in row} == set(PhaseCause)


# --- limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("sights", [[], [STOP], [stop("a")]], ids=["waiting", "thinking", "text"])
def test_the_seeds_run_times_out_in_any_phase(sights):
    """4.2: any -> timeout after maxDuration, even while the control shows."""
    monitor, _ = classic(sights)
    assert monitor.next_deadline() == MAX_RUN_SECONDS
    assert monitor.tick(MAX_RUN_SECONDS - 0.1) == ()
    assert monitor.tick(MAX_RUN_SECONDS) == (PhaseChanged(Phase.TIMEOUT, monitor.text),)
    assert monitor.next_deadline() is None


def test_by_default_only_inactivity_times_out():
    monitor = PageMonitor(0.0)
    monitor.see(gone("a"), 800.0)
    monitor.see(STOP, 1000.0)
    assert monitor.next_deadline() is None  # never while it works
    monitor.see(GONE, 5000.0)
    monitor.see(STOP, 5001.0)
    monitor.connection(False, 5002.0)
    monitor.connection(True, 5003.0)
    assert monitor.phase is G


def test_inactivity_counts_from_the_last_sign_of_life():
    monitor = PageMonitor(0.0)
    monitor.log(["Reading a.py"], 100.0)
    assert monitor.next_deadline() == 100.0 + INACTIVE_SECONDS
    assert monitor.tick(100.0 + INACTIVE_SECONDS) == (PhaseChanged(Phase.TIMEOUT, ""),)


def test_what_is_over_hears_nothing_more():
    monitor, _ = classic([stop("a"), GONE, GONE, GONE])
    assert monitor.see(stop("b"), 100.0) == ()
    assert monitor.refused(QUOTA) == ()
    assert monitor.connection(False, 101.0) == ()
    assert monitor.tick(9999.0) == ()
    assert (monitor.phase, monitor.text, monitor.over) == (C, "a", True)


# --- confirmation by events -------------------------------------------------------------------


def test_a_burst_of_events_is_one_absence():
    """A control re-rendered in 700 ms must not end a run, however many events that makes."""
    monitor = PageMonitor(0.0)
    monitor.see(stop("a"), 1.0)
    for step in range(7):
        monitor.see(GONE, 2.0 + step / 10)
    assert (monitor.phase, monitor.stop_gone) == (G, 1)


def test_a_page_that_falls_silent_is_confirmed_by_the_clock():
    monitor = PageMonitor(0.0)
    monitor.see(stop("a"), 1.0)
    monitor.see(gone("ab"), 2.1)
    ticks = []
    while monitor.phase is not C:
        ticks.append(monitor.next_deadline())
        monitor.tick(ticks[-1])
    assert ticks == [4.1, 6.1]
    assert monitor.text == "ab"


@pytest.mark.parametrize(
    "interrupt",
    [
        lambda monitor: monitor.see(STOP, 2.5),
        lambda monitor: (monitor.approval(True, 2.3), monitor.approval(False, 2.5)),
        lambda monitor: (monitor.connection(False, 2.3), monitor.connection(True, 2.5)),
    ],
    ids=["the control came back", "an approval", "a lost page"],
)
def test_the_first_absence_after_an_interruption_counts_at_once(interrupt):
    """Else a page that says so once and falls silent would never be confirmed."""
    monitor = PageMonitor(0.0)
    monitor.see(stop("a"), 1.0)
    monitor.see(GONE, 2.0)
    interrupt(monitor)
    monitor.see(GONE, 3.0)
    assert monitor.stop_gone == 1
    assert monitor.next_deadline() == 5.0


def test_the_clock_does_not_confirm_while_the_control_shows():
    monitor = PageMonitor(0.0)
    monitor.see(stop("a"), 1.0)
    monitor.see(GONE, 2.0)
    monitor.see(STOP, 3.0)
    assert monitor.next_deadline() is None
    assert (monitor.tick(60.0), monitor.stop_gone) == ((), 0)


# --- a page that shows the end -----------------------------------------------------------------

TRUSTING = MonitorProfile("trusting", closed_seconds=0.1)
CLOSED = PageSaw(False, actions=True)


def test_a_page_that_shows_the_end_of_a_turn_is_confirmed_in_a_moment():
    monitor = PageMonitor(0.0, profile=TRUSTING)
    monitor.see(stop("a"), 1.0)
    monitor.see(CLOSED, 2.0)
    assert (monitor.phase, monitor.next_deadline()) == (G, 2.1)
    monitor.tick(2.1)
    assert monitor.phase is C


def test_words_after_the_end_was_shown_begin_the_moment_anew():
    monitor = PageMonitor(0.0, profile=TRUSTING)
    monitor.see(stop("a"), 1.0)
    monitor.see(CLOSED, 2.0)
    monitor.see(PageSaw(False, True, "ab"), 2.05)
    assert monitor.next_deadline() == pytest.approx(2.15)
    monitor.tick(2.2)
    assert (monitor.phase, monitor.text) == (C, "ab")


@pytest.mark.parametrize(
    "interrupt",
    [
        lambda monitor: monitor.see(STOP, 2.05),
        lambda monitor: monitor.see(GONE, 2.05),
        lambda monitor: monitor.approval(True, 2.05),
        lambda monitor: monitor.connection(False, 2.05),
    ],
    ids=["the control came back", "the end is no longer shown", "an approval", "a lost page"],
)
def test_an_end_that_did_not_stay_is_none(interrupt):
    monitor = PageMonitor(0.0, profile=TRUSTING)
    monitor.see(stop("a"), 1.0)
    monitor.see(CLOSED, 2.0)
    interrupt(monitor)
    monitor.tick(2.3)
    assert not monitor.over


def test_an_end_shown_before_a_run_began_is_of_another_one():
    monitor = PageMonitor(0.0, profile=TRUSTING)
    monitor.see(CLOSED, 1.0)
    assert (monitor.tick(30.0), monitor.phase) == ((), Phase.WAITING)


def test_who_does_not_trust_a_page_counts_absences():
    monitor = PageMonitor(0.0)
    monitor.see(stop("a"), 1.0)
    monitor.see(CLOSED, 2.0)
    assert monitor.next_deadline() == 4.0


# --- quota ------------------------------------------------------------------------------------


@pytest.mark.parametrize("sights", [[], [STOP]], ids=["waiting", "thinking"])
def test_quota_without_text_ends_the_run_at_once(sights):
    monitor, _ = classic(sights)
    assert monitor.refused(QUOTA) == (PhaseChanged(Phase.QUOTA_REACHED, ""),)
    assert monitor.quota


def test_quota_with_text_is_a_flag_and_the_run_finishes():
    monitor, _ = classic([stop("a")])
    assert monitor.refused(QUOTA) == ()
    for at in (10.0, 12.0, 14.0):
        monitor.see(GONE, at)
    assert (monitor.phase, monitor.quota) == (C, True)


def test_another_refusal_is_no_quota():
    monitor, _ = classic([STOP])
    monitor.refused(Refused(Refusal.ERROR))
    assert (monitor.phase, monitor.quota) == (T, False)


# --- what lies over a run ---------------------------------------------------------------------


def test_a_lost_page_pauses_the_run_and_gives_it_back():
    monitor, _ = classic([stop("Hello"), GONE, GONE])
    assert monitor.connection(False, 10.0) == (PhaseChanged(Phase.DISCONNECTED, "Hello"),)
    monitor.see(GONE, 11.0)
    assert monitor.stop_gone == 2
    assert monitor.connection(True, 12.0) == (PhaseChanged(G, "Hello"),)
    assert monitor.stop_gone == 0


@pytest.mark.parametrize("profile", [MONITOR_CLASSIC, MONITOR_DEFAULT])
def test_a_page_that_stays_lost_ends_the_run_in_bounded_time(profile):
    monitor = PageMonitor(0.0, profile=profile)
    monitor.see(stop("Hello"), 1.0)
    monitor.connection(False, 2.0)
    monitor.connection(False, 3.0)  # told twice: the clock runs from the first
    assert monitor.next_deadline() == 2.0 + RECONNECT_SECONDS
    assert monitor.tick(2.0 + RECONNECT_SECONDS) == (PhaseChanged(Phase.TIMEOUT, "Hello"),)


def test_a_run_that_asks_the_person_waits_as_long_as_it_takes():
    monitor = PageMonitor(0.0)
    monitor.see(stop("a"), 1.0)
    assert monitor.approval(True, 2.0) == (PhaseChanged(Phase.WAITING_APPROVAL, "a"),)
    for at in range(3, 30):
        monitor.see(GONE, float(at))
    assert monitor.next_deadline() is None
    assert monitor.approval(False, 5000.0) == (PhaseChanged(G, "a"),)


def test_joining_a_run_under_way_starts_at_generating():
    _, outcomes = classic([gone("a"), GONE, GONE], passive=True)
    assert outcomes == [Progressed("a"), PhaseChanged(C, "a")]


# --- process log ------------------------------------------------------------------------------


def test_log_entries_of_the_baseline_are_not_told():
    """4.4"""
    monitor = PageMonitor(0.0, baseline_log=["A", "B"])
    assert monitor.log(["A", "B", "C"], 1.0) == ("C",)
    assert monitor.log(["A", "B", "C"], 2.0) == ()


def test_a_command_run_twice_is_told_twice():
    """The seed knew entries by their text alone, so a repeated command vanished."""
    monitor = PageMonitor(0.0, baseline_log=["pytest"])
    assert monitor.log(["pytest", "pytest"], 1.0) == ("pytest",)
    assert monitor.log(["pytest", "pytest", "pytest"], 2.0) == ("pytest",)


def test_an_entry_that_grows_at_its_end_is_the_same_entry():
    monitor = PageMonitor(0.0)
    assert len(monitor.log(["x" * 200], 1.0)) == 1
    assert monitor.log(["x" * 200 + " and more"], 2.0) == ()


def test_the_memory_of_entries_is_bounded():
    monitor = PageMonitor(0.0)
    monitor.log([str(number) for number in range(MAX_LOG_KEYS + 10)], 1.0)
    assert len(monitor._log) == MAX_LOG_KEYS
