"""`make lock`: choose versions anew and write requirements.lock and requirements-bench.lock.

Uses uv in an environment of its own, because it alone resolves for every platform and
Python at once and writes the hashes of every file of a version. No index address is
written: whoever installs uses the registry they are set up for.

The second lock holds what the extra `bench` brings beyond the first, in versions that agree
with it: `make bench` lays those beside `.venv`'s own packages.
"""

import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = "uv==0.13.7"
LOCK = ROOT / "requirements.lock"
BENCH_LOCK = ROOT / "requirements-bench.lock"
HEADER = """\
# Pinned versions of everything tabwire and its tests need, for every platform.
# Written by `make lock` from pyproject.toml; do not edit by hand.
"""
BENCH_HEADER = """\
# Pinned versions of what `make bench` compares with, beyond requirements.lock.
# Written by `make lock` from pyproject.toml; do not edit by hand.
"""
RESOLVE = "pip compile pyproject.toml --group dev --extra lab --universal --python-version 3.11"
SHAPE = "--generate-hashes --no-emit-index-url --no-annotate --no-header --upgrade --quiet"


def main() -> int:
    """Resolve both, then replace both."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True, symlinks=True)
        python = str(Path(folder) / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", UV], check=True)
        first, second = Path(folder) / "first.lock", Path(folder) / "second.lock"
        resolve(python, first)
        known = [f"--no-emit-package={name}" for name in names(first.read_text())]
        resolve(python, second, "--extra=bench", f"--constraint={first}", *known)
        LOCK.write_text(HEADER + first.read_text())
        BENCH_LOCK.write_text(BENCH_HEADER + second.read_text())
    print(f"wrote {LOCK.name} and {BENCH_LOCK.name}; run `make test`, then commit them")
    return 0


def resolve(python: str, fresh: Path, *more: str) -> None:
    """Write one lock, without its header."""
    command = [python, "-m", "uv", *RESOLVE.split(), *SHAPE.split(), *more, "-o", str(fresh)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def names(lock: str) -> list[str]:
    """The packages a lock pins."""
    return re.findall(r"^([A-Za-z0-9._-]+)==", lock, re.MULTILINE)


if __name__ == "__main__":
    sys.exit(main())
