"""Every story of ChatGPT's wire: what response, rest and store say together is the whole answer."""

import json

import pytest

from lab.replicas.chatgpt.asking import (
    API,
    TEXTS,
    ask,
    asking,
    events,
    of,
    planned,
    read,
    serving,
    stored,
)
from tabwire.lab.carry import Broken
from tabwire.lab.plan import plan_in_story
from tabwire.lab.replicas.chatgpt.turns import ids_of
from tabwire.lab.room import Room
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.script import text_of
from tabwire.lab.stories.steps import Mark, Silence, Wire
from tabwire.model.signals import HandedOff, Noted, Refusal, Refused, TextGrew, TurnEnded

pytestmark = pytest.mark.asyncio

ELSEWHERE = {Wire.TO_SOCKET, Wire.TO_RESUME, Wire.TO_NOWHERE, Wire.CUT, Wire.END}
FAILS = {Wire.ERROR, Wire.LIMIT}


def marks(story):
    return {step.what for step in story.script if isinstance(step, Mark)}


def ends(story):
    silent = any(isinstance(step, Silence) for step in story.script)
    return "chatgpt" in story.sites and not story.refuse and not silent


WHOLE = [s.name for s in STORIES.values() if ends(s) and not marks(s) & (ELSEWHERE | FAILS)]
HUGE = {"gigantic"}  # five million characters: its own test would be a benchmark


@pytest.fixture
def room():
    return Room(planned=planned)


def truth(prompt):
    """The whole answer of a story, by its script alone."""
    plan = planned(prompt)
    story = STORIES[plan.story]
    return text_of(plan_in_story(plan, story, prompt), story.script)


def text(signals):
    return "".join(one.text for one in of(signals, TextGrew))


@pytest.mark.parametrize("name", [name for name in WHOLE if name not in HUGE])
@pytest.mark.parametrize("layout", ["turn_key", "octane"])
async def test_stream_and_store_hold_the_same_whole_answer(room, name, layout):
    served = serving(room, f"layout:{layout}")
    _, body = await ask(served, f"story {name}")
    conversation, signals = read(body)
    assert text(signals) == truth(f"story {name}")
    assert len(of(signals, TurnEnded)) == 1
    assert of(signals, Noted) == []
    kept = await stored(served, conversation.id)
    assert kept.standing.complete
    streamed = {
        turn.id: (turn.role, turn.text, turn.thinking, turn.state) for turn in conversation.turns
    }
    assert {t.id: (t.role, t.text, t.thinking, t.state) for t in kept.turns} == streamed


async def test_a_resumed_answer_goes_on_where_the_hand_off_came(room):
    served = serving(room)
    prompt = "story handoff-resume"
    _, body = await ask(served, prompt)
    conversation, signals = read(body)
    assert [one.to for one in of(signals, HandedOff)] == ["resume_sse_endpoint"]
    assert not conversation.standing.complete
    had = len([event for event in events(body) if b"[DONE]" not in event])
    status, rest = await resumed(served, conversation.id, had)
    whole, signals = read(body, rest)
    assert (status, text(signals)) == (200, truth(prompt))
    assert whole.standing.complete
    _, again = await resumed(served, conversation.id, 0)
    assert b"stream_handoff" not in again
    assert text(read(again)[1]) == truth(prompt)


async def resumed(served, named, offset):
    wish = json.dumps({"conversation_id": named, "offset": offset}).encode()
    return await served.body("POST", f"{API}/f/conversation/resume", wish)


@pytest.mark.parametrize("name", ["handoff-poll", "no-end"])
async def test_what_the_stream_does_not_tell_is_stored(room, name):
    served = serving(room)
    _, body = await ask(served, f"story {name}")
    conversation, signals = read(body)
    assert not conversation.standing.complete
    whole = truth(f"story {name}")
    assert whole.startswith(text(signals))
    assert text(signals) != whole
    if (telling := room.telling("chatgpt", conversation.id)) is not None:
        await telling.over()
    kept = await stored(served, conversation.id)
    assert kept.turns[-1].text == whole
    assert kept.standing.complete


async def test_a_cut_breaks_the_response_in_the_middle(room):
    served = serving(room)
    pieces = served.pieces("POST", f"{API}/f/conversation", asking("story cut"))
    got = b""
    with pytest.RaisesGroup(Broken):
        async for piece in pieces:
            got += piece if isinstance(piece, bytes) else b""
    assert TEXTS[0].encode() in got
    assert b"message_stream_complete" not in got


@pytest.mark.parametrize(
    "name, kind", [("error", Refusal.ERROR), ("limit-midway", Refusal.RATE_LIMIT)]
)
async def test_an_answer_that_fails_says_so_and_is_stored_as_failed(room, name, kind):
    served = serving(room)
    _, body = await ask(served, f"story {name}")
    conversation, signals = read(body)
    assert [one.kind for one in of(signals, Refused)] == [kind]
    assert text(signals)
    kept = await stored(served, conversation.id)
    assert kept.standing.reason == "failed"
    assert kept.turns[-1].text == text(signals)


async def test_messages_have_the_same_names_whenever_they_are_asked_for(room):
    telling = room.ask("chatgpt", "c", "hello")
    assert ids_of(telling.exchange) == ids_of(telling.exchange)
    telling.stop()
