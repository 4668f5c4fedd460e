"""Write an exported file: inside the chosen folder, through no link, over nothing unasked.

The folder is opened once and the file is made inside what was opened, so that nobody can put
something else in between. The whole file is there or none of it.
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from tabwire.model.errors import TabwireError
from tabwire.model.exits import USAGE

_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_HAS_DIR_FD = os.open in os.supports_dir_fd


class FileThere(TabwireError):
    """There is a file of that name already."""

    exit_code = USAGE

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} already exists",
            what_to_do="Use --force to overwrite it, or --out to choose another folder.",
        )


class CannotWrite(TabwireError):
    """The file cannot be written there."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path} cannot be written: {why}",
            what_to_do="Name another folder with --out, or use `--out -` for standard output.",
        )


def write_in(folder: Path, name: str, data: bytes, *, force: bool = False) -> Path:
    """The file, made or (with `force`) made anew. `name` is one of names.py."""
    path = folder / name
    if Path(name).name != name or name in ("", ".", ".."):
        raise CannotWrite(path, "it would not be in the folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise CannotWrite(path, exc.strerror or str(exc)) from exc
    try:
        _write(folder, name, data, force=force)
    except FileExistsError:
        raise FileThere(path) from None
    except OSError as exc:
        raise CannotWrite(path, exc.strerror or str(exc)) from exc
    return path


def _write(folder: Path, name: str, data: bytes, *, force: bool) -> None:
    within: int | None = None
    if _HAS_DIR_FD:
        within = os.open(folder, os.O_RDONLY | _DIRECTORY)
    try:
        if not force and _is_there(folder, name, within):
            raise FileExistsError(name)
        part = f".{secrets.token_hex(8)}.part"
        try:
            _fill(folder, part, data, within)
            _put(folder, part, name, within, force=force)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(_at(folder, part, within), dir_fd=within)
    finally:
        if within is not None:
            os.close(within)


def _is_there(folder: Path, name: str, within: int | None) -> bool:
    """Also a link that leads nowhere is there."""
    try:
        os.stat(_at(folder, name, within), dir_fd=within, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _fill(folder: Path, name: str, data: bytes, within: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(_at(folder, name, within), flags, 0o600, dir_fd=within)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _put(folder: Path, part: str, name: str, within: int | None, *, force: bool) -> None:
    """Under its name. A link of that name is replaced, never followed."""
    source, target = _at(folder, part, within), _at(folder, name, within)
    if force or os.link not in os.supports_dir_fd:
        os.replace(source, target, src_dir_fd=within, dst_dir_fd=within)
    else:  # fails where somebody was quicker
        os.link(source, target, src_dir_fd=within, dst_dir_fd=within, follow_symlinks=False)


def _at(folder: Path, name: str, within: int | None) -> str:
    return name if within is not None else str(folder / name)
