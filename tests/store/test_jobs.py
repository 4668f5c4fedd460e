"""Attempts as jobs: their state follows their steps, and nothing is taken up twice."""

import pytest

from store.asked import ME, OTHER, answer, ask
from tabwire.model.ask import Phase, Step
from tabwire.model.errors import Retry
from tabwire.model.exits import LIMIT
from tabwire.model.failure import Failure
from tabwire.model.job import Asker, Door, JobState
from tabwire.store.opening import opened

pytestmark = pytest.mark.asyncio

AGENT = Asker("agent", Door.MCP, "claude", "/home/project")
FAILURE = Failure("limit_reached", "spent", "Wait.", Retry.SAME, 99.0, {"bundle": "/x.json"}, LIMIT)
W, I, C, F, X = (  # noqa: E741
    JobState.WORKING,
    JobState.INPUT_REQUIRED,
    JobState.COMPLETED,
    JobState.FAILED,
    JobState.CANCELLED,
)


def alive(_owner):
    return True


def dead(_owner):
    return False


async def begun(store, prompt="why?", *, queued=True, now=1.0, owner=ME):
    row, _ = await store.begin(ask(prompt), owner, now, again=True, asker=AGENT, queued=queued)
    return row.id


async def test_who_asked_is_kept(store, place):
    one = await begun(store)
    async with opened(place) as other:
        row = await other.attempt(one)
    assert (row.asker, row.state, row.carried) == (AGENT, W, 0)
    assert row.position is not None


STATES = [
    # id, what is noted one after the other, the state at the end, whether it rests
    ("nothing yet", [], W, False),
    ("sent", [(Step.SENDING, {}), (Step.SENT, {})], W, False),
    ("done", [(Step.SENT, {}), (Step.DONE, {})], C, True),
    ("failed", [(Step.FAILED, {"failure": FAILURE})], F, True),
    ("needs a person", [(Step.FAILED, {"failure": FAILURE, "state": I})], I, True),
    ("sent, in trouble", [(Step.SENT, {"failure": FAILURE})], I, True),
    ("found after trouble", [(Step.SENT, {"failure": FAILURE}), (Step.SENT, {})], W, False),
    ("found after all", [(Step.FAILED, {"failure": FAILURE}), (Step.DONE, {})], C, True),
    ("a late note", [(Step.DONE, {}), (Step.SENT, {"failure": FAILURE})], C, True),
]


@pytest.mark.parametrize("notes, state, rests", [c[1:] for c in STATES], ids=[c[0] for c in STATES])
async def test_the_state_follows_the_step(store, notes, state, rests):
    one = await begun(store)
    for number, (step, more) in enumerate(notes):
        await store.note(one, step, 10.0 + number, **more)
    row = await store.attempt(one)
    assert (row.state, row.rested_at is not None) == (state, rests)


async def test_a_failure_is_kept_whole_and_taken_away_whole(store):
    one = await begun(store)
    await store.note(one, Step.SENT, 2.0, failure=FAILURE)
    row = await store.attempt(one)
    assert row.failure == FAILURE
    await store.keep(one, answer(one), 3.0)
    row = await store.attempt(one)
    assert row.failure is None
    await store.keep(one, answer(one, "half"), 4.0, failure=FAILURE)
    row = await store.attempt(one)
    assert (row.state, row.failure) == (C, FAILURE)


async def test_it_rests_since_it_first_rested(store):
    one = await begun(store)
    await store.keep(one, answer(one), 5.0)
    await store.keep(one, answer(one, "amended"), 6.0)
    await store.note(one, Step.DONE, 7.0)
    assert (await store.attempt(one)).rested_at == 5.0


async def test_an_answer_not_told_yet_does_not_rest(store):
    one = await begun(store)
    await store.keep(one, answer(one), 5.0, done=False)
    assert (await store.attempt(one)).state is W


async def test_what_was_cancelled_stays_so_and_its_answer_is_kept(store):
    one = await begun(store)
    await store.note(one, Step.SENT, 2.0)
    assert await store.cancel(one, 3.0)
    assert not await store.cancel(one, 4.0)
    await store.keep(one, answer(one), 5.0)
    row = await store.attempt(one)
    assert (row.state, row.rested_at, row.answer.text) == (X, 3.0, "because")


async def test_one_cancelled_before_it_was_sent_is_never_sent(store):
    one = await begun(store)
    await store.cancel(one, 2.0)
    assert (await store.attempt(one)).step is Step.FAILED
    again, fresh = await store.begin(ask(), ME, 3.0)
    assert fresh
    assert again.id != one


async def test_one_cancelled_after_it_was_sent_is_not_joined(store):
    one = await begun(store)
    await store.note(one, Step.SENT, 2.0)
    await store.cancel(one, 3.0)
    assert (await store.begin(ask(), ME, 4.0))[1]
    assert await store.unfinished() == [(await store.recent(1))[0]]


async def test_nobody_cancels_what_is_not_there(store):
    with pytest.raises(KeyError):
        await store.cancel("nothing", 1.0)


# --- taken up ------------------------------------------------------------------------------------


async def test_waiting_are_those_for_a_hub_in_their_order(store):
    first, second = await begun(store, "1"), await begun(store, "2")
    await begun(store, "by hand", queued=False)
    done = await begun(store, "done")
    await store.keep(done, answer(done), 2.0)
    assert [row.id for row in await store.waiting()] == [first, second]


async def test_taking_up_makes_it_ours_and_counts(store):
    one = await begun(store, owner=OTHER)
    row = await store.take_up(one, ME, 2.0, dead)
    assert (row.owner, row.carried) == (ME, 1)
    assert (await store.take_up(one, ME, 3.0, alive)).carried == 2


async def test_what_a_living_process_works_on_stays_its_own(store):
    one = await begun(store, owner=OTHER)
    row = await store.take_up(one, ME, 2.0, alive)
    assert (row.owner, row.carried) == (OTHER, 0)
    assert (await store.attempt(one)).owner == OTHER


@pytest.mark.parametrize("rest", ["cancelled", "done", "nothing"])
async def test_what_rests_is_not_taken_up(store, rest):
    one = await begun(store)
    if rest == "cancelled":
        await store.cancel(one, 2.0)
    else:
        await store.keep(one, answer(one), 2.0)
    assert await store.take_up("nothing" if rest == "nothing" else one, ME, 3.0, dead) is None


async def test_one_that_rests_unfinished_can_be_put_in_again(store):
    one = await begun(store, queued=False)
    await store.note(one, Step.SENT, 2.0, failure=FAILURE)
    await store.queue(one)
    row = await store.attempt(one)
    assert (row.state, row.rested_at, row.position is not None) == (W, None, True)


async def test_one_that_is_over_is_not_put_in_again(store):
    one = await begun(store)
    await store.keep(one, answer(one), 2.0)
    await store.queue(one)
    assert (await store.attempt(one)).state is C


async def test_taking_over_an_ask_makes_it_work_again(store):
    one = await begun(store)
    await store.note(one, Step.SENT, 2.0, failure=FAILURE)
    assert await store.take_over(one, OTHER, ME, 3.0)
    row = await store.attempt(one)
    assert (row.state, row.rested_at) == (W, None)


ABANDONED = [
    ("nothing was typed", Step.NEW, None, X),
    ("perhaps sent", Step.SENDING, None, I),
    ("sent", Step.SENT, None, I),
    ("answered, not told", Step.SENT, "because", C),
]


@pytest.mark.parametrize(
    "step, text, state", [c[1:] for c in ABANDONED], ids=[c[0] for c in ABANDONED]
)
async def test_what_a_dead_terminal_left_rests(store, step, text, state):
    one = await begun(store, queued=False)
    await store.note(one, step, 2.0)
    if text is not None:
        await store.keep(one, answer(one, text), 3.0, done=False)
    hub = await begun(store, "of a hub")
    assert await store.abandon(4.0, alive) == []
    assert await store.abandon(5.0, dead) == [one]
    row = await store.attempt(one)
    assert (row.state, row.rested_at) == (state, 5.0)
    assert (await store.attempt(hub)).state is W


async def test_progress_is_kept(store, place):
    one = await begun(store)
    await store.progress(
        one, 9.0, phase=Phase.THINKING, phase_at=8.5, note="hm \ud800", characters=12
    )
    async with opened(place) as other:
        row = await other.attempt(one)
    assert (row.phase, row.phase_at, row.note) == (Phase.THINKING, 8.5, "hm \ud800")
    assert (row.characters, row.updated_at) == (12, 9.0)


async def test_the_same_agent_just_had_it_answered(store):
    one = await begun(store)
    await store.keep(one, answer(one), 100.0)
    for agent, after, same in (("agent", 99.0, True), ("agent", 101.0, False), ("b", 99.0, False)):
        asker = Asker(agent, Door.MCP)
        row, fresh = await store.begin(ask(), ME, 102.0, asker=asker, done_after=after)
        assert (fresh, row.id == one) == (not same, same)
        if fresh:
            await store.cancel(row.id, 103.0)
