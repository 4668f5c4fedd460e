"""What a browser wrote to stderr before it gave up -> the line that matters, and what to do.

Pure. The last line is rarely the one: its helpers complain about the broken pipe after it.
Signs seen with Chromium 156 on Debian, 2026-11-15, except where another origin is named.
"""

from collections.abc import Sequence

NO_DISPLAY = "There is no display to show a window on: start it headless."
REMEDIES = {
    "Missing X server or $DISPLAY": NO_DISPLAY,
    "Failed to connect to Wayland display": NO_DISPLAY,
    # its source, zygote_host_impl_linux.cc; containers and Ubuntu 23.10 and newer
    "No usable sandbox": "The system does not let this user create a sandbox. Allow user "
    "namespaces (Ubuntu: an AppArmor profile for this browser), or use the "
    "distribution's own package.",
    "error while loading shared libraries": "A system library is missing: install the browser "
    "from the distribution's packages, which include it.",
    "No space left on device": "Free some space: the disk with the temporary folder is full.",
}
NOISE = ("zygote", "dbus/", "unexpected operator")


def explain(said: Sequence[str]) -> tuple[str | None, str | None]:
    """The line to show, and the remedy where its complaint is known."""
    for line in said:
        for sign, remedy in REMEDIES.items():
            if sign in line:
                return _bare(line), remedy
    lines = [line for line in said if line.strip()]
    telling = [line for line in lines if not any(noise in line for noise in NOISE)]
    shown = telling or lines
    return (_bare(shown[-1]) if shown else None), None


def _bare(line: str) -> str:
    """Without the process, time and source file in brackets that Chromium puts before."""
    return line.partition("] ")[2] if line.startswith("[") and "] " in line else line
