"""Runs of an agent told by callbacks, for programs and chats."""

import pytest

import tabwire
from tabwire.hub.agents import events as antigravity_follow
from tabwire.model.agent import AgentProgress

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("profile, source", [("default", "follow"), ("classic", "follow_classic")])
async def test_an_agent_is_followed_by_callbacks(monkeypatch, profile, source):
    async def events(said):
        yield ("window", "baseline")
        yield AgentProgress(1.0, said, 1, "half")
        yield AgentProgress(2.0, said, 1, "half and whole")

    monkeypatch.setattr(antigravity_follow, source, events)
    told = []
    callbacks = tabwire.AgentCallbacks(on_progress=told.append)
    await tabwire.follow_agent(callbacks, "shop", profile=profile)
    assert told == ["half", "half and whole"]


async def test_another_profile_is_refused():
    with pytest.raises(tabwire.TabwireError, match="invalid profile 'slow'"):
        await tabwire.follow_agent(tabwire.AgentCallbacks(), profile="slow")
