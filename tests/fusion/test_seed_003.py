"""Every invariant of seed 003, sections 4 and 7, that is fusion's to keep, as a story.

Not here, because they are kept elsewhere: the tokens between the page's two worlds
(extension), and where the Save button is drawn.
"""

import pytest

from fusion.story import (
    CLOSED,
    CUT,
    ENDED,
    FINISHED,
    GREW,
    HINT,
    LONGER,
    OTHER,
    PROMPT,
    SNAPSHOT,
    STOPPED,
    STORED,
    UNFINISHED,
    fusion,
    see,
    told,
)
from tabwire.capture.standing import Lifecycle, ui_lifecycle
from tabwire.fusion.outcomes import Bound
from tabwire.fusion.profile import CLASSIC, DEFAULT, Caps
from tabwire.fusion.table import State
from tabwire.fusion.verdict import Judgement, Mode
from tabwire.model.signals import ConversationNamed, Source, TitleNamed, TurnConfirmed

IDLE, SENT, STREAMING, COMPLETED = Lifecycle


# --- section 4 --------------------------------------------------------------------------------

HINTED = [
    ("a hint", [(1, GREW), (2, CLOSED), (3, HINT)]),
    ("a hint and a proof", [(1, GREW), (2, ENDED), (3, HINT)]),
    ("a hint and one sample", [(1, GREW), (2, ENDED), (3, HINT), (4, STORED)]),
    ("a hint and two samples too close", [(1, GREW), (2, ENDED), (4, STORED), (4.5, STORED)]),
    ("a hint and two different samples", [(1, GREW), (2, CUT), (3, HINT), (4, STORED),
     (5, LONGER)]),
    ("a hint and unfinished samples", [(1, GREW), (2, CUT), (3, HINT), (4, UNFINISHED),
     (5, UNFINISHED)]),
    ("a hint and snapshots", [(1, GREW), (2, ENDED), (3, SNAPSHOT), (5, SNAPSHOT)]),
]  # fmt: skip


def shown_badge(tab, conversation_id):
    """What a badge shows of a conversation: of the attempt that speaks for it."""
    name = tab.peek(conversation_id)
    return ui_lifecycle(tab.machine(name).state) if name is not None else Lifecycle.IDLE


@pytest.mark.parametrize("profile", [DEFAULT, CLASSIC], ids=["default", "classic"])
@pytest.mark.parametrize("story", [c[1] for c in HINTED], ids=[c[0] for c in HINTED])
def test_4_a_completion_hint_alone_never_makes_export_ready(story, profile):
    attempt = told(story, profile)
    assert ui_lifecycle(attempt.state) in (STREAMING, COMPLETED)
    assert not attempt.readiness().ready


@pytest.mark.parametrize("profile", [DEFAULT, CLASSIC], ids=["default", "classic"])
def test_4_save_is_enabled_only_through_the_gate(profile):
    attempt = told([(1, GREW), (2, CLOSED), (3, HINT), (4, STORED), (5, STORED)], profile)
    assert attempt.readiness().mode is Mode.CANONICAL_READY


def test_4_the_debounce_of_completions_knows_attempts():
    """Same attempt 4.5 s, a new attempt of the same conversation 0.9 s."""
    tab = fusion()
    see(tab, "a", HINT, 10.0, "c1", Source.COMPLETION)
    see(tab, "a", HINT, 12.0, "c1", Source.COMPLETION)
    see(tab, "b", HINT, 12.0, "c1", Source.COMPLETION)
    notes = [record.note for record in tab.machine("a").history if record.what == "HintSeen"]
    assert notes == ["", "repeats a hint just heard"]
    assert tab.machine("b").state is State.COMPLETED_HINT


@pytest.mark.parametrize("late", ["New chat", "Untitled", "You said hello", "", "  "])
def test_4_a_generic_late_title_never_overwrites_a_specific_one(late):
    attempt = told([(1, TitleNamed("Old capitals")), (2, TitleNamed(late))])
    assert attempt.verdict().title == "Old capitals"
    assert told([(1, TitleNamed(late or "New chat")), (2, TitleNamed("Old"))]).verdict().title


@pytest.mark.parametrize(
    "late", [PROMPT, GREW, HINT, TurnConfirmed("x")], ids=lambda s: type(s).__name__
)
@pytest.mark.parametrize(
    "story",
    [
        [(1, GREW), (2, ENDED)],
        [(1, GREW), (2, STOPPED)],
        [(1, GREW), (2, ENDED), (3, STORED)],
        [(1, GREW), (2, ENDED), (3, STORED), (4, STORED)],
    ],
    ids=["completed_hint", "terminated_partial", "canonical_probing", "captured_ready"],
)
def test_4_completed_never_regresses(story, late):
    attempt = told(story)
    state = attempt.state
    attempt.feed(late, 10)
    assert attempt.state is state
    assert ui_lifecycle(attempt.state) is COMPLETED


def test_4_reading_an_attempt_id_has_no_side_effects():
    """`peek` for display, log keys, readiness checks; `open` for writers only."""
    tab = fusion()
    see(tab, "a", GREW, 1, "c1")
    history = tab.machine("a").history
    for name in ("c1", "c2", None):
        tab.peek(name)
        shown_badge(tab, name)
    assert (tab.peek("c2"), tab.machine("a").history) == (None, history)
    tab.open("b", 2, conversation_id="c2")
    assert tab.peek("c2") == "b"
    assert tab.peek("c1") == "a"


def test_4_the_calibration_policies_are_profiles():
    """Manual-strict is the seed's runner: quiet window 0.8 s, page and snapshot unheard."""
    assert (CLASSIC.page_quiet_seconds, DEFAULT.page_quiet_seconds) == (0.8, 1.2)
    assert CLASSIC.ignored_hints == {Source.PAGE, Source.SNAPSHOT}
    assert not DEFAULT.ignored_hints


def test_4_the_pending_cache_is_bounded_and_warns_near_its_cap():
    tab = fusion(caps=Caps(pending=10))
    for number in range(9):
        see(tab, f"a{number}", PROMPT, number)
    assert tab.warnings() == ("pending: 9 of 10",)
    for number in range(9, 30):
        see(tab, f"a{number}", PROMPT, number)
    living = [n for n in range(30) if not tab.machine(f"a{n}").over]
    assert living == list(range(20, 30))


def test_4_the_resolution_cache_is_bounded_and_prunes_stale_entries():
    tab = fusion(caps=Caps(resolutions=10))
    for number in range(30):
        see(tab, f"a{number}", STOPPED, number)
    assert tab.resolution("a19") is None
    assert tab.resolution("a29") is not None
    tab.tick(30 + 3601)
    assert tab.resolution("a29") is None


# --- section 7 --------------------------------------------------------------------------------

PRIORITY = [
    ("the stream's proof needs no other", [(1, GREW), (2, ENDED)], Judgement.COMPLETE),
    ("a hint is less than the open stream", [(1, GREW), (2, HINT), (9, None)], Judgement.OPEN),
    ("the page is less than the open stream", [(1, GREW), (2, FINISHED), (9, FINISHED)],
     Judgement.OPEN),
    ("another stored text is less than the open stream", [(1, GREW), (2, OTHER), (9, OTHER)],
     Judgement.OPEN),
    ("the stored text is more than a hint", [(1, GREW), (2, CUT), (3, HINT), (4, STORED)],
     Judgement.COMPLETE),
    ("a snapshot is less than anything", [(1, GREW), (2, CUT), (3, SNAPSHOT), (20, None)],
     Judgement.PARTIAL),
]  # fmt: skip


@pytest.mark.parametrize(
    "story, judgement", [c[1:] for c in PRIORITY], ids=[c[0] for c in PRIORITY]
)
def test_7_whom_to_believe_first(story, judgement):
    assert told(story).judgement is judgement


def test_7_updates_apply_to_the_current_attempt_only():
    tab = fusion()
    see(tab, "a", PROMPT, 1, "c1")
    see(tab, "b", PROMPT, 2, "c1")
    see(tab, "a", GREW, 3, "c1")
    see(tab, "a", ENDED, 4, "c1")
    assert shown_badge(tab, "c1") is SENT


def test_7_signals_before_the_id_show_at_once_and_count_when_it_comes():
    tab = fusion()
    badges = []
    for at, signal in enumerate([PROMPT, GREW], start=1):
        see(tab, "a", signal, at)
        badges.append(shown_badge(tab, None))
    happened = see(tab, "a", ConversationNamed("c1"), 3)
    assert [h.outcome for h in happened if isinstance(h.outcome, Bound)] == [Bound("c1")]
    assert badges == [SENT, STREAMING]
    assert shown_badge(tab, "c1") is STREAMING


@pytest.mark.parametrize("story", [[], [PROMPT], [PROMPT, CUT]], ids=["idle", "prompt-sent", "cut"])
def test_7_grok_a_stored_ready_answer_promotes_to_completed(story):
    tab = fusion()
    for at, signal in enumerate(story, start=1):
        see(tab, "a", signal, at)
    see(tab, "a", STORED, 5, "c1", Source.CANONICAL)
    assert shown_badge(tab, "c1") is COMPLETED


def test_7_grok_promotion_from_streaming():
    tab = fusion()
    see(tab, "a", GREW, 1, "c1")
    see(tab, "a", LONGER, 2, "c1", Source.CANONICAL)
    assert shown_badge(tab, "c1") is COMPLETED


def test_7_grok_an_attempt_lost_to_navigation_is_replaced_by_the_one_that_captures():
    tab = fusion()
    see(tab, "a", PROMPT, 1)
    tab.dispose("a", 2, "the page is gone")
    see(tab, "b", STORED, 3, "c1", Source.CANONICAL)
    assert shown_badge(tab, "c1") is COMPLETED
    assert tab.machine("a").state is State.DISPOSED


@pytest.mark.parametrize(
    "story, badge", [([PROMPT], SENT), ([PROMPT, GREW], STREAMING)], ids=["sent", "streaming"]
)
def test_7_grok_a_new_chat_that_gets_its_address_keeps_its_lifecycle(story, badge):
    """From `/` to `/c/<id>` while the answer is being written: nothing is disposed."""
    tab = fusion()
    for at, signal in enumerate(story, start=1):
        see(tab, "a", signal, at)
    assert tab.route_changed(None, "c1", 5) == ()
    assert shown_badge(tab, None) is badge
    see(tab, "a", GREW, 6, "c1")
    see(tab, "a", ENDED, 7, "c1")
    assert tab.machine("a").verdict().complete


def test_7_not_knowing_the_conversation_does_not_reset_a_live_badge():
    """The seed guards three code paths that asked with a null id and reset to idle."""
    tab = fusion()
    see(tab, "a", PROMPT, 1)
    for _ in range(3):
        assert shown_badge(tab, None) is SENT
    see(tab, "a", GREW, 2)
    assert shown_badge(tab, None) is STREAMING


def test_7_from_nowhere_to_a_conversation_with_nothing_being_written_disposes():
    tab = fusion()
    tab.open("a", 1)
    tab.route_changed(None, "c1", 2)
    assert tab.machine("a").state is State.DISPOSED


def test_7_from_one_conversation_to_another_resets_and_disposes():
    tab = fusion()
    see(tab, "a", GREW, 1, "c1")
    tab.route_changed("c1", "c2", 2)
    assert tab.machine("a").state is State.DISPOSED
    assert (shown_badge(tab, "c1"), shown_badge(tab, "c2")) == (IDLE, IDLE)


def test_7_what_is_bound_to_the_destination_is_kept():
    tab = fusion()
    see(tab, "a", GREW, 1, "c1")
    see(tab, "b", GREW, 2, "c2")
    tab.route_changed("c1", "c2", 3)
    assert (shown_badge(tab, "c1"), shown_badge(tab, "c2")) == (IDLE, STREAMING)


def test_7_hints_move_the_lifecycle_and_save_stays_blocked():
    attempt = told([(1, GREW), (2, HINT)], CLASSIC)
    assert ui_lifecycle(attempt.state) is COMPLETED
    assert attempt.readiness().mode is Mode.AWAITING_STABILIZATION
