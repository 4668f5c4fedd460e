"""One driver per window, across processes: the claim in its file."""

import json
import os
import subprocess
import sys
import time

import pytest

from tabwire.browser.process import mark_of
from tabwire.hub.agents.autopilot.lock import DriverLock, boot_id

KEY = "9004/ABC"


@pytest.fixture
def folder(tmp_path):
    tmp_path.chmod(0o700)
    return tmp_path


def claim_of(folder):
    (path,) = folder.glob("*.json")
    return path, json.loads(path.read_text())


def test_s2_024_the_second_stands_by_and_is_told_who_drives(folder):
    first, second = DriverLock(KEY, folder), DriverLock(KEY, folder)
    assert first.take() is None
    holder = second.take()
    assert holder.pid == os.getpid()
    assert not second.beat()
    assert first.beat()
    first.release()
    assert second.take() is None
    assert not first.beat()


def test_another_window_is_another_claim(folder):
    assert DriverLock(KEY, folder).take() is None
    assert DriverLock("9004/DEF", folder).take() is None


AGES = [("4 s", 4.0, False), ("14 s", 14.0, False), ("16 s", 16.0, True)]


@pytest.mark.parametrize("age, taken", [c[1:] for c in AGES], ids=[c[0] for c in AGES])
def test_a_living_owner_without_a_sign_of_life_loses_it_after_15_s(folder, age, taken):
    first, second = DriverLock(KEY, folder), DriverLock(KEY, folder)
    first.take()
    path, said = claim_of(folder)
    path.write_text(json.dumps({**said, "at": time.monotonic() - age}))
    assert (second.take() is None) is taken
    assert first.beat() is not taken  # and finds out when it comes back


def test_a_pid_that_was_given_to_another_process_is_no_owner(folder):
    """F38."""
    DriverLock(KEY, folder).take()
    path, said = claim_of(folder)
    path.write_text(json.dumps({**said, "pid": os.getppid(), "started": "tick 1"}))
    assert DriverLock(KEY, folder).take() is None


def test_a_killed_owner_is_followed_at_once(folder):
    program = (
        "import sys, pathlib; from tabwire.hub.agents.autopilot.lock import DriverLock;"
        "DriverLock(sys.argv[1], pathlib.Path(sys.argv[2])).take(); print(1, flush=True);"
        "sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program, KEY, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    lock = DriverLock(KEY, folder)
    try:
        assert child.stdout.readline() == b"1\n"
        assert lock.take().pid == child.pid
        assert mark_of(child.pid) is not None
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()
    assert lock.take() is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"number": 1}'])
def test_a_claim_that_cannot_be_read_is_none(folder, text):
    DriverLock(KEY, folder).take()
    path, _ = claim_of(folder)
    path.write_text(text)
    assert DriverLock(KEY, folder).take() is None


def test_the_clock_of_the_day_plays_no_part(folder, monkeypatch):
    first, second = DriverLock(KEY, folder), DriverLock(KEY, folder)
    first.take()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert second.take() is not None
    monkeypatch.setattr(time, "time", lambda: 9e9)
    assert second.take() is not None
    assert first.beat()


def test_the_claim_is_this_persons_alone(folder):
    DriverLock(KEY, folder).take()
    path, said = claim_of(folder)
    assert path.stat().st_mode & 0o777 == 0o600
    assert said["boot"] == boot_id()
