"""Whoever gives up waiting stops only waiting."""

import asyncio

import anyio
import pytest

from hub.jobs.job_hub import ME, WHY, home, hub, site, waited
from tabwire.hub.jobs.jobs import to_the_end
from tabwire.model.job import JobState

__all__ = ["home", "hub", "site"]

pytestmark = pytest.mark.asyncio


async def test_what_is_begun_ends_although_nobody_waits_for_it_any_more():
    done = asyncio.Event()

    async def doing():
        for _ in range(3):
            await asyncio.sleep(0)
        done.set()

    with anyio.CancelScope() as gives_up:
        gives_up.cancel()
        await to_the_end(doing())
    assert gives_up.cancelled_caught
    async with asyncio.timeout(60):
        await done.wait()


async def test_an_error_reaches_whoever_still_waits():
    async def fails():
        raise KeyError("it")

    with pytest.raises(KeyError):
        await to_the_end(fails())


async def test_a_job_is_carried_out_although_its_client_gave_up_handing_it_in(hub, site):
    with anyio.CancelScope() as gives_up:
        gives_up.cancel()
        await hub.jobs.submit([WHY], ME)
    assert gives_up.cancelled_caught
    await site.until_asked(1)
    site.may_answer.set()
    (job,) = await hub.jobs.recent(1)
    assert (await waited(hub, job)).state is JobState.COMPLETED
