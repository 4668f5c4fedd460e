"""What goes wrong with the store.

TabwireError
└── StoreError            the disk or the database failed in a way we have no better name for
    ├── StoreNotWritable  the file or its folder cannot be written to
    ├── StoreFull         no room on the disk
    ├── StoreBusy         another process holds it for too long
    ├── StoreHeld         another hub or home uses the database
    ├── StoreNotReachable the database server does not answer
    ├── StoreDamaged      the file is no store, or a broken one
    └── StoreNewer        a newer Tabwire wrote it

Whatever is raised, the change it stopped was not made: neither in part nor later.
"""

import time
from pathlib import Path

from tabwire.model.errors import Retry, TabwireError

Place = Path | str
"""A file; or the address of a database, without its password."""


class StoreError(TabwireError):
    """`path` is the file, or an address. What could not be kept must not be told as kept."""

    code = "store_failed"

    def __init__(
        self,
        path: Place,
        what: str,
        *,
        what_to_do: str = "Check the disk it is on, then try again.",
        retry: Retry = Retry.NO,
    ) -> None:
        super().__init__(what, what_to_do=what_to_do, retry=retry)
        self.path = path


class StoreNotWritable(StoreError):
    """Permission, or a file system that is read only."""

    def __init__(self, path: Place, why: str) -> None:
        super().__init__(
            path,
            f"the store {path} cannot be written to: {why}",
            what_to_do=f"Make {path.parent} and its files owned and writable by you, or set "
            "TABWIRE_HOME to another folder."
            if isinstance(path, Path)
            else "Let this database user create a schema and tables, or set another database in "
            "the setting `database`.",
        )


class StoreFull(StoreError):
    """What was kept before is still there."""

    def __init__(self, path: Place, why: str) -> None:
        super().__init__(
            path,
            f"no space left on the disk of the store {path}: {why}",
            what_to_do=f"Free some space on the disk that holds {_disk(path)}, then try again. "
            "What was saved before is safe.",
            retry=Retry.SAME,
        )


class StoreBusy(StoreError):
    """Writers take turns, and this turn did not come."""

    def __init__(self, path: Place, seconds: float) -> None:
        super().__init__(
            path,
            f"the store {path} was in use by another process for over {seconds:.0f} s",
            what_to_do="Find the program that has it open (a backup, a database browser, a "
            "stopped Tabwire), close it, then try again.",
            retry=Retry.SAME,
        )


class StoreHeld(StoreError):
    """One home, and one hub of it, uses a database at a time. `host` may be unknown."""

    def __init__(self, path: Place, who: str, host: str = "") -> None:
        on = f" (on {host})" if host else ""
        super().__init__(
            path,
            f"{who}{on} uses the store {path}",
            what_to_do="Stop it where it runs (`tabwire stop`), or set another database in the "
            "setting `database`: only one home at a time can use it.",
            retry=Retry.SAME,
        )


class StoreDamaged(StoreError):
    """It is set aside by `tabwire repair` (store/copies.py), never by itself: a person decides."""

    def __init__(self, path: Place, why: str) -> None:
        super().__init__(
            path,
            f"the store {path} cannot be read: {why}",
            what_to_do=f"{_offer(path)} Conversations on the sites are not affected."
            if isinstance(path, Path)
            else "Restore the schema `tabwire` of the database from a backup, or rename it: a new "
            "one is created automatically. Conversations on the sites are not affected.",
        )


class StoreNotReachable(StoreError):
    """A server that was restarted may be there again."""

    def __init__(self, path: Place, why: str) -> None:
        super().__init__(
            path,
            f"the store {path} cannot be reached: {why}",
            what_to_do="Start the database server, or correct the setting `database`; without it, "
            "a file in the home is used.",
            retry=Retry.SAME,
        )


class StoreNewer(StoreError):
    """Nothing was changed in it."""

    def __init__(self, path: Place, version: str, known: str) -> None:
        super().__init__(
            path,
            f"the store {path} was written by a newer Tabwire (schema version {version}; this one "
            f"supports {known})",
            what_to_do="Update Tabwire, or set TABWIRE_HOME to another folder.",
        )


def good_copy(path: Path) -> Path:
    """Where the last good copy of a store is."""
    return path.with_name(f"{path.name}.good")


def _offer(path: Path) -> str:
    try:
        at = time.localtime(good_copy(path).stat().st_mtime)
    except OSError:
        kept = "creates a new one; there is no copy of it yet"
    else:
        kept = f"restores the last good copy, from {time.strftime('%Y-%m-%d %H:%M', at)}"
    return f"Run `tabwire stop`, then `tabwire repair`: it moves {path.name} aside and {kept}."


def _disk(path: Place) -> str:
    return str(path.parent) if isinstance(path, Path) else path
