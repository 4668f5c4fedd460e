"""`tabwire repair`: a damaged store set aside, and its last good copy in its place."""

import time

from tabwire.hub import repair_store


def repair() -> None:
    """Restore a damaged database from its last good backup.

    Once a day the hub checks tabwire.db and backs it up as tabwire.db.good. A damaged database is
    not deleted: it stays next to the restored one as tabwire.db.damaged with the date. An intact
    database is left alone.

    Stop the hub first: `tabwire stop`.

    Exit codes: 0 repaired or nothing to do, 1 a hub is running.

    Examples:

      tabwire stop && tabwire repair
    """
    done = repair_store()
    if done is None:
        print("the database is intact; nothing to do")
        return
    print(f"damaged database moved to {done.aside}")
    if done.copied_at is None:
        print("no backup found; a new database will be created when needed")
    else:
        at = time.strftime("%Y-%m-%d %H:%M", time.localtime(done.copied_at))
        print(f"restored the backup of {at}; newer questions are in the damaged file")
