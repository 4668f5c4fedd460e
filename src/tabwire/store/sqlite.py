"""All that is true of SQLite only: the file, its settings, its error codes.

Everything else in this room is said in SQLAlchemy's words and would do for PostgreSQL.

Settings, and why:
WAL               readers and the one writer do not wait for each other
synchronous=FULL  every commit is on the disk when it returns, even if the power goes. NORMAL would
                  survive a kill, but not that, and a lost "sending" is a prompt sent twice
foreign_keys      off by default in SQLite
BEGIN IMMEDIATE   a change takes the writer's place before it looks, so that nothing it saw is old
                  when it writes. With a plain BEGIN, two could look and both could write
"""

import os
import shutil
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import URL, Connection, Engine, NullPool, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tabwire.store.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreNotWritable,
)

BUSY_SECONDS = 10.0  # how long one change waits for the changes of other processes
TURN_SECONDS = 60.0  # how long one waits for the others of this process
NO_ROOM = 64 * 1024  # bytes; an input/output error with less than this free is a full disk

_MAKING = threading.Lock()

EXCLUSIVE = "tabwire_exclusive"
"""Execution option of an engine whose transactions take the writer's place at their begin."""


def make_file(path: Path) -> None:
    """An empty file for one person only, in a folder for one person only, where there is none.
    SQLite gives the files it adds beside it the same rights.

    A file that is there is never opened here: closing it would let go of all locks that SQLite
    holds on it in this process, so says POSIX. For the same reason one makes it at a time.
    """
    try:
        with _MAKING:
            _make_folder(path.parent)
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise StoreNotWritable(path, "it is not a file")
        if mode & 0o077:
            path.chmod(mode & 0o700)  # restored from a backup, say
    except OSError as exc:
        raise _named_os(path, exc) from exc
    if not os.access(path, os.W_OK):  # SQLite would read it and say so at the first change only
        raise StoreNotWritable(path, "it is read-only")


def _make_folder(folder: Path) -> None:
    """All that are missing, each 0700: `mkdir(parents=True)` gives that to the last only."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)


def keep_copy(path: Path, copy: Path) -> None:
    """A copy of the file as it is on disk now, whole or not there at all. Others may write
    meanwhile: it has none of that."""
    part = copy.with_name(f"{copy.name}.part")
    part.unlink(missing_ok=True)
    make_file(part)
    source = sqlite3.connect(path, timeout=BUSY_SECONDS)
    try:
        source.execute("VACUUM INTO ?", (str(part),))
    finally:
        source.close()
    part.replace(copy)


def preparing_engine(path: Path) -> Engine:
    """For the one who opens a file: switches WAL on, which stays so in the file."""
    engine = sqlalchemy.create_engine(_url("sqlite", path), poolclass=NullPool, **_options())
    _set_up(engine, "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
    return engine


def engine_for(path: Path) -> Engine:
    """For everybody after that. One connection: changes take turns without asking the disk."""
    # the one thread of `Transactions` uses it, and another may be the one that made it
    engine = sqlalchemy.create_engine(
        _url("sqlite", path), pool_size=1, max_overflow=0, pool_timeout=TURN_SECONDS, **_options()
    )
    _set_up(engine, "synchronous = FULL", "foreign_keys = ON")
    return engine


def _url(driver: str, path: Path) -> URL:
    return URL.create(driver, database=str(path.absolute()))


def _options() -> dict[str, Any]:
    # What people ask must not stand in the text of an error.
    how = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    return {"connect_args": how, "hide_parameters": True}


def _set_up(engine: Engine, *settings: str) -> None:
    @event.listens_for(engine, "connect")
    def connected(connection: Any, _: object) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, below
        cursor = connection.cursor()
        for setting in settings:
            cursor.execute(f"PRAGMA {setting}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        exclusive = connection.get_execution_options().get(EXCLUSIVE)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if exclusive else "BEGIN")


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """What a database says, as what a person can act on."""
    try:
        yield
    except PoolTimeout as exc:
        raise StoreBusy(path, TURN_SECONDS) from exc
    except DBAPIError as exc:
        raise _named(path, exc.orig) from exc
    except sqlite3.Error as exc:
        raise _named(path, exc) from exc


def is_busy(error: DBAPIError) -> bool:
    """Whether another process was in the way."""
    return _code(error.orig) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _code(error: BaseException | None) -> int:
    """The primary code; SQLite adds details in the upper bits."""
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if code is not None else sqlite3.SQLITE_ERROR


def _named(path: Path, error: BaseException | None) -> StoreError:
    said = str(error)
    match _code(error):
        case sqlite3.SQLITE_FULL:
            return StoreFull(path, said)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreBusy(path, BUSY_SECONDS)
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_ERROR:
            return StoreDamaged(path, said)  # ERROR: a table or column is not there
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN if _is_full(path):
            return StoreFull(path, said)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StoreNotWritable(path, said)
        case _:
            return StoreError(path, f"the store {path} failed: {said}")


def _named_os(path: Path, error: OSError) -> StoreError:
    why = error.strerror or str(error)
    return StoreFull(path, why) if _is_full(path) else StoreNotWritable(path, why)


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < NO_ROOM
    except OSError:
        return False
