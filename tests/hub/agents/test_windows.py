"""Windows by name, events as JSON, and the start of the program."""

import sys
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from hub.agents.test_consent import NOW
from tabwire.hub.agents import launch as antigravity_start
from tabwire.hub.agents.consent import agree
from tabwire.hub.agents.events import EVENTS, Heard, as_data
from tabwire.hub.agents.launch import NotStarted, command, find_program, open_antigravity
from tabwire.hub.agents.status import missing_parts, phase_of
from tabwire.hub.agents.windows import NoSuchWindow, Spot, meant
from tabwire.model.agent import (
    AgentLog,
    Card,
    LogEntry,
    OpenTurn,
    PackHealth,
    Panel,
    PartHealth,
    Row,
    RowKind,
    SelfTest,
)
from tabwire.model.autopilot import Halted
from tabwire.sites.antigravity.page import Place, Window


def spot(name, workspace, number, place=Place.EDITOR):
    return Spot(9004, Window(number, name, "", "", place, "ws://x", workspace))


SHOP, DOCS = spot("shop", "shop", "A1"), spot("docs", "docs", "B2")
MANAGER = spot("Manager", "Manager", "C3", Place.MANAGER)
TWINS = (spot("shop #A1", "shop", "A1"), spot("shop #D4", "shop", "D4"))

MEANT = [
    # id, the windows, what was said, which is meant
    ("the only one", (SHOP,), "", SHOP),
    ("by name", (SHOP, DOCS), "docs", DOCS),
    ("by id", (SHOP, DOCS), "A1", SHOP),
    ("alone beside the manager", (SHOP, MANAGER), "", SHOP),
    ("the manager alone", (MANAGER,), "", MANAGER),
    ("a twin by its whole name", TWINS, "shop #D4", TWINS[1]),
    ("nobody said which", (SHOP, DOCS), "", None),
    ("two of that workspace", TWINS, "shop", None),
    ("unknown", (SHOP,), "shopp", None),
    ("only its beginning", (SHOP,), "sh", None),
]


@pytest.mark.parametrize("spots, said, which", [c[1:] for c in MEANT], ids=[c[0] for c in MEANT])
def test_a_window_is_meant_by_its_name_or_not_at_all(spots, said, which):
    if which is not None:
        assert meant(spots, said) is which
        return
    with pytest.raises(NoSuchWindow) as raised:
        meant(spots, said)
    assert repr(spots[0].name) in raised.value.what_to_do


def test_every_event_has_a_name_and_is_plain_json():
    assert set(EVENTS) == set(get_args(Heard))
    assert len(set(EVENTS.values())) == len(EVENTS)
    entry = LogEntry("1.1", RowKind.COMMAND, "$ ls", command="ls", exit_code=0)
    told = as_data(AgentLog(12.5, "shop", 1, (entry,)), 10.0)
    assert (told["event"], told["seconds"], told["window"]) == ("log", 2.5, "shop")
    assert told["entries"][0]["kind"] == "command"
    assert set(told["entries"][0]) == {one.name for one in fields(LogEntry)}
    assert as_data(Halted("", "said so"), 0.0)["why"] == "said so"


def panel(**said):
    return Panel(**{"panel": True, **said})


PROSE = OpenTurn(1, "ask", (Row(1, RowKind.PROSE, text="x"),))
PHASES = [
    # id, the panel, its phase
    ("no panel", Panel(), ""),
    ("still", panel(), "waiting"),
    ("at work", panel(stop=True), "thinking"),
    ("speaking", panel(stop=True, open=(PROSE,)), "generating"),
    ("asking", panel(stop=True, cards=(Card("1", "command", "", ""),)), "waiting_approval"),
    ("an error is no question", panel(cards=(Card("1", "error", "", ""),)), "waiting"),
    ("used up", panel(quota=("quota reached",)), "quota_reached"),
]


@pytest.mark.parametrize("shown, phase", [c[1:] for c in PHASES], ids=[c[0] for c in PHASES])
def test_one_look_tells_a_phase(shown, phase):
    assert phase_of(shown) == phase


def health(*found):
    parts = tuple(
        PartHealth(name, "x", int(name in found), 1, 1)
        for name in ("root", "turns", "composer", "user", "prose", "stop")
    )
    return SelfTest("", True, "one", True, (PackHealth("one", parts),))


PARTS = [
    ("all there", health("root", "turns", "composer", "user", "prose"), ()),
    ("an empty conversation", health("root", "composer"), ()),
    ("no composer", health("root"), ("composer",)),
    ("a turn that cannot be read", health("root", "turns", "composer", "user"), ("prose",)),
]


@pytest.mark.parametrize("test, missing", [c[1:] for c in PARTS], ids=[c[0] for c in PARTS])
def test_only_parts_that_should_be_there_are_missed(test, missing):
    assert missing_parts(test) == missing


# --- starting it ----------------------------------------------------------------------------


def test_folders_are_arguments_whatever_they_are_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folders = [Path("$(touch pwned)"), Path("-x")]
    said = command("/usr/bin/antigravity", 9004, folders)
    assert said[:2] == ["/usr/bin/antigravity", "--remote-debugging-port=9004"]
    assert said[2:] == [str(tmp_path / "$(touch pwned)"), str(tmp_path / "-x")]


def test_a_program_is_looked_for_where_the_setting_says(tmp_path):
    program = tmp_path / "antigravity"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert find_program(str(program)) == str(program)
    assert find_program("", {"PATH": str(tmp_path)}) == str(program)
    with pytest.raises(NotStarted, match="is not a program"):
        find_program(str(tmp_path / "none"))
    with pytest.raises(NotStarted, match="was not found"):
        find_program("", {"PATH": str(tmp_path / "none")})


@pytest.fixture
def allowed(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    agree(NOW)


@pytest.mark.asyncio
async def test_one_that_never_listens_is_said_with_what_helps(allowed, tmp_path, monkeypatch):
    program, seen = tmp_path / "antigravity", tmp_path / "seen"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {seen}\n')
    program.chmod(0o755)
    monkeypatch.setattr(antigravity_start, "START_SECONDS", 1.0)
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_PROGRAM", str(program))
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_PORT", "1")
    with pytest.raises(ValueError, match="is not a port"):
        await open_antigravity()
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_PORT", "9")
    monkeypatch.setattr(antigravity_start, "checked_port", lambda port: port)
    with pytest.raises(NotStarted, match="nothing is listening on port 9") as said:
        await open_antigravity()
    assert "quit it" in said.value.what_to_do
    assert seen.read_text() == "--remote-debugging-port=9\n"


@pytest.mark.asyncio
@pytest.mark.xdist_group("browser")
async def test_one_that_listens_is_not_started_again(
    allowed, agent_window, antigravity, monkeypatch
):
    await agent_window("shop")
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_PORT", str(antigravity.port))
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_PROGRAM", sys.executable)
    opened = await open_antigravity()
    assert not opened.started
    assert [one.name for one in opened.windows] == ["shop"]
