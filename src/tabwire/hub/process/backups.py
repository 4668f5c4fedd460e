"""A good copy of the store every day, and the store put back from it when a person says so."""

import asyncio
import time
from pathlib import Path

from tabwire.config.home import home, usable_home
from tabwire.config.logs import get_log
from tabwire.config.settings import settings
from tabwire.hub.jobs.books import FILE
from tabwire.hub.process.lock import HubLock, this_process
from tabwire.model.errors import BadSetting
from tabwire.store.copies import Repaired, keep_good_copy
from tabwire.store.copies import repair as repair_file
from tabwire.store.errors import StoreError, good_copy

FIRST_SECONDS = 20.0  # after a hub started, which has better things to do
EVERY_SECONDS = 24 * 3600.0


async def keep_copies(path: Path, *, first: float = FIRST_SECONDS) -> None:
    """Look through the store and copy it, once a day, until cancelled."""
    await asyncio.sleep(first)
    while True:
        try:
            age = time.time() - good_copy(path).stat().st_mtime
        except OSError:
            age = EVERY_SECONDS
        if age >= EVERY_SECONDS:
            age = 0.0
            try:
                await asyncio.to_thread(keep_good_copy, path)
            except StoreError as exc:
                get_log().error("the store was not copied", error=exc, what_to_do=exc.what_to_do)
            else:
                get_log().info("the store was copied", to=good_copy(path))
        await asyncio.sleep(EVERY_SECONDS - max(0.0, age))


def repair() -> Repaired | None:
    """Set a damaged store aside for its last good copy; None where it is whole. Raises
    `HubRunsAlready`: whoever has it open would write into the file that was set aside."""
    if settings().database:
        remedy = "Restore it from a backup with the database server's tools."
        raise BadSetting("database", "postgresql", "is not a Tabwire file", remedy)
    path = home() / FILE
    if not path.exists():
        return None
    with usable_home():
        lock = HubLock()
        lock.take(this_process())
        try:
            return repair_file(path)
        finally:
            lock.release()
