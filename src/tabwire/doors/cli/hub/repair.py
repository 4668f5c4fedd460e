"""`tabwire repair`: a damaged store set aside, and its last good copy in its place."""

import time

from tabwire.hub.process.backups import repair as repair_store


def repair() -> None:
    """Set a damaged store aside and put its last good copy in its place.

    The hub copies tabwire.db once a day to tabwire.db.good, after it looked through it and found
    it whole. A damaged store is never thrown away: it stays beside the restored one, as
    tabwire.db.damaged and the date. A store that is whole is left as it is.

    End the hub first: `tabwire stop`.

    Exit code 0: repaired, or nothing to do. 1: a hub runs.

    Examples:

      tabwire stop && tabwire repair
    """
    done = repair_store()
    if done is None:
        print("the store is whole; nothing was done")
        return
    print(f"set aside: {done.aside}")
    if done.copied_at is None:
        print("there is no copy; a new store is made when it is needed")
    else:
        at = time.strftime("%Y-%m-%d %H:%M", time.localtime(done.copied_at))
        print(f"restored: the copy of {at}; what was asked after that is in the file set aside")
