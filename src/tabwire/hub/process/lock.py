"""One hub per person: the lock that only one process holds, and where its sockets are.

The lock belongs to the system: it goes with the process that held it, however that ended. What
is written in the file is for others to read: who holds it, since when, and at which port.
"""

import errno
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from tabwire import __version__
from tabwire.config.home import home, run_folder
from tabwire.model.errors import BadSetting, TabwireError

LOCK = "hub.lock"
SPAWN_LOCK = "spawn.lock"
KEPT = "TABWIRE_KEPT_PLACE"  # the number of an open file, from a hub to the one it becomes
MAX_SOCKET_PATH = 100  # bytes: Linux allows 107, macOS 103
WRITTEN_SECONDS = 1.0  # between taking the lock and writing one's name into it lie microseconds
LOOK_SECONDS = 0.01


class HubRunsAlready(TabwireError):
    """There is one hub per person. `pid` is that of the one there is, 0 where it is not known."""

    def __init__(self, pid: int) -> None:
        who = f"pid {pid}" if pid else "its pid is not known"
        super().__init__(
            f"a hub is already running ({who})",
            what_to_do="Use that one; `tabwire stop` stops it, `tabwire restart` restarts it.",
        )
        self.pid = pid


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the lock. `started` is that of a mark: a pid alone comes round again."""

    pid: int
    started: str
    version: str
    port: int = 0
    since: float = 0.0  # seconds since 1970: a hub that is renewed keeps its pid


class HubLock:
    """Held from `take` until `release`, or until this process ends."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or run_folder()) / LOCK
        self._file = -1

    def take(self, holder: Holder) -> None:
        """Be the one hub. Raises `HubRunsAlready`."""
        until = time.monotonic() + WRITTEN_SECONDS
        while self._file < 0:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)
            if _lock(file) and _is_at(file, self.path):  # else it was removed meanwhile
                self._file = file
                break
            os.close(file)
            # somebody who only looks whether it is free holds it for a moment, too
            if (held := _read(self.path)) or time.monotonic() >= until:
                raise HubRunsAlready(held.pid if held else 0)
            time.sleep(LOOK_SECONDS)
        self.tell(holder)

    def tell(self, holder: Holder) -> None:
        """Write down who we are: at once, for a reader sees all of it or what was there before."""
        text = json.dumps(asdict(holder)).encode()
        os.pwrite(self._file, text + b"\n", 0)
        os.ftruncate(self._file, len(text) + 1)

    def release(self) -> None:
        """Let the next one be the hub. The file stays: to remove it would race with the next."""
        if self._file >= 0:
            os.ftruncate(self._file, 0)
            os.close(self._file)
            self._file = -1


def this_process(port: int = 0) -> Holder:
    """Ourselves, as a holder."""
    from tabwire.browser.process import mark_of

    mark = mark_of(os.getpid())
    return Holder(os.getpid(), mark.started if mark else "", __version__, port, time.time())


def holder(folder: Path | None = None) -> Holder | None:
    """Who is the hub now; None if there is none. Leaves no trace."""
    path = (folder or home() / "run") / LOCK
    until = time.monotonic() + WRITTEN_SECONDS
    while True:
        try:
            file = os.open(path, os.O_RDWR)
        except OSError:
            return None
        try:
            if _lock(file):
                return None  # closing it lets go again
        finally:
            os.close(file)
        if held := _read(path):
            return held
        if time.monotonic() >= until:
            return Holder(0, "", "")
        time.sleep(LOOK_SECONDS)


@contextmanager
def spawn_lock(seconds: float, folder: Path | None = None) -> Iterator[bool]:
    """Only one at a time starts a hub. Whether we are the one; not after `seconds`."""
    path = (folder or run_folder()) / SPAWN_LOCK
    file = os.open(path, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)
    until = time.monotonic() + seconds
    try:
        while not (ours := _lock(file)) and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)  # a blocking wait could not be bounded
        yield ours
    finally:
        os.close(file)


@contextmanager
def used_by_us(key: str) -> Iterator[bool]:
    """Only one of this person's processes, whatever their homes, uses what has this key. Whether
    we are the one, for the length of the block; the system takes it back from the dead."""
    path = _use_path(key)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    check_private(path.parent)
    file = -1
    while file < 0:
        file = os.open(path, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)
        if not _lock(file):
            os.close(file)
            yield False
            return
        if not _is_at(file, path):  # whoever had it before has just removed it
            os.close(file)
            file = -1
    try:
        yield True
    finally:
        with suppress(OSError):  # on Windows an open file cannot be removed
            path.unlink()
        os.close(file)


def _use_path(key: str) -> Path:
    owner = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"tabwire-{owner}-uses"
    return folder / sha256(key.encode()).hexdigest()[:32]


def keep_place(folder: Path | None = None) -> None:
    """Nobody starts a hub from now on, not even when this one has let go of its lock: it becomes
    a new one, by `exec`, and has its place until that has said `place_taken`."""
    if sys.platform == "win32":
        return  # there is no `exec` that would keep it
    path = (folder or run_folder()) / SPAWN_LOCK
    file = os.open(path, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)
    if _lock(file):
        os.set_inheritable(file, True)
        os.environ[KEPT] = str(file)
    else:
        os.close(file)  # somebody starts one already: either will do


def place_taken() -> None:
    """We are the new hub, and can be found."""
    kept = os.environ.pop(KEPT, "")
    if kept.isdecimal():
        with suppress(OSError):
            os.close(int(kept))


def socket_path(name: str, *, make: bool = False) -> Path:
    """Where a socket of the hub is: in `run`, or where a path is shorter if that is too long."""
    base = home()
    path = base / "run" / name
    if len(os.fsencode(path)) <= MAX_SOCKET_PATH:
        return path
    owner = os.getuid() if hasattr(os, "getuid") else 0
    mark = sha256(os.fsencode(base)).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"tabwire-{owner}-{mark}"
    if make:
        folder.mkdir(mode=0o700, exist_ok=True)
    if folder.exists() or folder.is_symlink():
        check_private(folder)
    return folder / name


def check_private(folder: Path) -> None:
    """Nobody else can have made this folder, nor put something into it."""
    found = folder.lstat()
    ours = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    if folder.is_symlink() or not ours or found.st_mode & 0o077:
        raise BadSetting(
            "folder",
            str(folder),
            "is accessible to other users",
            "Make it accessible to you only (chmod 700), or set a shorter TABWIRE_HOME.",
        )


def _read(path: Path) -> Holder | None:
    """Who says that it holds the lock, if that process is alive."""
    from tabwire.browser.process import Mark, is_running

    try:
        found = Holder(**json.loads(path.read_bytes()))
        alive = is_running(Mark(found.pid, found.started))
    except (OSError, ValueError, TypeError):  # not written yet
        return None
    return found if alive else None


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except OSError:
        return False


_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)

if sys.platform != "win32":
    import fcntl

    def _lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            if exc.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise
            return False
        return True

else:  # not tried on a real machine yet
    import msvcrt

    _FAR = 1 << 30  # bytes after the lock's text, which others read while we hold it

    def _lock(file: int) -> bool:
        os.lseek(file, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
