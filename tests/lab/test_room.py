"""An answer is told by the lab at its own pace, whoever listens."""

import asyncio

import pytest

from tabwire.lab.plan import Plan
from tabwire.lab.room import Part, Room, Said, Standing

pytestmark = pytest.mark.asyncio

SOON = 5.0  # seconds: every plan here takes less than one


def room_with(**settings):
    plan = Plan(("a", "b", "c"), **{"every_seconds": 0.0, "first_seconds": 0.0, **settings})
    return Room(planned=lambda prompt: plan)


async def heard(telling):
    async with asyncio.timeout(SOON):
        return [said async for said in telling.follow()]


async def test_a_prompt_is_in_the_ledger_before_anything_is_told():
    room = room_with()
    telling = room.ask("chatgpt", "c1", "Hello")
    assert room.ledger.prompts("chatgpt") == ("Hello",)
    assert telling.exchange.told == []


async def test_thoughts_come_first_then_the_pieces_then_the_end():
    telling = room_with(thoughts=("hm",)).ask("chatgpt", "c1", "Hello")
    assert await heard(telling) == [
        Said(Part.THOUGHT, "hm"),
        *(Said(Part.TEXT, piece) for piece in "abc"),
    ]
    exchange = telling.exchange
    assert (exchange.text, exchange.thoughts, exchange.standing) == ("abc", ("hm",), Standing.WHOLE)


async def test_two_who_follow_hear_the_same_however_late_they_come():
    telling = room_with(every_seconds=0.01).ask("chatgpt", "c1", "Hello")
    early = await heard(telling)
    assert await heard(telling) == early == [Said(Part.TEXT, piece) for piece in "abc"]


async def test_the_answer_goes_on_when_nobody_listens_any_more():
    telling = room_with(every_seconds=0.01).ask("chatgpt", "c1", "Hello")
    async with asyncio.timeout(SOON):
        async for _ in telling.follow():
            break
        await heard(telling)
    assert telling.exchange.standing is Standing.WHOLE


async def test_pieces_take_the_time_the_plan_says():
    loop = asyncio.get_running_loop()
    began = loop.time()
    telling = room_with(first_seconds=0.1, every_seconds=0.05).ask("chatgpt", "c1", "Hello")
    await heard(telling)
    assert loop.time() - began >= 0.2


async def test_a_stopped_answer_keeps_what_was_said_and_says_no_more():
    room = room_with(every_seconds=30.0)
    telling = room.ask("chatgpt", "c1", "Hello")
    async with asyncio.timeout(SOON):
        async for said in telling.follow():
            assert said.text == "a"
            assert room.stop("chatgpt", "c1")
    assert (telling.exchange.text, telling.exchange.standing) == ("a", Standing.STOPPED)
    assert not room.stop("chatgpt", "c1")
    assert room.telling("chatgpt", "c1") is None


async def test_a_new_prompt_ends_the_answer_before_it():
    room = room_with(first_seconds=30.0)
    first = room.ask("grok", "c1", "One")
    room.ask("grok", "c1", "Two")
    assert first.exchange.standing is Standing.STOPPED
    assert [one.prompt for one in room.chat("grok", "c1").exchanges] == ["One", "Two"]
    room.close()


async def test_a_stopped_answer_is_not_made_whole_by_a_timer_left_over():
    telling = room_with(first_seconds=0.01).ask("chatgpt", "c1", "Hello")
    telling.stop()
    await asyncio.wait([asyncio.get_running_loop().create_future()], timeout=0.05)
    assert (telling.exchange.text, telling.exchange.standing) == ("", Standing.STOPPED)


async def test_when_the_lab_closes_every_answer_ends():
    room = room_with(first_seconds=30.0)
    tellings = [room.ask("chatgpt", f"c{number}", "Hello") for number in range(3)]
    room.close()
    assert [await heard(telling) for telling in tellings] == [[], [], []]
