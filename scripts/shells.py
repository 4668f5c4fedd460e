"""See to it that there are other shells than bash, for the tests that hold the guard against them.

As root on Debian and Ubuntu the missing ones are installed; anywhere else those tests use the
shells that are there, and are left out where there is none.
"""

import shutil
import sys

from scripts.browser import INSTALL, apt_get, can_install

SHELLS = {"dash": "dash", "busybox": "busybox", "zsh": "zsh", "mksh": "mksh", "ksh93": "ksh93u+m"}
"""Programs, and the package of each."""


def missing() -> list[str]:
    """Packages of shells that are not here."""
    return [package for program, package in SHELLS.items() if shutil.which(program) is None]


def main() -> int:
    """Exit code 1 where some are missing in the end."""
    if missing() and can_install():
        print("installing shells with apt-get (once; needs the network) …", flush=True)
        for at, package in enumerate(missing()):
            install = INSTALL.replace("chromium", package)
            trouble = apt_get(install)
            if trouble and not at:  # a fresh container has no package lists
                trouble = apt_get("update") or apt_get(install)
            if trouble:
                print(trouble, file=sys.stderr)
    return 1 if missing() else 0


if __name__ == "__main__":
    sys.exit(main())
