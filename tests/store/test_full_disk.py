"""Promise: keep. A full disk stops us with a name, and costs nothing that was acknowledged."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tabwire.model.errors import Retry
from tabwire.store.errors import StoreFull

PROGRAM = Path(__file__).with_name("full_disk.py")
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}  # it sees what we see
APART = "unshare --mount --map-root-user".split()  # what is mounted there nobody else sees


@pytest.fixture(scope="module")
def tries(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    try:
        probe = subprocess.run([*APART, "mount", "-t", "tmpfs", "none", folder], check=False)
    except FileNotFoundError:
        pytest.skip("no `unshare` here: a small disk cannot be made")
    if probe.returncode:
        pytest.skip("a small disk cannot be made here")
    command = [*APART, sys.executable, str(PROGRAM), str(folder / "disk")]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=ENVIRONMENT, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_full_disk_is_named_whenever_it_fills_up(tries):
    assert {one["said"] for one in tries} == {"StoreFull"}
    # the tries cover all of it: nothing could be made, and several asks found room
    assert tries[0]["kept"] == 0
    assert tries[-1]["kept"] > 2


def test_nothing_acknowledged_is_lost_and_it_goes_on_when_there_is_room(tries):
    """Each try checks that itself, before and after room is made."""
    assert {one["whole"] for one in tries} == {"ok"}


def test_a_full_disk_is_no_reason_to_give_up(tmp_path):
    error = StoreFull(tmp_path / "tabwire.db", "disk full")
    assert error.retry is Retry.SAME
    assert str(tmp_path) in error.what_to_do
