"""T15: another person of the same machine finds every door of a running hub shut."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from kit.hub_process import environment, tabwire

NOBODY = 65534  # an account that every Unix has, and that owns nothing
MAY_BE_ANOTHER = os.name == "posix" and os.geteuid() == 0

pytestmark = pytest.mark.skipif(
    not MAY_BE_ANOTHER, reason="only root can act as another user of this machine"
)

# What the other user tries; each line of what it prints is a try and what came of it.
TRIES = """
import json, os, socket, sys, urllib.error, urllib.request
home, port, nobody = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
import encodings.idna, http.client  # before it is another, who may not read our Python
os.setgroups([]), os.setgid(nobody), os.setuid(nobody)
def tried(name, act):
    try:
        said = act()
    except OSError as error:
        said = type(error).__name__
    print(json.dumps([name, str(said)[:200]]))
def connect(path):
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        return "connected"
def asked(path, **headers):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code
tried("list", lambda: os.listdir(home))
tried("make", lambda: open(f"{home}/new", "w"))
for name in ("run/token", "tabwire.db", "config.toml", "run/hub.json", "logs/hub.log"):
    tried(f"read {name}", lambda: open(f"{home}/{name}").read())
for name in ("run/mcp.sock", "run/hub.sock"):
    tried(f"connect {name}", lambda: connect(f"{home}/{name}"))
tried("port", lambda: asked("/api/v1/status"))
tried("port, guessed", lambda: asked("/api/v1/status", Authorization="Bearer " + "A" * 43))
tried("mcp over http", lambda: asked("/mcp"))
"""


@pytest.fixture
def shared():
    """A folder that everybody may enter, as /home is: only the home itself keeps others out."""
    with tempfile.TemporaryDirectory(prefix="tabwire-shared-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def test_another_user_reads_nothing_and_connects_to_nothing(shared):
    home = shared / "home"
    hub = subprocess.Popen(
        [sys.executable, "-m", "tabwire", "serve"], env=environment(home), cwd=shared,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        umask=0o000,  # a careless one: what is shut, is shut by us
    )  # fmt: skip
    with hub:
        try:
            assert any(line.startswith("hub listening") for line in hub.stderr)
            port = json.loads(tabwire(home, "status", "--json").stdout)["port"]
            other = subprocess.run(
                [sys.executable, "-c", TRIES, str(home), str(port), str(NOBODY)],
                cwd="/", capture_output=True, text=True, check=False, timeout=100,
            )  # fmt: skip
        finally:
            hub.kill()
    assert other.returncode == 0, other.stderr
    came = dict(json.loads(line) for line in other.stdout.splitlines())
    assert (home / "run" / "token").is_file()
    assert (home / "run" / "mcp.sock").exists(), "there was something to connect to"
    by_port = [came.pop(name) for name in ("port", "port, guessed", "mcp over http")]
    assert by_port == ["401"] * 3
    assert set(came.values()) == {"PermissionError"}, came
