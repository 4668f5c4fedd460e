import pytest

from fusion.story import (
    BUSY,
    CLOSED,
    CUT,
    ENDED,
    FINISHED,
    GREW,
    HINT,
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
from tabwire.fusion.machine import Machine
from tabwire.fusion.outcomes import (
    Judged,
    Moved,
    NewAttemptNeeded,
    Stalled,
    Unwitnessed,
)
from tabwire.fusion.profile import CLASSIC, DEFAULT, STALL_SECONDS, Profile
from tabwire.fusion.table import Cause, State
from tabwire.fusion.verdict import Judgement, Reason
from tabwire.model.problems import Problem
from tabwire.model.signals import (
    CanonicalRead,
    ConversationNamed,
    HandedOff,
    ModelNamed,
    Noted,
    PageSaw,
    PromptEchoed,
    PromptSent,
    Refusal,
    Refused,
    RestFollowed,
    Source,
    StillWriting,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    TitleNamed,
    ToolStepped,
    TurnConfirmed,
    TurnEnded,
)

OPEN, C, P, R = Judgement.OPEN, Judgement.COMPLETE, Judgement.PARTIAL, Judgement.REFUSED
LIMIT = Refused(Refusal.RATE_LIMIT, "come back later", "429")
EMPTY = CanonicalRead("", terminal=True, complete=True)
PICTURE = TurnEnded("media: one image")
TO_SOCKET = HandedOff("subscribe_ws_topic", "t1")
BEFORE = CanonicalRead("Nineveh.", terminal=True, complete=True, question="And later?")

STORIES = [
    # id, story, state, judgement
    ("nothing", [], State.IDLE, OPEN),
    ("the prompt left", [(1, PROMPT)], State.PROMPT_SENT, OPEN),
    ("text", [(1, PROMPT), (2, GREW)], State.STREAMING, OPEN),
    ("only reasoning", [(1, PROMPT), (2, ThoughtGrew("hm"))], State.STREAMING, OPEN),
    ("only a tool step", [(1, PROMPT), (2, ToolStepped("search"))], State.STREAMING, OPEN),
    ("joined in the middle", [(1, GREW)], State.STREAMING, OPEN),
    ("proof at once", [(1, PROMPT), (2, GREW), (3, ENDED)], State.COMPLETED_HINT, C),
    ("proof outlives the re-reads", [(1, PROMPT), (2, GREW), (3, ENDED), (60, None)],
     State.COMPLETED_HINT, C),
    ("an empty answer is never complete", [(1, PROMPT), (2, ENDED)], State.PROMPT_SENT, OPEN),
    ("nor one of blanks", [(1, PROMPT), (2, TextGrew(" \n\u200b")), (3, ENDED)],
     State.STREAMING, OPEN),
    ("nor one that only thought", [(1, PROMPT), (2, ThoughtGrew("hm")), (3, ENDED)],
     State.STREAMING, OPEN),
    ("nor one made empty again", [(1, GREW), (2, TextReplaced("")), (3, ENDED)],
     State.STREAMING, OPEN),
    ("a picture is not empty", [(1, PROMPT), (2, PICTURE)], State.COMPLETED_HINT, C),
    ("a close is no proof", [(1, PROMPT), (2, GREW), (3, CLOSED), (10.2, None)],
     State.STREAMING, OPEN),
    ("a close nobody can explain", [(1, PROMPT), (2, GREW), (3, CLOSED), (10.31, None)],
     State.TERMINATED_PARTIAL, P),
    ("a close before any output", [(1, PROMPT), (2, CUT), (9.31, None)], State.ERROR, P),
    ("a close after an empty end", [(1, PROMPT), (2, ENDED), (3, CLOSED), (11, None)],
     State.ERROR, P),
    ("a close told again later moves no deadline", [(1, GREW), (2, CUT), (6, CUT), (9.4, None)],
     State.TERMINATED_PARTIAL, P),
    ("a close gives witnesses their whole time", [(1, PROMPT), (2, STORED), (8, CUT), (15, None)],
     State.CANONICAL_PROBING, OPEN),
    ("one stored text of an open stream we never saw", [(1, PROMPT), (2, STORED), (30, None)],
     State.CANONICAL_PROBING, OPEN),
    ("text after the close goes on", [(1, GREW), (2, CUT), (9, GREW), (30, None)],
     State.STREAMING, OPEN),
    ("a close after the proof", [(1, GREW), (2, ENDED), (3, CLOSED), (30, None)],
     State.COMPLETED_HINT, C),
    ("stopped", [(1, PROMPT), (2, GREW), (3, STOPPED)], State.TERMINATED_PARTIAL, P),
    ("stopped before any text", [(1, PROMPT), (2, STOPPED)], State.TERMINATED_PARTIAL, P),
    ("stopped, then an end of turn", [(1, GREW), (2, STOPPED), (3, ENDED)],
     State.TERMINATED_PARTIAL, P),
    ("stopped too late", [(1, GREW), (2, ENDED), (3, STOPPED)], State.COMPLETED_HINT, C),
    ("refused at once", [(1, PROMPT), (2, LIMIT)], State.ERROR, R),
    ("refused in the middle", [(1, GREW), (2, LIMIT)], State.ERROR, R),
    ("refused after the proof", [(1, GREW), (2, ENDED), (3, LIMIT)], State.COMPLETED_HINT, C),
    ("handed off, then silence", [(1, GREW), (2, TO_SOCKET), (3, CLOSED), (15.2, None)],
     State.STREAMING, OPEN),
    ("handed off, and nobody follows", [(1, GREW), (2, TO_SOCKET), (3, CLOSED), (16, None)],
     State.TERMINATED_PARTIAL, P),
    ("handed off, and only the page works", [(1, GREW), (2, TO_SOCKET), (3, CLOSED), (4, BUSY),
     (1000, None)], State.STREAMING, OPEN),
    ("handed off, and a socket is listened to", [(1, GREW), (2, TO_SOCKET), (3, CLOSED),
     (4, RestFollowed(certain=False)), (1000, None)], State.STREAMING, OPEN),
    ("handed off, and the socket breaks", [(1, GREW), (2, TO_SOCKET), (3, CLOSED),
     (4, RestFollowed(certain=False)), (5, CUT), (13, None)], State.TERMINATED_PARTIAL, P),
    ("handed off, and stored soon", [(1, GREW), (2, TO_SOCKET), (3, CLOSED), (6, LONGER)],
     State.CANONICAL_PROBING, C),
    ("the rest is asked for", [(1, GREW), (2, CUT), (3, RestFollowed(certain=True)), (1000, None)],
     State.STREAMING, OPEN),
    ("the rest is asked for and does not come", [(1, GREW), (2, CUT),
     (3, RestFollowed(certain=True)), (10, CUT), (18, None)], State.TERMINATED_PARTIAL, P),
    ("the page still works", [(1, GREW), (2, CUT), (3, BUSY), (1000, None)],
     State.STREAMING, OPEN),
    ("the page has stopped working", [(1, GREW), (2, CUT), (3, BUSY), (100, PageSaw(False)),
     (200, None)], State.TERMINATED_PARTIAL, P),
    ("the site says that it writes", [(1, PROMPT), (60, CUT),
     *((at, StillWriting("stream_status")) for at in range(63, 600, 5)), (600, None)],
     State.PROMPT_SENT, OPEN),
    ("the site says that no longer", [(1, PROMPT), (60, CUT), (63, StillWriting("stream_status")),
     (100, None)], State.ERROR, P),
    ("stored and growing", [(1, GREW), (2, CUT),
     *((at, CanonicalRead("It was" * at, False, False)) for at in range(3, 900, 5)), (900, None)],
     State.STREAMING, OPEN),
    ("stored and unfinished for good", [(1, GREW), (2, CUT),
     *((at, UNFINISHED) for at in range(3, 300, 5)), (300, None)], State.TERMINATED_PARTIAL, P),
    ("stored once, and nobody objects", [(1, PROMPT), (60, CUT), (90, STORED), (100, None)],
     State.ERROR, C),
    ("stored once, and the page shows the same", [(1, PROMPT), (2, CUT), (3, STORED),
     (4, PageSaw(False, True, "It was Assur."))], State.CANONICAL_PROBING, C),
    ("the page shows it, then it is stored", [(1, PROMPT), (2, CUT),
     (4, PageSaw(False, True, "It was Assur.")), (5, STORED)], State.CANONICAL_PROBING, C),
    ("stored twice, to another question", [(1, PROMPT), (2, CUT), (3, BEFORE), (4, BEFORE),
     (20, None)], State.ERROR, P),
    ("stopped, then stored as if it were whole", [(1, GREW), (2, STOPPED), (3, STORED),
     (4, STORED), (20, None)], State.TERMINATED_PARTIAL, P),
    ("handed off, the rest ends", [(1, GREW), (2, TO_SOCKET), (3, CLOSED), (4, GREW), (5, ENDED)],
     State.COMPLETED_HINT, C),
    ("handed off, the rest begins before the close",
     [(1, GREW), (2, TO_SOCKET), (3, GREW), (4, CLOSED), (1000, None)], State.STREAMING, OPEN),
    ("handed off, the rest is cut", [(1, GREW), (2, TO_SOCKET), (3, CLOSED), (4, GREW), (5, CUT),
     (13, None)], State.TERMINATED_PARTIAL, P),
    ("handed off, the close told twice", [(1, GREW), (2, TO_SOCKET), (3, CLOSED), (3, CLOSED),
     (15.2, None)], State.STREAMING, OPEN),
    ("a hint while the stream is open", [(1, PROMPT), (2, GREW), (3, HINT), (30, None)],
     State.STREAMING, OPEN),
    ("a hint after the stream closed", [(1, GREW), (2, CLOSED), (3, HINT)],
     State.COMPLETED_HINT, OPEN),
    ("a hint and nobody to confirm it", [(1, GREW), (2, CLOSED), (3, HINT), (11, None)],
     State.TERMINATED_PARTIAL, P),
    ("a hint while the page still works", [(1, GREW), (2, CLOSED), (3, BUSY), (4, HINT)],
     State.STREAMING, OPEN),
    ("a confirmation proves nothing alone", [(1, GREW), (2, TurnConfirmed("[DONE]"))],
     State.STREAMING, OPEN),
    ("the page works", [(1, PROMPT), (2, BUSY)], State.STREAMING, OPEN),
    ("the page stands still and finished", [(1, GREW), (2, CLOSED), (3, FINISHED), (4.2, FINISHED)],
     State.COMPLETED_HINT, OPEN),
    ("a page that is finished and still changes", [(1, GREW), (2, CLOSED), (3, FINISHED),
     (4.2, PageSaw(False, True, "more")), (5, PageSaw(False, True, "more"))],
     State.STREAMING, OPEN),
    ("an action bar that flashes", [(1, GREW), (2, CLOSED), (3, FINISHED), (3.6, BUSY),
     (4.2, FINISHED)], State.STREAMING, OPEN),
    ("stored text speaks for a cut stream", [(1, GREW), (2, CUT), (3, LONGER)],
     State.CANONICAL_PROBING, C),
    ("stored text twice makes it ready", [(1, GREW), (2, CUT), (3, LONGER), (4, LONGER)],
     State.CAPTURED_READY, C),
    ("stored text of a stream we never saw", [(1, PROMPT), (2, STORED)],
     State.CANONICAL_PROBING, OPEN),
    ("the same, steady", [(1, PROMPT), (2, STORED), (3, STORED)], State.CAPTURED_READY, C),
    ("an old conversation is opened", [(1, STORED), (2, STORED)], State.CAPTURED_READY, C),
    ("stored while it still thinks", [(1, PROMPT), (2, ThoughtGrew("hm")), (3, OTHER), (4, OTHER)],
     State.STREAMING, OPEN),
    ("another text while the stream is open", [(1, GREW), (2, OTHER), (3, OTHER)],
     State.STREAMING, OPEN),
    ("stored and unfinished", [(1, GREW), (2, CUT), (3, UNFINISHED)], State.STREAMING, OPEN),
    ("stored and empty", [(1, PROMPT), (2, EMPTY), (3, EMPTY)], State.PROMPT_SENT, OPEN),
    ("stored and cut short", [(1, GREW), (2, CUT), (3, SHORT), (4, SHORT)],
     State.TERMINATED_PARTIAL, P),
    ("a snapshot proves nothing", [(1, GREW), (2, CUT), (3, SNAPSHOT), (4, SNAPSHOT)],
     State.STREAMING, OPEN),
    ("given up, then stored whole", [(1, GREW), (2, CUT), (10, None), (20, LONGER), (21, LONGER)],
     State.CAPTURED_READY, C),
    ("given up, then proven", [(1, GREW), (2, CUT), (10, None), (20, GREW), (21, ENDED)],
     State.TERMINATED_PARTIAL, C),
    ("refused, then stored whole", [(1, PROMPT), (2, LIMIT), (3, STORED), (4, STORED)],
     State.CAPTURED_READY, R),
    ("proof after the stored end", [(1, GREW), (2, STORED), (3, ENDED)],
     State.CANONICAL_PROBING, C),
    ("late proof lets stored samples finish", [(1, GREW), (2, ENDED), (3, STORED), (4, STORED)],
     State.CAPTURED_READY, C),
    ("a picture is stored without text", [(1, PROMPT), (2, PICTURE), (3, EMPTY), (4, EMPTY)],
     State.CAPTURED_READY, C),
    ("a picture is stored with a caption", [(1, PROMPT), (2, PICTURE), (3, STORED), (4, STORED)],
     State.CAPTURED_READY, C),
]  # fmt: skip


@pytest.mark.parametrize(
    "story, state, judgement", [c[1:] for c in STORIES], ids=[c[0] for c in STORIES]
)
def test_where_a_story_ends(story, state, judgement):
    attempt = told(story)
    assert (attempt.state, attempt.judgement) == (state, judgement), attempt.history


def test_the_verdict_tells_everything_that_was_heard():
    attempt = told(
        [
            (1, PROMPT),
            (2, ModelNamed("model-x")),
            (2, ConversationNamed("c1")),
            (2, ThoughtGrew("First ")),
            (3, ThoughtReplaced("Think.")),
            (3, TitleNamed("Old capitals", "c1")),
            (4, TextGrew("It was ", "m1")),
            (5, TextGrew("Assur.", "m1")),
            (6, Noted(Problem("odd frame"))),
            (7, TurnEnded("end_turn", "m1")),
            (8, TurnConfirmed("message_stream_complete")),
        ]
    )
    verdict = attempt.verdict()
    assert verdict.complete
    assert verdict.why == "end of turn"
    assert (verdict.text, verdict.text_from) == ("It was Assur.", Source.STREAM)
    assert verdict.thinking == "Think."
    assert (verdict.model, verdict.title) == ("model-x", "Old capitals")
    assert verdict.conversation_id == attempt.conversation_id == "c1"
    assert verdict.evidence == (
        "network_stream: end_turn",
        "network_stream: message_stream_complete",
    )
    assert verdict.problems == (Problem("odd frame"),)
    assert verdict.accounts == ()


def test_a_preamble_is_never_the_answer():
    """Oracle's most re-fixed bug: the settled preamble of a turn taken for its answer."""
    attempt = told(
        [
            (1, TextGrew("Let me look that up.", "m1")),
            (5, ToolStepped("search")),
            (25, TextGrew("It was Assur.", "m2")),
            (26, TurnEnded("end_turn", "m2")),
        ]
    )
    assert attempt.verdict().text == "It was Assur."


def test_a_proof_for_a_message_without_text_proves_nothing():
    attempt = told([(1, TextGrew("Let me see.", "m1")), (2, TurnEnded("end_turn", "m2"))])
    assert attempt.judgement is Judgement.OPEN


def test_an_empty_message_that_ends_later_does_not_undo_the_proof():
    attempt = told(
        [(1, TextGrew("Assur.", "m1")), (2, TurnEnded("e", "m1")), (3, TurnEnded("e", "m2"))]
    )
    assert attempt.verdict().text == "Assur."
    assert attempt.verdict().complete


def test_a_refusal_is_kept_with_what_came_before_it():
    verdict = told([(1, GREW), (2, LIMIT)]).verdict()
    assert (verdict.refusal, verdict.why, verdict.text) == (LIMIT, "rate_limit", GREW.text)


def test_a_late_refusal_is_noted_beside_a_whole_answer():
    verdict = told([(1, GREW), (2, ENDED), (3, LIMIT)]).verdict()
    assert verdict.complete
    assert verdict.refusal is None
    assert verdict.problems == (Problem("refused after the end: rate_limit"),)


def test_a_broken_stream_leaves_a_lossy_problem():
    assert told([(1, GREW), (2, CUT)]).verdict().problems[0].lossy


def test_a_stored_answer_replaces_what_a_cut_stream_had():
    verdict = told([(1, GREW), (2, CUT), (3, LONGER)]).verdict()
    assert (verdict.text, verdict.text_from) == (LONGER.text, Source.CANONICAL)
    assert verdict.why == "stored conversation"


def test_the_page_gives_the_text_where_nobody_else_has_any():
    page = PageSaw(generating=False, text="It was Assur.")
    verdict = told([(1, PROMPT), (2, page), (3, CUT), (11, None)]).verdict()
    assert (verdict.judgement, verdict.text) == (Judgement.PARTIAL, "It was Assur.")
    assert verdict.text_from is Source.PAGE


def test_an_echo_of_another_prompt_is_noted():
    verdict = told([(1, PROMPT), (2, PromptEchoed("Something else"))]).verdict()
    assert verdict.problems == (Problem("the site echoed a different prompt than the one sent"),)
    assert told([(1, PROMPT), (2, PromptEchoed(f" {PROMPT.text}\n"))]).verdict().problems == ()


def test_a_second_conversation_id_is_refused():
    attempt = told([(1, ConversationNamed("c1")), (2, ConversationNamed("c2"))])
    assert attempt.conversation_id == "c1"
    assert attempt.history[-1].ignored


def test_a_title_of_another_conversation_is_refused():
    attempt = told([(1, ConversationNamed("c1")), (2, TitleNamed("Elsewhere", "c2"))])
    assert attempt.verdict().title is None


# --- growth after an end ----------------------------------------------------------------------


def test_a_proof_covers_the_text_it_was_given_for_and_no_more():
    attempt = machine()
    outcomes = play(attempt, [(1, GREW), (2, ENDED), (3, TextGrew(" And?"))])
    assert attempt.state is State.COMPLETED_HINT
    assert [o.verdict.judgement for o in outcomes if isinstance(o, Judged)] == [C, OPEN]
    outcomes = play(attempt, [(4, ENDED)])
    amended = [o.verdict for o in outcomes if isinstance(o, Judged)]
    assert [(v.judgement, v.text) for v in amended] == [(C, "It was Assur. And?")]


def test_an_end_of_turn_told_again_moves_no_deadline():
    assert told([(0, GREW), (0, ENDED), (0.5, ENDED)]).next_deadline() == 1.15


def test_reasoning_after_the_proof_does_not_stop_the_re_reads():
    assert told([(0, GREW), (0, ENDED), (0.5, ThoughtGrew("hm"))]).next_deadline() == 1.15


@pytest.mark.parametrize("ending", [STOPPED, LIMIT], ids=["stopped", "refused"])
def test_an_ending_stops_the_re_reads(ending):
    assert told([(0, GREW), (1, CUT), (2, ending)]).next_deadline() is None


def test_an_end_of_turn_closes_the_stream_for_hints():
    evidence = told([(1, GREW), (2, ENDED), (3, HINT)]).verdict().evidence
    assert evidence == ("network_stream: end_turn", "completion_endpoint: stream_status")


def test_an_end_of_turn_after_ready_is_only_evidence():
    """A cut stream's late end must not bring its shorter text back."""
    attempt = told([(1, GREW), (2, CUT), (3, LONGER), (4, LONGER)])
    assert attempt.feed(ENDED, 5) == ()
    assert (attempt.verdict().text, attempt.next_deadline()) == (LONGER.text, None)
    assert "network_stream: end_turn" in attempt.verdict().evidence


def test_the_same_text_said_again_leaves_the_proof_standing():
    attempt = told([(1, GREW), (2, ENDED), (3, TextReplaced(GREW.text))])
    assert attempt.judgement is Judgement.COMPLETE


@pytest.mark.parametrize(
    "signal",
    [GREW, TextReplaced("new"), ThoughtGrew("hm"), ToolStepped("search"), PromptSent()],
    ids=lambda signal: type(signal).__name__,
)
def test_growth_after_ready_is_a_new_attempt(signal):
    attempt = told([(1, GREW), (2, ENDED), (3, STORED), (4, STORED)])
    before = attempt.verdict()
    outcomes = [*attempt.feed(signal, 5), *attempt.feed(signal, 6)]
    assert outcomes == [NewAttemptNeeded("output arrived after the conversation was ready")]
    assert (attempt.state, attempt.verdict()) == (State.CAPTURED_READY, before)
    assert attempt.history[-1].ignored


@pytest.mark.parametrize(
    "read",
    [LONGER, OTHER, CanonicalRead(STORED.text, terminal=False, complete=False)],
    ids=["longer", "other", "unfinished"],
)
def test_ready_is_ready_whatever_is_stored_later(read):
    attempt = told([(1, GREW), (2, ENDED), (3, STORED), (4, STORED)])
    outcomes = play(attempt, [(5, read)])
    assert outcomes == [NewAttemptNeeded("the stored answer changed after it was ready")]
    assert attempt.readiness().ready


def test_the_same_stored_answer_after_ready_asks_for_nothing():
    attempt = told([(1, GREW), (2, ENDED), (3, STORED), (4, STORED)])
    assert play(attempt, [(5, STORED), (6, SNAPSHOT), (7, TextReplaced(GREW.text))]) == []


def test_a_prompt_after_a_failure_is_a_new_attempt():
    attempt = told([(1, PROMPT), (2, LIMIT)])
    assert attempt.feed(PROMPT, 3) == (NewAttemptNeeded("a prompt was sent after the end"),)


def test_samples_of_a_text_that_has_since_changed_count_no_more():
    story = [(1, TextGrew("It was ")), (2, STORED), (3, TextGrew("elsewhere."))]
    attempt = told([*story, (4, TextReplaced(STORED.text)), (5, STORED)])
    assert attempt.state is State.CANONICAL_PROBING
    play(attempt, [(6, STORED)])
    assert attempt.state is State.CAPTURED_READY


def test_a_rewritten_text_drops_a_stored_one_that_is_not_its_own():
    attempt = told([(1, GREW), (2, LONGER), (3, TextReplaced("I cannot say."))])
    assert attempt.judgement is Judgement.OPEN
    same = told([(1, GREW), (2, LONGER), (3, TextReplaced("It was Assur. Later"))])
    assert same.judgement is Judgement.COMPLETE


def test_a_new_message_is_not_taken_for_the_rest_of_the_stored_one():
    attempt = told([(1, TextGrew("It was ", "m1")), (2, STORED), (3, TextGrew("Assur.", "m2"))])
    assert attempt.judgement is Judgement.OPEN


def test_a_stored_text_the_stream_outgrows_is_dropped():
    """The store lags: it called three words complete while the fourth was on its way."""
    attempt = told([(1, TextGrew("It was ")), (2, CanonicalRead("It was Assur.", True, True))])
    assert attempt.judgement is Judgement.COMPLETE
    attempt.feed(TextGrew("Assur."), 3)
    assert attempt.judgement is Judgement.COMPLETE  # so far the stream confirms it
    attempt.feed(TextGrew(" And then"), 4)
    assert attempt.judgement is Judgement.OPEN
    attempt.feed(STORED, 5)
    assert attempt.readiness().reasons != ()  # the earlier sample counts no more
    assert attempt.state is State.CANONICAL_PROBING


# --- dead attempts ----------------------------------------------------------------------------

EVERYTHING = [
    PROMPT, GREW, TextReplaced("x"), ThoughtGrew("x"), ENDED, STOPPED, LIMIT, CLOSED, CUT, HINT,
    STORED, SNAPSHOT, BUSY, FINISHED, PAGE_OTHER, TO_SOCKET, ConversationNamed("c9"),
    TitleNamed("T"), ModelNamed("m"), Noted(Problem("p")), TurnConfirmed("x"), ToolStepped("x"),
    PromptEchoed("x"),
]  # fmt: skip


@pytest.mark.parametrize("ending", ["supersede", "dispose"])
def test_a_dead_attempt_records_and_never_changes(ending):
    attempt = told([(1, PROMPT), (2, GREW)])
    getattr(attempt, ending)(3, "another")
    before = (attempt.state, attempt.verdict(), attempt.readiness())
    for at, signal in enumerate(EVERYTHING, start=4):
        assert attempt.feed(signal, at) == ()
        assert attempt.history[-1].ignored
        assert attempt.history[-1].what == type(signal).__name__
    assert attempt.tick(1000) == ()
    assert (attempt.state, attempt.verdict(), attempt.readiness()) == before
    assert attempt.next_deadline() is None


def test_a_superseded_attempt_keeps_its_whole_answer_and_saves_nothing():
    attempt = told([(1, GREW), (2, ENDED), (3, STORED), (4, STORED)])
    attempt.supersede(5, "b")
    assert attempt.verdict().complete
    assert attempt.readiness().reasons == (Reason.NOT_CURRENT,)


def test_a_living_attempt_that_is_superseded_is_partial():
    attempt = told([(1, GREW)])
    outcomes = attempt.supersede(2, "b")
    assert Moved(State.STREAMING, State.SUPERSEDED, Cause.SUPERSEDED, 2) in outcomes
    assert attempt.judgement is Judgement.PARTIAL


# --- time -------------------------------------------------------------------------------------


def test_a_model_may_think_for_45_minutes_and_whoever_waits_is_told():
    """Fault F25, promise "say": no silent stall over 60 s, and no time limit of ours."""
    attempt = machine()
    outcomes = play(attempt, [(0, PROMPT), (1, ThoughtGrew("hm")), (2700, None), (2701, GREW)])
    stalls = [o for o in outcomes if isinstance(o, Stalled)]
    assert len(stalls) == 44
    assert "nothing has arrived for 60.0 s" in stalls[0].why
    assert attempt.state is State.STREAMING


@pytest.mark.parametrize(
    "story, state",
    [
        ([(0, PROMPT), (99, None)], State.PROMPT_SENT),
        ([(0, PROMPT), (100, None)], State.ERROR),
        ([(0, PROMPT), (50, GREW), (149, None)], State.STREAMING),
        ([(0, PROMPT), (50, GREW), (150, None)], State.TERMINATED_PARTIAL),
        ([(0, PROMPT), (50, BUSY), (149, None)], State.STREAMING),
        ([(0, GREW), (1, ENDED), (500, None)], State.COMPLETED_HINT),
    ],
)
def test_a_caller_may_set_how_long_silence_is_borne(story, state):
    assert told(story, Profile("hasty", give_up_seconds=100.0)).state is state


def test_time_that_goes_backwards_is_taken_for_standing_still():
    attempt = told([(10, PROMPT), (5, GREW)])
    assert attempt.history[-1].at == 10
    assert attempt.next_deadline() == 10 + STALL_SECONDS


def test_a_signal_wins_over_a_deadline_just_passed():
    attempt = told([(1, GREW), (2, CUT)])
    attempt.feed(GREW, 500)  # nobody ticked: the shell was busy
    assert attempt.tick(500) == ()
    assert attempt.state is State.STREAMING


def test_the_seeds_profile_lets_a_hint_end_an_open_stream():
    assert told([(1, GREW), (2, HINT)], CLASSIC).state is State.COMPLETED_HINT
    assert told([(1, GREW), (2, HINT), (30, None)], CLASSIC).state is State.COMPLETED_HINT
    assert told([(1, GREW), (2, HINT), (3, GREW), (30, None)], CLASSIC).judgement is OPEN


def test_the_seeds_profile_does_not_follow_the_page():
    story = [(1, GREW), (2, CLOSED), (3, FINISHED), (5, FINISHED)]
    assert told(story, CLASSIC).state is State.STREAMING
    assert told(story, DEFAULT).state is State.COMPLETED_HINT


# --- why ---------------------------------------------------------------------------------------

WHY = [
    ("idle", [], "No prompt has been sent."),
    ("sent", [(1, PROMPT)], "The prompt was sent; nothing has arrived for 4.0 s."),
    ("writing", [(1, PROMPT), (2, GREW)], "The answer is being written and has not ended"),
    ("handed off", [(1, GREW), (2, TO_SOCKET)], "handed off (subscribe_ws_topic)"),
    ("cut", [(1, GREW), (4.5, CUT)], "closed without an end of turn (streaming)"),
    ("cut, next step", [(1, GREW), (4.35, CUT)], "Next step of the re-reads in 0.5 s."),
    ("hinted", [(1, CLOSED), (2, HINT)], "closed without an end of turn (completed_hint)"),
    ("complete", [(1, GREW), (4, ENDED)], "The answer is complete (completed_hint)."),
    ("not ready", [(1, GREW), (4, ENDED), (4.5, STORED)], "awaiting_second_sample"),
    ("ready", [(1, STORED), (2, STORED)], "The conversation is ready to save."),
    ("failed", [(1, PROMPT), (2, LIMIT)], "The answer is refused (error). Nothing is awaited."),
]


@pytest.mark.parametrize("story, words", [c[1:] for c in WHY], ids=[c[0] for c in WHY])
def test_why_it_is_still_waiting(story, words):
    assert words in told(story).why_waiting(5.0)


def test_the_history_tells_what_was_ignored_and_why():
    attempt = told([(1, PROMPT), (2, GREW), (3, HINT), (4, ENDED), (5, CLOSED)])
    assert [(r.at, r.what, r.before, r.after, r.note) for r in attempt.history] == [
        (1, "PromptSent", State.IDLE, State.PROMPT_SENT, ""),
        (2, "TextGrew", State.PROMPT_SENT, State.STREAMING, ""),
        (3, "HintSeen", State.STREAMING, State.STREAMING, "a hint, but the stream is still open"),
        (4, "TurnEnded", State.STREAMING, State.COMPLETED_HINT, ""),
        (5, "StreamClosed", State.COMPLETED_HINT, State.COMPLETED_HINT, "the answer is complete"),
    ]


# --- cost --------------------------------------------------------------------------------------


def test_a_hundred_thousand_pieces_cost_their_own_length_only(monkeypatch):
    """Counted, not timed: nothing reads the whole text while it grows."""
    joins = []
    attempt = machine()
    draft = type(attempt.findings.draft)
    real = draft.text
    monkeypatch.setattr(draft, "text", lambda self, *a: joins.append(1) or real(self, *a))
    for number in range(100_000):
        attempt.feed(TextGrew("word ", "m1"), number / 1000)
    assert joins == []
    assert len(attempt.history) == 2
    assert attempt.history[-1].count == 99_999
    assert attempt.history[-1].chars == 5 * 99_999
    attempt.feed(TurnEnded("end_turn", "m1"), 101)
    assert attempt.verdict().text == "word " * 100_000


def test_growth_under_an_accepted_stored_text_reads_no_whole_text_either(monkeypatch):
    joins = []
    attempt: Machine = told([(0, GREW), (0, CanonicalRead(GREW.text + "x" * 5000, True, True))])
    draft = type(attempt.findings.draft)
    real = draft.text
    monkeypatch.setattr(draft, "text", lambda self, *a: joins.append(1) or real(self, *a))
    for number in range(5000):
        attempt.feed(TextGrew("x"), 1 + number / 1000)
    assert joins == []
    assert attempt.judgement is Judgement.COMPLETE


SILENT = (
    # id, story: nobody tells the answer, and something lesser says that it is under way
    ("the page", [(1, GREW), (2, CUT), (3, BUSY), (10, None)]),
    ("the page after a hand-off", [(1, GREW), (2, TO_SOCKET), (3, CLOSED), (4, BUSY), (20, None)]),
    ("what is stored", [(1, GREW), (2, CUT), (3, UNFINISHED), (8, UNFINISHED), (10, None)]),
    ("a silent socket", [(1, GREW), (2, TO_SOCKET), (3, CLOSED), (4, RestFollowed(certain=False)),
     (80, None)]),
)  # fmt: skip


@pytest.mark.parametrize("story", [one[1] for one in SILENT], ids=[one[0] for one in SILENT])
def test_whoever_can_ask_the_site_is_told_when_nobody_tells_the_answer(story):
    attempt = machine()
    told_of = [one for one in play(attempt, story) if isinstance(one, Unwitnessed)]
    assert told_of
    assert attempt.judgement is OPEN


def test_an_answer_the_site_says_it_writes_has_a_witness():
    writes = StillWriting("stream_status")
    story = [(1, PROMPT), (60, CUT), *((at, writes) for at in range(61, 300, 5)), (300, None)]
    attempt = machine()
    outcomes = play(attempt, story)
    assert not [one for one in outcomes if isinstance(one, Unwitnessed)]
    assert attempt.judgement is OPEN


def test_whoever_waits_for_an_answer_that_is_put_off_hears_why_every_minute():
    """Promise: say."""
    attempt = machine()
    outcomes = play(attempt, [(1, GREW), (2, CUT), (3, BUSY), (304, None)])
    assert len([one for one in outcomes if isinstance(one, Stalled)]) == 5


def test_a_verdict_of_nothing_is_amended_by_what_the_page_shows_later():
    attempt = machine()
    play(attempt, [(1, PROMPT), (2, CUT), (20, None)])
    assert attempt.verdict().text == ""
    amended = [
        one
        for one in play(attempt, [(30, PageSaw(False, True, "It was Assur."))])
        if isinstance(one, Judged)
    ]
    assert [one.verdict.text for one in amended] == ["It was Assur."]
    assert attempt.judgement is P


def test_a_verdict_of_nothing_is_amended_by_one_stored_reading():
    attempt = machine()
    play(attempt, [(1, PROMPT), (2, CUT), (20, None)])
    amended = [
        one
        for one in play(attempt, [(100, STORED), (120, None)])
        if isinstance(one, Judged) and one.verdict.complete
    ]
    assert [one.verdict.text for one in amended] == ["It was Assur."]
