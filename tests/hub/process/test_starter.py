"""Any door starts the hub, and however many do at once, there is one."""

import asyncio
import os
import sys

import psutil
import pytest

from kit.hub_process import GONE_SECONDS, environment, kill_hub, program
from tabwire.config.settings import Settings
from tabwire.hub.process import lock
from tabwire.hub.process.starter import HubDidNotStart, _last_words, ensure_hub
from tabwire.hub.remote.hub import RemoteHub

DOORS = 20
DOOR = """
from tabwire.hub.process.starter import ensure_hub
from tabwire.hub.process.lock import holder
input()
ensure_hub()
print(holder().pid)
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    place = tmp_path / "h"
    place.mkdir(mode=0o700)
    for name in [name for name in os.environ if name.startswith(("TABWIRE_", "CAI_"))]:
        monkeypatch.delenv(name)
    for name, value in environment(place).items():
        monkeypatch.setenv(name, value)
    yield place
    kill_hub(place)


def hubs_of(home):
    """Every hub process in that home, by pid."""
    found = []
    for process in psutil.process_iter():
        try:
            of_home = process.environ().get("TABWIRE_HOME") == str(home)
            if of_home and "serve" in process.cmdline():
                found.append(process.pid)
        except psutil.Error:
            continue
    return found


@pytest.mark.asyncio
async def test_twenty_doors_at_once_get_one_hub(home):
    """Each waits at its first line until all are there."""
    doors = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", DOOR),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        for _ in range(DOORS)
    ]
    said = await asyncio.gather(*(door.communicate(b"\n") for door in doors))
    assert [door.returncode for door in doors] == [0] * DOORS
    hub = lock.holder(home / "run")
    assert {line for line, _ in said} == {b"%d\n" % hub.pid}
    assert hubs_of(home) == [hub.pid]


@pytest.mark.asyncio
async def test_the_hub_is_nobodys_child_and_outlives_the_door_that_started_it(home):
    with program(
        home, "-c", "from tabwire.hub.process.starter import ensure_hub; ensure_hub()"
    ) as door:
        assert door.wait(100) == 0
    pid = lock.holder(home / "run").pid
    hub = psutil.Process(pid)
    assert hub.ppid() not in (os.getpid(), door.pid)
    assert os.getsid(pid) != os.getsid(0), "no terminal of ours takes it along"
    assert (await RemoteHub(start=False).status()).pid == pid
    family = [hub, *hub.children(recursive=True)]
    assert await RemoteHub(start=False).shutdown() == pid
    _, alive = psutil.wait_procs(family, GONE_SECONDS)
    assert alive == []
    assert lock.holder(home / "run") is None


def test_what_speaks_of_one_client_is_not_handed_to_the_hub(home, monkeypatch):
    monkeypatch.setenv("CAI_AGENT_ID", "one-client")
    monkeypatch.setenv("TABWIRE_AGENT_ID", "one-client")
    ensure_hub()
    assert "one-client" not in psutil.Process(lock.holder(home / "run").pid).environ().values()


def test_why_it_does_not_start_is_told(home, monkeypatch):
    """The door has read its settings before they were spoilt; the hub reads them anew."""
    monkeypatch.setattr("tabwire.hub.process.starter.settings", Settings)
    (home / "config.toml").write_text("lanes = 0\n")
    with pytest.raises(HubDidNotStart, match=r"config\.toml:1: lanes"):
        ensure_hub()


WORDS = [
    # what the log ends with, why it did not start, what to do
    ("tabwire: no room\nMake room.\n", "no room", "Make room."),
    ("tabwire: old\nx\ntabwire: new\nDo this.\nmore\n", "new", "Do this."),
    ('  File "x.py", line 3\n    return os.open(path)\nOSError: [Errno 5] gone\n',
     "OSError: [Errno 5] gone", ""),
    ('Traceback\n  File "x.py", line 3, in f\n    return',
     "it exited without an error message", ""),
    ("return\n", "it exited without an error message", ""),
    ("", "it exited without an error message", ""),
    ("tabwire: bad token=abcdefghij\nDo.\n", "bad token=[withheld]", "Do."),
]  # fmt: skip


@pytest.mark.parametrize("text, why, what_to_do", WORDS)
def test_a_cause_is_read_from_a_log_or_said_to_be_unknown(tmp_path, text, why, what_to_do):
    """A disk that is full cuts a log in the middle of a line of code."""
    log = tmp_path / "hub.log"
    log.write_text(f"of an earlier hub\n{text}")
    assert _last_words(log, len("of an earlier hub\n")) == (why, what_to_do)


def test_somebody_who_starts_it_for_ever_is_not_waited_for_for_ever(home):
    with lock.spawn_lock(0.0) as ours:
        assert ours
        with pytest.raises(HubDidNotStart, match="another process"):
            ensure_hub(0.1)
