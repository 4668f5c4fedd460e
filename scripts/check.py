"""`make check`: format, lint, types, import map, docs in sync, the extension's version.

Every step runs even if an earlier one failed, so one run shows everything that needs fixing.
"""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STEPS = {
    "format": ["ruff", "format", "--check", "."],
    "lint": ["ruff", "check", "."],
    "types": ["mypy"],
    "import map and docs": [
        *["pytest", "-q", "tests/test_layers.py", "tests/test_docs.py"],
        *[f"packages/guard/tests/test_{one}.py" for one in ("layers", "index", "docs")],
    ],
    "extension's version": ["scripts.extension_lock", "--check"],
}


def main() -> int:
    """Run the steps in order; the exit code is 1 if any failed."""
    failed = []
    for name, command in STEPS.items():
        print(f"── {name}", flush=True)
        began = time.perf_counter()
        done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False)
        print(f"   {time.perf_counter() - began:.1f} s", flush=True)
        if done.returncode != 0:
            failed.append(name)
    print(f"check failed: {', '.join(failed)}" if failed else "check passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
