"""One attachment per window, whoever follows it, drives it and sends in it."""

import asyncio
import time

import pytest

from autopilot.cockpit import Cockpit
from hub.agents.test_agents import MODEL, Account, Hub, allowed, cut_by_a_limit
from tabwire.hub.agents.agents import Agents
from tabwire.hub.agents.autopilot.autopilot import Autopilot
from tabwire.model.autopilot import Drives
from tabwire.monitor.agent_quota import QuotaState
from tabwire.monitor.agent_quota_watch import Continued
from tabwire.store.opening import opened

__all__ = ["allowed"]

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]


def sockets(lab, window):
    """How often somebody has connected to the page of this window."""
    target = lab.target(window)
    return [one for one in lab.gate.asked if one.path.endswith(target) and not one.method]


async def test_following_driving_and_sending_share_one_attachment(
    allowed, antigravity, agent_window, tmp_path
):
    desk = await agent_window("shop", model=MODEL)
    async with opened(tmp_path / "tabwire.db") as store:
        cockpit = Cockpit(desk, store)
        account = Account()
        pilot = Autopilot(store.autopilot, tell=cockpit.hear, lock_folder=tmp_path)
        agents = Agents(read=account.read, drive=pilot.run)
        with agents.board.listening() as news:
            async with asyncio.TaskGroup() as group:
                following = group.create_task(agents.follow_port(antigravity.port))
                hub = Hub(agents, account, news)
                await cut_by_a_limit(hub, desk)
                await cockpit.until(lambda: cockpit.of(Drives))
                await hub.turns(QuotaState.EXHAUSTED)
                agents.clock = lambda: time.time() + 1000
                await hub.turns(QuotaState.AVAILABLE)
                told = await hub.until(Continued)
                following.cancel()
    assert told.sent
    assert len(sockets(antigravity, desk.window)) == 1
