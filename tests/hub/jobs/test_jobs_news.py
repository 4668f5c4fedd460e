"""Waiting for jobs, and hearing of them."""

import asyncio
import time
from dataclasses import replace

import pytest

from hub.jobs.job_hub import (
    ME,
    TEST_SECONDS,
    WHY,
    answer_for,
    heard,
    home,
    hub,
    site,
    waited,
)
from tabwire.hub.jobs import board as job_board
from tabwire.hub.jobs import worker as carrying
from tabwire.hub.jobs.books import opened_books
from tabwire.model.ask import (
    Answered,
    Phase,
    PhaseBegan,
    TextCame,
)
from tabwire.model.job import JobState, NoSuchJob
from tabwire.model.job_events import StateChanged

__all__ = ["home", "hub", "site"]  # fixtures

pytestmark = pytest.mark.asyncio


async def test_waiting_ends_with_its_time_and_the_job_goes_on(hub, site):
    (job,) = await hub.jobs.submit([WHY], ME)
    (now,) = await hub.jobs.wait([job.id], 0)
    assert now.state is JobState.WORKING
    site.may_answer.set()
    assert (await waited(hub, job)).state is JobState.COMPLETED


async def test_one_that_is_cancelled_while_it_waits_harms_no_job(hub, site):
    (job,) = await hub.jobs.submit([WHY], ME)
    async with asyncio.TaskGroup() as group:
        waiter = group.create_task(hub.jobs.wait([job.id]))
        await site.until_asked(1)
        waiter.cancel()
    site.may_answer.set()
    assert (await waited(hub, job)).state is JobState.COMPLETED


async def test_nobody_waits_for_what_is_not_there(hub):
    assert await hub.jobs.job("nothing") is None
    for call in (hub.jobs.stop, hub.jobs.cancel, hub.jobs.resume):
        with pytest.raises(NoSuchJob, match="no job 'no"):
            await call("nothing")
    with pytest.raises(NoSuchJob, match="no job 'no"):
        await hub.jobs.wait(["nothing"])
    with pytest.raises(NoSuchJob, match="no job 'no"):
        await anext(hub.jobs.news("nothing"))


async def test_news_tell_everything_in_order_with_rising_numbers(hub, site):
    site.may_answer.set()
    (job,) = await hub.jobs.submit([WHY], ME)
    news = await heard(hub, job)
    assert [one.number for one in news] == list(range(1, len(news) + 1))
    answer = (await hub.jobs.job(job.id)).answer
    assert [replace(one.event, at=0.0) for one in news] == [
        StateChanged("grok", JobState.WORKING, None, 0.0),
        PhaseBegan("grok", Phase.SEND, 0.0),
        PhaseBegan("grok", Phase.ANSWERING, 0.0),
        TextCame("grok", "Beca", thinking=False, anew=False, at=0.0),
        TextCame("grok", "use.", thinking=False, anew=False, at=0.0),
        Answered("grok", answer, 0.0),
        StateChanged("grok", JobState.COMPLETED, None, 0.0),
    ]
    assert answer.text == "Because."
    assert await heard(hub, job, after=4) == news[4:]
    assert await heard(hub, job, after=len(news)) == []


async def test_two_listeners_hear_the_same(hub, site):
    (job,) = await hub.jobs.submit([WHY], ME)
    async with asyncio.TaskGroup() as group:
        both = [group.create_task(heard(hub, job)) for _ in range(2)]
        await site.until_asked(1)
        site.may_answer.set()
    assert both[0].result() == both[1].result()
    assert both[0].result()[-1].event.state is JobState.COMPLETED


async def test_progress_is_known_at_once(hub, site):
    (job,) = await hub.jobs.submit([WHY], ME)
    async for news in hub.jobs.news(job.id):
        if isinstance(news.event, TextCame):
            break
    now = await hub.jobs.job(job.id)
    assert (now.phase, now.characters, now.state) == (Phase.ANSWERING, 4, JobState.WORKING)
    assert abs(now.phase_at - time.time()) < 3600
    (listed,) = await hub.jobs.recent()
    assert listed == now


async def test_phases_are_on_disk_soon_for_other_processes(hub, site, monkeypatch):
    monkeypatch.setattr(carrying, "PROGRESS_SECONDS", 0.0)
    progress = hub.books.store.progress
    kept = asyncio.Event()

    async def keeping(*given, **more):
        await progress(*given, **more)
        kept.set()

    hub.books.store.progress = keeping
    (job,) = await hub.jobs.submit([WHY], ME)
    async with asyncio.timeout(TEST_SECONDS), opened_books() as other:
        while (await other.store.attempt(job.id)).phase is not Phase.ANSWERING:
            await kept.wait()
            kept.clear()


async def test_a_long_answer_is_told_whole_to_one_who_comes_late(hub, site, monkeypatch):
    monkeypatch.setattr(job_board, "MAX_EVENTS", 20)
    pieces = [f"{number} " for number in range(200)]

    async def result(books, row, entry):
        for thinking in (False, True):
            entry.hear(TextCame("grok", "a draft that was thrown away", thinking, False, 0.0))
            entry.hear(TextCame("grok", "", thinking, True, 0.0))
        for number, piece in enumerate(pieces):
            entry.hear(TextCame("grok", piece, number % 2 == 1, False, 0.0))
        answer = answer_for(row)
        await books.keep(row, answer)
        return answer

    site.result = result
    (job,) = await hub.jobs.submit([WHY], ME)
    await waited(hub, job)
    news = await heard(hub, job)
    numbers = [one.number for one in news]
    assert numbers == sorted(set(numbers))
    assert len(news) <= 22
    came = [one.event for one in news if isinstance(one.event, TextCame)]
    for thinking, told in ((False, pieces[::2]), (True, pieces[1::2])):
        text = ""
        for one in came:
            if one.thinking is thinking:
                text = one.text if one.anew else text + one.text
        assert text == "".join(told)


async def test_a_word_to_all_is_heard_by_those_under_way(hub, site):
    (job,) = await hub.jobs.submit([WHY], ME)
    hub.jobs.tell_all("Press Allow.")
    assert (await hub.jobs.job(job.id)).note == "Press Allow."
    assert hub.jobs.under_way == 1
    site.may_answer.set()
    news = await heard(hub, job)
    assert "Press Allow." in [getattr(one.event, "why", "") for one in news]
    assert hub.jobs.under_way == 0


async def test_only_so_many_that_rest_stay_on_the_board(hub, site, monkeypatch):
    monkeypatch.setattr(job_board, "MAX_RESTED", 3)
    site.may_answer.set()
    ids = []
    for number in range(6):
        (job,) = await hub.jobs.submit([replace(WHY, prompt=f"Question {number}")], ME)
        await waited(hub, job)
        await heard(hub, job)
        ids.append(job.id)
    assert len(hub.board._entries) <= 4
    assert hub.board.get(ids[0]) is None
    assert (await hub.jobs.job(ids[0])).answer.text == "Because."
    (first,) = await hub.jobs.wait([ids[0]])
    assert first.state is JobState.COMPLETED
    news = await heard(hub, first)
    assert [one.kind for one in news] == ["answer", "state"]
    assert news[0].event.answer.text == "Because."
    again = await heard(hub, first, after=news[0].number)
    assert [(one.number, one.kind) for one in again] == [(news[1].number, "state")]


async def test_whoever_shows_all_jobs_is_woken_by_each_thing_that_happens(hub, site):
    (job,) = await hub.jobs.submit([WHY], ME)
    seen = await hub.jobs.changed(0)
    site.may_answer.set()
    async with asyncio.timeout(TEST_SECONDS):
        while (await hub.jobs.job(job.id)).state is not JobState.COMPLETED:
            seen = await hub.jobs.changed(seen)
