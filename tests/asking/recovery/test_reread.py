"""What is waited for of a tab that reads a conversation again."""

import asyncio

import pytest
from msgspec.structs import replace

from tabwire.asking.recovery.reread import Reread
from tabwire.browser.observed import NoticeSeen, PageState
from tabwire.fusion.table import State
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.conversation import Conversation, Standing
from tabwire.monitor import sightings as told
from tabwire.sites.page import NoticeKind

pytestmark = pytest.mark.asyncio

WHOLE = Verdict(Judgement.COMPLETE, "end of turn", "Because.")
OVER = told.Judged(1.0, "a1", State.COMPLETED_HINT, WHOLE, ())
CHAT = Conversation("grok", "x", Standing(True, True, "end of turn"))
STORED = told.Stored(2.0, "x", None, 2, True, "end of turn", CHAT)


def reread():
    """Of the conversation x, at addresses that are the ids of conversations."""
    return Reread("x", lambda url: url or None)


async def done_after(wait, *sightings, found):
    """Whether such a wait is over when these were heard."""
    task = asyncio.get_running_loop().create_task(wait(60.0))
    for one in sightings:
        found.hear(one)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    try:
        return task.done()
    finally:
        task.cancel()


async def test_whose_question_it_is_says_only_what_is_stored():
    """The page goes on with an answer, and its end may be heard before the conversation is."""
    found = reread()
    assert await done_after(found.until_read, OVER, found=found)
    found = reread()
    assert not await done_after(found.until_stored, OVER, found=found)
    assert await done_after(found.until_stored, STORED, found=found)


LED_AWAY = PageState("y", "Chat", "app", False, 0, 0, "", 0, False, False, True, True, False, None)
WALL = NoticeSeen(NoticeKind.LOGIN, "a", "Log in")
WALLED = replace(LED_AWAY, url="x", layout=None, composer=False, notices=(WALL,))


@pytest.mark.parametrize(
    "objection, why",
    [
        (told.NotStored(1.0, "x", "the site answered 404"), "the site answered 404"),
        (LED_AWAY, "the site redirected to y instead"),
        (WALLED, ""),
    ],
)
async def test_a_conversation_the_page_will_not_show_is_not_waited_for(objection, why, monkeypatch):
    monkeypatch.setattr("tabwire.asking.recovery.reread.SURE_SECONDS", 0.0)
    found = reread()
    tell = found.hear if isinstance(objection, told.NotStored) else found.see
    tell(objection)
    async with asyncio.timeout(30.0):
        await found.until_read(3600.0)
    assert found.stored is None
    assert found.not_stored == why


async def test_what_is_said_of_another_conversation_is_no_objection():
    found = reread()
    found.hear(told.NotStored(1.0, "y", "the site answered 404"))
    assert not found.objects


async def test_a_conversation_that_comes_after_an_objection_is_read(monkeypatch):
    """A page asks without its headers first, and its site says that there is no such thing."""
    monkeypatch.setattr("tabwire.asking.recovery.reread.SURE_SECONDS", 3600.0)
    found = reread()
    found.hear(told.NotStored(1.0, "x", "the site answered 404"))
    task = asyncio.get_running_loop().create_task(found.until_read(3600.0))
    await asyncio.sleep(0)
    found.hear(STORED)
    async with asyncio.timeout(30.0):
        await task
    assert found.stored is CHAT
