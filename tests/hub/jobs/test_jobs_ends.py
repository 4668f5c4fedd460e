"""How jobs end, and what the hub after this one makes of those that did not."""

import asyncio
import os
from dataclasses import replace

import msgspec
import pytest

from hub.jobs.job_hub import (
    DEAD,
    ME,
    TEST_SECONDS,
    WHY,
    answer_for,
    heard,
    home,
    hub,
    running,
    site,
    waited,
)
from tabwire.browser.process import mark_of
from tabwire.hub.jobs.board import FAR
from tabwire.hub.jobs.books import is_alive, opened_books
from tabwire.hub.jobs.outcome import kept_failure, state_after
from tabwire.hub.jobs.worker import job_of
from tabwire.hub.remote.asks import error_of
from tabwire.model.ask import (
    Completeness,
    Step,
    StillWaiting,
    TextCame,
)
from tabwire.model.ask_errors import (
    AnswerTimedOut,
    Blocked,
    ChallengeShown,
    ConversationGone,
    DialogInTheWay,
    LayoutChanged,
    LimitReached,
    LoginRequired,
    SendNotConfirmed,
    SiteFailed,
)
from tabwire.model.errors import BrowserNotReachable, ExtensionNotConnected, Retry
from tabwire.model.failure import Failure
from tabwire.model.job import JobState
from tabwire.store.errors import StoreFull
from tabwire.store.rows import Owner

__all__ = ["home", "hub", "site"]  # fixtures

pytestmark = pytest.mark.asyncio


ENDS = [
    # id, what happens, the state, what can be done next
    ("login", LoginRequired("grok"), JobState.INPUT_REQUIRED, Retry.SAME),
    ("challenge", ChallengeShown("grok"), JobState.INPUT_REQUIRED, Retry.SAME),
    ("limit", LimitReached("grok", resets_at=99.0), JobState.INPUT_REQUIRED, Retry.SAME),
    ("dialog", DialogInTheWay("grok", "composer", "x"), JobState.INPUT_REQUIRED, Retry.SAME),
    ("unknown", SendNotConfirmed("grok", "?", unknown=True), JobState.INPUT_REQUIRED, Retry.RESUME),
    ("not sent", SendNotConfirmed("grok", "!", unknown=False), JobState.FAILED, Retry.SAME),
    ("timeout", AnswerTimedOut("grok", 5, "nothing"), JobState.INPUT_REQUIRED, Retry.RESUME),
    ("layout", LayoutChanged("grok", "composer", ()), JobState.FAILED, Retry.SAME),
    ("blocked", Blocked("grok", "no"), JobState.FAILED, Retry.NO),
    ("site", SiteFailed("grok", "500"), JobState.FAILED, Retry.RESUME),
    (
        "no browser",
        BrowserNotReachable("nobody", what_to_do="Start it."),
        JobState.INPUT_REQUIRED,
        Retry.SAME,
    ),
]


@pytest.mark.parametrize("error, state, retry", [c[1:] for c in ENDS], ids=[c[0] for c in ENDS])
async def test_what_stands_in_the_way_is_told_with_what_to_do(hub, site, error, state, retry):
    site.fails = error
    site.may_answer.set()
    (job,) = await hub.jobs.submit([WHY], ME)
    now = await waited(hub, job)
    assert (now.state, now.error.retry) == (state, retry)
    assert (now.error.message, now.error.what_to_do) == (str(error), error.what_to_do)
    assert now.error.resets_at == getattr(error, "resets_at", None)
    assert state_after(error) is state
    kept = job_of(await hub.books.store.attempt(job.id))
    assert (kept.state, kept.error, kept.step) == (now.state, now.error, now.step)


async def test_what_helps_to_find_the_cause_reaches_every_door(hub, site):
    """Through the store, and through a hub in another process (`error_of`)."""
    error = LayoutChanged("grok", "composer", ())
    error.debug = {"bundle": "/kept/grok.json", "debug_bodyLen": 3, "extraction": [{"length": 0}]}
    site.fails = error
    site.may_answer.set()
    (job,) = await hub.jobs.submit([WHY], ME)
    now = await waited(hub, job)
    assert now.error.debug == error.debug
    assert job_of(await hub.books.store.attempt(job.id)).error.debug == error.debug
    over_the_line = msgspec.json.decode(msgspec.json.encode(now), type=type(now))
    assert error_of(over_the_line).debug == error.debug


async def test_half_an_answer_is_completed_and_says_why(hub, site):
    async def result(books, row, entry):
        error = AnswerTimedOut("grok", 5, "3 characters so far")
        error.answer = answer_for(row, "Bec", Completeness.PARTIAL)
        await books.rest(row, error, sent=True)
        return error

    site.result = result
    (job,) = await hub.jobs.submit([WHY], ME)
    now = await waited(hub, job)
    assert (now.state, now.answer.completeness) == (JobState.COMPLETED, Completeness.PARTIAL)
    assert now.error.code == "timeout"


async def test_a_fault_of_ours_ends_the_job_and_not_the_hub(hub, site, caplog):
    site.unheard = ValueError("what a secret prompt says")
    (job,) = await hub.jobs.submit([WHY], ME)
    now = await waited(hub, job)
    assert (now.state, now.error.code, now.error.retry) == (JobState.FAILED, "failed", Retry.SAME)
    assert "ValueError" in now.error.message
    assert "secret" not in now.error.message
    site.unheard = None
    site.may_answer.set()
    (job,) = await hub.jobs.submit([replace(WHY, prompt="And now?")], ME)
    assert (await waited(hub, job)).state is JobState.COMPLETED


async def test_a_full_disk_is_told_to_those_who_wait(hub, site, home, caplog):
    full = StoreFull(home / "tabwire.db", "disk full")
    site.unheard = full

    async def cannot(*_given, **_more):
        raise full

    hub.books.rest = cannot
    (job,) = await hub.jobs.submit([WHY], ME)
    now = await waited(hub, job)
    assert (now.state, now.error.code) == (JobState.FAILED, "store_failed")
    assert now.error.what_to_do == full.what_to_do
    # on disk it is still to be done: the next hub takes it up
    assert [row.id for row in await hub.books.store.waiting()] == [job.id]


async def test_an_unknown_send_is_looked_for_again_when_the_same_is_asked(hub, site):
    site.may_answer.set()
    site.fails = SendNotConfirmed("grok", "?", unknown=True)
    (job,) = await hub.jobs.submit([WHY], ME)
    assert (await waited(hub, job)).state is JobState.INPUT_REQUIRED
    (still,) = await hub.jobs.wait([job.id], TEST_SECONDS)  # waiting alone changes nothing
    assert still.state is JobState.INPUT_REQUIRED
    site.fails = None
    (again,) = await hub.jobs.submit([WHY], ME)
    assert (again.id, again.joined, again.state) == (job.id, True, JobState.WORKING)
    now = await waited(hub, job)
    assert (now.state, now.error) == (JobState.COMPLETED, None)


async def test_one_that_may_have_been_sent_can_be_gone_on_with(hub, site):
    site.may_answer.set()
    site.fails = AnswerTimedOut("grok", 5, "nothing")
    (job,) = await hub.jobs.submit([WHY], ME)
    await waited(hub, job)
    site.fails = None
    assert (await hub.jobs.resume(job.id)).state is JobState.WORKING
    assert (await waited(hub, job)).state is JobState.COMPLETED
    assert (await hub.jobs.resume(job.id)).state is JobState.COMPLETED  # and no further
    assert len(site.asked) == 2


async def test_one_that_was_never_sent_is_not_gone_on_with(hub, site):
    site.may_answer.set()
    site.fails = LoginRequired("grok")
    (job,) = await hub.jobs.submit([WHY], ME)
    await waited(hub, job)
    assert (await hub.jobs.resume(job.id)).state is JobState.INPUT_REQUIRED
    assert len(site.asked) == 1


# --- hubs before this one --------------------------------------------------------------------


async def left_behind(step, *, queued=True, state=None):
    """What a hub left that was killed at this step."""
    async with opened_books() as books:
        row, _ = await books.store.begin(
            replace(WHY, prompt=f"{step} {queued}"), DEAD, 1.0, asker=ME, queued=queued
        )
        await books.store.note(row.id, step, 2.0)
        if state is not None:
            await books.store.note(row.id, step, 3.0, failure=Failure("x", "y"), state=state)
        return row.id


async def test_what_a_hub_left_is_taken_up_by_the_next_in_order(site):
    ids = [await left_behind(step) for step in (Step.NEW, Step.SENDING, Step.SENT)]
    resting = await left_behind(Step.DONE)
    site.may_answer.set()
    async with running(site, width=1) as hub:
        await hub.jobs.go_on()
        jobs = await hub.jobs.wait(ids, TEST_SECONDS)
        assert [job.state for job in jobs] == [JobState.COMPLETED] * 3
        assert site.asked == ids
        assert resting not in site.asked
        news = await heard(hub, jobs[0])
        assert news[0].number == FAR * 0 + 1  # it was never taken up before


async def test_what_a_living_process_works_on_is_left_to_it(site):
    """Another hub of the same person, which no lock keeps apart: on PostgreSQL, say."""
    async with opened_books() as books:
        books.owner = Owner(os.getppid(), started(os.getppid()))
        await books.store.begin(WHY, books.owner, 1.0, asker=ME, queued=True)
    async with running(site) as hub:
        await hub.jobs.go_on()
        assert hub.jobs.under_way == 0


def started(pid):
    return float(mark_of(pid).started.split()[-1])


async def test_numbers_of_news_go_on_above_all_of_before(site):
    async with running(site) as hub:
        (job,) = await hub.jobs.submit([WHY], ME)
        async for news in hub.jobs.news(job.id):
            if isinstance(news.event, TextCame):
                break
        last = news.number
        await hub.books.store.take_up(job.id, hub.books.owner, 1.0, is_alive)
    site.may_answer.set()
    async with running(site) as hub:
        await hub.jobs.go_on()
        job = await waited(hub, job)
        assert job.state is JobState.COMPLETED
        fresh = await heard(hub, job, after=last)
        assert fresh
        assert min(one.number for one in fresh) > FAR


GONE = [
    # id, step, what becomes of it
    ("nothing was typed", Step.NEW, JobState.CANCELLED),
    ("perhaps sent", Step.SENDING, JobState.INPUT_REQUIRED),
    ("sent", Step.SENT, JobState.INPUT_REQUIRED),
]


@pytest.mark.parametrize("step, state", [c[1:] for c in GONE], ids=[c[0] for c in GONE])
async def test_what_a_terminal_left_is_not_asked_by_a_hub(site, step, state):
    """Its person pressed Ctrl-C, or went away."""
    left = await left_behind(step, queued=False)
    async with running(site) as hub:
        await hub.jobs.go_on()
        now = await hub.jobs.job(left)
        assert now.state is state
        if state is JobState.INPUT_REQUIRED:
            assert (now.error.retry, left in now.error.what_to_do) == (Retry.RESUME, True)
        assert site.asked == []


async def test_one_that_somebody_else_finished_meanwhile_is_over(site):
    async with running(site, width=1) as hub:
        first, second = await hub.jobs.submit([WHY, replace(WHY, prompt="Second?")], ME)
        await site.until_asked(1)
        row = await hub.books.store.attempt(second.id)
        await hub.books.keep(row, answer_for(row, "From elsewhere."))
        site.may_answer.set()
        now = await waited(hub, second)
        assert (now.state, now.answer.text) == (JobState.COMPLETED, "From elsewhere.")
        assert site.asked == [first.id]


async def test_a_chat_that_is_not_kept_is_nowhere_to_go_on(hub, site):
    site.may_answer.set()
    (job,) = await hub.jobs.submit([replace(WHY, temporary=True)], ME)
    await waited(hub, job)
    await heard(hub, job)
    session = await hub.sessions.session("agent-1")
    assert session is None or session.chat("grok") is None


async def test_where_an_agent_goes_on_is_remembered(hub, site):
    site.may_answer.set()
    (job,) = await hub.jobs.submit([WHY], ME)
    await waited(hub, job)
    await heard(hub, job)
    await hub.engine.stop(1.0)
    chat = (await hub.sessions.session("agent-1")).chat("grok")
    assert (chat.conversation_id, chat.url) == ("c1", "https://grok.com/c/c1")


async def test_where_an_agent_cannot_go_on_is_forgotten(hub, site):
    await hub.sessions.used("agent-1", "grok", url="u", conversation_id="c1", tab=None)
    site.may_answer.set()
    site.fails = ConversationGone("grok", "c1", "deleted")
    (job,) = await hub.jobs.submit([WHY], ME)
    await waited(hub, job)
    async with asyncio.timeout(TEST_SECONDS):
        while hub.engine._tasks:
            await asyncio.wait(list(hub.engine._tasks.values()))
    session = await hub.sessions.session("agent-1")
    assert session is None or session.chat("grok") is None


GROWS = [
    # id, (text, thinking, anew) one after the other, characters at the end
    ("it grows", [("abc", False, False), ("de", False, False)], 5),
    ("it begins anew", [("abc", False, False), ("de", False, True)], 2),
    ("thinking is no answer", [("abc", False, False), ("de", True, False)], 3),
]


@pytest.mark.parametrize("pieces, count", [c[1:] for c in GROWS], ids=[c[0] for c in GROWS])
async def test_characters_are_those_of_the_answer(hub, site, pieces, count):
    row, _ = await hub.books.store.begin(WHY, hub.books.owner, 1.0)
    entry = hub.board.put(job_of(row), 0)
    for text, thinking, anew in pieces:
        entry.hear(TextCame("grok", text, thinking, anew, 0.0))
    assert entry.job.characters == count


async def test_a_word_about_waiting_is_a_note(hub, site):
    (job,) = await hub.jobs.submit([WHY], ME)
    await site.until_asked(1)
    hub.board.get(job.id).hear(StillWaiting("grok", "nothing came for 30 s", 0.0))
    assert (await hub.jobs.job(job.id)).note == "nothing came for 30 s"


async def test_what_is_kept_of_an_error_names_its_kind(home):
    assert kept_failure(BrowserNotReachable("x", what_to_do="y")).code == "no_browser"
    assert kept_failure(ExtensionNotConnected("x", "y")).code == "extension_not_connected"
    assert kept_failure(StoreFull(home / "x", "y")).code == "store_failed"
