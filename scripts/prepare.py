"""Build `.venv` from requirements.lock, or leave it alone when nothing changed.

Started by setup.sh with the machine's own Python, so: standard library only.

The stamp inside `.venv` is written last. A run that fails half way leaves none, and the
next one starts from nothing. A lock file keeps two `make` runs from building at once; the
second waits and then finds the work done.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "tabwire-stamp"
PYTHON = VENV / "bin" / "python"
INPUTS = ("requirements.lock", "scripts/prepare.py")
SHOWN_LINES = 15  # of pip's output when it fails: its last lines say why


def main() -> int:
    """Make `.venv` right; the exit code is 1 where that did not succeed."""
    with one_at_a_time():
        wanted = fingerprint()
        if STAMP.is_file() and STAMP.read_text() == wanted and PYTHON.exists():
            return 0
        print("preparing .venv (once; needs the network, takes about a minute) …", flush=True)
        shutil.rmtree(VENV, ignore_errors=True)
        try:
            venv.create(VENV, with_pip=True, symlinks=True)
        except (OSError, subprocess.CalledProcessError) as exc:
            print(f"tabwire: {sys.executable} could not make .venv: {exc}", file=sys.stderr)
            return 1
        for step in (
            ["install", "--no-deps", "--require-hashes", "-r", "requirements.lock"],
            ["install", "--no-deps", "--no-build-isolation", "-e", "."],
            ["check"],
        ):
            if not pip(*step):
                return 1
        STAMP.write_text(wanted)
        return 0


def fingerprint() -> str:
    """Everything `.venv` depends on: the lock, the project, the Python and the folder.

    The folder is part of it because a moved environment points at the old place. Of
    pyproject.toml only what an installation sees: a new lint rule rebuilds nothing.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    seen = [project["build-system"], project["project"], project["tool"]["hatch"]]
    digest = hashlib.sha256(repr(seen).encode())
    for name in INPUTS:
        digest.update((ROOT / name).read_bytes())
    digest.update(f"{sys.version}\n{os.path.realpath(sys.executable)}\n{ROOT}".encode())
    return digest.hexdigest()


def pip(*arguments: str) -> bool:
    """Run pip inside `.venv`, silent unless it fails."""
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        tail = "\n".join(done.stdout.splitlines()[-SHOWN_LINES:])
        print(tail, file=sys.stderr)
        print(
            f"tabwire: `pip {arguments[0]}` failed (above); check the network "
            "and pip's own settings, then run the same command again",
            file=sys.stderr,
        )
    return done.returncode == 0


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold `.venv.lock`. The system lets go of it when we end, however we end."""
    try:
        import fcntl
    except ImportError:  # Windows outside WSL
        sys.exit("tabwire: `make` needs Linux, macOS or WSL; elsewhere use `pip install .`")
    with (ROOT / ".venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
