"""A program that a test starts in a world of its own, where a folder is a very small disk.

    full_disk.py FOLDER     prints one JSON object for every try

Every try leaves another number of bytes free, so that the disk is full at another moment: while
the file is made, its tables, the first row, the answer. Then room is made, and all that was
acknowledged must be there.
"""

import asyncio
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

from store.asked import ME, answer, ask
from tabwire.store.errors import StoreError
from tabwire.store.opening import opened

DISK = 2 * 1024 * 1024
STEP = 64 * 1024
TEXT = "because " * 5_000


async def write(path, kept):
    """Until the disk is full; what was acknowledged goes to `kept`."""
    async with opened(path) as store:
        try:
            while True:
                attempt, _ = await store.begin(ask(f"why {len(kept)}?"), ME, 1.0)
                kept[attempt.id] = None
                await store.keep(attempt.id, answer(attempt.id, TEXT), 2.0)
                kept[attempt.id] = TEXT
        finally:
            check(await store.recent(1000), kept)  # reading goes on


def check(found, kept):
    seen = {one.id: one.answer and one.answer.text for one in found}
    assert seen == kept, (seen.keys(), kept.keys())


async def one_try(path, free):
    kept, said = {}, "nothing"
    ballast = path.parent / "ballast"
    ballast.write_bytes(bytes(DISK - free))
    try:
        await write(path, kept)
    except StoreError as exc:
        said = type(exc).__name__
    acknowledged = len(kept)
    ballast.unlink()
    async with opened(path) as store:
        check(await store.recent(1000), kept)
        attempt, _ = await store.begin(ask("and now?"), ME, 3.0)
        await store.keep(attempt.id, answer(attempt.id), 4.0)
    connection = sqlite3.connect(path)
    whole = connection.execute("PRAGMA integrity_check").fetchone()[0]
    connection.close()
    return {"free": free, "said": said, "kept": acknowledged, "whole": whole}


def main(folder):
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(folder)]
    subprocess.run(mount, check=True)
    for free in range(0, DISK // 2, STEP):
        path = folder / "tabwire.db"
        print(json.dumps(asyncio.run(one_try(path, free))), flush=True)
        path.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
