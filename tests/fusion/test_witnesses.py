import pytest

from fusion.story import (
    CUT,
    ENDED,
    GREW,
    LONGER,
    OTHER,
    PAGE_OTHER,
    PROMPT,
    SHORT,
    SNAPSHOT,
    STOPPED,
    STORED,
    UNFINISHED,
    machine,
    play,
    told,
)
from tabwire.fusion.agreement import Account
from tabwire.fusion.outcomes import Judged, ReadinessChanged, ReadWanted, RereadWanted
from tabwire.fusion.table import State
from tabwire.fusion.verdict import Judgement, Mode, Reason
from tabwire.model.problems import Problem
from tabwire.model.signals import CanonicalRead, PageSaw, Refusal, Refused, Source, TextGrew

C, P = Judgement.COMPLETE, Judgement.PARTIAL
LIMIT = Refused(Refusal.RATE_LIMIT, "come back later", "429")


# --- the turn before --------------------------------------------------------------------------


def test_the_answer_of_the_turn_before_is_never_this_answer():
    """Promise "truth"; seed 000 section 4.3."""
    attempt = machine(previous_text=STORED.text)
    page = PageSaw(generating=False, text=STORED.text)
    play(attempt, [(1, PROMPT), (2, STORED), (3, STORED), (4, page), (5, CUT), (13, None)])
    assert (attempt.state, attempt.verdict().text) == (State.ERROR, "")


def test_the_same_words_twice_are_an_answer_once_the_stream_tells_them():
    attempt = machine(previous_text=STORED.text)
    play(attempt, [(1, PROMPT), (2, GREW), (3, CUT), (4, STORED), (5, STORED)])
    assert (attempt.state, attempt.judgement) == (State.CAPTURED_READY, Judgement.COMPLETE)


# --- where the text was looked for ---


UNREAD = (None, "not read")
TRIES = [
    # id, the story, of each source: what it said and why it was not taken
    ("the stream alone", [GREW, ENDED], [(GREW, ""), UNREAD, UNREAD]),
    ("stored as well", [GREW, ENDED, STORED], [(GREW, ""), (STORED, "not needed"), UNREAD]),
    ("stored otherwise", [GREW, ENDED, OTHER], [(GREW, ""), (OTHER, "differs"), UNREAD]),
    ("not finished", [GREW, UNFINISHED], [(GREW, ""), (UNFINISHED, "not finished"), UNREAD]),
    ("the page objects", [GREW, ENDED, PAGE_OTHER], [(GREW, ""), UNREAD, (PAGE_OTHER, "differs")]),
    ("the store helps", [CUT, STORED, STORED], [(None, "empty"), (STORED, ""), UNREAD]),
]


@pytest.mark.parametrize("story, wanted", [c[1:] for c in TRIES], ids=[c[0] for c in TRIES])
def test_a_verdict_lists_where_the_text_was_looked_for(story, wanted):
    attempt = told([(0, PROMPT), *((at, one) for at, one in enumerate(story, 1))])
    tries = attempt.verdict().tries
    assert [one.source for one in tries] == [Source.STREAM, Source.CANONICAL, Source.PAGE]
    for one, (said, why) in zip(tries, wanted, strict=True):
        assert one.length == (len(said.text) if said is not None else 0)
        assert why in one.rejected
        assert bool(one.rejected) == bool(why)


# --- agreement --------------------------------------------------------------------------------


def test_a_stored_text_that_disagrees_leads_to_one_re_read_and_then_to_both_texts():
    attempt = machine()
    outcomes = play(attempt, [(1, GREW), (2, ENDED), (3, LONGER)])
    assert outcomes.count(RereadWanted(Source.CANONICAL)) == 1
    assert attempt.judgement is Judgement.COMPLETE  # delivered is delivered until it is sure
    outcomes = play(attempt, [(4, LONGER)])
    (amended,) = (o.verdict for o in outcomes if isinstance(o, Judged))
    assert amended.judgement is Judgement.PARTIAL
    assert amended.why == "canonical_fetch disagrees"
    assert amended.text == GREW.text  # never "the longer wins"
    assert amended.accounts == (
        Account(Source.STREAM, GREW.text),
        Account(Source.CANONICAL, LONGER.text),
    )
    assert RereadWanted(Source.CANONICAL) not in outcomes
    assert attempt.readiness().ready  # the conversation is stored and steady all the same


def test_a_re_read_that_agrees_settles_the_doubt():
    attempt = told([(1, GREW), (2, ENDED), (3, OTHER), (4, STORED)])
    assert attempt.judgement is Judgement.COMPLETE
    assert attempt.verdict().accounts == ()


def test_an_amended_answer_is_restored_when_the_store_catches_up():
    attempt = machine()
    outcomes = play(attempt, [(1, GREW), (2, ENDED), (3, OTHER), (4, UNFINISHED), (5, OTHER)])
    outcomes += play(attempt, [(6, STORED)])
    assert [o.verdict.judgement for o in outcomes if isinstance(o, Judged)] == [C, P, C]


def test_the_same_reading_told_twice_is_no_re_read():
    attempt = machine()
    outcomes = play(attempt, [(1, GREW), (2, ENDED), (3, OTHER), (3, OTHER)])
    assert outcomes.count(RereadWanted(Source.CANONICAL)) == 1
    assert attempt.judgement is Judgement.COMPLETE


def test_an_objection_nobody_could_check_stands():
    attempt = told([(1, GREW), (2, ENDED), (3, OTHER), (15, None)])
    assert attempt.judgement is Judgement.PARTIAL


def test_a_store_that_calls_a_proven_answer_cut_short_disagrees():
    attempt = told([(1, GREW), (2, ENDED), (3, SHORT), (4, SHORT)])
    assert attempt.judgement is Judgement.PARTIAL


def test_a_cut_stream_and_another_stored_text_are_both_kept():
    attempt = told([(1, GREW), (2, CUT), (3, OTHER)])
    assert attempt.judgement is Judgement.OPEN
    play(attempt, [(4, OTHER)])
    assert [account.text for account in attempt.verdict().accounts] == [GREW.text, OTHER.text]


def test_an_objection_to_a_cut_stream_is_over_when_the_store_agrees():
    attempt = told([(1, GREW), (2, CUT), (3, OTHER), (3.5, STORED), (20, None)])
    assert attempt.judgement is Judgement.COMPLETE


def test_an_answer_told_by_the_store_stands_until_its_contradiction_is_confirmed():
    attempt = told([(1, GREW), (2, CUT), (3, STORED), (4, OTHER)])
    assert attempt.judgement is Judgement.COMPLETE
    play(attempt, [(5, OTHER)])
    assert attempt.judgement is Judgement.PARTIAL


def test_growth_outdates_who_agreed_and_who_objected():
    story = [(1, GREW), (2, ENDED), (3, STORED), (4, TextGrew(" Later Nineveh.")), (5, ENDED)]
    attempt = told([*story, (6, PAGE_OTHER), (7, PAGE_OTHER)])
    assert attempt.judgement is Judgement.PARTIAL  # the store no longer outvotes the page
    attempt = told([(1, GREW), (2, ENDED), (3, OTHER), (3.5, UNFINISHED), (4, OTHER)])
    assert attempt.judgement is Judgement.PARTIAL
    attempt.feed(TextGrew(" And?"), 5)
    assert attempt.judgement is Judgement.OPEN


def test_a_stream_that_ends_short_of_an_accepted_stored_text_disagrees():
    attempt = machine()
    outcomes = play(attempt, [(1, GREW), (2, LONGER), (3, ENDED)])
    assert RereadWanted(Source.CANONICAL) in outcomes


PAGE_SAME = PageSaw(generating=False, text="It was Assur")


def test_a_page_that_objects_and_keeps_objecting_amends_the_answer():
    attempt = machine()
    outcomes = play(attempt, [(1, GREW), (2, ENDED), (3, PAGE_OTHER)])
    assert outcomes.count(RereadWanted(Source.PAGE)) == 1
    play(attempt, [(3.1, PAGE_OTHER)])
    assert attempt.judgement is Judgement.COMPLETE
    play(attempt, [(4, PAGE_OTHER)])
    assert attempt.verdict().why == "dom_hint disagrees"


def test_a_page_is_outvoted_by_stream_and_store():
    attempt = told([(1, GREW), (2, ENDED), (3, STORED), (4, PAGE_OTHER), (6, PAGE_OTHER)])
    assert attempt.judgement is Judgement.COMPLETE
    assert attempt.verdict().problems == (
        Problem("the page shows different text than the stream and the store"),
    )


def test_a_page_that_agrees_is_evidence():
    attempt = told([(1, GREW), (2, ENDED), (3, PAGE_SAME)])
    assert "dom_hint: same text" in attempt.verdict().evidence


def test_a_page_nobody_could_check_does_not_undo_a_proof():
    attempt = told([(1, GREW), (2, ENDED), (3, PAGE_OTHER), (20, None)])
    assert attempt.judgement is Judgement.COMPLETE


# --- readiness --------------------------------------------------------------------------------


def test_a_proof_alone_never_makes_a_conversation_ready():
    attempt = told([(1, GREW), (2, ENDED), (3, STORED), (3.5, STORED)])
    readiness = attempt.readiness()
    assert readiness.mode is Mode.AWAITING_STABILIZATION
    assert readiness.reasons == (Reason.STABILITY_WINDOW_NOT_ELAPSED,)


def test_a_first_sample_asks_for_the_second():
    assert told([(1, STORED)]).next_deadline() == pytest.approx(2.15)


def test_re_reads_are_asked_for_at_their_pace_and_then_no_more():
    attempt = machine()
    outcomes = play(attempt, [(0, GREW), (0, ENDED), (60, None)])
    assert [o for o in outcomes if isinstance(o, ReadWanted)] == [
        ReadWanted(number, 6) for number in range(1, 7)
    ]
    assert attempt.readiness().mode is Mode.DEGRADED_MANUAL_ONLY
    assert attempt.next_deadline() is None


def test_late_stored_data_re_arms_a_gate_that_timed_out():
    attempt = told([(0, GREW), (0, ENDED), (8, None)])
    outcomes = play(attempt, [(100, STORED)])
    changes = [o.readiness for o in outcomes if isinstance(o, ReadinessChanged)]
    assert [(r.mode, r.reasons) for r in changes] == [
        (Mode.AWAITING_STABILIZATION, (Reason.AWAITING_SECOND_SAMPLE,))
    ]
    assert attempt.next_deadline() == pytest.approx(101.15)
    play(attempt, [(101.15, STORED)])
    assert attempt.state is State.CAPTURED_READY


def test_a_sample_from_before_the_timeout_counts_no_more_after_it():
    attempt = told([(0, GREW), (0, ENDED), (1, STORED), (8, None), (100, STORED)])
    assert attempt.readiness().reasons == (Reason.AWAITING_SECOND_SAMPLE,)
    assert attempt.state is State.CANONICAL_PROBING


def test_unfinished_stored_data_re_arms_the_re_reads_too():
    attempt = told([(0, GREW), (0, ENDED), (8, None), (100, UNFINISHED)])
    assert attempt.next_deadline() == pytest.approx(101.15)


def test_a_real_reading_makes_up_for_a_snapshot():
    attempt = told([(0, GREW), (0, ENDED), (1, SNAPSHOT), (2, STORED)])
    assert attempt.readiness().reasons == (Reason.AWAITING_SECOND_SAMPLE,)


def test_a_snapshot_makes_saving_manual_once_reading_is_over():
    attempt = told([(0, GREW), (0, ENDED), (1, SNAPSHOT)])
    assert attempt.readiness().reasons == (Reason.SNAPSHOT_DEGRADED_CAPTURE,)
    assert attempt.readiness().mode is Mode.AWAITING_STABILIZATION
    play(attempt, [(8, None)])
    assert attempt.readiness().mode is Mode.DEGRADED_MANUAL_ONLY


def test_a_source_of_snapshots_is_degraded_by_its_name():
    attempt = told([(0, GREW), (0, ENDED)])
    attempt.feed(STORED, 1, Source.SNAPSHOT)
    attempt.feed(STORED, 2, Source.SNAPSHOT)
    assert attempt.state is State.COMPLETED_HINT


@pytest.mark.parametrize(
    "story, mode, reason",
    [
        ([(1, GREW), (2, STOPPED)], Mode.DEGRADED_MANUAL_ONLY, Reason.ANSWER_NOT_COMPLETE),
        ([(1, GREW), (2, LIMIT)], Mode.DEGRADED_MANUAL_ONLY, Reason.ANSWER_NOT_COMPLETE),
        ([(1, PROMPT), (2, LIMIT)], Mode.AWAITING_STABILIZATION, Reason.NO_CANONICAL_DATA),
    ],
    ids=["stopped", "refused with text", "refused without"],
)
def test_what_can_be_saved_of_a_failure(story, mode, reason):
    readiness = told(story).readiness()
    assert (readiness.mode, readiness.reasons) == (mode, (reason,))


PICTURE = CanonicalRead("", True, True, media=True)


def test_a_stored_picture_is_a_whole_answer_without_any_text():
    """The stream was never seen; the stored conversation shows an image and nothing else."""
    attempt = machine()
    play(attempt, [(0, PROMPT), (1, CUT), (2, PICTURE), (3.5, PICTURE)])
    assert (attempt.state, attempt.verdict().judgement) == (State.CAPTURED_READY, C)


def test_no_stored_text_and_no_picture_is_never_a_whole_answer():
    attempt = machine()
    empty = CanonicalRead("", True, True)
    play(attempt, [(0, PROMPT), (1, CUT), (2, empty), (3.5, empty)])
    assert attempt.state is not State.CAPTURED_READY
    assert not attempt.verdict().complete
