"""Hub processes for tests: started in a home of their own, and ended whatever happens."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tabwire.hub.process.lock import holder

ROOT = Path(__file__).resolve().parents[2]
GONE_SECONDS = 30.0  # a hub promises five; a busy machine makes longer ones of them


def environment(home: Path, **more: str) -> dict[str, str]:
    """Of a process whose home this is, and that takes any port."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TABWIRE_", "CAI_", "PYTEST_"))
    }
    path = os.pathsep.join([str(ROOT / "tests"), str(ROOT)])
    return {**kept, "TABWIRE_HOME": str(home), "TABWIRE_PORT": "0", "PYTHONPATH": path, **more}


@contextmanager
def program(home: Path, *arguments: str, **more: str) -> Iterator[subprocess.Popen[str]]:
    """A program of ours in that home; killed at the end if it is still there."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env=environment(home, **more),
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def tabwire(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A command, run to its end."""
    return subprocess.run(
        [sys.executable, "-m", "tabwire", *arguments],
        env=environment(home, **more),
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def until(process: subprocess.Popen[str], line: str) -> None:
    """Return when it has said this."""
    assert process.stdout is not None
    for said in process.stdout:
        if said.strip() == line:
            return
    raise AssertionError(f"it ended without saying {line!r}: {process.communicate()}")


def kill_hub(home: Path) -> None:
    """No hub is left in that home."""
    found = holder(home / "run")
    if found is not None and found.pid:
        try:
            process = psutil.Process(found.pid)
            process.kill()
            process.wait(GONE_SECONDS)
        except psutil.NoSuchProcess:
            return
