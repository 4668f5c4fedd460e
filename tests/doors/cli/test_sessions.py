"""`tabwire sessions` as it is called, on a real store."""

import asyncio
import json
import stat
from functools import partial
from pathlib import Path

import pytest

from doors.cli.calling import called
from tabwire.hub.sessions.legacy_file import PLACE
from tabwire.hub.sessions.sessions import opened_sessions

UUID = "c0ffee00-0000-4000-8000-000000000001"
V1 = {"projects": {"x": {"chatgpt": {"url": f"https://chatgpt.com/c/{UUID}", "tabId": 7}}}}


@pytest.fixture
def place(monkeypatch, tmp_path):
    """A home of its own, a folder to work in, and a person's own folder."""
    for name in ("work", "own"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "own"))
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


@pytest.fixture
def tabwire(place, monkeypatch, capfdbinary):
    """Run `tabwire sessions …`: (exit code, stdout, stderr with its frames taken off)."""

    return partial(called, monkeypatch, capfdbinary, "sessions")


@pytest.fixture
def agents(place):
    """Two agents: `a` with a chat at two sites, and `b` with none."""

    async def make():
        async with opened_sessions() as sessions:
            await sessions.touch("a", client="claude-code", project="/src/x")
            for site, url in [
                ("grok", "https://grok.com/c/1"),
                ("gemini", "https://gemini.google.com/app/2"),
            ]:
                await sessions.used("a", site, url=url, conversation_id=url[-1], tab="T")
            await sessions.touch("b\x1b[2J")

    asyncio.run(make())


def write(folder, held):
    path = folder / PLACE
    path.parent.mkdir(parents=True)
    path.write_text(held if isinstance(held, str) else json.dumps(held))
    return path


def names(out):
    return sorted(json.loads(line)["agent"] for line in out.splitlines())


def test_agents_are_listed_with_their_chats_and_drive_no_terminal(tabwire, agents):
    code, out, err = tabwire("list")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("b\N{REPLACEMENT CHARACTER}[2J  20")
    assert lines[1].startswith("a  20")
    assert lines[1].endswith("claude-code · /src/x")
    assert [line.split()[:2] for line in lines[2:]] == [
        ["grok", "https://grok.com/c/1"],
        ["gemini", "https://gemini.google.com/app/2"],
    ]


def test_agents_are_listed_as_json(tabwire, agents):
    code, out, _ = tabwire("list", "--json")
    assert (code, names(out)) == (0, ["a", "b\x1b[2J"])


def test_an_empty_list_says_so(tabwire):
    assert tabwire("list") == (0, "", "no agents yet")
    assert tabwire("list", "--json") == (0, "", "")


def test_one_agent_is_shown(tabwire, agents):
    assert tabwire("show", "a")[1].count("\n") == 3
    told = json.loads(tabwire("show", "a", "--json")[1])
    assert (told["agent"], told["client"], told["project"]) == ("a", "claude-code", "/src/x")
    assert [(chat["site"], chat["conversation_id"]) for chat in told["chats"]] == [
        ("grok", "1"),
        ("gemini", "2"),
    ]
    code, out, err = tabwire("show", "c")
    assert (code, out) == (1, "")
    assert err == "tabwire: no agent c `tabwire sessions list` shows all agents."


CLEARED = [
    # id, arguments, exit code, what is said, agents and sites of `a` that are left
    ("one", ["a"], 0, "forgotten: a", ["b"], None),
    ("its chat", ["a", "--site", "Grok"], 0, "forgotten: a on Grok", ["a", "b"], ["gemini"]),
    ("two chats", ["a", "--site", "grok,gemini"], 0, "forgotten", ["a", "b"], []),
    ("all", ["--all"], 0, "forgotten: 2", [], None),
    ("all at a site", ["--all", "--site", "grok"], 0, "forgotten: 1", ["a", "b"], ["gemini"]),
    ("no such agent", ["c"], 1, "no agent c", ["a", "b"], ["grok", "gemini"]),
    ("no such chat", ["a", "--site", "chatgpt"], 1, "a with a chat on ChatGPT", ["a", "b"],
     ["grok", "gemini"]),
    ("no such site", ["a", "--site", "claude"], 2, "expected one of", ["a", "b"],
     ["grok", "gemini"]),
    ("nobody said", [], 2, "expected an agent, or --all", ["a", "b"], ["grok", "gemini"]),
    ("both said", ["a", "--all"], 2, "expected an agent, or --all", ["a", "b"], ["grok", "gemini"]),
]  # fmt: skip


@pytest.mark.parametrize(
    "arguments, code, said, left, sites", [c[1:] for c in CLEARED], ids=[c[0] for c in CLEARED]
)
def test_what_is_cleared_is_gone_and_nothing_else(
    tabwire, agents, arguments, code, said, left, sites
):
    got, out, err = tabwire("clear", *arguments)
    assert (got, out) == (code, "")
    assert said in err
    found = {
        one["agent"]: one for one in map(json.loads, tabwire("list", "--json")[1].splitlines())
    }
    assert [name[0] for name in sorted(found)] == left
    if sites is not None:
        assert [chat["site"] for chat in found["a"]["chats"]] == sites


def test_clearing_is_told_as_json_too(tabwire, agents):
    assert json.loads(tabwire("clear", "a", "--json")[1]) == {"cleared": ["a"]}
    code, out, _ = tabwire("clear", "a", "--json")
    assert (code, json.loads(out)["error"]["what"]) == (1, "no agent a")


@pytest.mark.parametrize("folder", ["work", "own"])
def test_a_file_that_is_found_is_offered_and_not_taken(tabwire, place, folder):
    path = write(place / folder, V1)
    code, out, err = tabwire("list")
    assert (code, out) == (0, "")
    assert f"found {path} of chrome-ai-bridge with 1 agents; run `tabwire sessions import`" in err
    assert tabwire("list", "--json")[1] == ""
    code, out, err = tabwire("import")
    assert (code, out, err) == (0, f"imported from {path}: 1\n  legacy-x\n", "")
    assert names(tabwire("list", "--json")[1]) == ["legacy-x"]
    assert "found" not in tabwire("list")[2]


def test_where_two_files_are_found_one_must_be_named(tabwire, place):
    paths = [write(place / folder, V1) for folder in ("work", "own")]
    code, out, err = tabwire("import")
    assert (code, out) == (2, "")
    assert "expected one of" in err
    code, out, _ = tabwire("import", str(paths[1]), "--json")
    assert code == 0
    assert json.loads(out) == {
        "path": str(paths[1]),
        "version": 1,
        "agents": ["legacy-x"],
        "problems": [],
    }
    assert tabwire("import")[0] == 0  # one is left


def test_where_none_is_found_it_is_said_where_it_would_be(tabwire, place):
    code, _, err = tabwire("import")
    assert code == 2
    assert "expected a file" in err
    assert str(PLACE) in err


def test_what_is_left_out_is_told_and_the_exit_code_says_so(tabwire, place):
    path = write(place / "work", {"projects": {**V1["projects"], "y\x1b[2J": 1}})
    code, out, err = tabwire("import", str(path))
    assert code == 3
    assert out.endswith("  legacy-x\n")
    assert err == "skipped: projects.y\N{REPLACEMENT CHARACTER}[2J is not an object but a number"


@pytest.mark.parametrize("held", ["{", "[]", '{"version": 9}'])
def test_a_file_that_cannot_be_read_says_what_is_wrong_and_where(tabwire, place, held):
    path = write(place / "work", held)
    code, out, err = tabwire("import", str(path))
    assert (code, out) == (2, "")
    assert err.startswith(f"tabwire: {path} is not a valid sessions file: ")
    assert "nothing was imported" in err
    assert "no readable agents" in tabwire("list")[2]


def test_what_is_exported_can_be_imported(tabwire, agents, place):
    tabwire("clear", "a", "--site", "grok")
    code, out, _ = tabwire("export")
    assert code == 0
    assert list(json.loads(out)) == ["version", "agents", "config"]
    code, written, err = tabwire("export", "--out", "deep/er/sessions.json")
    assert (code, written, err) == (0, "", "")
    path = Path("deep/er/sessions.json")
    assert path.read_text() == out
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    tabwire("clear", "--all")
    assert tabwire("import", str(path))[0] == 0
    assert tabwire("export")[1] == out


def test_an_export_writes_over_nothing_unless_told_to(tabwire, place):
    path = Path("kept.json")
    path.write_text("mine")
    code, _, err = tabwire("export", "--out", "kept.json")
    assert (code, path.read_text()) == (2, "mine")
    assert "--force" in err
    assert tabwire("export", "--out", "kept.json", "--force")[0] == 0
    assert json.loads(path.read_text())["version"] == 2
    assert [one.name for one in Path().iterdir()] == ["kept.json"]


def test_a_place_that_cannot_be_written_to_is_told(tabwire, place):
    Path("file").write_text("")
    code, _, err = tabwire("export", "--out", "file/sessions.json")
    assert code == 1
    assert "cannot write" in err
    assert "Choose another file." in err


@pytest.mark.parametrize("command", ["list", "show", "clear", "import", "export"])
def test_every_command_teaches_by_examples(tabwire, command):
    code, out, _ = tabwire(command, "--help")
    assert code == 0
    assert f"tabwire sessions {command}" in out.split("Examples:")[1]
