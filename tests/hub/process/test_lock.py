"""One hub per person: the lock, who holds it, and where its sockets are."""

import json
import os
import subprocess
import sys

import pytest

from tabwire.hub.process import lock as subject
from tabwire.hub.process.lock import (
    HubLock,
    HubRunsAlready,
    holder,
    socket_path,
    spawn_lock,
    this_process,
)
from tabwire.model.errors import BadSetting

HOLD = """
import sys
from pathlib import Path
from tabwire.hub.process.lock import HubLock, this_process
lock = HubLock(Path(sys.argv[1]))
lock.take(this_process(port=7))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def held(tmp_path):
    """Another process that holds the lock."""
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with other:
        assert other.stdout.readline() == b"held\n"
        yield other
        other.kill()


def test_the_second_learns_the_pid_of_the_first(tmp_path, held):
    with pytest.raises(HubRunsAlready) as caught:
        HubLock(tmp_path).take(this_process())
    assert caught.value.pid == held.pid
    assert str(held.pid) in str(caught.value)
    found = holder(tmp_path)
    assert (found.pid, found.port) == (held.pid, 7)


def test_a_lock_whose_holder_was_killed_is_taken_over(tmp_path, held):
    held.kill()
    held.wait()
    assert json.loads((tmp_path / "hub.lock").read_bytes())["pid"] == held.pid
    assert holder(tmp_path) is None
    lock = HubLock(tmp_path)
    lock.take(this_process())
    assert holder(tmp_path).pid == os.getpid()
    lock.release()
    assert holder(tmp_path) is None


def test_a_holder_is_not_mistaken_for_another_process_with_its_pid(tmp_path, monkeypatch):
    """The lock is held by somebody who only looks; the text is of a process long gone."""
    monkeypatch.setattr(subject, "WRITTEN_SECONDS", 0.0)
    path = tmp_path / "hub.lock"
    path.write_text(json.dumps({"pid": os.getpid(), "started": "long ago", "version": "0"}))
    file = os.open(path, os.O_RDWR)
    assert subject._lock(file)
    try:
        assert holder(tmp_path).pid == 0
        with pytest.raises(HubRunsAlready) as caught:
            HubLock(tmp_path).take(this_process())
    finally:
        os.close(file)
    assert caught.value.pid == 0


def test_somebody_who_only_looks_does_not_keep_a_hub_from_starting(tmp_path, monkeypatch):
    (tmp_path / "hub.lock").write_text("")
    file = os.open(tmp_path / "hub.lock", os.O_RDWR)
    assert subject._lock(file)
    monkeypatch.setattr(subject.time, "sleep", lambda _: os.close(file))  # it has seen enough
    lock = HubLock(tmp_path)
    lock.take(this_process())
    lock.release()


def test_a_lock_that_was_removed_while_taken_is_taken_anew(tmp_path, monkeypatch):
    taken = []
    really = subject._lock

    def removed_meanwhile(file):
        if not taken:
            (tmp_path / "hub.lock").unlink()
        taken.append(file)
        return really(file)

    monkeypatch.setattr(subject, "_lock", removed_meanwhile)
    lock = HubLock(tmp_path)
    lock.take(this_process())
    monkeypatch.undo()
    assert len(taken) == 2
    assert holder(tmp_path).pid == os.getpid()
    lock.release()


def test_looking_for_a_hub_leaves_no_trace(tmp_path):
    assert holder(tmp_path / "nowhere") is None
    assert list(tmp_path.iterdir()) == []


def test_a_shorter_text_leaves_nothing_of_a_longer_one(tmp_path):
    lock = HubLock(tmp_path)
    lock.take(this_process(port=65535))
    lock.tell(this_process(port=1))
    assert json.loads(lock.path.read_bytes())["port"] == 1
    lock.release()


def test_a_lock_that_is_a_link_to_elsewhere_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").write_text("mine")
    (tmp_path / "hub.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        HubLock(tmp_path).take(this_process())
    assert (tmp_path / "elsewhere").read_text() == "mine"


def test_only_one_starts_a_hub_at_a_time(tmp_path):
    with spawn_lock(1.0, tmp_path) as first, spawn_lock(0.0, tmp_path) as second:
        assert (first, second) == (True, False)
    with spawn_lock(0.0, tmp_path) as third:
        assert third


def test_a_hub_that_becomes_a_new_one_keeps_its_place(tmp_path):
    """Also over `exec`, which keeps what is open and what it locked."""
    subject.keep_place(tmp_path)
    again = "import sys; from tabwire.hub.process import lock; sys.stdin.read(); lock.place_taken()"
    command = [sys.executable, "-c", again]
    kept = int(os.environ[subject.KEPT])
    with subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[kept]) as new:
        subject.place_taken()  # ours; the other process still has it
        assert subject.KEPT not in os.environ
        with subject.spawn_lock(0, tmp_path) as ours:
            assert not ours
        new.stdin.close()
        assert new.wait(30) == 0
    with subject.spawn_lock(0, tmp_path) as ours:
        assert ours


def test_where_somebody_starts_one_already_no_place_is_kept(tmp_path):
    with subject.spawn_lock(0, tmp_path):
        subject.keep_place(tmp_path)
    assert subject.KEPT not in os.environ
    subject.place_taken()


def test_a_socket_is_in_the_run_folder(tmp_path, monkeypatch):
    home = tmp_path / "h"
    monkeypatch.setattr(subject, "MAX_SOCKET_PATH", len(os.fsencode(home / "run" / "hub.sock")))
    monkeypatch.setenv("TABWIRE_HOME", str(home))
    assert socket_path("hub.sock") == home / "run" / "hub.sock"


@pytest.fixture
def long_home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / ("x" * 100)))
    monkeypatch.setattr(subject.tempfile, "gettempdir", lambda: str(tmp_path))
    return tmp_path


def test_a_socket_whose_path_is_too_long_moves_to_a_folder_of_ours_alone(long_home):
    path = socket_path("hub.sock")
    assert not path.parent.exists(), "looking for it leaves no trace"
    assert socket_path("hub.sock", make=True) == path
    assert path.parent.parent == long_home
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert socket_path("mcp.sock").parent == path.parent


@pytest.mark.parametrize("how", ["accessible to other users", "a link"])
def test_a_folder_that_somebody_else_prepared_is_refused(long_home, how):
    folder = socket_path("hub.sock").parent
    if how == "a link":
        (long_home / "theirs").mkdir(mode=0o700)
        folder.symlink_to(long_home / "theirs")
    else:
        folder.mkdir()
        folder.chmod(0o777)
    with pytest.raises(BadSetting, match="accessible to other users"):
        socket_path("hub.sock", make=True)
