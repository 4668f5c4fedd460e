"""An answer on its way: cut anywhere, doubled, swapped, broken off; only where a story says so."""

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.lab.carry import STAGE_HEADER, Broken, Course, answered, carried, cut
from tabwire.lab.plan import Plan
from tabwire.lab.room import Room
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.steps import Mark, Wire

EVENTS = [f"event {n} 光と😀\n".encode() for n in range(6)]
WHOLE = b"".join(EVENTS)


@given(st.binary(), st.integers())
def test_what_is_cut_is_all_there(body, seed):
    assert b"".join(cut(body, random.Random(seed))) == body


def test_characters_are_cut_in_the_middle():
    halves = [next(iter(cut(EVENTS[0], random.Random(seed)))) for seed in range(50)]
    broken = [half for half in halves if half.decode("utf-8", "ignore").encode() != half]
    assert len(broken) == len(halves)


def taken(*events):
    course = Course()
    ready, over = course.take(events)
    return [*ready, *course.rest()], over


def test_an_event_comes_again():
    a, b = EVENTS[:2]
    assert taken(a, Mark(Wire.AGAIN), b) == ([a, a, b], None)
    assert taken(Mark(Wire.AGAIN), b) == ([b], None)


def test_two_events_change_places_even_from_one_batch_to_the_next():
    a, b, c = EVENTS[:3]
    assert taken(a, Mark(Wire.SWAP), b, c) == ([a, c, b], None)
    course = Course()
    assert course.take([a, Mark(Wire.SWAP), b]) == ([a], None)
    assert course.take([c]) == ([c, b], None)


def test_one_that_waits_for_another_that_never_comes_is_not_lost():
    a, b = EVENTS[:2]
    assert taken(a, Mark(Wire.SWAP), b) == ([a, b], None)


@pytest.mark.parametrize("end", [Wire.CUT, Wire.END])
def test_nothing_follows_an_end(end):
    a, b = EVENTS[:2]
    assert taken(a, Mark(end), b) == ([a], end)


def test_a_response_that_resumes_goes_through_no_marks():
    a, b = EVENTS[:2]
    marks = [Mark(what) for what in Wire]
    assert Course(active=False).take([a, *marks, b]) == ([a, b], None)


def test_marks_that_are_words_of_the_site_do_nothing_to_the_carrier():
    a, b = EVENTS[:2]
    assert taken(a, Mark(Wire.HINT), Mark(Wire.TO_SOCKET), b) == ([a, b], None)


async def said(*batches):
    for batch in batches:
        yield list(batch)


def telling_of(story="plain"):
    room = Room(planned=lambda _prompt: Plan(("a",), first_seconds=30.0))
    telling = room.ask("grok", "c", "Hi", story=STORIES[story])
    telling.exchange.responses = 1
    return telling


async def body_of(batches, telling):
    chunks = []
    try:
        async for chunk in carried(batches, telling):
            chunks += [chunk]  # kept also when the next one never comes
    except Broken:
        chunks.append(None)
    return chunks


@pytest.mark.asyncio
async def test_a_body_is_whole_however_it_is_cut():
    chunks = await body_of(said(EVENTS[:3], EVENTS[3:]), telling_of())
    assert b"".join(chunks) == WHOLE
    assert len(chunks) == 4


@pytest.mark.asyncio
async def test_a_cut_breaks_the_response_after_what_came_before():
    chunks = await body_of(said(EVENTS[:2], [Mark(Wire.CUT)], EVENTS[2:]), telling_of())
    assert chunks.pop() is None
    assert b"".join(chunks) == b"".join(EVENTS[:2])


@pytest.mark.asyncio
async def test_in_the_story_split_every_byte_travels_alone():
    chunks = await body_of(said(EVENTS), telling_of("split"))
    assert [len(chunk) for chunk in chunks] == [1] * len(WHOLE)
    assert b"".join(chunks) == WHOLE


@pytest.mark.asyncio
async def test_only_the_first_response_tells_the_page_its_part():
    telling = telling_of("flicker")
    telling.exchange.responses = 0
    first = await answered(said(EVENTS), telling, "text/plain")
    second = await answered(said(EVENTS), telling, "text/plain")
    assert '"do":"flicker"' in first.headers[STAGE_HEADER]
    assert STAGE_HEADER not in second.headers


@pytest.mark.asyncio
async def test_a_withheld_response_does_not_even_begin():
    telling = telling_of("unconfirmed")
    async with asyncio.TaskGroup() as group, asyncio.timeout(30):
        response = group.create_task(answered(said(EVENTS), telling, "text/plain"))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not response.done()
        telling.stop()
