"""Promise: say. Over MCP a hub that cannot start says its true cause, as the command line does."""

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kit.hub_process import environment, kill_hub
from tabwire.store.hub_place import HubPlace
from tabwire.store.opening import opened
from tabwire.store.postgres import address

SECONDS = 100.0
ASKING = {"name": "ask_grok_web", "arguments": {"question": "Why?"}}
LINES = [
    {"id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}},
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/call", "params": ASKING},
]  # fmt: skip
NOBODY = "setpriv --reuid=nobody --regid=nogroup --clear-groups".split()
APART = "unshare --mount --map-root-user".split()


@pytest.fixture
def home(tmp_path):
    place = tmp_path / "h"
    place.mkdir(mode=0o700)
    yield place
    kill_hub(place)


def corrupt(home):
    (home / "tabwire.db").write_bytes(b"no database at all" * 1000)


def newer(home):
    with sqlite3.connect(home / "tabwire.db") as line:
        line.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        line.execute("INSERT INTO alembic_version VALUES ('9999')")
    line.close()


def misspelt(home):
    (home / "config.toml").write_text('browzer = "auto"\n')


def without_room(home):
    (home / "run").write_text("a file, where a folder should be")


def elsewhere(home):
    (home / "config.toml").write_text(f'database = "postgresql://me@/x?host={home}"\n')


CAUSES = [
    # what is wrong, what is said of it, what to do
    (corrupt, "tabwire.db cannot be read", "tabwire.db"),
    (newer, "written by a newer Tabwire", "Update Tabwire"),
    (misspelt, "'browzer' is not a setting", "Did you mean browser?"),
    (without_room, "run' cannot be used", "Choose a folder you can write to"),
    (elsewhere, "cannot be reached", "Start the database server"),
]


def pumped(home, *before):
    """What a client hears that asks a question, and the end of the pump."""
    said = b"".join(json.dumps({"jsonrpc": "2.0", **one}).encode() + b"\n" for one in LINES)
    process = subprocess.Popen(
        [*before, sys.executable, "-m", "tabwire", "mcp"],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
    )
    with process:
        try:
            process.stdin.write(said)
            process.stdin.flush()
            return _answers(process)
        finally:
            process.kill()


def _answers(process):
    """Those to the two requests, or all until the pump ends."""
    told = {}
    for line in process.stdout:
        message = json.loads(line)
        told[message.get("id")] = json.dumps(message)
        if 2 in told or "error" in message:
            break
    return "\n".join(told.values()) or process.stderr.read().decode()


@pytest.mark.parametrize("spoil, cause, remedy", CAUSES, ids=[one[0].__name__ for one in CAUSES])
@pytest.mark.rows(2, first=2)
def test_the_cause_and_the_remedy_are_told_to_the_client(home, spoil, cause, remedy):
    spoil(home)
    told = pumped(home)
    assert cause in told, told
    assert remedy in told, told
    assert "did not restart" not in told, told


@pytest.mark.xdist_group("pg")
def test_a_database_that_another_home_holds_is_the_cause_that_is_told(home, postgres):
    (home / "config.toml").write_text(f'database = "{postgres}"\n')
    place = HubPlace(address(postgres), "aaaa@there")
    place.take()
    try:
        told = pumped(home)
    finally:
        place.leave()
    assert "another Tabwire home (on there) uses" in told, told
    assert "tabwire stop" in told, told
    assert "did not restart" not in told, told


@pytest.fixture(scope="module")
def foreign():
    """A home that was used, and that another person can read and not write."""
    if os.geteuid() or shutil.which("setpriv") is None:
        pytest.skip("only root can become somebody else, with `setpriv`")
    place = Path(tempfile.mkdtemp(prefix="tabwire-foreign-"))  # where everybody may look into
    try:
        place.chmod(0o755)
        for name in ("run", "logs", "profiles"):
            (place / name).mkdir(mode=0o755)
        asyncio.run(_made(place / "tabwire.db"))
        for name in ("tabwire.db", "logs/hub.log", "run/hub.lock", "run/spawn.lock"):
            (place / name).touch()
            (place / name).chmod(0o644)
        probe = subprocess.run([*NOBODY, sys.executable, "-c", "import tabwire"], check=False)
        if probe.returncode:
            pytest.skip("somebody else cannot read this checkout")
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


async def _made(path):
    async with opened(path):
        pass


COMMANDS = [
    ("mcp",),
    ("ask", "Why?", "--to", "grok"),
    ("serve",),
    ("status",),
    ("history",),
    ("conversations",),
    ("sessions", "list"),
    ("fetch", "last"),
    ("extension", "pair"),
    ("logs",),
    ("stop",),
    ("login", "grok"),
    ("guard", "ban", "x"),
    ("snapshot", "grok"),
    ("doctor", "grok"),
    ("antigravity", "status"),
    ("lab", "serve"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=[" ".join(one[:2]) for one in COMMANDS])
@pytest.mark.rows(3)
def test_a_home_that_cannot_be_written_to_is_said_and_not_traced(foreign, command):
    done = subprocess.run(
        [*NOBODY, sys.executable, "-m", "tabwire", *command],
        env=environment(foreign, HOME="/nonexistent"),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    said = done.stdout + done.stderr
    assert "Traceback" not in said, said
    assert done.returncode in (0, 1, 2, 4), said
    if done.returncode == 2:
        assert str(foreign) in said, said
        assert "TABWIRE_HOME" in said, said


FULL = """
import pathlib, subprocess, sys
home = pathlib.Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(home)], check=True)
home.chmod(0o700)
try:
    with open(home / "ballast", "wb") as ballast:
        while True:
            ballast.write(b"x" * 4096)
            ballast.flush()
except OSError:
    pass
subprocess.run([sys.executable, "-m", "tabwire", *sys.argv[2:]])
"""


def test_a_full_disk_is_the_cause_that_is_told(home):
    if shutil.which("unshare") is None:
        pytest.skip("no `unshare` here: a small disk cannot be made")
    probe = subprocess.run([*APART, "mount", "-t", "tmpfs", "none", str(home)], check=False)
    if probe.returncode:
        pytest.skip("a small disk cannot be made here")
    done = subprocess.run(
        [*APART, sys.executable, "-c", FULL, str(home), "ask", "Why?", "--to", "grok"],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "space left on the disk" in done.stderr, done.stderr
    assert "did not start: return" not in done.stderr
