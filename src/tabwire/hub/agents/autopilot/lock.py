"""One driver per window, across processes and homes: a file with a claim, and a mutex beside it.

It lies where the system has its temporary files, in a folder of this person alone, not in
Tabwire's home: two homes share one editor. What decides is `autopilot/owner.py`.
"""

import hashlib
import json
import os
import secrets
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

from tabwire.autopilot.owner import Claim, Watched, is_stale, watched
from tabwire.browser.process import Mark, is_running, mark_of
from tabwire.hub.process.lock import check_private, spawn_lock

MUTEX_SECONDS = 2.0
_BOOT = Path("/proc/sys/kernel/random/boot_id")


def drivers_folder() -> Path:
    """Where claims are. Made when it is not there."""
    owner = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"tabwire-drivers-{owner}"
    folder.mkdir(mode=0o700, exist_ok=True)
    check_private(folder)
    return folder


def boot_id() -> str:
    """Which run of which machine this is."""
    try:
        return _BOOT.read_text().strip()
    except OSError:
        import platform

        return platform.node()


class DriverLock:
    """The claim on one window. `take`, then `beat` every five seconds, then `release`."""

    def __init__(self, key: str, folder: Path | None = None) -> None:
        self._folder = folder or drivers_folder()
        name = hashlib.sha256(key.encode()).hexdigest()[:24]
        self._path = self._folder / f"{name}.json"
        self._boot = boot_id()
        self._seen: Watched | None = None
        mark = mark_of(os.getpid())
        started = mark.started if mark else ""
        self._mine = Claim(secrets.token_hex(8), os.getpid(), started, self._boot, 0.0)

    def take(self) -> Claim | None:
        """Be the driver; or who is."""
        with spawn_lock(MUTEX_SECONDS, self._folder) as alone:
            there = self._read()
            if not alone:
                return there or replace(self._mine, pid=0, number="")
            if there is not None and there.number != self._mine.number:
                now = time.monotonic()
                self._seen = watched(self._seen, there, now)
                runs = is_running(Mark(there.pid, there.started))
                if not is_stale(self._seen, boot=self._boot, now=now, runs=runs):
                    return there
            self._write()
            return None

    def beat(self) -> bool:
        """A sign of life. False: another one has taken it meanwhile."""
        with spawn_lock(MUTEX_SECONDS, self._folder) as alone:
            there = self._read()
            if not alone or there is None or there.number != self._mine.number:
                return False
            self._write()
            return True

    def release(self) -> None:
        """Let another one have it. What another one took stays."""
        with spawn_lock(MUTEX_SECONDS, self._folder):
            there = self._read()
            if there is not None and there.number == self._mine.number:
                self._path.unlink(missing_ok=True)

    def _read(self) -> Claim | None:
        try:
            return Claim(**json.loads(self._path.read_bytes()))
        except (OSError, ValueError, TypeError):
            return None

    def _write(self) -> None:
        self._mine = replace(self._mine, at=time.monotonic(), beat=self._mine.beat + 1)
        fresh = self._path.with_suffix(f".{self._mine.number}.new")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(self._mine), file)
        os.replace(fresh, self._path)
