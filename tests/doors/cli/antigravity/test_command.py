"""`tabwire antigravity` as a person runs it, against the replica."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE

import pytest
import pytest_asyncio

from hub.agents.test_attachments import sockets
from kit.hub_process import environment
from tabwire.doors.cli.app import GROUPS
from tabwire.hub.agents.consent import SENTENCE
from tabwire.lab.antigravity import Command, Did, Past, Plan, Say, Think, Tool
from tabwire.lab.antigravity.language_server import language_server
from tabwire.lab.antigravity.window import MODELS

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

RUN_SECONDS = 60.0
TASK = Plan(
    (
        Think("I look at the cart."),
        Tool("Analyzed", "cart.js", "#L1-75"),
        Command("npm test", ask=False, output="12 passing"),
        Say("The total now includes VAT."),
    )
)


class Terminal:
    def __init__(self, home, **said):
        self.environment = environment(home, **said)
        self.folder = home.parent

    async def start(self, *arguments):
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tabwire",
            *arguments,
            env=self.environment,
            stdin=DEVNULL,
            cwd=self.folder,
            stdout=PIPE,
            stderr=PIPE,
        )

    async def says(self, *arguments):
        """(exit code, stdout, stderr)"""
        process = await self.start(*arguments)
        async with asyncio.timeout(RUN_SECONDS):
            out, err = await process.communicate()
        return process.returncode, out.decode(), err.decode()


@pytest.fixture
def fresh(tmp_path):
    """Nobody agreed to anything."""
    return Terminal(tmp_path / "home", TABWIRE_ANTIGRAVITY_PORT="1")


@pytest_asyncio.fixture
async def terminal(tmp_path, antigravity):
    """Switched on, and pointed at the replica's port."""
    one = Terminal(tmp_path / "home", TABWIRE_ANTIGRAVITY_PORT=str(antigravity.port))
    code, _, err = await one.says("antigravity", "on", "--yes")
    assert code == 0, err
    return one


ARGUMENTS = {"send": ["x"], "select": ["x"], "approve": ["x"], "reject": ["x"], "auto": ["stats"]}
NEED_NONE = {"on", "off"}


@pytest.mark.parametrize("name", [one for one in GROUPS["antigravity"][1] if one not in NEED_NONE])
@pytest.mark.rows(4)
async def test_without_consent_every_command_says_so(fresh, name):
    code, out, err = await fresh.says("antigravity", name, *ARGUMENTS.get(name, []))
    assert code == 4, err
    assert SENTENCE in err
    assert out == ""


async def test_a_window_named_without_its_option_is_still_watched_with_a_hint(fresh):
    code, _, err = await fresh.says("watch", "antigravity", "shop")
    assert (code, SENTENCE in err) == (4, True)
    assert "WINDOW is now --window WINDOW here" in err
    code, _, err = await fresh.says("watch", "grok", "--window", "shop")
    assert code == 2
    assert "only valid with antigravity" in err


async def test_watching_needs_it_too(fresh):
    code, _, err = await fresh.says("watch", "antigravity")
    assert code == 4
    assert SENTENCE in err


async def test_nobody_there_to_agree_means_no(fresh):
    code, out, _ = await fresh.says("antigravity", "on")
    assert (code, SENTENCE in out) == (4, True)
    assert (await fresh.says("antigravity", "status"))[0] == 4


async def test_on_is_kept_with_its_day_and_off_is_off(fresh, tmp_path):
    code, out, _ = await fresh.says("antigravity", "on", "--yes")
    assert code == 0
    assert SENTENCE in out
    said = json.loads((tmp_path / "home" / "antigravity" / "consent.json").read_text())
    assert said["at"] in out
    code, _, err = await fresh.says("antigravity", "status")
    assert code == 1, "on, and no window at that port"
    assert "no Antigravity window found" in err
    assert (await fresh.says("antigravity", "off"))[0] == 0
    assert (await fresh.says("antigravity", "status"))[0] == 4


async def test_status_and_doctor_name_windows_and_parts(terminal, agent_window):
    await agent_window("shop", turns=(("Before?", "Yes."),), title="Fix login", file="cart.js")
    await agent_window("docs", generation="2.0")
    code, out, _ = await terminal.says("antigravity", "status", "--json")
    assert code == 0
    rows = {one["name"]: one for one in json.loads(out)["windows"]}
    assert set(rows) == {"shop", "docs"}
    shop = rows["shop"]
    assert (shop["phase"], shop["conversation"], shop["model"], shop["mode"]) == (
        "waiting",
        "Fix login",
        MODELS[0],
        "Planning",
    )
    assert shop["pack"] == "side-panel"
    assert {"root", "turns", "composer", "user", "prose"} <= set(shop["found"])
    _, out, _ = await terminal.says("antigravity", "status")
    assert "shop  (editor, port" in out
    assert "autopilot: off" in out
    code, out, _ = await terminal.says("antigravity", "doctor")
    assert code == 0
    assert "✓ shop: side-panel" in out


@pytest.mark.soak
async def test_the_quota_is_asked_only_where_the_setting_says_so(terminal, agent_window):
    await agent_window("shop", model=MODELS[0])
    async with language_server() as server:
        await terminal.says("antigravity", "status")
        assert await server.calls() == []
        terminal.environment["TABWIRE_ANTIGRAVITY_QUOTA"] = "on"
        code, out, _ = await terminal.says("antigravity", "status")
        assert code == 0
        assert "pool 3p-5h: exhausted, 0% left, resets 2026-11-18" in out
        assert await server.calls() != []
        assert server.csrf not in out


@pytest.mark.soak
async def test_a_used_up_model_is_not_sent_to(terminal, agent_window):
    """S2-049, at the terminal."""
    spent = next(one for one in MODELS if "Claude" in one)
    desk = await agent_window("shop", model=spent)
    terminal.environment["TABWIRE_ANTIGRAVITY_QUOTA"] = "on"
    async with language_server():
        code, _, err = await terminal.says("antigravity", "send", "Go on.")
        assert code == 5
        assert "is used up" in err
        assert desk.did(Did.PROMPT) == ()
        assert (await terminal.says("antigravity", "send", "Go on.", "--force"))[0] == 0
    assert [one.text for one in desk.did(Did.PROMPT)] == ["Go on."]


async def test_a_window_is_driven_by_its_name(terminal, agent_window, tmp_path):
    past = (Past("Fix login", turns=(("Fix it.", "Fixed."),)),)
    shop = await agent_window("shop", past=past, plans=(Plan((Say("Done."),)),))
    docs = await agent_window("docs")
    code, _, err = await terminal.says("antigravity", "send", "Hello")
    assert code == 2
    assert "which window?" in err
    assert "'docs'" in err
    code, out, _ = await terminal.says("antigravity", "conversations", "-w", "shop", "--json")
    assert code == 0
    assert "Fix login" in [json.loads(line)["name"] for line in out.splitlines()]
    code, out, err = await terminal.says(
        "antigravity", "send", "-w", "shop", "-c", "Fix login", "More."
    )
    assert code == 0, err
    assert "conversation Fix login" in out
    assert [(one.text, one.title) for one in shop.did(Did.PROMPT)] == [("More.", "Fix login")]
    assert docs.did(Did.PROMPT) == ()
    code, _, err = await terminal.says("antigravity", "select", "-w", "docs", "Nowhere")
    assert code == 2
    assert "there is no conversation named 'Nowhere'" in err
    code, out, _ = await terminal.says("antigravity", "model", "-w", "docs", MODELS[1])
    assert (code, out) == (0, f"model: {MODELS[1]}\n")
    assert docs.lab.chosen(docs.window)[0] == MODELS[1]
    code, out, _ = await terminal.says("antigravity", "mode", "-w", "shop", "--json")
    assert set(json.loads(out)["modes"]) == {"Fast", "Planning"}
    picture = tmp_path / "shot.png"
    assert (await terminal.says("antigravity", "shot", "-w", "shop", "--out", str(picture)))[0] == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, out, _ = await terminal.says("antigravity", "stop", "-w", "docs", "--json")
    assert json.loads(out) == {"window": "docs", "stopped": False}


async def test_a_hub_that_runs_has_the_only_connection_to_the_window(
    terminal, agent_window, tmp_path
):
    desk = await agent_window("shop", plans=(Plan((Say("Done."),)),))
    (tmp_path / "note.txt").write_text("x")
    code, _, err = await terminal.says("antigravity", "auto", "on", "plans")  # starts a hub
    assert code == 0, err
    try:
        await desk.lab.until(lambda: sockets(desk.lab, desk.window))
        code, out, err = await watched(
            terminal, desk, Plan((Tool("Analyzed", "a.js"), Say("Now."))), "--json", "-w", "shop"
        )
        assert code == 0, err
        told = [json.loads(line) for line in out.splitlines()]
        assert (told[0]["event"], told[-1]["event"]) == ("attached", "ended")
        assert (told[-1]["text"], told[-1]["run"]) == ("Now.", 1)
        assert 0 <= told[0]["seconds"] <= told[-1]["seconds"] < RUN_SECONDS
        code, _, err = await terminal.says("antigravity", "send", "Go.", "-f", "note.txt")
        assert code == 0, err
        assert "-f is now --file here" in err
        assert [one.text for one in desk.did(Did.PROMPT)] == ["Go."]
        code, out, _ = await terminal.says("antigravity", "status", "--json")
        assert [one["name"] for one in json.loads(out)["windows"]] == ["shop"]
        assert json.loads(out)["autopilot"]["on"] == ["plans"]
        code, out, err = await terminal.says("antigravity", "stop", "-w", "docs")
        assert code == 2
        assert "no single Antigravity window is named 'docs'" in err
        assert len(sockets(desk.lab, desk.window)) == 1
    finally:
        await terminal.says("stop")


@pytest.mark.soak
async def test_a_dump_shows_every_text_with_its_class(terminal, agent_window):
    desk = await agent_window("shop")
    await desk.ends(await desk.plays(TASK))
    code, out, _ = await terminal.says("antigravity", "dump", "--json")
    assert code == 0
    rows = [json.loads(line) for line in out.splitlines()]
    assert any("includes VAT" in one["text"] for one in rows)
    assert {"selector", "score", "classified", "text"} <= set(rows[0])


async def watched(terminal, desk, plan, *options):
    """Start a watcher, then the agent; what was printed, and how it ended."""
    process = await terminal.start("watch", "antigravity", "--once", *options)
    first = await asyncio.wait_for(process.stdout.readline(), RUN_SECONDS)
    await desk.plays(plan)
    async with asyncio.timeout(RUN_SECONDS):
        out, err = await process.communicate()
    return process.returncode, (first + out).decode(), err.decode()


@pytest.mark.soak
async def test_output_and_log_are_told_apart_and_whole_in_json(terminal, agent_window):
    desk = await agent_window("shop")
    code, out, err = await watched(terminal, desk, TASK, "--json")
    assert code == 0, err
    told = [json.loads(line) for line in out.splitlines()]
    assert told[0]["event"] == "attached"
    ended = told[-1]
    assert (ended["event"], ended["phase"]) == ("ended", "complete")
    assert ended["text"] == "The total now includes VAT."
    log = [one["text"] for one in ended["log"]]
    assert any("cart.js" in one for one in log)
    assert any("npm test" in one for one in log)
    assert all("includes VAT" not in one for one in log)


async def test_lines_and_blocks_are_the_seeds_without_whole_texts(terminal, agent_window):
    """Seed 000, section 6."""
    desk = await agent_window("shop")
    long = "It adds VAT to every line of the cart, and the tests say so, one by one, all of them."
    code, out, _ = await watched(terminal, desk, Plan((Tool("Analyzed", "a.js"), Say(long))))
    assert code == 0
    assert "[INFO]  start — shop: side-panel" in out
    assert "[PHASE] waiting -> thinking textLen=0" in out
    assert '[INFO]  processLog updated entries=1 len=13 latest="Analyzed a.js"' in out
    assert f"[DONE]  complete! finalTextLen={len(long)}" in out
    assert f"[INFO]  finalize payload outputLen={len(long)} logLen=13" in out
    assert f"[DONE]  [Output] {len(long)} characters" in out
    assert "[PHASE] [ProcessLog] 13 characters" in out
    assert long not in out


@pytest.mark.soak
async def test_full_shows_them(terminal, agent_window):
    desk = await agent_window("shop")
    _, out, _ = await watched(terminal, desk, TASK, "--full")
    assert "[DONE]  [Output]\nThe total now includes VAT." in out
    assert "[PHASE] [ProcessLog]\n" in out


@pytest.mark.soak
async def test_the_classic_profile_polls_and_says_so(terminal, agent_window):
    desk = await agent_window("shop", turns=(("Before?", "Yes, before."),))
    slow = Plan((Tool("Analyzed", "a.js"), Say("Now.", seconds=16.0)))
    code, out, err = await watched(terminal, desk, slow, "--profile", "classic")
    assert code == 0, err
    assert "start — pollInterval=2000ms" in out
    assert "baselineLen=12" in out
    assert "[DONE]  complete! finalTextLen=4" in out


@pytest.mark.soak
async def test_setup_shows_changes_and_undoes(terminal, tmp_path):
    """S2-059, at the terminal."""
    share = tmp_path / "share" / "applications"
    share.mkdir(parents=True)
    (share / "antigravity.desktop").write_text("[Desktop Entry]\nExec=antigravity %F\n")
    terminal.environment |= {
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_DATA_DIRS": str(tmp_path / "share"),
    }
    own = tmp_path / "data" / "applications" / "antigravity.desktop"
    code, out, _ = await terminal.says("antigravity", "setup")
    assert code == 0
    assert "+Exec=antigravity --remote-debugging-port=9004 %F" in out
    assert "Nothing was changed" in out
    assert not own.exists()
    assert (await terminal.says("antigravity", "setup", "--apply"))[0] == 0
    assert "--remote-debugging-port=9004" in own.read_text()
    assert (await terminal.says("antigravity", "setup", "--undo"))[0] == 0
    assert not own.exists()
