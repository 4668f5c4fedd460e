"""`make lock`: choose versions anew and write requirements.lock.

Uses uv in an environment of its own, because it alone resolves for every platform and
Python at once and writes the hashes of every file of a version. No index address is
written: whoever installs uses the registry they are set up for.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = "uv==0.13.7"
LOCK = ROOT / "requirements.lock"
HEADER = """\
# Pinned versions of everything tabwire and its tests need, for every platform.
# Written by `make lock` from pyproject.toml; do not edit by hand.
"""


def main() -> int:
    """Resolve, then replace the lock in one step."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True, symlinks=True)
        python = str(Path(folder) / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", UV], check=True)
        fresh = Path(folder) / "fresh.lock"
        resolve = "pip compile pyproject.toml --group dev --universal --python-version 3.11"
        shape = "--generate-hashes --no-emit-index-url --no-annotate --no-header --upgrade --quiet"
        command = [python, "-m", "uv", *resolve.split(), *shape.split(), "-o", str(fresh)]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        LOCK.write_text(HEADER + fresh.read_text())
    print(f"wrote {LOCK.name}; run `make test`, then commit it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
