"""Agents and their chats, in each database. Their use is tested in hub/sessions."""

import asyncio

import pytest

from tabwire.model.session import Chat, Session
from tabwire.store.session_rows import Limits

pytestmark = pytest.mark.asyncio

LIMITS = Limits(seconds=100.0, agents=3)
ODD = "名 \x00\ud800\x1a'"


def chat(site="grok", **others):
    kept = {"conversation_id": "1", "url": "https://grok.com/c/1", "tab": "T", "last_used": 5.0}
    return Chat(site, **{**kept, **others})


async def test_what_goes_in_comes_out(store):
    rows = store.sessions
    made = await rows.touch(ODD, 10.0, LIMITS, client="c\x00", project="/p")
    assert made == Session(ODD, 10.0, "/p", "c\x00", ())
    for one in (chat(url=ODD, conversation_id=None), chat("gemini", tab=None)):
        await rows.used(ODD, one, 11.0, LIMITS)
    chats = (chat(url=ODD, conversation_id=None), chat("gemini", tab=None))
    assert await rows.session(ODD, 11.0, LIMITS) == Session(ODD, 11.0, "/p", "c\x00", chats)


async def test_all_of_them_come_in_the_order_they_came(store):
    rows = store.sessions
    for agent, now in [("b", 1.0), ("a", 2.0), ("b", 3.0)]:
        await rows.used(agent, chat(), now, LIMITS)
    assert [one.agent for one in await rows.all(3.0, LIMITS)] == ["b", "a"]
    assert await rows.forget("b", "grok")
    assert not await rows.forget("b", "grok")
    assert await rows.forget("b", None)
    assert [one.agent for one in await rows.all(3.0, LIMITS)] == ["a"]
    assert await rows.clean(102.5, LIMITS) == ["a"]


async def test_many_at_once_are_never_one_too_many(store):
    rows = store.sessions
    agents = [f"a{number % 5}" for number in range(20)]
    await asyncio.gather(*(rows.used(agent, chat(), 1.0, LIMITS) for agent in agents))
    found = await rows.all(1.0, LIMITS)
    assert len({one.agent for one in found}) == len(found) == 3
    assert {len(one.chats) for one in found} == {1}


async def test_a_file_is_known_by_what_it_held(store):
    rows = store.sessions
    old = Session("old", 1.0, "", "", (chat(last_used=0.0),))
    assert await rows.take_in([old], ("/f", "d1"), 500.0, LIMITS) == ["old"]
    assert await rows.session("old", 600.0, LIMITS) == old
    assert await rows.session("old", 600.1, LIMITS) is None
    assert await rows.was_taken_in(("/f", "d1"))
    assert not await rows.was_taken_in(("/f", "d2"))
    await rows.take_in([old], ("/f", "d2"), 500.0, LIMITS)
    assert [await rows.was_taken_in(("/f", one)) for one in ("d1", "d2")] == [False, True]
