"""The folders of a browser we start: its profile, kept or temporary, and a place for scraps.

Every launch has a scratch folder under the system's temporary one. It holds the browser's own
temporary files, and the profile where that is temporary; it goes when the browser is gone.
Its owner is written in it, so that a later start can remove one whose owner was killed.
"""

import json
import os
import re
import shutil
import socket
import stat
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from tabwire.browser.process import Mark, command_of, is_running, kill_started_with, mark_of
from tabwire.model.errors import BadChoice

PREFIX = "tabwire-browser-"
OWNER = "owner.json"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
UNOWNED_SECONDS = 3600.0  # a folder is without owner for a moment only, or its maker was killed


@dataclass(frozen=True, slots=True)
class Folders:
    """What one launch has on disk. `scratch` is removed afterwards, `profile` if within."""

    scratch: Path
    profile: Path
    temporary: bool


def named_profile(home: Path, name: str) -> Path:
    """The folder of a profile that is kept, by its name. Made when it is not there."""
    if not NAME.fullmatch(name):
        raise BadChoice(
            f"invalid profile name {name!r}",
            what_to_do="Use at most 64 letters, digits, dots, dashes and underscores.",
        )
    folder = home / "profiles" / name
    for place in (home, folder.parent, folder):
        place.mkdir(mode=0o700, parents=place is home, exist_ok=True)
    return folder


def make_folders(profile: Path | None, base: Path) -> Folders:
    """The folders of a new launch. Without `profile` there is a temporary one."""
    scratch = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))  # 0700 by itself
    owner = mark_of(os.getpid())
    if owner is not None:
        (scratch / OWNER).write_text(json.dumps(asdict(owner)))
    for name in ("tmp", "crashes"):
        (scratch / name).mkdir(mode=0o700)
    temporary = profile is None
    folder = profile if profile is not None else scratch / "profile"
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)  # one that was there may have been open to others
    return Folders(scratch, folder, temporary)


def temporary_base(path: str, home: Path) -> Path:
    """Where the scratch folder of the browser at `path` goes.

    A snap sees a temporary folder of its own and none of the hidden ones at home.
    """
    parts = Path(path).parts
    if parts[:3] == ("/", "snap", "bin"):
        common = home / "snap" / parts[-1] / "common"
        if common.is_dir():
            return common
    return Path(tempfile.gettempdir())


def sweep(base: Path) -> list[Path]:
    """Remove what launches left whose owner is gone, with the browser should it still run."""
    swept = []
    for folder in base.glob(f"{PREFIX}*"):
        if _is_stale(folder):
            kill_started_with(f"--user-data-dir={folder / 'profile'}")
            shutil.rmtree(folder, ignore_errors=True)
            swept.append(folder)
    return swept


def holder_of(profile: Path) -> str | None:
    """Who has this profile open, in words, or None where nobody is known to.

    A lock may be stale, and its pid another program's by now: only one that was started with
    this profile counts. In doubt the browser itself decides.
    """
    if sys.platform == "win32":
        try:
            (profile / "lockfile").unlink(missing_ok=True)  # refused while a browser holds it
        except PermissionError:
            return "another browser"
        return None
    try:
        host, _, pid = os.readlink(profile / "SingletonLock").rpartition("-")
    except OSError:
        return None
    if host != socket.gethostname() or not pid.isdecimal():
        return None
    for argument in command_of(int(pid)):
        flag, _, value = argument.partition("=")
        if flag == "--user-data-dir" and os.path.realpath(value) == os.path.realpath(profile):
            return f"the browser with pid {pid}"
    return None


def _is_stale(folder: Path) -> bool:
    try:
        about = folder.lstat()
        if not stat.S_ISDIR(about.st_mode):
            return False
        if sys.platform != "win32" and about.st_uid != os.getuid():
            return False
        owner = Mark(**json.loads((folder / OWNER).read_text()))
    except FileNotFoundError:
        return time.time() - about.st_mtime > UNOWNED_SECONDS if folder.exists() else False
    except (OSError, ValueError, TypeError):
        return False  # not written by us as we write now
    return not is_running(owner)
