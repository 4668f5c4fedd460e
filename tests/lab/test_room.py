"""An answer is told by the lab at its own pace, whoever listens."""

import asyncio

import pytest

from tabwire.lab.ledger import Deed
from tabwire.lab.plan import Plan, plan_for
from tabwire.lab.room import Part, Room, Said, Standing
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.stage import Stage
from tabwire.lab.stories.steps import Befall, Fate, GiveUp, Mark, Say, Silence, Wire
from tabwire.lab.stories.story import Story

pytestmark = pytest.mark.asyncio

SOON = 5.0  # seconds: every plan here takes less than one


def room_with(**settings):
    plan = Plan(("a", "b", "c"), **{"every_seconds": 0.0, "first_seconds": 0.0, **settings})
    return Room(planned=lambda prompt: plan)


async def heard(telling):
    async with asyncio.timeout(SOON):
        return [told async for batch in telling.follow() for told in batch]


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
        async for batch in telling.follow():
            assert [said.text for said in batch] == ["a"]
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


# -- stories --------------------------------------------------------------------------------


def told_by(*script):
    return Story("ours", "A story of this test.", script=script)


async def test_the_prompts_own_story_outweighs_the_tabs_and_the_tabs_the_servers():
    room = Room(stage=Stage(story="cut"))
    assert room.story_for("grok", "Hello").name == "cut"
    assert room.story_for("grok", "Hello", Stage(story="flicker")).name == "flicker"
    assert room.story_for("grok", "Hello\nlab: story=error", Stage(story="flicker")).name == "error"
    assert Room().story_for("grok", "Hello").name == "plain"


async def test_a_story_that_a_site_cannot_play_is_not_played_there():
    room = Room(stage=Stage(story="handoff-socket"))
    assert room.story_for("chatgpt", "Hello").name == "handoff-socket"
    assert room.story_for("grok", "Hello").name == "plain"


async def test_what_a_site_says_in_error_is_the_last_thing_it_says():
    telling = room_with().ask("grok", "c1", "Hi", story=told_by(Say(0.4), Mark(Wire.ERROR)))
    assert await heard(telling) == [Said(Part.TEXT, "a"), Mark(Wire.ERROR)]
    assert telling.exchange.standing is Standing.FAILED


async def test_a_silent_story_says_nothing_more_and_does_not_end():
    room = room_with()
    telling = room.ask("grok", "c1", "Hi", story=told_by(Say(0.4), Silence()))
    async with asyncio.timeout(SOON):
        assert await anext(telling.follow()) == (Said(Part.TEXT, "a"),)
    assert telling.exchange.standing is Standing.RUNNING
    room.close()
    assert telling.exchange.standing is Standing.STOPPED


async def test_a_site_that_gives_up_has_stored_what_it_said():
    telling = room_with().ask("grok", "c1", "Hi", story=told_by(Say(0.4), GiveUp()))
    assert await heard(telling) == [Said(Part.TEXT, "a")]
    assert telling.exchange.standing is Standing.FAILED


async def test_what_befalls_a_tab_is_told_to_whoever_plays_and_the_answer_goes_on():
    befell = []
    room = room_with()
    room.on_fate = lambda site, exchange, fate: befell.append((site, exchange.text, fate))
    story = told_by(Say(0.4), Befall(Fate.CRASH), Say())
    telling = room.ask("gemini", "c1", "Hi", story=story)
    await heard(telling)
    assert befell == [("gemini", "a", Fate.CRASH)]
    assert telling.exchange.text == "abc"
    assert telling.exchange.standing is Standing.WHOLE


async def test_a_story_about_an_answer_brings_its_own():
    telling = Room(planned=plan_for).ask("grok", "c1", "Hi", story=STORIES["instant"])
    assert len(telling.exchange.plan.text) == 1
    telling.stop()


async def test_a_refused_prompt_is_in_the_ledger_with_the_reason_and_is_not_answered():
    room = room_with()
    room.refuse("chatgpt", "", "Hello", STORIES["limit"])
    (entry,) = room.ledger.entries
    assert (entry.prompt, entry.refused, entry.story) == ("Hello", "limit", "limit")
    assert room.conversations["chatgpt"] == {}


async def test_a_stop_is_in_the_ledger_and_the_end_by_a_new_prompt_is_none():
    room = room_with(first_seconds=30.0)
    room.ask("grok", "c1", "One")
    room.ask("grok", "c1", "Two")
    assert room.ledger.of(Deed.STOP) == ()
    room.stop("grok", "c1")
    assert [entry.conversation_id for entry in room.ledger.of(Deed.STOP)] == ["c1"]
    room.close()


async def test_two_hundred_answers_at_once_are_each_told_whole_and_in_order():
    room = Room()
    prompts = [f"Question {n}\nlab: pieces=20 chars=5 every=0.002 first=0" for n in range(200)]
    tellings = [room.ask("grok", f"c{n}", prompt) for n, prompt in enumerate(prompts)]
    texts = await asyncio.gather(*map(heard, tellings))
    for prompt, told in zip(prompts, texts, strict=True):
        assert "".join(said.text for said in told) == plan_for(prompt).text
    assert room.ledger.prompts("grok") == tuple(prompts)
    assert [entry.number for entry in room.ledger.entries] == list(range(1, 201))
