"""`tabwire lab`: the table is light, its bodies are found, and a lab ends when it is told to."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import types

import pytest

from tabwire.doors.cli.lazy import lazy_group
from tabwire.lab import cli
from tabwire.lab.replicas import NAMES

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
            assert f"a lab runs already (process {process.pid}" in second.stderr
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
