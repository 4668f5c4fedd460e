"""One configuration file: read it, back it up, replace it whole or not at all."""

import json
import os
import re
import stat
import tempfile
from collections.abc import Sequence
from copy import copy
from math import isfinite

from tabwire_guard.hook.configuration import BadConfiguration, Json

BACKUP = ".before-tabwire-guard"
"""Behind the name of the file that was changed."""
MAX_FILE = 10_000_000
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a character, written with an escape; alone it can only be written so."""


class ConfigFile:
    """A JSON file of an assistant. Links are followed, and stay links."""

    def __init__(self, path: str, *, within: str | None = None) -> None:
        self.path = path
        self.target = os.path.realpath(path)
        """The file itself, where `path` is a link or lies behind one."""
        if within is not None:
            _stays_inside(self.target, path, within)
        self.backup = path + BACKUP
        if os.path.islink(self.backup):  # nobody but somebody else makes one
            raise BadConfiguration(f"{self.backup} is a link")
        self.before = _bytes(self.target, path)
        """What it held when it was read; None where there was no file."""
        self.data = _parsed(self.before, path)

    def holding(self, content: bytes | None) -> "ConfigFile":
        """The same file, as if that were in it."""
        other = copy(self)
        other.before, other.data = content, _parsed(content, self.path)
        return other

    def rendered(self, data: Json) -> bytes:
        """That data in this file's own layout: indentation, end of line, mark at the beginning."""
        text = (self.before or b"").decode("utf-8-sig")
        indent = _indent(text)
        escaped = bool(text) and (text.isascii() or _HALF.search(text) is not None)
        fresh = json.dumps(data, indent=indent, ensure_ascii=escaped)
        if not text or text.endswith("\n"):
            fresh += "\n"
        if "\r\n" in text:
            fresh = fresh.replace("\n", "\r\n")
        mark = b"\xef\xbb\xbf" if (self.before or b"").startswith(b"\xef\xbb\xbf") else b""
        return mark + fresh.encode()

    def write(self, content: bytes, *, private: bool) -> None:
        """Replace it, if nobody else has changed it meanwhile."""
        os.makedirs(os.path.dirname(self.target), exist_ok=True)
        self.writable()
        if _bytes(self.target, self.path) != self.before:
            raise BadConfiguration(
                f"{self.path} has just been changed by another program; try again"
            )
        _replace(self.target, content, _mode(self.target, private=private))

    def writable(self) -> None:
        """Leave a file alone that somebody has made read-only."""
        if self.before is not None and not _mode(self.target, private=True) & 0o222:
            raise BadConfiguration(f"{self.path} is read-only; make it writable, then try again")

    def keep(self) -> None:
        """Make the back-up of what it held when it was read."""
        if self.before is not None:
            _replace(self.backup, self.before, _mode(self.target, private=True))

    def kept(self) -> bytes | None:
        """What the back-up holds."""
        return _bytes(self.backup, self.backup)

    def forget(self) -> None:
        """Delete the back-up, if there is one."""
        if os.path.lexists(self.backup):
            os.unlink(self.backup)

    def remove(self) -> None:
        """Delete the file, and the folder that was made for it, if that is empty now."""
        os.unlink(self.target)
        folder = os.path.dirname(self.target)
        if not os.listdir(folder):
            os.rmdir(folder)


def _stays_inside(target: str, path: str, within: str) -> None:
    folder = os.path.realpath(within)
    if os.path.commonpath((folder, target)) != folder:
        raise BadConfiguration(f"{path} is a link that points outside the project, to {target}")


def _bytes(target: str, path: str) -> bytes | None:
    try:
        with open(target, "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise BadConfiguration(f"{path} is not a regular file")
            data = file.read(MAX_FILE + 1)
    except FileNotFoundError:
        if os.path.islink(target):  # one that leads back to itself
            raise BadConfiguration(f"{path} is a broken link") from None
        return None
    except OSError as problem:
        raise BadConfiguration(f"{path} cannot be read: {problem.strerror}") from problem
    if len(data) > MAX_FILE:
        raise BadConfiguration(f"{path} has more than {MAX_FILE:,} bytes")
    return data


def _parsed(data: bytes | None, path: str) -> Json:
    if data is None or not data.strip():
        return {}
    try:
        text = data.decode("utf-8-sig")
        found = json.loads(
            text, object_pairs_hook=_once, parse_float=_finite, parse_constant=_finite
        )
    except RecursionError:
        raise BadConfiguration(f"{path} is nested too deeply") from None
    except ValueError as problem:  # no JSON, or no UTF-8
        raise BadConfiguration(f"{path} is not valid JSON: {problem}") from problem
    if not isinstance(found, dict):
        raise BadConfiguration(f"{path} is not a JSON object")
    return found


def _once(pairs: Sequence[tuple[str, object]]) -> Json:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name in found if sum(one == name for one, _ in pairs) > 1)
        raise ValueError(f"the key {twice!r} appears twice")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"the number {text} is not valid")
    return number


def _indent(text: str) -> int | str:
    for line in text.splitlines()[1:]:
        blank = line[: len(line) - len(line.lstrip())]
        if line.strip() and blank:
            return blank if "\t" in blank else len(blank)
    return 2


def _mode(target: str, *, private: bool) -> int:
    try:
        return stat.S_IMODE(os.stat(target).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o600 if private else 0o666 & ~mask


def _same_owner(fresh: str, target: str) -> None:
    """Root leaves a person's file theirs."""
    if os.name == "nt" or os.geteuid() != 0 or not os.path.exists(target):
        return
    owner = os.stat(target)
    os.chown(fresh, owner.st_uid, owner.st_gid)


def _replace(target: str, content: bytes, mode: int) -> None:
    handle, fresh = tempfile.mkstemp(
        prefix=os.path.basename(target) + ".", dir=os.path.dirname(target)
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(fresh, mode)
        _same_owner(fresh, target)
        os.replace(fresh, target)
    except BaseException:
        os.unlink(fresh)
        raise
