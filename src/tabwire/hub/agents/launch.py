"""Start Antigravity with a debugging port, where it does not listen already.

One that runs without the port must be quit first, by the person: it would take our start for a
new window of its own, without the port. It is started detached and never ended by us; folders are
arguments, never part of a shell's line.
"""

import asyncio
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabwire.browser.agent.targets import NoWindow, windows_at
from tabwire.config.settings import settings
from tabwire.hub.agents.consent import require_consent
from tabwire.hub.agents.start_entries import MAC_PROGRAMS, PORT
from tabwire.hub.agents.start_entry_files import checked_port
from tabwire.model.errors import BrowserNotReachable, Retry, TabwireError
from tabwire.sites.antigravity.page import Window

START_SECONDS = 45.0  # it draws its first window in ten on a cold machine
LOOK_SECONDS = 0.5
NAMES = ("antigravity", "antigravity-ide")
_STARTED: list[subprocess.Popen[bytes]] = []
"""Held, not waited for: they outlive us."""

WINDOWS_PROGRAMS = (
    r"Programs\Antigravity IDE\Antigravity IDE.exe",
    r"Programs\Antigravity\Antigravity.exe",
)


class NotStarted(TabwireError):
    """Antigravity could not be started with the port."""

    def __init__(self, why: str, what_to_do: str) -> None:
        super().__init__(
            f"Antigravity was not opened with a debugging port: {why}",
            what_to_do=what_to_do,
            retry=Retry.SAME,
        )


@dataclass(frozen=True, slots=True)
class Opened:
    """`started`: by us, just now; else it listened already."""

    port: int
    windows: tuple[Window, ...]
    started: bool


async def open_antigravity(folders: Sequence[Path] = ()) -> Opened:
    """See to it that it runs and listens. Raises `ConsentNeeded` and `NotStarted`."""
    require_consent()
    now = settings()
    port = now.antigravity_port or PORT
    if (there := await _windows(port)) and not folders:
        return Opened(port, there, started=False)
    program = find_program(now.antigravity_program)
    start(program, port, folders)
    try:
        async with asyncio.timeout(START_SECONDS):
            while not (there := await _windows(port)):
                await asyncio.sleep(LOOK_SECONDS)
    except TimeoutError:
        raise NotStarted(
            f"{program} was started, but nothing is listening on port {port} after "
            f"{START_SECONDS:g} s",
            "If Antigravity was already running, quit it and try again: a running program does "
            "not open the port. `tabwire antigravity setup` creates start entries that do.",
        ) from None
    return Opened(port, there, started=True)


def find_program(named: str, environment: Mapping[str, str] = os.environ) -> str:
    """The program: as named in the settings, else where it is installed as a rule."""
    if named:
        found = shutil.which(os.path.expanduser(named), path=environment.get("PATH"))
        if found is None:
            raise NotStarted(
                f"{named} is not a program", "Correct the setting `antigravity_program`."
            )
        return found
    home = environment.get("HOME", "")
    local = environment.get("LOCALAPPDATA", "")
    places = [
        *(shutil.which(name, path=environment.get("PATH")) for name in NAMES),
        *MAC_PROGRAMS,
        *(home + one for one in MAC_PROGRAMS),
        *(os.path.join(local, one) for one in WINDOWS_PROGRAMS if local),
        "/usr/share/antigravity/antigravity",
    ]
    found = next((one for one in places if one and os.path.isfile(one)), None)
    if found is None:
        raise NotStarted(
            "it was not found on this machine",
            "Set `antigravity_program` to the path of the program.",
        )
    return found


def command(program: str, port: int, folders: Sequence[Path]) -> list[str]:
    """What is started, argument by argument. A folder that begins with a dash is still one."""
    return [
        program,
        f"--remote-debugging-port={checked_port(port)}",
        *(str(folder.expanduser().resolve()) for folder in folders),
    ]


def start(program: str, port: int, folders: Sequence[Path]) -> None:
    """Start it, on its own: it outlives us and writes nowhere."""
    quiet = subprocess.DEVNULL
    try:
        _STARTED.append(
            subprocess.Popen(
                command(program, port, folders),
                stdin=quiet,
                stdout=quiet,
                stderr=quiet,
                start_new_session=sys.platform != "win32",
            )
        )
    except OSError as exc:
        line = shlex.join(command(program, port, folders))
        raise NotStarted(f"{program}: {exc.strerror or exc}", f"Try it by hand: {line}") from exc


async def _windows(port: int) -> tuple[Window, ...]:
    try:
        return await windows_at(port)
    except (NoWindow, BrowserNotReachable):
        return ()
