"""Where Tabwire keeps its things: TABWIRE_HOME, else the folder the system has for that.

What is in it belongs to one person, so every folder made here is theirs alone (0700).
"""

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from tabwire.model.errors import BadSetting

SETTING = "TABWIRE_HOME"
MACHINE_IDS = ("/etc/machine-id", "/var/lib/dbus/machine-id")


def home(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of this person. Not made here: looking for it leaves no trace."""
    named = environment.get(SETTING, "").strip()
    if named:
        folder = Path(named).expanduser()
        if not folder.is_absolute():
            raise BadSetting(
                SETTING, named, "is no absolute path", "Say the whole path of a folder."
            )
        return folder
    from platformdirs import user_data_path

    return user_data_path("tabwire", appauthor=False)


def run_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where running parts leave word for each other. Made when it is not there."""
    return made(home(environment), "run")


def home_mark() -> str:
    """Names this home among those of all machines, and the machine to a person: `3f9a…@laptop`."""
    base = home()
    parts = [os.fspath(base)]
    with suppress(OSError):
        found = base.stat()
        parts += [str(found.st_dev), str(found.st_ino)]
    for path in MACHINE_IDS:
        with suppress(OSError, UnicodeDecodeError):
            parts.append(Path(path).read_text(encoding="ascii").strip())
    mark = sha256("|".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f"{mark}@{socket.gethostname()}"


def made(base: Path, *names: str) -> Path:
    """A folder under `base`, made with all above it that is missing."""
    try:
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in names:
            base = base / name
            base.mkdir(mode=0o700, exist_ok=True)
    except OSError as exc:
        raise BadSetting(
            SETTING,
            str(base),
            f"cannot be used: {exc.strerror or exc}",
            "Name a folder of yours that can be written to.",
        ) from exc
    return base
