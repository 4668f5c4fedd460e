"""`make dev`: what counts as a change, and that a hub is ended and started anew for it."""

import signal
import subprocess
import sys

from scripts import dev

WATCH = """
import sys
from pathlib import Path
from scripts import dev
dev.SOURCES = (Path(sys.argv[1]),)
dev.LOOK_SECONDS = dev.QUIET_SECONDS = 0.02
code = "import os, sys; open(sys.argv[1], 'a').write(f'{os.getpid()}\\\\n'); sys.stdin.read()"
really = dev.subprocess.Popen
def hub(command):
    assert command[1:] == ["-m", "tabwire", "serve", "--port", "0"]
    process = really([sys.executable, "-c", code, sys.argv[2]], stdin=dev.subprocess.PIPE)
    print("started", flush=True)
    return process
dev.subprocess.Popen = hub
sys.exit(dev.main(["--port", "0"]))
"""


def test_what_is_new_gone_or_different_is_a_change(tmp_path):
    (tmp_path / "a.py").write_text("1")
    (tmp_path / "b.txt").write_text("1")
    before = dev.times(tmp_path)
    assert list(before) == [tmp_path / "a.py"]
    assert dev.changed(before, before) == []
    assert dev.changed(before, {}) == [tmp_path / "a.py"]
    assert dev.changed({}, before) == [tmp_path / "a.py"]
    assert dev.changed(before, {tmp_path / "a.py": 1.0}) == [tmp_path / "a.py"]


def test_a_change_starts_the_hub_anew_and_ctrl_c_ends_it(tmp_path, root):
    source = tmp_path / "src"
    source.mkdir()
    watching = subprocess.Popen(
        [sys.executable, "-c", WATCH, str(source), str(tmp_path / "pids")],
        cwd=root,
        stdout=subprocess.PIPE,
        text=True,
    )
    with watching:
        assert watching.stdout.readline() == "started\n"
        (source / "a.py").write_text("1")
        assert watching.stdout.readline() == "── a.py changed: restarting the hub\n"
        assert watching.stdout.readline() == "started\n"
        watching.send_signal(signal.SIGINT)
        assert watching.wait(60) == 0
