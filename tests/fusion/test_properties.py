"""Whatever is heard in whatever order: what must never happen, searched by Hypothesis."""

from hypothesis import given
from hypothesis import strategies as st

from fusion.story import fusion, machine
from tabwire.fusion.attempts import Seen
from tabwire.fusion.draft import has_content
from tabwire.fusion.findings import MEDIA_PROOF
from tabwire.fusion.history import MAX_RECORDS
from tabwire.fusion.outcomes import Moved
from tabwire.fusion.profile import CLASSIC, DEFAULT, Caps, Profile
from tabwire.fusion.table import DEAD, TRANSITIONS, State
from tabwire.fusion.verdict import Judgement
from tabwire.model.problems import Problem
from tabwire.model.signals import (
    CanonicalRead,
    ConversationNamed,
    HandedOff,
    HintSeen,
    ModelNamed,
    Noted,
    PageSaw,
    PromptEchoed,
    PromptSent,
    Refusal,
    Refused,
    Source,
    StreamClosed,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    TitleNamed,
    ToolStepped,
    TurnConfirmed,
    TurnEnded,
    TurnStopped,
)

texts = st.sampled_from(["", " ", "\u200b", "a", "ab", "abc", "b", "caf\u00e9", "xyz quux"])
ids = st.sampled_from([None, "m1", "m2"])
names = st.sampled_from(["c1", "c2"])
proofs = st.sampled_from(["end_turn", f"{MEDIA_PROOF}: image"])

# Told twice, these must be as if told once. Text that grew is the exception by its nature.
repeatable = st.one_of(
    st.builds(PromptSent, texts),
    st.builds(PromptEchoed, texts),
    st.builds(TextReplaced, texts, ids),
    st.builds(ThoughtReplaced, texts, ids),
    st.builds(ModelNamed, texts),
    st.builds(TitleNamed, texts, st.none() | names),
    st.builds(ConversationNamed, names),
    st.builds(TurnEnded, proofs, ids),
    st.builds(TurnStopped, proofs),
    st.builds(TurnConfirmed, proofs),
    st.builds(HandedOff, st.just("resume")),
    st.builds(Refused, st.sampled_from(Refusal)),
    st.builds(StreamClosed, st.booleans(), st.integers(0, 3)),
    st.builds(HintSeen, st.just("hint")),
    st.builds(CanonicalRead, texts, st.booleans(), st.booleans(), st.booleans()),
    st.builds(PageSaw, st.booleans(), st.booleans(), st.none() | texts),
    st.builds(Noted, st.builds(Problem, texts)),
)
signals = repeatable | st.one_of(
    st.builds(TextGrew, texts, ids),
    st.builds(ThoughtGrew, texts, ids),
    st.builds(ToolStepped, texts),
)
gaps = st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0, 1.15, 2.0, 7.3, 31.0, 100.0])
profiles = st.sampled_from([DEFAULT, CLASSIC, Profile("hasty", give_up_seconds=20.0)])
TICK, SUPERSEDE, DISPOSE = "tick", "supersede", "dispose"
steps = st.lists(
    st.tuples(gaps, signals | st.sampled_from([TICK, TICK, TICK, SUPERSEDE, DISPOSE])), max_size=30
)
quiet_steps = st.lists(st.tuples(gaps, signals | st.just(TICK)), max_size=30)


def follows(before: State) -> set[State]:
    """The state itself, and all that the table lets come after it."""
    found, left = {before}, [before]
    while left:
        fresh = set(TRANSITIONS[left.pop()].values()) - found
        found |= fresh
        left += fresh
    return found


FOLLOWS = {state: follows(state) for state in State}


def do(attempt, step, now):
    if step == TICK:
        return attempt.tick(now)
    if step == SUPERSEDE:
        return attempt.supersede(now, "another")
    if step == DISPOSE:
        return attempt.dispose(now, "told to")
    return attempt.feed(step, now)


@given(steps, profiles)
def test_every_change_is_a_line_of_the_table_and_none_goes_back(story, profile):
    attempt, now = machine(profile), 0.0
    for gap, step in story:
        now += gap
        before = attempt.state
        at = before
        for outcome in do(attempt, step, now):
            if isinstance(outcome, Moved):
                assert (outcome.before, TRANSITIONS[at][outcome.cause]) == (at, outcome.after)
                at = outcome.after
        assert attempt.state is at
        assert at in FOLLOWS[before]


@given(steps, profiles)
def test_an_empty_answer_is_never_complete(story, profile):
    attempt, now = machine(profile), 0.0
    for gap, step in story:
        now += gap
        do(attempt, step, now)
        verdict = attempt.verdict()
        if verdict.complete:
            picture = any(MEDIA_PROOF in sign for sign in verdict.evidence)
            assert has_content(verdict.text) or picture
        assert verdict.judgement is attempt.judgement


@given(steps, profiles)
def test_complete_always_has_terminal_evidence(story, profile):
    """Promise "truth": a proof of the stream, or a stored answer that was read as complete."""
    attempt, now = machine(profile), 0.0
    heard = []
    for gap, step in story:
        now += gap
        if attempt.state not in DEAD:
            heard.append(step)
        do(attempt, step, now)
        if attempt.judgement is Judgement.COMPLETE:
            assert any(
                isinstance(s, TurnEnded)
                or (isinstance(s, CanonicalRead) and s.terminal and s.complete and not s.degraded)
                for s in heard
            )


@given(steps, st.sampled_from([SUPERSEDE, DISPOSE]), quiet_steps, profiles)
def test_what_is_dead_never_changes(story, end, after, profile):
    attempt, now = machine(profile), 0.0
    for gap, step in story:
        now += gap
        do(attempt, step, now)
    do(attempt, end, now)
    before = (attempt.state, attempt.verdict(), attempt.readiness())
    assert attempt.state in DEAD
    for gap, step in after:
        now += gap
        assert do(attempt, step, now) == ()
        assert (attempt.state, attempt.verdict(), attempt.readiness()) == before
    assert attempt.next_deadline() is None


def outline(attempt):
    verdict = attempt.verdict()
    return (
        attempt.state,
        verdict.judgement,
        verdict.text,
        verdict.accounts,
        attempt.readiness(),
        attempt.conversation_id,
        verdict.title,
        verdict.model,
    )


@given(quiet_steps, repeatable, gaps, profiles)
def test_a_signal_told_twice_is_a_signal_told_once(story, signal, gap, profile):
    once, twice, now = machine(profile), machine(profile), 0.0
    for each, step in story:
        now += each
        do(once, step, now)
        do(twice, step, now)
    now += gap
    once.feed(signal, now)
    before = outline(once)
    twice.feed(signal, now)
    twice.feed(signal, now)
    if isinstance(signal, CanonicalRead):
        # A second reading may say why it is not enough; it must not be enough.
        assert outline(twice)[:4] == before[:4]
        assert twice.readiness().ready == once.readiness().ready
    else:
        assert outline(twice) == before


@given(steps, profiles)
def test_every_deadline_is_reached_and_none_is_reached_for_ever(story, profile):
    attempt, now = machine(profile), 0.0
    for gap, step in story:
        now += gap
        do(attempt, step, now)
        deadline = attempt.next_deadline()
        if deadline is None:
            continue
        now = max(now, deadline)
        attempt.tick(now)
        following = attempt.next_deadline()
        assert following is None or following > now


@given(steps, profiles)
def test_a_tick_before_its_time_does_nothing(story, profile):
    attempt, now = machine(profile), 0.0
    for gap, step in story:
        now += gap
        do(attempt, step, now)
        deadline = attempt.next_deadline()
        if deadline is None or deadline > now:
            count = len(attempt.history)
            assert attempt.tick(now) == ()
            assert len(attempt.history) == count


@given(steps)
def test_every_signal_leaves_a_record_and_the_history_is_bounded(story):
    attempt, now = machine(), 0.0
    for gap, step in story:
        now += gap
        before = sum(record.count for record in attempt.history)
        do(attempt, step, now)
        if step != TICK:
            assert sum(record.count for record in attempt.history) == before + 1
    assert len(attempt.history) <= MAX_RECORDS
    assert isinstance(attempt.why_waiting(now), str)


seen = st.builds(
    Seen,
    st.sampled_from(["a", "b", "c", "d"]),
    signals,
    st.sampled_from(Source),
    st.none() | names,
)
routes = st.tuples(st.none() | names, st.none() | names)


@given(st.lists(st.tuples(gaps, seen | routes | st.just(TICK)), max_size=40))
def test_a_tab_keeps_one_current_attempt_per_conversation(story):
    tab, now = fusion(caps=Caps(3, 4, 2, 3, 2, 3)), 0.0
    for gap, step in story:
        now += gap
        dead = {
            n: (m.state, m.verdict())
            for n in "abcd"
            if (m := tab.machine(n)) is not None and m.state in DEAD
        }
        if step == TICK:
            tab.tick(now)
        elif isinstance(step, Seen):
            tab.feed(step, now)
        else:
            tab.route_changed(*step, now)
        for name in ("c1", "c2"):
            current = tab.peek(name)
            if current is not None:
                assert tab.machine(current).conversation_id == name
                assert tab.machine(current).state not in DEAD
        for name, before in dead.items():
            left = tab.machine(name)
            if left is not None and before[0] is State.DISPOSED:
                assert (left.state, left.verdict()) == before
        speaking = [
            m.conversation_id
            for n in "abcd"
            if (m := tab.machine(n)) is not None and not m.over and m.conversation_id
        ]
        assert len(speaking) == len(set(speaking))
        deadline = tab.next_deadline()
        if deadline is not None:
            now = max(now, deadline)
            tab.tick(now)
            following = tab.next_deadline()
            assert following is None or following > now
