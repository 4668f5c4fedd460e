"""Lay what `make bench` compares with beside `.venv`'s own packages, or leave it alone.

    python -m scripts.peers

The peers go into a folder of their own that only `make bench` looks into. So `make test`
cannot come to need one of them unseen, and `.venv` stays exactly what its stamp says. When
`.venv` is built anew the folder goes with it.

The stamp is written last: a run that fails half way starts from nothing next time.
"""

import hashlib
import shutil
import sys

from scripts import prepare

LOCK = "requirements-bench.lock"


def main() -> int:
    """Make the folder right; the exit code is 1 where that did not succeed."""
    with prepare.one_at_a_time():
        folder = prepare.VENV / "peers"
        stamp = folder / "tabwire-stamp"
        wanted = hashlib.sha256((prepare.ROOT / LOCK).read_bytes()).hexdigest()
        if stamp.is_file() and stamp.read_text() == wanted:
            return 0
        print("fetching what we are compared with (once, 60 MB) …", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        install = ["install", "--no-deps", "--require-hashes", "--target", str(folder), "-r", LOCK]
        if not prepare.pip(*install):
            return 1
        stamp.write_text(wanted)
        return 0


if __name__ == "__main__":
    sys.exit(main())
