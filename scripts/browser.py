"""See to it that there is a browser, for the targets that need one.

On Debian and Ubuntu, as root, a missing one is installed; it is what a fresh container needs.
Anywhere else one line says what is missing and how to get it.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tabwire.browser.find import Machine, find_browser, this_machine
from tabwire.model.errors import BrowserNotFound

INSTALL = "install -y --no-install-recommends -o DPkg::Lock::Timeout=300 chromium"
SCREEN = INSTALL.replace("chromium", "xvfb")
"""A screen nobody sees, for the tests that need a window: 4 packages, and left out where it
cannot be had."""
SHOWN_LINES = 15  # of apt's output when it fails: its last lines say why


def main() -> int:
    """Exit code 1 where there is no browser in the end."""
    return see_to_it(this_machine(), can_install(), apt_get)


def see_to_it(machine: Machine, may_install: bool, apt: Callable[[str], str | None]) -> int:
    """Look, install where that is possible, look again. `apt` returns what went wrong."""
    missing = look(machine)
    if missing is None:
        return 0
    if may_install and not machine.environment.get("TABWIRE_PROGRAM"):
        print("installing Chromium with apt-get (once; needs the network) …", flush=True)
        # A fresh container has no package lists; a machine in use need not fetch them again.
        trouble = apt(INSTALL) and (apt("update") or apt(INSTALL))
        if trouble:
            print(trouble, file=sys.stderr)
        else:
            apt(SCREEN)
        missing = look(machine)
    if missing is None:
        return 0
    print(f"tabwire: {missing}. {missing.what_to_do}", file=sys.stderr)
    return 1


def look(machine: Machine) -> BrowserNotFound | None:
    """What is missing, if anything."""
    try:
        find_browser(machine)
    except BrowserNotFound as exc:
        return exc
    return None


def can_install() -> bool:
    """Whether we are root where apt-get is how things are installed."""
    root = sys.platform == "linux" and os.geteuid() == 0
    return root and Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def apt_get(arguments: str) -> str | None:
    """Run apt-get, silent; the end of what it said where it failed."""
    done = subprocess.run(
        ["apt-get", "-qq", *arguments.split()],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return None
    return "\n".join(done.stdout.splitlines()[-SHOWN_LINES:]) or f"apt-get: code {done.returncode}"


if __name__ == "__main__":
    sys.exit(main())
