"""Asks that were begun, how far they got, their answers."""

import asyncio
from dataclasses import replace

import pytest

from store.asked import ME, OTHER, answer, ask
from tabwire.model.ask import Step
from tabwire.model.failure import Failure
from tabwire.store.opening import opened
from tabwire.store.rows import UNFINISHED, Attempt

pytestmark = pytest.mark.asyncio

N, G, S, D, F = Step.NEW, Step.SENDING, Step.SENT, Step.DONE, Step.FAILED


async def brought_to(store, step, request=None, **known):
    """An attempt that got so far."""
    attempt, _ = await store.begin(request or ask(), ME, 1.0, again=True)
    if step is D:
        await store.keep(attempt.id, answer(attempt.id), 2.0)
    await store.note(attempt.id, step, 2.0, **known)
    return attempt.id


async def test_a_row_is_there_before_anything_moves(store, place):
    request = ask("why?", files=("a.pdf",), timeout_seconds=5.0)
    attempt, new = await store.begin(request, ME, 1760000000.25)
    assert new
    assert attempt == Attempt(attempt.id, request, N, ME, 1760000000.25, 1760000000.25, *[None] * 5)
    async with opened(place) as another:
        assert await another.attempt(attempt.id) == attempt


async def test_ids_sort_by_time(store):
    times = [1.0, 1.001, 2.0, 1700000000.0, 1800000000.5, 30000000000.0]
    ids = [(await store.begin(ask(), ME, now, again=True))[0].id for now in times]
    assert ids == sorted(ids)
    assert {len(one) for one in ids} == {13}


async def test_an_id_is_nobody_elses(store, monkeypatch):
    thrown = iter("000" + "000" + "111")
    monkeypatch.setattr("secrets.choice", lambda _: next(thrown))
    ids = [(await store.begin(ask(), ME, 1.0, again=True))[0].id for _ in range(2)]
    assert [one[-3:] for one in ids] == ["000", "111"]


# --- the duplicate guard -------------------------------------------------------------------------

FIRST = ask("why?", conversation_id="c", url="https://x/g", client_key="k", model="m")

GUARD = [
    # id                     asked before       how far  asked now                       new row
    ("unfinished", ask(), N, ask(), False),
    ("may have left", ask(), G, ask(), False),
    ("left", ask(), S, ask(), False),
    ("done", ask(), D, ask(), True),
    ("failed", ask(), F, ask(), True),
    ("done, named", FIRST, D, FIRST, False),
    ("failed, named", FIRST, F, FIRST, False),
    ("named otherwise", FIRST, S, replace(FIRST, client_key="l"), True),
    ("not named", FIRST, S, replace(FIRST, client_key=None), True),
    ("other site", FIRST, S, replace(FIRST, site="grok"), True),
    ("other words", FIRST, S, replace(FIRST, prompt="why? "), True),
    ("other chat", FIRST, S, replace(FIRST, conversation_id="d"), True),
    ("no chat", FIRST, S, replace(FIRST, conversation_id=None), True),
    ("other address", FIRST, S, replace(FIRST, url=None), True),
    ("other model", FIRST, S, replace(FIRST, model="n"), True),
    ("other effort", FIRST, S, replace(FIRST, effort="high"), True),
    ("other file", FIRST, S, replace(FIRST, files=("a.pdf",)), True),
    ("temporary", FIRST, S, replace(FIRST, temporary=True), True),
    ("named, other words", FIRST, D, replace(FIRST, prompt="how?"), True),
    ("more patience", FIRST, S, replace(FIRST, timeout_seconds=1.0, debug=True), False),
    ("odd text", ask("\ud800\x00"), S, ask("\ud800\x00"), False),
    ("other odd text", ask("\ud800"), S, ask("\ud801"), True),
    ("words moved over", ask("ab", "c"), S, ask("b", "ca"), True),
    ("semicolons", ask("a;b", client_key="c"), S, ask("a", client_key="b;c"), True),
    ("nothing is not empty", ask(url=None), S, ask(url=""), True),
]


@pytest.mark.parametrize(
    "before, step, now, new", [c[1:] for c in GUARD], ids=[c[0] for c in GUARD]
)
async def test_the_same_is_not_asked_twice(store, before, step, now, new):
    first = await brought_to(store, step, before)
    attempt, made = await store.begin(now, OTHER, 5.0)
    assert made is new
    assert (attempt.id == first) is not new
    assert len(await store.recent()) == 1 + new


async def test_again_always_makes_a_new_row(store):
    first, _ = await store.begin(FIRST, ME, 1.0)
    second, made = await store.begin(FIRST, ME, 1.0, again=True)
    assert made
    assert first.id != second.id


async def test_of_several_the_unfinished_one_is_the_same(store):
    running = await brought_to(store, S, FIRST)
    await brought_to(store, D, FIRST)
    assert (await store.begin(FIRST, ME, 5.0))[0].id == running


async def test_many_who_ask_the_same_at_once_get_one_row(store, place):
    async with opened(place) as another, asyncio.TaskGroup() as group:
        stores = [store, another] * 5
        asked = [group.create_task(one.begin(ask(), ME, 1.0)) for one in stores]
    made = [task.result() for task in asked]
    assert sorted(new for _, new in made) == [False] * 9 + [True]
    assert len({attempt.id for attempt, _ in made}) == 1


# --- steps ---------------------------------------------------------------------------------------

STEPS = {
    # where it is: what a note of NEW, SENDING, SENT, DONE, FAILED makes of it
    N: (N, G, S, D, F),
    G: (G, G, S, D, F),
    S: (S, S, S, D, F),
    D: (D, D, D, D, D),
    F: (F, F, S, D, F),
}


@pytest.mark.parametrize("noted", list(Step))
@pytest.mark.parametrize("there", list(Step))
async def test_steps_never_go_back(store, there, noted):
    one = await brought_to(store, there)
    await store.note(one, noted, 7.5, conversation_id="c", url="u", draft="d")
    attempt = await store.attempt(one)
    assert attempt.step is STEPS[there][list(Step).index(noted)]
    assert (attempt.conversation_id, attempt.url, attempt.draft) == ("c", "u", "d")
    assert (attempt.created_at, attempt.updated_at) == (1.0, 7.5)


@pytest.mark.parametrize("noted", list(Step))
@pytest.mark.parametrize("there", list(Step))
async def test_whether_a_step_was_taken_is_told(store, there, noted):
    """Whoever is about to press Send must know: a step that is taken is never taken for granted."""
    one = await brought_to(store, there)
    may = noted is there or STEPS[there][list(Step).index(noted)] is not there
    assert await store.note(one, noted, 7.5) is may


async def test_only_its_owner_takes_a_step_where_that_is_wanted(store):
    one = await brought_to(store, N)
    before = await store.attempt(one)
    assert not await store.note(one, G, 7.5, url="u", draft="d", whose=[OTHER])
    assert await store.attempt(one) == before
    assert await store.note(one, G, 8.5, whose=[ME])
    assert await store.take_over(one, OTHER, ME, 9.5)
    assert not await store.note(one, G, 10.5, whose=[ME])
    assert await store.note(one, G, 11.5, whose=[ME, OTHER])


async def test_what_is_not_said_stays(store):
    one = await brought_to(store, S, conversation_id="c", url="u", draft="d")
    await store.note(one, S, 3.0)
    await store.note(one, F, 3.0, failure=Failure("limit", "spent"))
    await store.note(one, F, 3.0)
    attempt = await store.attempt(one)
    assert (attempt.conversation_id, attempt.url, attempt.draft) == ("c", "u", "d")
    assert attempt.failure == Failure("limit", "spent", "Ask again.")


async def test_what_was_sent_may_have_an_error_and_stay_sent(store):
    """It may still be found."""
    one = await brought_to(store, S, failure=Failure("tab_closed", "gone"))
    attempt = await store.attempt(one)
    assert (attempt.step, attempt.failure.code, attempt.failure.message) == (
        S,
        "tab_closed",
        "gone",
    )


async def test_a_draft_that_was_put_back_is_gone(store):
    one = await brought_to(store, G, draft="half a thought")
    await store.note(one, S, 3.0, draft=None)
    assert (await store.attempt(one)).draft is None


async def test_what_was_found_after_all_has_no_error(store):
    one = await brought_to(store, F, failure=Failure("tab_closed", "gone"))
    await store.note(one, S, 3.0)
    attempt = await store.attempt(one)
    assert (attempt.step, attempt.failure) == (S, None)


async def test_an_error_that_comes_too_late_is_none(store):
    one = await brought_to(store, D)
    await store.note(one, F, 3.0, failure=Failure("timeout", "too long"))
    attempt = await store.attempt(one)
    assert (attempt.step, attempt.failure) == (D, None)


async def test_odd_text_is_kept_everywhere(store):
    odd = "half \ud83d, none \x00, \x1a1a"
    one = await brought_to(
        store, F, ask(odd, odd), conversation_id=odd, url=odd, draft=odd, failure=Failure(odd, odd)
    )
    found = await store.last(site=odd, in_conversation=odd)
    assert found.id == one
    assert found.request == ask(odd, odd)
    assert [found.url, found.draft, found.failure.code, found.failure.message] == [odd] * 4


async def test_only_what_was_begun_can_be_noted(store):
    with pytest.raises(KeyError):
        await store.note("a0", S, 1.0)
    with pytest.raises(KeyError):
        await store.keep("a0", answer("a0"), 1.0)
    assert await store.attempt("a0") is None


# --- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("there", list(Step))
async def test_an_answer_ends_it_wherever_it_was(store, there):
    one = await brought_to(store, there, failure=Failure("x", "y"))
    kept = answer(one, "late", conversation_id="c", url="u")
    await store.keep(one, kept, 9.0)
    attempt = await store.attempt(one)
    assert (attempt.step, attempt.answer, attempt.updated_at) == (D, kept, 9.0)
    assert (attempt.conversation_id, attempt.url) == ("c", "u")
    assert attempt.failure is None


async def test_a_later_answer_takes_the_place_of_the_first(store):
    one = await brought_to(store, S, conversation_id="c")
    await store.keep(one, answer(one, "first"), 2.0)
    await store.keep(one, answer(one, "second"), 3.0)
    attempt = await store.attempt(one)
    assert attempt.answer == answer(one, "second")
    assert attempt.conversation_id == "c"


async def test_where_an_answer_says_it_stands_counts_more_than_what_was_thought(store):
    one = await brought_to(store, S, conversation_id="c", url="u")
    await store.keep(one, answer(one, conversation_id="d", url="v"), 2.0)
    attempt = await store.attempt(one)
    assert (attempt.conversation_id, attempt.url) == ("d", "v")


async def test_an_answer_of_5_mb_survives(store, place):
    one = await brought_to(store, S)
    kept = answer(one, "Zeile 😀\n" * 500_000)
    assert len(kept.text.encode()) > 5_000_000
    await store.keep(one, kept, 2.0)
    async with opened(place) as another:
        assert (await another.attempt(one)).answer == kept


# --- looking -------------------------------------------------------------------------------------


async def test_the_last_is_the_newest_that_was_sent(store):
    sent = await brought_to(store, S)
    assert (await store.last()).id == sent
    await brought_to(store, N)
    await brought_to(store, F)
    assert (await store.last()).id == sent
    sending = await brought_to(store, G)  # died at Send: the site may have the question
    assert (await store.last()).id == sending
    failed = await brought_to(store, F, conversation_id="c")
    assert (await store.last()).id == failed
    done = await brought_to(store, D, ask(site="grok"))
    assert (await store.last()).id == done
    assert (await store.last(site="chatgpt")).id == failed
    assert (await store.last(in_conversation="c")).id == failed
    assert await store.last(site="grok", in_conversation="c") is None


async def test_the_newest_is_the_one_begun_last_whatever_the_clock_said(store):
    for now in (9.0, 5.0):
        attempt, _ = await store.begin(ask(), ME, now, again=True)
        await store.note(attempt.id, S, now)
    assert (await store.last()).created_at == 5.0


async def test_the_last_conversation_is_of_its_site(store):
    assert await store.last_conversation(site="chatgpt") is None
    first = await brought_to(store, S, conversation_id="c")
    await brought_to(store, S)
    await brought_to(store, S, ask(site="grok"), conversation_id="d")
    assert (await store.last_conversation(site="chatgpt")).id == first


async def test_the_unfinished_are_those_that_may_still_move(store):
    ids = {step: await brought_to(store, step) for step in Step}
    other = await brought_to(store, S, ask(site="grok"))
    found = [attempt.id for attempt in await store.unfinished()]
    assert found == [other, *(ids[step] for step in reversed(UNFINISHED))]
    assert [attempt.id for attempt in await store.unfinished(site="grok")] == [other]


async def test_the_recent_are_the_newest_first(store):
    ids = [await brought_to(store, step) for step in Step]
    assert [attempt.id for attempt in await store.recent()] == ids[::-1]
    assert [attempt.id for attempt in await store.recent(2)] == ids[:-3:-1]
    assert await store.recent(site="grok") == []


async def test_an_attempt_is_taken_over_once(store):
    one = await brought_to(store, S)
    assert not await store.take_over(one, OTHER, replace(ME, started=9.0), 7.0)
    assert not await store.take_over(one, OTHER, replace(ME, pid=9), 7.0)
    assert await store.take_over(one, OTHER, ME, 8.0)
    assert not await store.take_over(one, OTHER, ME, 9.0)
    attempt = await store.attempt(one)
    assert (attempt.owner, attempt.updated_at, attempt.step) == (OTHER, 8.0, S)
    assert not await store.take_over("a0", OTHER, ME, 8.0)


async def test_an_answer_nobody_was_told_is_there_and_its_ask_is_not_done(store):
    attempt, _ = await store.begin(ask(), ME, 1.0)
    await store.note(attempt.id, Step.SENT, 2.0)
    await store.keep(attempt.id, answer(attempt.id), 3.0, done=False)
    same, fresh = await store.begin(ask(), ME, 4.0)
    assert (same.id, same.step, fresh) == (attempt.id, Step.SENT, False)
    assert same.answer == answer(attempt.id)
    await store.note(attempt.id, Step.DONE, 5.0)
    await store.keep(attempt.id, answer(attempt.id, "More."), 6.0, done=False)
    assert (await store.attempt(attempt.id)).step is Step.DONE
    assert (await store.begin(ask(), ME, 7.0))[1]
