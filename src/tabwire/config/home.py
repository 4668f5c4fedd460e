"""Where Tabwire keeps its things: TABWIRE_HOME, else the folder the system has for that.

What is in it belongs to one person, so every folder made here is theirs alone (0700).
"""

import errno
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
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
                SETTING, named, "is not an absolute path", "Give the full path of a folder."
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


FULL = (errno.ENOSPC, errno.EDQUOT)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR, errno.ELOOP)


def unusable(error: OSError) -> BadSetting | None:
    """What the system said of a file in the home, as what a person can act on."""
    if error.errno not in (*FULL, *FORBIDDEN):
        return None
    base, path = home(), error.filename
    if isinstance(path, (str, bytes)):
        if base not in (found := Path(os.fsdecode(path)), *found.parents):
            return None
    elif error.errno not in FULL:  # no file is named: it is one of somebody else's
        return None
    what = f"{os.fsdecode(path)}: " if isinstance(path, (str, bytes)) else ""
    remedy = (
        f"Free some space on the disk that holds {base}, then try again."
        if error.errno in FULL
        else f"Make {base} and everything in it owned and writable by you (chown, chmod u+rwX), "
        f"or set {SETTING} to another folder."
    )
    return BadSetting(SETTING, str(base), f"cannot be used: {what}{error.strerror}", remedy)


@contextmanager
def usable_home() -> Iterator[None]:
    """What goes wrong with a file of the home in this block is said as that."""
    try:
        yield
    except OSError as exc:
        if (named := unusable(exc)) is None:
            raise
        raise named from exc


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
            "Choose a folder you can write to.",
        ) from exc
    return base
