"""A look at a page that leaves, or that never replies."""

import pytest

from kit import leaving
from kit.leaving import LEFT, LOOK_SECONDS, looked
from tabwire.cdp.errors import CommandFailed, CommandTimedOut

WAIT_SECONDS = 60.0


class Scripted:
    """A session that says these one after the other, and how long each call was given."""

    def __init__(self, *said):
        self.said = list(said)
        self.bounds = []

    async def call(self, method, how, *, seconds):
        self.bounds.append(seconds)
        word = self.said.pop(0)
        if isinstance(word, Exception):
            raise word
        return word


SILENT = CommandTimedOut("Runtime.evaluate", LOOK_SECONDS)
GONE = CommandFailed("Runtime.evaluate", -32000, next(iter(LEFT)))


@pytest.mark.asyncio
@pytest.mark.parametrize("first", [SILENT, GONE], ids=["no reply", "left"])
async def test_what_one_page_did_not_say_the_next_is_asked(first):
    session = Scripted(first, {"result": {"value": 7}})
    assert await looked(session, {}, seconds=WAIT_SECONDS) == {"result": {"value": 7}}
    assert max(session.bounds) <= WAIT_SECONDS / 4, "one call does not use up the whole wait"


@pytest.mark.asyncio
async def test_a_page_that_never_replies_ends_the_wait(monkeypatch):
    monkeypatch.setattr(leaving, "LOOK_SECONDS", 0.0)

    class Never:
        async def call(self, method, how, *, seconds):
            await leaving.asyncio.sleep(0)
            raise SILENT

    with pytest.raises(TimeoutError):
        await looked(Never(), {}, seconds=0.05)
