"""The stand-alone program: which folder its agent works in, where that is certain, and else not."""

import json

import pytest

from autopilot.cockpit import flying
from tabwire.lab.antigravity import Command, Plan
from tabwire.model.autopilot import Switches

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

COMMANDS = Switches(commands=True)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "work" / "shop"
    made.mkdir(parents=True)
    return made


async def test_a_folder_that_is_shown_whole_is_the_workspace(agent_window, tmp_path, folder):
    desk = await agent_window(str(folder), generation="app", title="Add a total")
    async with flying(desk, tmp_path, COMMANDS) as cockpit:
        await desk.plays(Plan((Command("touch new.txt", cwd=str(folder)),)))
        await cockpit.until(cockpit.came)
        await desk.plays(Plan((Command("touch new.txt", cwd=str(tmp_path)),)))
        (one,) = await cockpit.until(cockpit.asked)
        (driven,) = cockpit.autopilot.windows.values()
        assert driven.seat.name == "shop"
    assert (one.rule, one.workspace) == ("path.outside", "shop")
    assert cockpit.came() == [("ran", "touch new.txt")]


UNSURE = [
    # id, the project as it is shown, where the command runs: in a folder that is called `shop`
    ("a name", "shop", ""),
    ("a name, and a folder of the home", "shop", "~/shop"),
    ("a path that is no folder here", "/no/such/shop", ""),
    ("a name of several words", "My shop", ""),
    ("the root of all", "/", ""),
]


@pytest.mark.parametrize("project, cwd", [c[1:] for c in UNSURE], ids=[c[0] for c in UNSURE])
async def test_a_folder_that_is_not_certain_asks(agent_window, tmp_path, folder, project, cwd):
    desk = await agent_window(project, generation="app")
    async with flying(desk, tmp_path, COMMANDS) as cockpit:
        await desk.plays(Plan((Command("touch new.txt", cwd=cwd or str(folder)),)))
        (one,) = await cockpit.until(cockpit.asked)
    assert one.verdict == "ask"
    assert cockpit.clicked() == []


async def test_the_one_known_folder_of_that_name_is_the_workspace(agent_window, tmp_path, folder):
    kept = tmp_path / "config" / "Antigravity" / "User" / "workspaceStorage" / "x"
    kept.mkdir(parents=True)
    (kept / "workspace.json").write_text(json.dumps({"folder": folder.as_uri()}))
    environment = {"TABWIRE_HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(kept.parents[3])}
    desk = await agent_window("shop", generation="app")
    async with flying(desk, tmp_path, COMMANDS, environment=environment) as cockpit:
        await desk.plays(Plan((Command("touch new.txt", cwd=str(folder)),)))
        await cockpit.until(cockpit.clicked)
    assert cockpit.came() == [("ran", "touch new.txt")]


async def test_another_project_in_the_same_window_is_another_workspace(
    agent_window, tmp_path, folder
):
    other = folder.with_name("other")
    other.mkdir()
    desk = await agent_window(str(folder), generation="app")
    async with flying(desk, tmp_path, COMMANDS) as cockpit:
        await desk.plays(Plan((Command("touch one.txt", cwd=str(folder)),)))
        await cockpit.until(cockpit.clicked)
        for place in ("#lab-project", "[data-project-card] div"):
            await desk.does(f"document.querySelector('{place}').textContent = {str(other)!r}")
        await desk.plays(Plan((Command("touch two.txt", cwd=str(folder)),)))
        (one,) = await cockpit.until(cockpit.asked)
        assert (one.command, one.rule) == ("touch two.txt", "path.outside")
        assert cockpit.clicked() == ["run"]
