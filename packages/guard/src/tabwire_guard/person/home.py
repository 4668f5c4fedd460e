"""The folder of the person's rules, and how files in it are written: for this person alone."""

import os
from collections.abc import Mapping
from pathlib import Path

from tabwire_guard.errors import BadSetting
from tabwire_guard.person.where import SETTING, home_path


def home_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of this person. Not created here: looking for it leaves no trace."""
    return Path(home_path(environment))


def make_folder(folder: Path) -> Path:
    """Create it with all above it that is missing, for this person alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise BadSetting(
            SETTING,
            str(folder),
            f"cannot be used: {exc.strerror or exc}",
            "Set it to a folder of yours that can be written to.",
        ) from exc
    return folder


def write_file(path: Path, text: str) -> None:
    """Write the whole file or nothing of it, for this person alone."""
    make_folder(path.parent)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)
