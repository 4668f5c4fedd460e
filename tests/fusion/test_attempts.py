import pytest

from fusion.story import CUT, ENDED, GREW, HINT, PROMPT, STORED, fusion, see
from tabwire.fusion.outcomes import Bound, Moved, ReadWanted
from tabwire.fusion.profile import (
    RESOLUTION_TTL_SECONDS,
    TERMINAL_TTL_SECONDS,
    Caps,
)
from tabwire.fusion.table import Cause, State
from tabwire.fusion.verdict import Judgement
from tabwire.model.signals import ConversationNamed, Source, TextGrew, TitleNamed

SMALL = Caps(attempts=10, resolutions=10, bindings=10, aliases=10, pending=10, samples=10)


def state(tab, name):
    return tab.machine(name).state


def outcomes(happened, kind):
    return [(h.attempt_id, h.outcome) for h in happened if isinstance(h.outcome, kind)]


# --- who speaks for a conversation ------------------------------------------------------------


def test_a_newer_attempt_supersedes_the_older_of_its_conversation():
    tab = fusion()
    see(tab, "a", PROMPT, 1, "c1")
    happened = see(tab, "b", PROMPT, 2, "c1")
    assert (state(tab, "a"), state(tab, "b")) == (State.SUPERSEDED, State.PROMPT_SENT)
    moved = Moved(State.PROMPT_SENT, State.SUPERSEDED, Cause.SUPERSEDED, 2)
    assert ("a", moved) in outcomes(happened, Moved)
    assert (tab.peek("c1"), tab.successor("a")) == ("b", "b")


@pytest.mark.parametrize(
    "signal",
    [GREW, ENDED, STORED, CUT, ConversationNamed("c1"), TitleNamed("x", "c1"), HINT],
    ids=lambda signal: type(signal).__name__,
)
def test_a_late_signal_of_a_superseded_attempt_never_takes_the_conversation_back(signal):
    """A relative bound the conversation id before it looked at the state: a late signal of
    the old attempt superseded the live one. Confirmed by running its code.
    """
    tab = fusion()
    see(tab, "a", PROMPT, 1, "c1")
    see(tab, "b", PROMPT, 2, "c1")
    assert see(tab, "a", signal, 3, "c1") == ()
    assert (state(tab, "a"), state(tab, "b")) == (State.SUPERSEDED, State.PROMPT_SENT)
    assert tab.peek("c1") == "b"
    assert tab.machine("a").history[-1].ignored
    assert tab.machine("a").history[-1].what == type(signal).__name__


def test_a_late_signal_of_a_disposed_attempt_touches_no_conversation():
    tab = fusion()
    see(tab, "a", PROMPT, 1)
    tab.dispose("a", 2, "told to")
    assert see(tab, "a", GREW, 3, "c1") == ()
    assert tab.peek("c1") is None
    assert tab.machine("a").conversation_id is None


def test_an_older_attempt_that_learns_its_id_last_is_the_one_superseded():
    tab = fusion()
    see(tab, "a", PROMPT, 1)
    see(tab, "b", PROMPT, 2, "c1")
    happened = see(tab, "a", ConversationNamed("c1"), 3)
    assert (state(tab, "a"), state(tab, "b")) == (State.SUPERSEDED, State.PROMPT_SENT)
    assert tab.peek("c1") == "b"
    assert outcomes(happened, Moved)[0][0] == "a"
    assert tab.machine("a").history[-1].note == "superseded by b"


def test_a_ready_attempt_is_superseded_by_the_next_turn_and_keeps_its_verdict():
    tab = fusion()
    for at, signal in enumerate([GREW, ENDED, STORED, STORED]):
        see(tab, "a", signal, at, "c1")
    assert state(tab, "a") is State.CAPTURED_READY
    see(tab, "b", PROMPT, 9, "c1")
    assert state(tab, "a") is State.SUPERSEDED
    assert tab.machine("a").verdict().complete


def test_a_signal_of_another_conversation_is_ignored():
    tab = fusion()
    see(tab, "a", PROMPT, 1, "c1")
    assert see(tab, "a", GREW, 2, "c2") == ()
    assert state(tab, "a") is State.PROMPT_SENT
    assert tab.machine("a").history[-1].note == "a signal of another conversation"
    assert (tab.peek("c1"), tab.peek("c2")) == ("a", None)


def test_attempts_of_two_conversations_live_side_by_side():
    tab = fusion()
    see(tab, "a", PROMPT, 1, "c1")
    see(tab, "b", PROMPT, 2, "c2")
    see(tab, "a", GREW, 3)
    assert (state(tab, "a"), state(tab, "b")) == (State.STREAMING, State.PROMPT_SENT)


# --- late ids ---------------------------------------------------------------------------------


def test_what_was_heard_before_the_id_counts_when_it_comes():
    tab = fusion()
    see(tab, "a", PROMPT, 1)
    see(tab, "a", GREW, 2)
    assert tab.peek(None) == "a"
    happened = see(tab, "a", ConversationNamed("c1"), 3)
    ((_, bound),) = outcomes(happened, Bound)
    assert bound.conversation_id == "c1"
    assert state(tab, "a") is State.STREAMING
    assert (tab.peek("c1"), tab.peek(None)) == ("a", None)
    assert tab.machine("a").conversation_id == "c1"


def test_an_id_is_bound_once():
    tab = fusion()
    happened = see(tab, "a", PROMPT, 1, "c1")
    assert outcomes(happened, Bound) == [("a", Bound("c1"))]
    assert outcomes(see(tab, "a", ConversationNamed("c1"), 2, "c1"), Bound) == []


def test_the_id_may_come_with_any_signal():
    tab = fusion()
    see(tab, "a", PROMPT, 1)
    see(tab, "a", GREW, 2, "c1")
    assert tab.peek("c1") == "a"
    assert tab.machine("a").conversation_id == "c1"
    assert state(tab, "a") is State.STREAMING


# --- reading and writing ----------------------------------------------------------------------


def test_peeking_never_creates():
    tab = fusion()
    assert tab.peek("c1") is None
    assert tab.peek(None) is None
    assert tab.machine("a") is None
    assert tab.successor("a") == "a"
    assert tab.resolution("a") is None
    assert tab.next_deadline() is None
    assert tab.warnings() == ()


def test_a_name_is_used_once():
    tab = fusion()
    tab.open("a", 1)
    with pytest.raises(ValueError, match="a is known"):
        tab.open("a", 2)


def test_an_attempt_can_be_opened_with_the_answer_before_it():
    tab = fusion()
    tab.open("a", 1, conversation_id="c1", previous_text=STORED.text)
    see(tab, "a", PROMPT, 2)
    see(tab, "a", STORED, 3)
    see(tab, "a", STORED, 5)
    assert state(tab, "a") is State.PROMPT_SENT


# --- aliases ----------------------------------------------------------------------------------


def test_an_unknown_name_is_followed_to_the_attempt_it_stands_for():
    tab = fusion()
    see(tab, "a", PROMPT, 1)
    assert tab.alias("page-7", "a")
    see(tab, "page-7", GREW, 2)
    assert state(tab, "a") is State.STREAMING
    assert tab.machine("page-7") is None


def test_aliases_are_followed_over_several_steps_and_never_in_a_circle():
    tab = fusion()
    assert tab.alias("x", "y")
    assert tab.alias("y", "z")
    assert tab.successor("x") == "z"
    assert not tab.alias("z", "x")
    assert not tab.alias("q", "q")
    assert tab.successor("z") == "z"


def test_a_superseded_attempt_is_not_rerouted_to_its_successor():
    tab = fusion()
    see(tab, "a", PROMPT, 1, "c1")
    see(tab, "b", PROMPT, 2, "c1")
    see(tab, "a", GREW, 3)
    assert tab.machine("b").findings.draft.text() == ""


# --- going elsewhere --------------------------------------------------------------------------


@pytest.fixture
def tab_with_three():
    """One attempt in flight in each of c1 and c2, one ready in c3."""
    tab = fusion()
    for at, signal in enumerate([GREW, ENDED, STORED, STORED]):
        see(tab, "ready", signal, at, "c3")
    see(tab, "one", GREW, 5, "c1")
    see(tab, "two", GREW, 6, "c2")
    return tab


ROUTES = [
    # from, to, who stays
    ("c1", "c2", {"two", "ready"}),
    ("c1", "c3", {"ready"}),
    ("c1", None, {"ready"}),
    (None, "c1", {"one", "ready"}),
    ("c1", "c1", {"one", "two", "ready"}),
]


@pytest.mark.parametrize("origin, destination, stay", ROUTES)
def test_a_route_change_disposes_what_is_in_flight_elsewhere(
    tab_with_three, origin, destination, stay
):
    tab_with_three.route_changed(origin, destination, 7)
    alive = {
        name
        for name in ("one", "two", "ready")
        if state(tab_with_three, name) is not State.DISPOSED
    }
    assert alive == stay
    assert (tab_with_three.peek("c1") == "one") is ("one" in stay)


@pytest.mark.parametrize("destination", ["c2", None])
def test_a_nameless_attempt_is_disposed_when_the_tab_leaves_a_conversation(destination):
    tab = fusion()
    see(tab, "a", PROMPT, 1)
    tab.route_changed("c1", destination, 2)
    assert state(tab, "a") is State.DISPOSED
    assert tab.peek(None) is None


# --- hints ------------------------------------------------------------------------------------


def hint_notes(tab, name):
    return [r.note for r in tab.machine(name).history if r.what == "HintSeen"]


def test_a_hint_repeated_within_its_window_is_recorded_and_not_heard():
    tab = fusion()
    for at in (1.0, 3.0, 5.4):
        see(tab, "a", HINT, at, "c1", Source.COMPLETION)
    assert hint_notes(tab, "a") == ["", "repeats a hint just heard"]
    see(tab, "a", HINT, 5.6, "c1", Source.COMPLETION)
    assert hint_notes(tab, "a")[-1] == "a hint has no effect in the state completed_hint"


def test_a_hint_of_a_new_attempt_is_heard_sooner():
    tab = fusion()
    see(tab, "a", HINT, 1.0, "c1", Source.COMPLETION)
    see(tab, "b", HINT, 1.8, "c1", Source.COMPLETION)
    see(tab, "b", HINT, 2.0, "c1", Source.COMPLETION)
    assert hint_notes(tab, "b") == ["repeats a hint just heard", ""]


def test_a_hint_that_was_held_back_does_not_silence_the_next():
    tab = fusion()
    see(tab, "a", GREW, 1.0, "c1")
    see(tab, "a", HINT, 2.0, "c1", Source.COMPLETION)  # the stream is open
    see(tab, "a", CUT, 2.5, "c1")
    see(tab, "a", HINT, 3.0, "c1", Source.COMPLETION)
    assert state(tab, "a") is State.COMPLETED_HINT


# --- time -------------------------------------------------------------------------------------


def test_the_earliest_deadline_counts_and_only_who_is_due_is_ticked():
    tab = fusion()
    see(tab, "a", GREW, 0.0, "c1")
    see(tab, "a", ENDED, 0.0)
    see(tab, "b", GREW, 0.5, "c2")
    see(tab, "b", ENDED, 0.5)
    assert tab.next_deadline() == 1.15
    assert outcomes(tab.tick(1.15), ReadWanted) == [("a", ReadWanted(1, 6))]
    assert outcomes(tab.tick(1.65), ReadWanted) == [("b", ReadWanted(1, 6))]


def test_an_attempt_that_is_over_has_no_deadline_until_late_data_re_arms_it():
    tab = fusion()
    see(tab, "a", GREW, 0.0, "c1")
    see(tab, "a", CUT, 0.0)
    while (due := tab.next_deadline()) is not None:
        tab.tick(due)
    assert state(tab, "a") is State.TERMINATED_PARTIAL
    see(tab, "a", STORED, 100.0)
    due = tab.next_deadline()
    assert due == pytest.approx(101.15)
    assert outcomes(tab.tick(due), ReadWanted) == [("a", ReadWanted(1, 6))]


# --- bounds -----------------------------------------------------------------------------------


def test_the_caps_are_the_seeds():
    assert Caps() == Caps(
        attempts=500, resolutions=800, bindings=250, aliases=500, pending=320, samples=500
    )


def test_attempts_that_are_over_make_room_first():
    tab = fusion(caps=SMALL)
    for number in range(10):
        see(tab, f"a{number}", GREW, number, f"c{number}")
    tab.dispose("a7", 20, "told to")
    see(tab, "new", GREW, 21, "c-new")
    assert tab.machine("a7") is None
    assert state(tab, "a0") is State.STREAMING


def test_without_one_that_is_over_the_oldest_is_disposed_and_said():
    tab = fusion(caps=SMALL)
    for number in range(10):
        see(tab, f"a{number}", GREW, number, f"c{number}")
    happened = see(tab, "new", GREW, 21, "c-new")
    gone = [move for name, move in outcomes(happened, Moved) if name == "a0"]
    assert [move.after for move in gone] == [State.DISPOSED]
    assert tab.machine("a0") is None
    assert tab.peek("c0") is None


def test_a_late_signal_of_a_forgotten_attempt_does_not_bring_it_back():
    tab = fusion(caps=SMALL)
    for number in range(11):
        see(tab, f"a{number}", GREW, number, f"c{number}")
    see(tab, "b", GREW, 12, "c0")
    assert see(tab, "a0", GREW, 13, "c0") == ()
    assert tab.machine("a0") is None
    assert tab.peek("c0") == "b"
    ended = tab.resolution("a0")
    assert (ended.state, ended.judgement, ended.late) == (State.DISPOSED, Judgement.PARTIAL, 1)


def test_what_is_forgotten_leaves_no_samples_behind():
    tab = fusion(caps=Caps(attempts=1))
    for at, signal in enumerate([GREW, ENDED, STORED, STORED]):
        see(tab, "a", signal, at, "c1")
    assert len(tab._gate) == 1
    see(tab, "b", GREW, 9, "c2")
    assert len(tab._gate) == 0


def test_too_many_nameless_attempts_drop_the_oldest():
    tab = fusion(caps=Caps(pending=3))
    for number in range(4):
        see(tab, f"a{number}", PROMPT, number)
    assert [state(tab, f"a{number}") for number in range(4)] == [
        State.DISPOSED,
        *[State.PROMPT_SENT] * 3,
    ]
    assert "await a conversation id" in tab.machine("a0").history[-1].note


def test_every_book_is_bounded():
    tab = fusion(caps=SMALL)
    for number in range(200):
        see(tab, f"a{number}", TextGrew("x"), number * 0.1, f"c{number}")
        see(tab, f"a{number}", STORED, number * 0.1)
        tab.alias(f"old{number}", f"a{number}")
        see(tab, f"n{number}", PROMPT, number * 0.1)
    books = (tab._attempts, tab._resolutions, tab._bindings, tab._aliases, tab._pending, tab._gate)
    assert all(len(book) <= 10 for book in books)
    assert len(tab._timed) <= 10


def test_nearly_full_books_warn():
    tab = fusion(caps=SMALL)
    for number in range(8):
        see(tab, f"a{number}", PROMPT, number)
    assert tab.warnings() == ()
    see(tab, "a8", PROMPT, 8)
    assert tab.warnings() == ("attempts: 9 of 10", "pending: 9 of 10")
    for number in range(9):
        tab.alias(f"x{number}", "a1")
    assert "aliases: 9 of 10" in tab.warnings()


def test_what_is_over_is_forgotten_after_ten_minutes_and_known_as_late_for_an_hour():
    tab = fusion()
    see(tab, "a", GREW, 0, "c1")
    tab.dispose("a", 1, "told to")
    see(tab, "b", GREW, 1, "c2")
    tab.tick(1 + TERMINAL_TTL_SECONDS)
    assert tab.machine("a") is not None
    tab.tick(3 + TERMINAL_TTL_SECONDS)
    assert tab.machine("a") is None
    assert state(tab, "b") is State.STREAMING
    assert tab.resolution("a").state is State.DISPOSED
    assert see(tab, "a", GREW, 1000, "c1") == ()
    tab.tick(3 + RESOLUTION_TTL_SECONDS)
    assert tab.resolution("a") is None


def test_a_ready_conversation_that_is_forgotten_can_be_asked_about_anew():
    tab = fusion()
    for at, signal in enumerate([GREW, ENDED, STORED, STORED]):
        see(tab, "a", signal, at, "c1")
    tab.tick(10 + TERMINAL_TTL_SECONDS)
    assert tab.peek("c1") is None
    assert tab.resolution("a").state is State.CAPTURED_READY
    see(tab, "b", PROMPT, 2000, "c1")
    assert tab.peek("c1") == "b"
