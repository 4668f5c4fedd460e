"""That something changed: nobody who saw less than there is waits, and everybody is woken."""

import asyncio

import pytest

from tabwire.hub.changes import Changes

pytestmark = pytest.mark.asyncio


async def test_whoever_saw_all_waits_for_the_next_and_whoever_did_not_does_not():
    changes = Changes()
    waiting = [asyncio.get_running_loop().create_task(changes.after(0)) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(one.done() for one in waiting)
    changes.one()
    assert [await one for one in waiting] == [1, 1, 1]
    changes.one()
    changes.one()
    assert await changes.after(1) == 3
    last = asyncio.get_running_loop().create_task(changes.after(3))
    await asyncio.sleep(0)
    assert not last.done()
    changes.one()
    assert await last == 4
