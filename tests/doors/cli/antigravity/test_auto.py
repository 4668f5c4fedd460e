"""`tabwire antigravity auto` in a hub of its own: safe steps go on, doubtful ones ask."""

import asyncio
import json

import pytest
import pytest_asyncio

from doors.cli.antigravity.test_command import Terminal
from doors.http.test_agent_events import listening
from kit.hub_process import kill_hub
from tabwire.lab.antigravity import Command, Did, Plan, Say

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

WAIT_SECONDS = 30.0


@pytest_asyncio.fixture
async def terminal(tmp_path, antigravity):
    one = Terminal(tmp_path / "home", TABWIRE_ANTIGRAVITY_PORT=str(antigravity.port))
    assert (await one.says("antigravity", "on", "--yes"))[0] == 0
    yield one
    await one.says("stop")


async def until(look):
    async with asyncio.timeout(WAIT_SECONDS):
        while not (found := await look()):
            await asyncio.sleep(0.2)
        return found


async def test_from_off_to_on_to_a_question_to_a_stop(terminal, agent_window):
    desk = await agent_window("shop")
    run = await desk.plays(
        Plan((Command("git status"), Command("npm publish"), Command("ls"), Say("Done.")))
    )
    await desk.asked()
    code, out, _ = await terminal.says("antigravity", "auto", "status")
    assert (code, out) == (0, "the autopilot is off\n")
    code, _, err = await terminal.says("antigravity", "auto", "on")
    assert code == 2
    assert "commands, edits, permissions, plans, retries, all" in err
    assert (await terminal.says("antigravity", "auto", "on", "everything"))[0] == 2

    code, out, err = await terminal.says("antigravity", "auto", "on", "commands")
    assert code == 0, err
    assert out.startswith("on: commands")
    await desk.lab.until(lambda: [one.command for one in desk.did(Did.RAN)] == ["git status"])

    async def asked():
        code, out, _ = await terminal.says("antigravity", "approvals", "--json")
        found = [json.loads(line) for line in out.splitlines()]
        return found if code == 4 and found else None

    (one,) = await until(asked)
    assert one["command"] == "npm publish"
    code, out, _ = await terminal.says("antigravity", "approve", "nonsense")
    assert code == 1
    assert "nothing was clicked" in out
    code, out, err = await terminal.says("antigravity", "reject", one["id"])
    assert code == 0, out + err
    await run.ended()
    assert [one.command for one in desk.did(Did.RAN)] == ["git status", "ls"]
    assert [one.command for one in desk.did(Did.REJECTED)] == ["npm publish"]

    _, out, _ = await terminal.says("antigravity", "auto", "stats", "--json")
    assert json.loads(out)["session"]["clicks"] == 2
    _, out, _ = await terminal.says("antigravity", "status")
    assert "autopilot: on for commands" in out

    code, out, _ = await terminal.says("antigravity", "auto", "stop")
    assert (code, out) == (0, "stopped; nothing will be clicked\n")
    await desk.plays(Plan((Command("ls -la"),)))
    await desk.asked()
    await asyncio.sleep(1.0)
    assert [one.command for one in desk.did(Did.RAN)] == ["git status", "ls"]


async def test_a_hub_that_is_killed_leaves_it_off_and_that_is_said(
    terminal, agent_window, tmp_path, monkeypatch
):
    home = tmp_path / "home"
    desk = await agent_window("shop")
    said = "was on (commands, edits) until the hub ended at "
    again = "`tabwire antigravity auto on commands edits`"
    code, _, err = await terminal.says("antigravity", "auto", "on", "commands", "edits")
    assert code == 0, err
    await desk.plays(Plan((Command("git status"), Say("One."))))
    await desk.lab.until(lambda: desk.did(Did.RAN))
    await asyncio.to_thread(kill_hub, home)

    async def was_on():
        """What was on when the last hub ended, as programs are told; nothing is on now."""
        _, data, _ = await terminal.says("antigravity", "auto", "status", "--json")
        pilot = json.loads(data)
        assert pilot.get("on", []) == []
        return pilot.get("was_on")

    left = await was_on()  # no hub runs
    assert left["on"] == [{"window": "", "switches": ["commands", "edits"]}]
    (_, out, _), (_, whole, _) = await asyncio.gather(
        terminal.says("antigravity", "auto", "status"), terminal.says("antigravity", "status")
    )
    assert said in out
    assert again in out
    assert f"autopilot: off; it {left['says']}" in whole

    await desk.plays(Plan((Command("ls"),)))
    await desk.asked()
    await until(lambda: is_asked(terminal))  # the next hub runs, and clicks nothing
    assert await was_on() == left
    assert [one.command for one in desk.did(Did.RAN)] == ["git status"]
    monkeypatch.setenv("TABWIRE_HOME", str(home))
    async with listening() as client:
        now = await client.until("now")
    assert now["autopilot"]["was_on"] == left

    assert (await terminal.says("antigravity", "auto", "off"))[:2] == (0, "the autopilot is off\n")
    assert await was_on() is None
    await terminal.says("antigravity", "auto", "on", "plans")
    await asyncio.to_thread(kill_hub, home)
    assert "was on (plans)" in (await was_on())["says"]
    await terminal.says("antigravity", "auto", "off")  # where no hub runs
    said_last = await terminal.says("antigravity", "auto", "status")
    assert said_last[:2] == (0, "the autopilot is off\n")


async def is_asked(terminal):
    code, _, _ = await terminal.says("antigravity", "approvals")
    return code == 4
