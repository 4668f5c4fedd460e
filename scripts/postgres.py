"""See to it that PostgreSQL's programs are there, for the tests that need a server.

Each test run starts a server of its own (tests/kit/postgres.py); none has to run. As root on
Debian and Ubuntu they are installed; anywhere else those tests are left out, with a reason.
"""

import shutil
import sys
from pathlib import Path

from scripts.browser import INSTALL, apt_get, can_install

PROGRAMS = Path("/usr/lib/postgresql")  # Debian keeps them out of the path, by version


def is_there() -> bool:
    """Whether a server can be made and started here."""
    return shutil.which("initdb") is not None or any(PROGRAMS.glob("*/bin/initdb"))


def main() -> int:
    """Exit code 1 where there is none in the end."""
    if is_there():
        return 0
    if can_install():
        print("installing PostgreSQL with apt-get (once; needs the network) …", flush=True)
        install = INSTALL.replace("chromium", "postgresql")
        trouble = apt_get(install) and (apt_get("update") or apt_get(install))
        if trouble:
            print(trouble, file=sys.stderr)
    return 0 if is_there() else 1


if __name__ == "__main__":
    sys.exit(main())
