"""Something that runs beside a block and ends with it."""

import asyncio

import pytest

from tabwire.asking.background import beside

pytestmark = pytest.mark.asyncio


async def test_it_runs_until_the_block_ends_and_no_longer():
    began, ended = asyncio.Event(), asyncio.Event()

    async def work():
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with beside(work(), pytest.fail):
        await began.wait()
    assert ended.is_set()


async def test_a_failure_beside_is_told_and_the_block_goes_on():
    told = asyncio.get_running_loop().create_future()

    async def work():
        raise ValueError("odd")

    async with beside(work(), told.set_result):
        assert str(await told) == "odd"
        await asyncio.sleep(0)


async def test_what_the_block_raises_is_raised_as_it_is():
    cause = KeyError("why")
    with pytest.raises(LookupError) as seen:
        async with beside(asyncio.Event().wait(), pytest.fail):
            raise LookupError("mine") from cause
    assert type(seen.value) is LookupError
    assert seen.value.__cause__ is cause


async def test_whoever_is_cancelled_in_the_block_is_cancelled():
    inside = asyncio.Event()

    async def block():
        async with beside(asyncio.Event().wait(), pytest.fail):
            inside.set()
            await asyncio.Event().wait()

    async with asyncio.TaskGroup() as group:
        task = group.create_task(block())
        await inside.wait()
        task.cancel()
    assert task.cancelled()


async def test_a_block_that_never_waits_leaves_no_work_unawaited():
    """Its work never began; Python would complain of it at some later time."""

    async def work():
        pytest.fail("it began")

    waiting = work()
    async with beside(waiting, pytest.fail):
        pass
    assert waiting.cr_frame is None
