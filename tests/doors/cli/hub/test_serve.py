"""`tabwire serve`, `status`, `stop`, `restart`: one real hub, seen from a terminal."""

import json
import signal

import pytest

from kit.hub_process import GONE_SECONDS, kill_hub, program, tabwire
from tabwire.hub.process import lock


@pytest.fixture
def home(tmp_path, monkeypatch):
    place = tmp_path / "h"
    place.mkdir(mode=0o700)
    monkeypatch.setenv("TABWIRE_HOME", str(place))
    yield place
    kill_hub(place)


def until_listening(process):
    """The line with which it says that it may be talked to."""
    for line in process.stderr:
        if line.startswith("hub listening"):
            return line
    raise AssertionError("it ended without a word")


def test_without_a_hub_the_commands_say_so_and_leave_no_trace(home):
    status = tabwire(home, "status")
    assert (status.returncode, status.stdout[:22]) == (1, "the hub is not running")
    told = json.loads(tabwire(home, "status", "--json").stdout)
    assert (told["running"], told["pid"]) == (False, None)
    stop = tabwire(home, "stop")
    assert (stop.returncode, stop.stderr) == (0, "the hub is not running\n")
    logs = tabwire(home, "logs")
    assert (logs.returncode, "no log yet" in logs.stderr) == (0, True)
    assert list(home.iterdir()) == []


def test_a_hub_in_the_foreground_is_seen_renewed_and_ended(home):
    with program(home, "-m", "tabwire", "serve", "--log-level", "debug") as hub:
        assert f"(pid {hub.pid})" in until_listening(hub)

        second = tabwire(home, "serve")
        assert second.returncode == 1
        assert second.stderr.startswith(f"tabwire: a hub is already running (pid {hub.pid})\n")

        told = json.loads(tabwire(home, "status", "--json").stdout)
        assert (told["running"], told["pid"], told["working"]) == (True, hub.pid, [])
        assert f"(pid {hub.pid}, version" in tabwire(home, "status").stdout

        before = lock.holder(home / "run")
        restart = tabwire(home, "restart")
        assert (restart.returncode, restart.stderr) == (0, f"hub running (pid {hub.pid})\n")
        after = lock.holder(home / "run")
        assert (after.pid, after.since > before.since) == (hub.pid, True), "it stays where it is"

        tabwire(home, "status")  # answered when it has begun as a whole
        stop = tabwire(home, "stop")
        assert (stop.returncode, stop.stderr) == (0, f"hub stopped (pid {hub.pid})\n")
        assert hub.wait(GONE_SECONDS) == 0
    assert lock.holder(home / "run") is None
    log = tabwire(home, "logs", "-n", "1000").stdout
    assert log.count("the hub starts") == 2
    assert log.count("the hub is stopping") == 2
    assert "warn" not in log
    assert "error" not in log


def test_ctrl_c_ends_a_hub_in_the_foreground(home):
    with program(home, "-m", "tabwire", "serve") as hub:
        until_listening(hub)
        hub.send_signal(signal.SIGINT)
        assert hub.wait(GONE_SECONDS) == 0


SLOW_TO_LOAD = """
import importlib.machinery, runpy, sys, threading
class Slow:
    def find_spec(self, name, path, target=None):
        if name == "tabwire.hub.process.assembly":
            return importlib.machinery.ModuleSpec(name, self)
    def create_module(self, spec):
        return None
    def exec_module(self, module):  # not find_spec, which holds the lock of all imports
        threading.Event().wait(3600)
sys.meta_path.insert(0, Slow())
sys.argv = ["tabwire", "serve"]
runpy.run_module("tabwire", run_name="__main__")
"""


def test_a_hub_that_is_ended_before_it_is_loaded_ends_well(home):
    with program(home, "-c", SLOW_TO_LOAD) as hub:
        until_listening(hub)
        hub.send_signal(signal.SIGINT)
        assert hub.wait(GONE_SECONDS) == 0


def test_restart_starts_one_in_the_background_where_there_is_none(home):
    assert tabwire(home, "restart").returncode == 0
    pid = lock.holder(home / "run").pid
    assert tabwire(home, "restart").returncode == 0
    assert lock.holder(home / "run").pid != pid
    assert tabwire(home, "stop").returncode == 0
    assert lock.holder(home / "run") is None


def test_a_flag_that_cannot_be_meant_is_named(home):
    done = tabwire(home, "serve", "--port", "http")
    assert (done.returncode, done.stderr[:24]) == (2, "tabwire: --port: 'http' ")
