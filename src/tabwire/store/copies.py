"""The last good copy of a SQLite store, and a damaged store set aside for it.

A copy is made only of a file that was looked through and found whole, so there is always one to
go back to. Nothing is repaired and nothing is thrown away: the damaged file stays beside the
restored one.
"""

import os
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tabwire.store.errors import StoreDamaged, good_copy
from tabwire.store.sqlite import BUSY_SECONDS, keep_copy, named_errors

BESIDE = ("", "-wal", "-shm")  # what belongs to one store


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was done: where the damaged file is now, and of when the copy is in its place."""

    aside: Path
    copied_at: float | None


def keep_good_copy(path: Path) -> None:
    """A copy of the store as it is now, in the place of the one before. Raises `StoreDamaged`
    where the store is not whole; then the copy of before stays."""
    check(path)
    with named_errors(path):
        keep_copy(path, good_copy(path))


def check(path: Path) -> None:
    """Look all of it through. Raises `StoreDamaged`, and whatever else keeps it from being read."""
    with named_errors(path), closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as line:
        (found,) = line.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise StoreDamaged(path, str(found).splitlines()[-1])
        (tables,) = line.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not tables and good_copy(path).exists():
        raise StoreDamaged(path, "it is empty, but its copy is not")


def repair(path: Path) -> Repaired | None:
    """Set a damaged store aside and put the last good copy in its place; without a copy a new
    store is made by itself. None where the store is whole. Nobody else may use it meanwhile."""
    try:
        check(path)
    except StoreDamaged:
        pass
    else:
        return None
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    for end in BESIDE:
        here = path.with_name(path.name + end)
        if here.exists():
            os.replace(here, aside.with_name(aside.name + end))
    copy = good_copy(path)
    if not copy.exists():
        return Repaired(aside, None)
    copied_at = copy.stat().st_mtime
    with named_errors(path):
        keep_copy(copy, path)  # the copy stays: the disk that damaged one file is the same
    return Repaired(aside, copied_at)
