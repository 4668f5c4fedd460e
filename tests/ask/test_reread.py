"""What is waited for of a tab that reads a conversation again."""

import asyncio

import pytest

from tabwire.ask.reread import Reread
from tabwire.fusion.table import State
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.conversation import Conversation, Standing
from tabwire.monitor import told

pytestmark = pytest.mark.asyncio

WHOLE = Verdict(Judgement.COMPLETE, "end of turn", "Because.")
OVER = told.Judged(1.0, "a1", State.COMPLETED_HINT, WHOLE, ())
CHAT = Conversation("grok", "x", Standing(True, True, "end of turn"))
STORED = told.Stored(2.0, "x", None, 2, True, "end of turn", CHAT)


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
    found = Reread("x")
    assert await done_after(found.until_read, OVER, found=found)
    found = Reread("x")
    assert not await done_after(found.until_stored, OVER, found=found)
    assert await done_after(found.until_stored, STORED, found=found)
