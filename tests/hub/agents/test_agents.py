"""The hub follows Antigravity's agents: events, quota, and `Continue` at most once per reset."""

import asyncio
import time
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from tabwire.config.settings import settings
from tabwire.hub.agents import agents as antigravity_agents
from tabwire.hub.agents.agents import Agents, why_not
from tabwire.hub.agents.consent import agree, switch
from tabwire.lab.antigravity import Did, Plan, Quota, Say, Stall
from tabwire.lab.antigravity.window import MODELS
from tabwire.model.agent import AgentAttached, AgentEnded, AgentPhase, Card, Panel, TurnSeen
from tabwire.monitor.agent_quota import Allowance, ModelQuota, QuotaState
from tabwire.monitor.agent_quota import Quota as Left
from tabwire.monitor.agent_quota_watch import Continued, QuotaBack, QuotaChanged

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

MODEL = MODELS[0]
ANSWER = Plan((Say("Done."),))


@pytest.fixture
def allowed(tmp_path, monkeypatch, antigravity):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_QUOTA", "on")
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_AUTO_CONTINUE", "on")
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_PORT", str(antigravity.port))
    agree(datetime.now(UTC))


class Account:
    """What the language server would say."""

    def __init__(self):
        self.state = QuotaState.AVAILABLE

    async def read(self):
        spent = self.state is QuotaState.EXHAUSTED
        quota = Left(self.state, 0.0 if spent else 0.5, 5000.0 if spent else None)
        return Allowance((ModelQuota(MODEL, "m", quota),))


class Hub:
    def __init__(self, agents, account, news):
        self.agents, self.account, self._news = agents, account, news
        self.heard = []

    async def until(self, kind, so=lambda _event: True):
        async with asyncio.timeout(20):
            for event in self.heard:
                if isinstance(event, kind) and so(event):
                    return event
            async for event in self._news:
                self.heard.append(event)
                if isinstance(event, kind) and so(event):
                    return event
        raise AssertionError

    async def turns(self, state):
        self.account.state = state
        await self.agents.poll()


@pytest_asyncio.fixture
async def hub(allowed, antigravity):
    account = Account()
    agents = Agents(read=account.read)
    with agents.board.listening() as news:
        async with asyncio.TaskGroup() as group:
            following = group.create_task(agents.follow_port(antigravity.port))
            yield Hub(agents, account, news)
            following.cancel()


def prompts(desk):
    return [one.text for one in desk.did(Did.PROMPT)]


async def test_what_happens_in_a_window_is_published(hub, agent_window):
    desk = await agent_window("published")
    await hub.until(AgentAttached, lambda event: event.window == "published")
    await desk.plays(ANSWER)
    ended = await hub.until(AgentEnded)
    assert (ended.window, ended.phase, ended.text) == ("published", "complete", "Done.")
    assert hub.agents.board.phases["published"] == "complete"


async def cut_by_a_limit(hub, desk):
    await hub.until(AgentAttached)
    await desk.plays(Plan((Say("The first half of"), Quota("inline"))))
    await hub.until(AgentEnded)


@pytest.mark.soak
async def test_continue_is_sent_once_for_each_reset(hub, agent_window):
    """S2-051."""
    desk = await agent_window("shop", model=MODEL)
    await cut_by_a_limit(hub, desk)
    await hub.turns(QuotaState.EXHAUSTED)
    assert hub.agents.blocks(MODEL)
    assert not hub.agents.blocks(MODELS[1])
    hub.agents.clock = lambda: time.time() + 1000  # the banner is old by now
    await hub.turns(QuotaState.AVAILABLE)
    told = await hub.until(Continued)
    assert (told.window, told.sent, told.why) == ("shop", True, "")
    for _ in range(3):
        await hub.turns(QuotaState.AVAILABLE)
    assert prompts(desk) == ["Continue"]


@pytest.mark.soak
async def test_nothing_is_sent_while_something_runs(hub, agent_window):
    desk = await agent_window("shop", model=MODEL)
    await hub.until(AgentAttached)
    await hub.turns(QuotaState.EXHAUSTED)
    await desk.plays(Plan((Stall(),)))
    await hub.until(AgentPhase, lambda event: event.phase == "thinking")
    await hub.turns(QuotaState.AVAILABLE)
    told = await hub.until(Continued)
    assert (told.sent, told.why) == (False, "the agent is already working")
    assert prompts(desk) == []


@pytest.mark.soak
async def test_the_queue_is_asked_first(hub, agent_window):
    desk = await agent_window("shop", model=MODEL)
    await cut_by_a_limit(hub, desk)
    taken = []

    async def queue(event):
        taken.append(event.model)
        return True

    hub.agents.on_back.append(queue)
    hub.agents.clock = lambda: time.time() + 1000
    await hub.turns(QuotaState.AVAILABLE)
    await hub.until(QuotaBack)
    assert taken == [MODEL]
    assert prompts(desk) == []


@pytest.mark.soak
async def test_without_the_setting_nothing_is_sent(hub, agent_window, monkeypatch):
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_AUTO_CONTINUE", "off")
    desk = await agent_window("shop", model=MODEL)
    await cut_by_a_limit(hub, desk)
    hub.agents.clock = lambda: time.time() + 1000
    await hub.turns(QuotaState.AVAILABLE)
    await hub.until(QuotaBack)
    assert prompts(desk) == []


@pytest.mark.soak
async def test_a_banner_of_the_panel_is_told_with_its_model(hub, agent_window):
    desk = await agent_window("shop", model=MODEL)
    await hub.until(AgentAttached)
    await desk.plays(Plan((Quota(),)))
    changed = await hub.until(QuotaChanged)
    assert (changed.model, changed.quota.state, changed.by) == (
        MODEL,
        QuotaState.EXHAUSTED,
        "banner",
    )


@pytest.mark.soak
async def test_off_is_off_at_once(allowed, agent_window, monkeypatch):
    monkeypatch.setattr(antigravity_agents, "ALLOWED_SECONDS", 0.05)
    desk = await agent_window("shop")
    agents = Agents(read=Account().read)
    with agents.board.listening() as news:
        async with asyncio.TaskGroup() as group:
            running = group.create_task(agents.run())
            hub = Hub(agents, None, news)
            await hub.until(AgentAttached, lambda event: event.window == "shop")
            switch(False)
            assert settings().antigravity == "off"
            await asyncio.sleep(0.5)
            assert agents._ports == {}
            run = await desk.plays(ANSWER)
            await run.ended()
            running.cancel()
    assert all(not isinstance(one, AgentEnded) for one in hub.heard)


def panel(**said):
    return Panel(**{"panel": True, "model": MODEL, "turns": (TurnSeen(1),), **said})


WHY = [
    # id, the panel, whether its last run is known to be whole, why not
    ("cut short", panel(), False, ""),
    ("another model", panel(model="Else"), False, "this window uses Else"),
    ("no model", panel(model=""), False, "this window uses a model whose name cannot be read"),
    ("at work", panel(stop=True), False, "the agent is already working"),
    (
        "asks",
        panel(cards=(Card("1", "command", "", ""),)),
        False,
        "the agent is waiting for a decision",
    ),
    ("empty", panel(turns=()), False, "there is nothing to continue"),
    ("whole", panel(), True, "its last run was completed"),
]


@pytest.mark.parametrize("shown, finished, why", [c[1:] for c in WHY], ids=[c[0] for c in WHY])
async def test_why_continue_would_be_wrong(shown, finished, why):
    assert why_not(shown, MODEL, finished=finished) == why
