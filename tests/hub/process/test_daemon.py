"""The hub as a process: every way to end it, and what is left afterwards: nothing."""

import asyncio
import json
import signal
import socket
from contextlib import contextmanager

import pytest

from kit.daemon_child import FAULTS
from kit.hub_process import GONE_SECONDS, program, until
from tabwire.hub.process import lock
from tabwire.hub.process.daemon import Ending, _leave_when_idle, check_home
from tabwire.hub.remote.hub import RemoteHub
from tabwire.model.errors import BadSetting


@pytest.fixture
def home(tmp_path, monkeypatch):
    place = tmp_path / "h"
    place.mkdir(mode=0o700)
    monkeypatch.setenv("TABWIRE_HOME", str(place))
    return place


@contextmanager
def daemon(home, fault="nothing", *more, **environment):
    """A hub whose doors are open."""
    assert fault in FAULTS
    with program(home, "-m", "kit.daemon_child", fault, *more, **environment) as process:
        until(process, "open" if fault != "does_not_start" else "ready")
        yield process


def ended(process, home):
    """How it ended: exit code and last words. Nobody is the hub, and nothing is in the way."""
    # not `communicate`, which loses what came together with the line we waited for
    said, complaints = process.stdout.read(), process.stderr.read()
    process.wait(GONE_SECONDS)
    assert lock.holder(home / "run") is None
    sockets = {lock.socket_path(name) for name in ("hub.sock", "mcp.sock")}
    if process.returncode != -signal.SIGKILL:
        assert not any(path.exists() for path in sockets)
    return process.returncode, said.strip(), complaints


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_signal_ends_the_hub_in_order(home, name):
    with daemon(home) as process:
        process.send_signal(getattr(signal, name))
        assert ended(process, home) == (0, f"ended: {name}, restart: False", "")
    log = (home / "logs" / "hub.log").read_text()
    assert "the hub starts" in log
    assert f"the hub is stopping  why={name}" in log


@pytest.mark.parametrize("restart", [False, True])
def test_a_word_over_its_socket_ends_it(home, restart):
    with daemon(home) as process:
        assert asyncio.run(RemoteHub(start=False).shutdown(restart=restart)) == process.pid
        assert ended(process, home) == (0, f"ended: it was asked to stop, restart: {restart}", "")


def test_one_that_was_started_by_a_door_leaves_when_nobody_uses_it(home):
    with daemon(home, "nothing", "--on-demand", TABWIRE_IDLE_MINUTES="0.001") as process:
        assert ended(process, home) == (0, "ended: it was idle, restart: False", "")


@pytest.mark.parametrize("fault", ["waits_for_ever", "blocks_the_loop", "leaves_a_thread"])
def test_whatever_hangs_the_hub_is_gone(home, fault):
    """Without the force it would be there for an hour."""
    with daemon(home, fault) as process:
        process.send_signal(signal.SIGTERM)
        process.wait(GONE_SECONDS)
        assert process.returncode == 1
        assert lock.holder(home / "run") is None


def test_clean_up_that_fails_ends_the_hub_all_the_same(home):
    with daemon(home, "fails_to_clean") as process:
        process.send_signal(signal.SIGTERM)
        assert ended(process, home)[:2] == (0, "ended: SIGTERM, restart: False")
    assert "clean-up failed" in (home / "logs" / "hub.log").read_text()


def test_what_keeps_it_from_starting_is_said(home):
    with daemon(home, "does_not_start") as process:
        code, said, _ = ended(process, home)
        assert (code, said.splitlines()[-1]) == (1, "failed: the store cannot be opened")
    assert "the store cannot be opened" in (home / "logs" / "hub.log").read_text()


def test_the_next_one_takes_the_place_of_one_that_was_killed(home):
    with daemon(home) as process:
        assert lock.holder(home / "run").pid == process.pid
        process.kill()
        assert ended(process, home)[0] == -signal.SIGKILL
    assert lock.socket_path("hub.sock").is_socket(), "it could not clean up"
    with daemon(home) as process:
        assert asyncio.run(RemoteHub(start=False).status()).pid == process.pid
        process.terminate()
        assert ended(process, home)[0] == 0


def test_the_second_says_the_pid_of_the_first_and_ends(home):
    with daemon(home) as first:
        with program(home, "-m", "kit.daemon_child", "nothing") as second:
            said, _ = second.communicate(timeout=GONE_SECONDS)
        assert said == f"failed: a hub is already running (pid {first.pid})\n"
        assert second.returncode == 1
        assert asyncio.run(RemoteHub(start=False).status()).pid == first.pid


def test_one_that_starts_while_another_ends_waits_for_its_place(home):
    with daemon(home, "waits_for_ever") as first:
        first.send_signal(signal.SIGTERM)
        while lock.socket_path("hub.sock").exists() and asyncio.run(answers()):
            pass
        with daemon(home) as second:
            assert lock.holder(home / "run").pid == second.pid
        assert first.wait(GONE_SECONDS) == 1


async def answers():
    try:
        async with asyncio.timeout(1):
            _, writer = await asyncio.open_unix_connection(str(lock.socket_path("hub.sock")))
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


def test_a_port_of_another_program_is_a_reason_to_stop_only_if_it_was_chosen(home):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with program(home, "-m", "kit.daemon_child", "nothing", TABWIRE_PORT=str(port)) as process:
            said, _ = process.communicate(timeout=GONE_SECONDS)
        assert said.startswith(f"failed: port {port} on 127.0.0.1 is in use")


def test_the_lock_says_who_where_and_since_when(home):
    with daemon(home) as process:
        told = json.loads((home / "run" / "hub.lock").read_bytes())
        assert set(told) == {"pid", "started", "version", "port", "since"}
        status = asyncio.run(RemoteHub(start=False).status())
        assert (told["pid"], told["port"]) == (process.pid, status.port)
        for name in ("hub.sock", "mcp.sock"):
            assert lock.socket_path(name).stat().st_mode & 0o777 == 0o600
        assert (home / "run").stat().st_mode & 0o777 == 0o700
        assert (home / "run" / "token").stat().st_mode & 0o777 == 0o600


def test_a_home_that_everybody_can_write_to_is_refused(home):
    home.chmod(0o777)
    with pytest.raises(BadSetting, match="writable by everyone"):
        check_home()


def test_a_run_folder_that_is_a_link_is_refused(home, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (home / "run").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadSetting, match="is a symbolic link"):
        check_home()


class Idle:
    """As much of a hub as it takes to be idle."""

    def __init__(self, guests, jobs):
        self.guests, self.jobs = guests, self
        self._jobs = jobs

    async def recent(self, *_, **__):
        return self._jobs.pop(0) if self._jobs else ()


@pytest.mark.asyncio
async def test_a_hub_with_guests_or_work_is_not_idle(monkeypatch):
    from tabwire.hub.local.hub import Guests
    from tabwire.hub.process import daemon as subject

    now, slept = [1000.0], []

    async def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds
        if len(slept) == 4:
            guests.count = 0

    monkeypatch.setattr(subject.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(subject.asyncio, "sleep", sleep)
    guests = Guests(count=1, left_at=0.0)
    ending = Ending()
    # three looks with a guest, then two with a job, then sixty seconds of nothing
    await _leave_when_idle(Idle(guests, [("a job",), ("a job",)]), ending, 60.0)
    assert (ending.why, slept) == ("it was idle", [15.0] * 9)


def test_the_first_word_of_an_end_counts():
    ending = Ending()
    ending.ask("one", restart=True)
    ending.ask("two")
    assert (ending.why, ending.restart) == ("one", True)
