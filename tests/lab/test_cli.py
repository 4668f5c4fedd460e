"""`tabwire lab`: the table is light, its bodies are found, and a lab ends when it is told to."""

import contextlib
import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import types

import pytest

from tabwire.doors.cli.lazy import lazy_group
from tabwire.lab import cli
from tabwire.lab.ledger import Deed
from tabwire.lab.replicas import NAMES
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.stage import DEFAULT, Stage
from tabwire.model.errors import TabwireError

END_SECONDS = 20.0  # it takes one; a busy machine ten


def run(*arguments):
    """Run `lab …` in this process; its exit code."""
    with pytest.raises(SystemExit) as left:
        lazy_group("lab", cli.HELP, cli.COMMANDS)(args=list(arguments), prog_name="lab")
    return left.value.code


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    return tmp_path


@contextlib.contextmanager
def started(*arguments):
    """`tabwire lab …` as a process; ended in any case."""
    command = [sys.executable, "-m", "tabwire", "lab", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_every_replica_can_be_named():
    assert tuple(cli.Site) == NAMES


def test_the_sites_to_open_are_those_named_once_each(monkeypatch):
    asked = []
    stand_in = types.ModuleType("tabwire.lab.open")
    stand_in.open_lab = lambda sites, **settings: (sites, settings)
    stand_in.run_until_told = asked.append
    monkeypatch.setitem(sys.modules, "tabwire.lab.open", stand_in)
    assert run("open", "--site", "grok", "--site", "grok", "--headless") == 0
    assert run("open", "--port", "7") == 0
    (one, settings), (all_of_them, others) = asked
    assert (one, settings["headless"], settings["port"]) == (["grok"], True, 0)
    assert (all_of_them, others["headless"], others["port"]) == (list(NAMES), False, 7)


@pytest.fixture
def served(monkeypatch):
    """The stages that `lab serve` is asked for, without a lab."""
    asked = []
    stand_in = types.SimpleNamespace(
        as_json=lambda _lab: "",
        in_words=lambda _lab: "",
        run_until_told=lambda work: work,
        serve_lab=lambda _port, _ledger, _started, stage: asked.append(stage),
        open_lab=lambda _sites, **settings: asked.append(settings["stage"]),
    )
    monkeypatch.setitem(sys.modules, "tabwire.lab.open", stand_in)
    return asked


@pytest.mark.parametrize("command", ["serve", "open"])
def test_story_and_stage_reach_the_lab(served, command):
    assert run(command, "--story", "cut", "--stage", "layout:octane,lang:ja,aloud") == 0
    assert run(command) == 0
    assert served == [Stage("cut", "octane", "ja", aloud=True), DEFAULT]


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("serve", "--story", "ovrelay"), "did you mean overlay"),
        (("open", "--story", "cutt"), "did you mean cut"),
        (("serve", "--stage", "lang:xx"), "lang must be one of en, ja"),
        (("serve", "--stage", "stroy:cut"), "unknown lab option 'stroy'"),
        (("serve", "--stage", "story:cutt"), "did you mean cut"),
        (("play", "cutt"), "did you mean cut"),
        (("play",), "expected a story, or --all"),
        (("play", "cut", "--all"), "expected a story, or --all"),
        (("play", "handoff-socket", "--site", "grok"), "is only played on chatgpt"),
        (("play", "cut", "--lang", "xx"), "lang must be one of"),
        (("ledger", "--kind", "nothing"), "nothing"),
    ],
)
def test_what_nobody_understands_is_said_before_anything_starts(capsys, arguments, said):
    assert run(*arguments) == 2
    words = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert said in words


def test_the_kinds_of_the_ledger_are_those_of_the_option():
    assert [str(one) for one in cli.Deed] == [str(one) for one in Deed]


def test_stories_are_listed_for_people_and_for_programs(capsys):
    assert run("stories") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(STORIES)
    assert run("stories", "--site", "grok", "--json") == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["name"] for one in told] == [
        name for name, story in STORIES.items() if "grok" in story.sites
    ]


@pytest.mark.parametrize("good, code", [(True, 0), (False, 1)])
def test_play_plays_what_is_asked_for_and_says_how_it_went(monkeypatch, good, code):
    wishes = []
    stand_in = types.SimpleNamespace(
        Wish=lambda plays, stage, headless, as_json: (plays, stage, headless, as_json),
        run=lambda wish, _console: wishes.append(wish) or good,
    )
    monkeypatch.setitem(sys.modules, "tabwire.lab.play.show", stand_in)
    assert run("play", "preamble") == code
    assert run("play", "cut", "--site", "grok", "--lang", "ja", "--no-headless", "--json") == code
    assert run("play", "--all") == code
    preamble, cut, every = wishes
    assert [site for _, site in preamble[0]] == ["chatgpt", "grok"]
    assert preamble[1:] == ("", True, False)
    assert cut == ([(STORIES["cut"], "grok")], "lang:ja", False, True)
    assert len(every[0]) == sum(len(story.sites) for story in STORIES.values())


def test_the_ledger_of_a_running_lab_is_shown_by_site_and_kind(home, capsys):
    with started("serve", "--json") as process:
        lab = json.loads(process.stdout.readline())
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        line = http.client.HTTPSConnection("127.0.0.1", lab["port"], context=context)
        line.request("GET", "/backend-api/conversations", headers={"Host": "chatgpt.com"})
        line.getresponse().read()
        line.close()
        assert run("ledger", "--json") == 0
        (entry,) = map(json.loads, capsys.readouterr().out.splitlines())
        assert (entry["site"], entry["kind"], entry["number"]) == ("chatgpt", "list", 1)
        assert run("ledger", "--site", "chatgpt", "--kind", "list") == 0
        assert "chatgpt  list" in capsys.readouterr().out
        for other in (("--site", "grok"), ("--kind", "prompt")):
            assert run("ledger", *other) == 0
            assert capsys.readouterr().out == ""
        with started("ledger", "--follow") as following:
            assert "chatgpt  list" in following.stdout.readline()
            process.send_signal(signal.SIGTERM)
            assert process.wait(END_SECONDS) == 0
            assert following.wait(END_SECONDS) == 0


def test_without_a_lab_there_is_no_ledger(home):
    with pytest.raises(TabwireError, match="no lab is running"):
        lazy_group("lab", cli.HELP, cli.COMMANDS)(args=["ledger"], prog_name="lab")


def test_a_site_nobody_plays_is_refused(capsys):
    assert run("open", "--site", "bard") == 2
    assert "bard" in capsys.readouterr().err


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_a_lab_serves_until_it_is_told_to_end(home, told):
    with started("serve", "--json", "--ledger", str(home / "ledger.jsonl")) as process:
        said = json.loads(process.stdout.readline())
        assert said["pid"] == process.pid
        assert said["flags"][0].startswith("--host-resolver-rules=MAP chatgpt.com:443 127.0.0.1:")
        socket.create_connection(("127.0.0.1", said["port"])).close()
        word = json.loads((home / "run" / "lab.json").read_bytes())
        assert (word["pid"], word["port"], word["spki"]) == (
            process.pid,
            said["port"],
            said["spki"],
        )
        process.send_signal(told)
        assert process.wait(END_SECONDS) == 0
    assert list((home / "run").iterdir()) == []
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", said["port"]))


def test_a_second_lab_says_that_there_is_one(home):
    with started("serve") as process:
        first = process.stdout.readline()
        assert "chatgpt.com" in first
        for command in ("serve", "open"):
            second = subprocess.run(
                [sys.executable, "-m", "tabwire", "lab", command],
                capture_output=True,
                text=True,
                timeout=END_SECONDS,
                check=False,
            )
            assert second.returncode == 1
            assert f"a lab is already running (process {process.pid}" in second.stderr
            assert "--browser lab" in second.stderr
            assert "Traceback" not in second.stderr


def test_a_lab_that_was_killed_is_no_hindrance(home):
    with started("serve", "--json") as process:
        process.stdout.readline()
        process.kill()
        process.wait(END_SECONDS)
    assert (home / "run" / "lab.json").exists()
    with started("serve", "--json") as process:
        assert json.loads(process.stdout.readline())["pid"] == process.pid
        process.send_signal(signal.SIGTERM)
        assert process.wait(END_SECONDS) == 0
    assert os.listdir(home / "run") == []
