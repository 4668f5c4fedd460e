"""`--out`: answers into files, whole or not at all, and never over what is there."""

import errno
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tabwire.doors.cli.ask.request import wrong

NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)


def places(out: Path, sites: Sequence[str], ending: str) -> dict[str, Path]:
    """Where each site's answer goes: a file, or one file per site in a folder."""
    if len(sites) == 1 and not out.is_dir():
        return {sites[0]: out}
    return {site: out / f"{site}.{ending}" for site in sites}


def check(path: Path, *, force: bool) -> None:
    """Before anything is asked: can this file be written? What is there stays there."""
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise wrong(f"{folder} is not a folder", "--out")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise wrong(f"{folder} is not writable", "--out")
    if path.exists() and not path.is_file():
        raise wrong(f"{path} exists and is not a regular file", "--out")
    if path.exists() and not force:
        raise wrong(f"{path} already exists; use --force to overwrite it", "--out")


def write(path: Path, data: bytes, *, force: bool) -> None:
    """The whole file appears at once under its name. OSError where it cannot."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if force:
            os.replace(unfinished, path)
        else:
            _name(unfinished, path)
    finally:
        with suppress(FileNotFoundError):
            unfinished.unlink()


def _name(unfinished: Path, path: Path) -> None:
    """Give it its name, which nobody else took in the meantime."""
    try:
        os.link(unfinished, path)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from error
        os.rename(unfinished, path)
