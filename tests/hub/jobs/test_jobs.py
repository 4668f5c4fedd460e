"""Jobs as the doors see them: handed in once, stopped, found again."""

import time
from dataclasses import replace

import pytest

from hub.jobs.job_hub import ME, TEST_SECONDS, WHY, heard, home, hub, running, site, waited
from tabwire.hub.jobs import jobs
from tabwire.hub.jobs.books import opened_books
from tabwire.model.ask import (
    Step,
    TextCame,
)
from tabwire.model.ask_errors import (
    BadAsk,
    LoginRequired,
)
from tabwire.model.job import JobState

__all__ = ["home", "hub", "site"]  # fixtures

pytestmark = pytest.mark.asyncio


async def test_a_job_is_on_disk_before_its_id_is_given_out(hub):
    (job,) = await hub.jobs.submit([WHY], ME)
    async with opened_books() as other:
        row = await other.store.attempt(job.id)
    assert (row.request, row.asker, row.position is not None) == (WHY, ME, True)
    assert (job.state, job.joined) == (JobState.WORKING, False)


async def test_a_hub_killed_right_after_it_wrote_a_row_leaves_it_to_the_next(hub):
    class Killed(BaseException):
        """Nothing after it is done."""

    async def killed(*_given, **_more):
        raise Killed

    hub.engine.add = killed
    with pytest.raises(Killed):
        await hub.jobs.submit([WHY], ME)
    assert [row.request for row in await hub.books.store.waiting()] == [WHY]


async def test_answers_come_back_by_waiting_and_are_kept(hub, site):
    site.may_answer.set()
    (job,) = await hub.jobs.submit([WHY], ME)
    now = await waited(hub, job)
    assert (now.state, now.answer.text, now.conversation_id) == (
        JobState.COMPLETED,
        "Because.",
        "c1",
    )
    assert now.characters == len("Because.")
    async with opened_books() as other:
        assert (await other.store.attempt(job.id)).state is JobState.COMPLETED


async def test_several_questions_are_jobs_in_their_order(hub):
    requests = [replace(WHY, prompt=f"Question {number}") for number in range(5)]
    given = await hub.jobs.submit(requests, ME)
    assert [job.request for job in given] == requests
    rows = [await hub.books.store.attempt(job.id) for job in given]
    assert [row.position for row in rows] == sorted(row.position for row in rows)


async def test_one_that_cannot_be_meant_begins_none(hub, site):
    with pytest.raises(BadAsk):
        await hub.jobs.submit([WHY, replace(WHY, site="bing")], ME)
    assert await hub.jobs.recent() == ()
    assert site.asked == []


SAME = [
    # id, how the second differs, asked by, whether it is the same
    ("the same", {}, ME, True),
    ("another agent, on its way", {}, replace(ME, agent="agent-2"), True),
    ("more patience", {"timeout_seconds": 7.0}, ME, True),
    ("another prompt", {"prompt": "Why not?"}, ME, False),
    ("another site", {"site": "gemini"}, ME, False),
    ("another chat", {"conversation_id": "5f0c6a1e-1111-4222-8333-0123456789ab"}, ME, False),
    ("another file", {"files": ("/a.txt",)}, ME, False),
    ("another name of the caller's", {"client_key": "k"}, ME, False),
]


@pytest.mark.parametrize("change, asker, same", [c[1:] for c in SAME], ids=[c[0] for c in SAME])
async def test_the_same_question_on_its_way_is_one_job(hub, site, change, asker, same):
    (first,) = await hub.jobs.submit([WHY], ME)
    (second,) = await hub.jobs.submit([replace(WHY, **change)], asker)
    assert (second.id == first.id, second.joined) == (same, same)
    site.may_answer.set()
    await hub.jobs.wait([first.id, second.id], TEST_SECONDS)
    assert len(site.asked) == (1 if same else 2)


JUST = [
    # id, asked by, caller's own name, seconds ago, whether it is the same
    ("just now", ME, None, 1.0, True),
    ("some time ago", ME, None, jobs.JUST_FINISHED_SECONDS + 1, False),
    ("another agent", replace(ME, agent="agent-2"), None, 1.0, False),
    ("named, long ago", ME, "k", 9999.0, True),
    ("named, by another agent", replace(ME, agent="agent-2"), "k", 9999.0, True),
    ("under its own name, just now", ME, ME.agent, 1.0, True),
    ("under its own name, long ago", ME, ME.agent, 9999.0, False),
    ("under its client's name, long ago", ME, ME.client, 9999.0, False),
]


@pytest.mark.parametrize("asker, key, ago, same", [c[1:] for c in JUST], ids=[c[0] for c in JUST])
async def test_what_was_just_answered_is_not_asked_again(
    hub, site, monkeypatch, asker, key, ago, same
):
    site.may_answer.set()
    request = replace(WHY, client_key=key)
    (first,) = await hub.jobs.submit([request], ME)
    await waited(hub, first)
    later = time.time() + ago
    monkeypatch.setattr(jobs.time, "time", lambda: later)
    (second,) = await hub.jobs.submit([request], asker)
    assert (second.id == first.id, second.joined) == (same, same)
    if same:
        assert second.answer.text == "Because."


async def test_again_asks_again(hub):
    (first,) = await hub.jobs.submit([WHY], ME)
    (second,) = await hub.jobs.submit([WHY], ME, again=True)
    assert second.id != first.id


async def test_a_named_one_that_never_left_may_be_asked_again(hub, site):
    site.may_answer.set()
    site.fails = LoginRequired("grok")
    (first,) = await hub.jobs.submit([replace(WHY, client_key="k")], ME)
    assert (await waited(hub, first)).state is JobState.INPUT_REQUIRED
    site.fails = None
    (second,) = await hub.jobs.submit([replace(WHY, client_key="k")], ME)
    assert second.id != first.id
    assert (await waited(hub, second)).state is JobState.COMPLETED


# --- stop and cancel -------------------------------------------------------------------------


async def test_stop_presses_stop_and_what_was_written_is_the_answer(hub, site):
    (job,) = await hub.jobs.submit([WHY], ME)
    async for news in hub.jobs.news(job.id):
        if isinstance(news.event, TextCame):
            break
    now = await hub.jobs.stop(job.id)
    assert site.stops.is_set()
    assert now.state is JobState.COMPLETED
    assert (await hub.jobs.stop(job.id)).state is JobState.COMPLETED


async def test_one_that_waits_is_not_begun_after_cancel_or_stop(site):
    async with running(site, width=1) as hub:
        given = await hub.jobs.submit(
            [replace(WHY, prompt=f"Question {number}") for number in range(3)], ME
        )
        await site.until_asked(1)
        assert (await hub.jobs.cancel(given[1].id)).state is JobState.CANCELLED
        assert (await hub.jobs.stop(given[2].id)).state is JobState.CANCELLED
        site.may_answer.set()
        await waited(hub, given[0])
        assert site.asked == [given[0].id]
        row = await hub.books.store.attempt(given[1].id)
        assert row.step is Step.FAILED  # nothing will ever be sent of it
        assert await hub.books.store.waiting() == []
        news = await heard(hub, given[1])
        assert news[-1].event.state is JobState.CANCELLED


async def test_one_that_runs_is_stopped_at_the_site_and_stays_cancelled(hub, site):
    (job,) = await hub.jobs.submit([WHY], ME)
    async for news in hub.jobs.news(job.id):
        if isinstance(news.event, TextCame):
            break
    now = await hub.jobs.cancel(job.id)
    assert site.stops.is_set()
    assert (now.state, now.answer.text) == (JobState.CANCELLED, "Because.")  # kept all the same
    assert (await hub.jobs.cancel(job.id)).state is JobState.CANCELLED
    told = [one.event.state for one in await heard(hub, job) if one.kind == "state"]
    assert told == [JobState.WORKING, JobState.CANCELLED]
    (second,) = await hub.jobs.submit([WHY], ME)
    assert second.id != job.id  # whoever asks again wants it


async def test_one_that_does_not_stop_is_dropped(hub, site, monkeypatch):
    monkeypatch.setattr(jobs, "STOP_SECONDS", 0.01)
    (job,) = await hub.jobs.submit([WHY], ME)
    async for news in hub.jobs.news(job.id):
        if isinstance(news.event, TextCame):
            break
    site.obeys = False
    now = await hub.jobs.cancel(job.id)
    assert now.state is JobState.CANCELLED
    assert job.id not in hub.engine._tasks


# --- found again -----------------------------------------------------------------------------


async def test_lists_are_newest_first_and_can_be_narrowed(hub, site):
    site.may_answer.set()
    other = replace(ME, agent="agent-2")
    (a,) = await hub.jobs.submit([WHY], ME)
    await waited(hub, a)
    (b,) = await hub.jobs.submit([replace(WHY, prompt="Why not?")], other)
    await waited(hub, b)
    site.may_answer.clear()
    (c,) = await hub.jobs.submit([replace(WHY, site="gemini")], ME)

    async def ids(*given, **which):
        return [job.id for job in await hub.jobs.recent(*given, **which)]

    assert await ids() == [c.id, b.id, a.id]
    assert await ids(2) == [c.id, b.id]
    assert await ids(before=b.id) == [a.id]
    assert await ids(before="nobody") == [c.id, b.id, a.id]
    assert await ids(agent="agent-2") == [b.id]
    assert await ids(site="gemini") == [c.id]
    assert await ids(states=[JobState.WORKING]) == [c.id]
    assert await ids(states=[JobState.COMPLETED], agent="agent-1") == [a.id]
    assert [job.id for job in await hub.jobs.search("not BECAUSE")] == [b.id]
