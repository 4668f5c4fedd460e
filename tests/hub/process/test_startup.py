"""A hub that is still being opened: what is asked of it waits, and is answered then."""

import asyncio
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest

from kit.mcp_jobs import scripted_hub
from tabwire.config.settings import Settings
from tabwire.hub.local.hub import LocalHub
from tabwire.hub.process.startup import hub_to_be
from tabwire.model.ask import AskRequest
from tabwire.model.errors import BadChoice
from tabwire.model.job import Asker, Door, JobState

pytestmark = pytest.mark.asyncio


async def test_what_is_asked_early_is_answered_when_the_hub_is_there():
    real = asyncio.get_running_loop().create_future()
    hub, there = hub_to_be(Settings(lanes=7), real), scripted_hub()
    assert hub.settings.lanes == 7
    asker = Asker("me", Door.MCP)

    async def told(job_id):
        return [one.kind async for one in hub.jobs.news(job_id, after=0)]

    async with asyncio.TaskGroup() as group:
        handed_in = group.create_task(hub.jobs.submit([AskRequest("grok", "now")], asker))
        listening = group.create_task(told("job-1"))
        session = group.create_task(hub.sessions.touch("me", client="x"))
        impatient = group.create_task(hub.jobs.recent())
        await asyncio.sleep(0)
        assert not any(one.done() for one in (handed_in, listening, session, impatient))
        impatient.cancel()  # whoever leaves takes nothing from the others
        await asyncio.sleep(0)
        real.set_result(there)
        (job,) = await handed_in
    assert job.state is JobState.COMPLETED
    assert session.result().client == "x"
    assert listening.result() == ["answer"]
    assert await hub.jobs.job(job.id) == job


async def test_browsers_are_reached_over_the_lines_of_the_hub_that_is_to_be():
    used, real = [], asyncio.get_running_loop().create_future()

    class Lines:
        async def serves(self, said, *, only_running):
            return (said, only_running) == (None, False)

        @asynccontextmanager
        async def line(self, said=None):
            used.append(said)
            raise BadChoice("reached")
            yield

        async def tabs_in_use(self):
            return ["a tab"]

    hub = hub_to_be(Settings(), real)
    async with asyncio.TaskGroup() as group:
        tabs = group.create_task(hub.browsers.tabs_in_use())
        looking = group.create_task(reached_as_told(hub))
        await asyncio.sleep(0)
        assert not any(one.done() for one in (tabs, looking))
        real.set_result(LocalHub(lines=Lines()))
    assert tabs.result() == ("a tab",)
    assert (looking.result(), used) == ("reached", [None])


async def reached_as_told(hub):
    """What came of wanting a page of the hub's browser."""
    with pytest.raises(BadChoice) as told:
        await hub.browsers.dom("grok", "p")
    return str(told.value)


async def test_what_no_part_has_is_not_made_up():
    hub = hub_to_be(Settings(), asyncio.get_running_loop().create_future())
    with pytest.raises(AttributeError):
        hub.jobs._private  # noqa: B018


async def test_the_doors_are_there_before_anything_of_the_store_is_imported():
    heavy = ("sqlalchemy", "dbos", "tabwire.hub.jobs.jobs", "tabwire.browser.tabs")
    program = (
        "import sys, tabwire.doors.http.serving, tabwire.doors.mcp.server\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert out == b"[]\n"
