"""All windows of a port, in a lab of their own that may be restarted."""

import asyncio
from contextlib import aclosing

import pytest

from monitor.agent.following import Told
from tabwire.browser.agent.windows import PortWindows
from tabwire.lab.antigravity import Pause, Plan, Say, Tool, Window, antigravity_lab
from tabwire.model.agent import AgentAttached, AgentEnded, AgentPhase
from tabwire.monitor.agent.windows import Windows

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]


async def test_two_windows_are_followed_by_name_and_come_back_after_a_restart(chromium):
    windows = [Window("shop"), Window("docs", "2.0", "ja")]
    async with antigravity_lab(windows, browser=chromium, pace=4) as lab:
        every = Windows(PortWindows(lab.port))
        told = Told(every)

        async def tell():
            async with aclosing(every.events()) as events:
                async for event in events:
                    told(event)

        async with asyncio.TaskGroup() as group:
            task = group.create_task(tell())
            for name in ("shop", "docs"):
                await told.until(lambda e, n=name: isinstance(e, AgentPhase) and e.window == n)
            plan = Plan((Tool("Analyzed", "a.py"), Say("Half."), Pause(24), Say("Whole.")))
            await lab.play(lab.windows[0], plan)
            await told.until(lambda e: getattr(e, "text", "") == "Half.")
            await lab.restart()
            await told.until(lambda e: isinstance(e, AgentPhase) and e.phase == "disconnected")
            ended = await told.until(lambda e: isinstance(e, AgentEnded), seconds=40)
            await told.until(lambda e: isinstance(e, AgentAttached) and e.at > ended.at - 40)
            await every.port.look()
            assert len(every.followers) == 2  # each window by one follower, whatever its id
            task.cancel()
    assert (ended.window, ended.phase) == ("shop", "complete")
    assert ended.text == "Half.\n\nWhole."
    assert [one.text for one in ended.log] == ["Analyzed a.py"]
    assert {one.window for one in told.of(AgentAttached)} == {"shop", "docs"}
