"""A window acted in and followed through the hub that has it attached."""

import asyncio
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hub.agents.test_attachments import sockets
from kit.agent_hub import agent_hub_serving
from tabwire.hub.agents.consent import ConsentNeeded, agree, switch
from tabwire.hub.agents.events import as_data
from tabwire.hub.local.agents import LocalWindows
from tabwire.hub.remote import windows as remote_windows
from tabwire.hub.remote.api import Api, HubSaid
from tabwire.hub.remote.connection import LineLost, asked
from tabwire.hub.remote.windows import RemoteWindows
from tabwire.lab.antigravity import Command, Did, Past, Plan, Say, Think, Tool
from tabwire.lab.antigravity.window import MODELS
from tabwire.model.agent import AgentEnded, AgentLost, AgentPhase
from tabwire.model.errors import Retry
from tabwire.model.exits import PARTIAL, USAGE

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

SECONDS = 60.0


@pytest.fixture
def windows():
    return RemoteWindows(Api(start=False))


async def until_attached(desk):
    async with asyncio.timeout(SECONDS):
        while not sockets(desk.lab, desk.window):
            await asyncio.sleep(0.05)


async def followed(windows, until=AgentEnded, told=None):
    """All that is told of the only window, up to such an event; put into `told` as it comes."""
    told = [] if told is None else told
    async with asyncio.timeout(SECONDS), aclosing(windows.follow()) as events:
        async for event in events:
            told.append(event)
            if isinstance(event, until):
                return told
    return told


async def test_everything_is_done_over_the_attachment_of_the_hub(agent_hub, agent_window, windows):
    past = (Past("Fix login", turns=(("Fix it.", "Fixed."),)),)
    desk = await agent_window("shop", past=past, plans=(Plan((Say("Done."),)),))
    await until_attached(desk)
    spot, chosen, names = await windows.choices("model")
    assert (spot.name, chosen) == ("shop", names[0])
    assert (await windows.choose("model", MODELS[1]))[1] == MODELS[1]
    assert set((await windows.choices("mode"))[2]) == {"Fast", "Planning"}
    assert "Fix login" in [one.name for one in (await windows.conversations())[1]]
    assert (await windows.select("Fix login", "shop")).name == "shop"
    spot, sent = await windows.send("More.")
    assert (spot.name, sent.conversation) == ("shop", "Fix login")
    assert [(one.text, one.title) for one in desk.did(Did.PROMPT)] == [("More.", "Fix login")]
    assert (await windows.screenshot())[1].startswith(b"\x89PNG")
    status = await windows.status()
    (row,) = status.windows
    assert (row.spot.name, row.conversation, row.model) == ("shop", "Fix login", MODELS[1])
    assert row.test.recognised
    assert status.as_data()["autopilot"]["windows"][0]["drives"]
    await windows.stop()
    assert (await windows.new_chat(leave_running=True))[1] is True
    assert (await windows.new_chat())[1] is False
    assert len(sockets(desk.lab, desk.window)) == 1


async def test_what_is_told_through_the_hub_is_what_a_watcher_of_its_own_tells(
    agent_hub, agent_window, windows
):
    desk = await agent_window("shop", turns=(("Before?", "Yes."),), title="Fix login")
    await until_attached(desk)
    await desk.ends(await desk.plays(Plan((Say("A run that only the hub saw."),))))
    alone, through = [], []
    following = asyncio.gather(
        followed(LocalWindows(), told=alone), followed(windows, told=through)
    )
    async with asyncio.timeout(SECONDS):
        while not alone or not through:  # both have begun
            await asyncio.sleep(0.05)
    await desk.plays(Plan((Think("Hm."), Tool("Analyzed", "cart.js", "#L1-75"), Say("VAT."))))
    await following
    assert len(sockets(desk.lab, desk.window)) == 2

    def facts(events):
        return [plain(as_data(one, 0.0)) for one in events]

    def phases(events):
        return [one.phase for one in events if isinstance(one, AgentPhase)]

    assert facts(through)[:2] == facts(alone)[:2]
    assert facts(through)[-1] == facts(alone)[-1]
    assert phases(through) == phases(alone)
    assert {one["event"] for one in facts(through)} == {one["event"] for one in facts(alone)}
    times = [one.at for one in through]
    assert times == sorted(times)
    assert abs(times[-1] - alone[-1].at) < 1.0


def plain(data):
    """Without what differs between two watchers: times, and how often a row was seen growing."""
    facts = {name: value for name, value in data.items() if name != "seconds"}
    if "log" in facts:
        rows = facts["log"]
        facts["log"] = [{**row, "revision": None} for row in rows]
    return facts


async def test_a_prompt_whose_response_was_lost_is_not_sent_again(
    agent_hub, agent_window, windows, monkeypatch
):
    desk = await agent_window("shop", plans=(Plan((Say("Done."),)),))
    await until_attached(desk)

    async def lost(method, path, body=b"", *, held=0.0):
        await asked(method, path, body, held=held)
        raise LineLost

    monkeypatch.setattr(remote_windows, "asked", lost)
    with pytest.raises(remote_windows.PromptMaybeSent, match="cannot tell whether") as said:
        await windows.send("Once.")
    assert (said.value.retry, said.value.exit_code) == (Retry.RESUME, PARTIAL)
    assert [one.text for one in desk.did(Did.PROMPT)] == ["Once."]
    with pytest.raises(Exception, match="before it confirmed"):
        await windows.stop()
    spot, _ = await windows.conversations()  # only looks: is done again from here
    assert (spot.name, len(sockets(desk.lab, desk.window))) == ("shop", 2)


async def test_files_are_those_of_the_callers_folder(
    agent_hub, agent_window, windows, tmp_path, monkeypatch
):
    desk = await agent_window("shop", plans=(Plan((Say("Done."),)),))
    await until_attached(desk)
    here = tmp_path / "here"
    here.mkdir()
    (here / "a.txt").write_text("a")
    asked_for = []

    async def spied(method, path, body=b"", *, held=0.0):
        asked_for.append(body)
        return await asked(method, path, body, held=held)

    monkeypatch.setattr(remote_windows, "asked", spied)
    monkeypatch.chdir(here)
    _, sent = await windows.send("Read it.", files=[Path("a.txt")])
    assert sent.files == ("a.txt",)
    assert str(here / "a.txt").encode() in asked_for[0]


async def test_an_error_of_the_hub_is_the_error_of_the_command(agent_hub, agent_window, windows):
    await agent_window("shop")
    with pytest.raises(HubSaid, match="no single Antigravity window is named 'docs'") as said:
        await windows.stop("docs")
    assert (said.value.exit_code, said.value.retry) == (USAGE, Retry.NO)
    assert "'shop'" in said.value.what_to_do
    with pytest.raises(HubSaid, match="no single Antigravity window"):
        await anext(windows.follow("docs"))
    with pytest.raises(HubSaid, match="there is no conversation named 'x'"):
        await windows.select("x")


OTHERS = [("TABWIRE_HUB", "off"), ("TABWIRE_ANTIGRAVITY_QUOTA", "on")]


@pytest.mark.parametrize("name, value", OTHERS, ids=[one[0] for one in OTHERS])
async def test_who_goes_by_other_settings_reaches_the_window_by_itself(
    agent_hub, agent_window, windows, monkeypatch, name, value
):
    desk = await agent_window("shop")
    await until_attached(desk)
    real = remote_windows.settings

    def other():
        monkeypatch.setenv(name, value)
        try:
            return real()
        finally:
            monkeypatch.delenv(name)

    monkeypatch.setattr(remote_windows, "settings", other)
    assert (await windows.stop())[1] is False
    assert len(sockets(desk.lab, desk.window)) == 2


async def test_without_a_hub_a_window_is_reached_from_here(agent_home, agent_window, windows):
    with pytest.raises(ConsentNeeded):
        await windows.stop()
    agree(datetime.now(UTC))
    desk = await agent_window("shop")
    assert (await windows.stop())[1] is False
    assert len(sockets(desk.lab, desk.window)) == 1


async def test_switched_off_means_followed_no_more(agent_hub, agent_window, windows):
    desk = await agent_window("shop")
    await until_attached(desk)
    async with asyncio.timeout(SECONDS), aclosing(windows.follow()) as events:
        await anext(events)
        switch(False)
        with pytest.raises(ConsentNeeded):
            async for _ in events:
                pass


async def test_a_window_is_given_up_when_the_watcher_says(agent_hub, agent_window, monkeypatch):
    """The hub itself waits for longer."""
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_LOST_SECONDS", "1")
    desk = await agent_window("shop")
    await until_attached(desk)
    windows, told = RemoteWindows(Api(start=False)), []
    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as group:
        group.create_task(followed(windows, AgentLost, told))
        while not told:  # it has begun
            await asyncio.sleep(0.05)
        await desk.lab.close(desk.window)
    assert told[-2].phase == "disconnected"
    assert 1.0 <= told[-1].after_seconds < 5.0


async def test_a_hub_that_ends_in_a_run_leaves_the_watcher_with_the_run(
    agent_home, agent_window, windows
):
    agree(datetime.now(UTC))
    desk = await agent_window("shop")
    told = []

    async def follow():
        async with asyncio.timeout(SECONDS), aclosing(windows.follow()) as events:
            async for event in events:
                told.append(event)
                if isinstance(event, AgentEnded):
                    return

    async def until(so):
        async with asyncio.timeout(SECONDS):
            while not so():
                await asyncio.sleep(0.05)

    async with asyncio.TaskGroup() as group:
        async with agent_hub_serving():
            await until_attached(desk)
            group.create_task(follow())
            await until(lambda: told)
            await desk.plays(Plan((Say("Half."), Command("ls"), Say("Whole."))))
            await until(lambda: "waiting_approval" in phases(told))
        await until(lambda: "disconnected" in phases(told))
        before = len(told)
        await until(lambda: len(told) > before)
        await desk.presses_text("Reject")
    assert {one.run for one in told if isinstance(one, AgentPhase)} == {1}
    assert (told[-1].phase, told[-1].lost) == ("complete", False)
    assert "Whole." in told[-1].text


def phases(told):
    return [one.phase for one in told if isinstance(one, AgentPhase)]
