"""The secret with which programs of this person come in by the port. Kept in run/token.

It stays the same over restarts: it stands in the configuration of clients.
"""

import os
import secrets
import stat
from pathlib import Path

from tabwire.config.home import home, run_folder
from tabwire.config.redaction import keep_secret
from tabwire.model.errors import BadSetting

FILE = "token"
BYTES = 32
MAX_LENGTH = 1000  # of what is read; ours have 43 characters

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)


def made_token() -> str:
    """The token, made if there is none, or none that was kept secret."""
    path = run_folder() / FILE
    token = _read(path)
    if token is None:
        token = secrets.token_urlsafe(BYTES)
        path.unlink(missing_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW, 0o600)
        with os.fdopen(file, "w") as out:
            out.write(f"{token}\n")
    keep_secret(token)
    return token


def read_token() -> str | None:
    """The token, for a client."""
    token = _read(home() / "run" / FILE)
    keep_secret(token or "")
    return token


def _read(path: Path) -> str | None:
    """None where there is none, and where others could have read it."""
    if path.is_symlink():
        raise BadSetting(
            FILE, str(path), "is a symbolic link", "Remove it; a new one is created automatically."
        )
    try:
        file = os.open(path, os.O_RDONLY | _NO_FOLLOW)
    except OSError:
        return None
    with os.fdopen(file) as lines:
        found = os.fstat(file)
        token = lines.read(MAX_LENGTH).strip()
    others = os.name == "posix" and (
        found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077
    )
    return None if others or len(token) < BYTES else token
