"""Stop, from every door: after it nothing is clicked in an agent's panel by itself."""

import json

import pytest

from kit.agent_hub import agent_hub_serving
from kit.dashboard import LIVE, press, tab_at, text_of, until
from kit.extension import value_of
from kit.mcp_clients import client_of, serving
from tabwire.hub.remote.connection import asked
from tabwire.lab.antigravity import Command, Did, Plan, Say
from tabwire.model.autopilot import Act, Switches

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

STOP = "/api/v1/antigravity/autopilot/stop"


async def by_http(_hub, _browser, _place):
    status, _ = await asked("POST", STOP, b'{"why": "enough"}')
    assert status == 200


async def by_mcp(hub, _browser, place):
    path = place / "halt.sock"
    async with serving(hub, path), client_of(path) as client:
        result = await client.call_tool("stop_autopilot", {"why": "enough"})
    assert not result.is_error
    assert result.structured_content["on"] == []


async def by_dashboard(_hub, browser, _place):
    _, body = await asked("POST", "/api/v1/dashboard", b"{}")
    async with tab_at(browser, json.loads(body)["url"]) as page:
        await until(page, LIVE)
        assert "On: commands" in await text_of(page, "#autopilot_state")
        await press(page, "#halt")
        await until(page, "document.querySelector('#halt').hidden")
        assert "Off" in await text_of(page, "#autopilot_state")


@pytest.mark.parametrize("stops", [by_http, by_mcp, by_dashboard])
async def test_whoever_stops_it_nothing_is_clicked_any_more(
    agent_hub, agent_window, browser_url, agent_home, stops
):
    desk = await agent_window("shop")
    pilot = agent_hub.agents.autopilot.autopilot
    await pilot.on(Switches(commands=True))
    run = await desk.plays(Plan((Command("git status"), Say("One."))))
    await run.ended()  # it was clicked: the autopilot works here
    await stops(agent_hub, browser_url, agent_home)
    await desk.plays(Plan((Command("ls"), Say("Two."))))
    await desk.asked()
    lines = await pilot.audit()
    assert Act.PANIC in [line.act for line in lines]
    assert (await agent_hub.agents.autopilot.state()).on == ()
    assert [one.command for one in desk.did(Did.RAN)] == ["git status"]


async def test_the_dashboard_shows_what_waits_with_its_command_and_verdict(
    agent_hub, agent_window, browser_url
):
    desk = await agent_window("shop")
    hostile = "npm publish --tag '<img src=x onerror=alert(1)>'"
    await desk.plays(Plan((Command(hostile), Say("Done."))))
    _, body = await asked("POST", "/api/v1/dashboard", b"{}")
    async with tab_at(browser_url, json.loads(body)["url"]) as page:
        await until(page, LIVE)
        await until(page, "document.querySelector('#waiting code')")
        assert await text_of(page, "#waiting code") == hostile
        seen = await text_of(page, "#waiting")
        assert "asks you" in seen
        assert "tabwire antigravity approve" in seen
        assert not await value_of(page, "document.querySelectorAll('#waiting img').length")
        await desk.presses_text("Reject")
        await until(page, "document.querySelector('#waiting .none')")


async def test_without_the_persons_word_the_dashboard_says_nothing_of_it(agent_home, browser_url):
    async with agent_hub_serving():
        _, body = await asked("POST", "/api/v1/dashboard", b"{}")
        async with tab_at(browser_url, json.loads(body)["url"]) as page:
            await until(page, LIVE)
            assert await value_of(page, "document.querySelector('#autopilot').hidden")
