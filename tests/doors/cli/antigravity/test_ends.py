"""How a run of Antigravity ended, as a person's terminal and programs are told."""

import asyncio
import json

import pytest
import pytest_asyncio

from doors.cli.antigravity.test_command import RUN_SECONDS, Terminal, watched
from tabwire.doors.cli.antigravity.watch import exit_of
from tabwire.lab.antigravity import Busy, Fail, Plan, Quota, Say, Stall, Tool
from tabwire.model.agent import AgentEnded

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]


@pytest_asyncio.fixture
async def terminal(tmp_path, antigravity):
    one = Terminal(tmp_path / "home", TABWIRE_ANTIGRAVITY_PORT=str(antigravity.port))
    code, _, err = await one.says("antigravity", "on", "--yes")
    assert code == 0, err
    return one


CODES = [
    ("complete", {}, 0),
    ("complete", {"quota": True}, 5),
    ("failed", {"error": "x"}, 1),
    ("failed", {"error": "x", "quota": True}, 5),
    ("timeout", {}, 3),
    ("timeout", {"lost": True}, 7),
    ("quota_reached", {"quota": True}, 5),
    ("stopped", {}, 6),
    ("stopped", {"quota": True}, 6),
]


@pytest.mark.parametrize("phase, more, code", CODES)
async def test_every_end_has_its_code(phase, more, code):
    assert exit_of(AgentEnded(0.0, "w", 1, phase, "text", **more)) == code


ENDINGS = [
    # id, plan, exit code, phase, more of the last event
    ("an error popup", Plan((Say("Half."), Fail())), 1, "failed", {"quota": False}),
    ("a limit after words", Plan((Say("Half."), Quota())), 5, "complete", {"quota": True}),
    ("busy servers", Plan((Tool("Analyzed", "a.js"), Busy())), 1, "failed", {"quota": False}),
]


@pytest.mark.parametrize(
    "plan, exits, phase, more", [c[1:] for c in ENDINGS], ids=[c[0] for c in ENDINGS]
)
@pytest.mark.rows(1, first=2)
async def test_once_leaves_with_the_code_of_how_it_ended(
    terminal, agent_window, plan, exits, phase, more
):
    desk = await agent_window("shop")
    code, out, err = await watched(terminal, desk, plan, "--json")
    ended = json.loads(out.splitlines()[-1])
    assert (code, ended["phase"]) == (exits, phase), err
    assert {name: ended[name] for name in more} == more


async def test_a_run_that_is_stopped_has_a_code_of_its_own(terminal, agent_window):
    desk = await agent_window("shop")
    process = await terminal.start("watch", "antigravity", "--once")
    await asyncio.wait_for(process.stdout.readline(), RUN_SECONDS)
    await desk.plays(Plan((Say("Half."), Stall())))
    await desk.sees("document.body.innerText.includes('Half.')")
    _, out, _ = await terminal.says("antigravity", "stop", "--json")
    assert json.loads(out)["stopped"] is True
    async with asyncio.timeout(RUN_SECONDS):
        out, err = await process.communicate()
    assert process.returncode == 6, err
    assert "stopped! finalTextLen=5" in out.decode()
    assert "complete!" not in out.decode()


@pytest.mark.parametrize("options", [("--json",), ()])
@pytest.mark.rows(1, first=1)
async def test_a_window_that_stays_away_is_given_up(terminal, agent_window, options):
    desk = await agent_window("shop")
    terminal.environment["TABWIRE_ANTIGRAVITY_LOST_SECONDS"] = "1"
    process = await terminal.start("watch", "antigravity", *options)
    await asyncio.wait_for(process.stdout.readline(), RUN_SECONDS)
    await desk.lab.close(desk.window)
    async with asyncio.timeout(RUN_SECONDS):
        out, err = await process.communicate()
    assert process.returncode == 7, err
    last = out.decode().splitlines()[-1]
    if options:
        assert json.loads(last)["event"] == "lost"
    else:
        assert "shop: the window did not come back within 1" in last
        assert "antigravity_lost_seconds" in last


async def test_a_window_without_a_panel_is_told(terminal, agent_window):
    await agent_window("shop", panel=False)
    code, out, _ = await terminal.says("watch", "antigravity", "--for", "4")
    assert code == 0
    assert "no agent panel is open in it; open it with Ctrl+L" in out
