"""A path, or the address of a database -> a store that is up to date.

Safe for two processes that open the same new file at once: whoever comes second waits, and
finds the work done.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from tabwire.store.migrate import HEAD, bring_up_to_date, version_of
from tabwire.store.sqlite import (
    BUSY_SECONDS,
    EXCLUSIVE,
    engine_for,
    is_busy,
    make_file,
    named_errors,
    preparing_engine,
)
from tabwire.store.store import Store
from tabwire.store.transactions import Transactions

PAUSE_SECONDS = 0.02  # between two tries to open a file that others are opening


async def open_store(where: Path | str, who: str = "") -> Store:
    """The store in this file or at this address, made or brought up to date where needed. Close
    it after use. `who` names our home to a server, which one home at a time may change."""
    if isinstance(where, str):
        return await _open_server(where, who)
    await asyncio.to_thread(prepare, where)
    return Store(Transactions(engine_for(where), where, partial(named_errors, where)))


async def _open_server(said: str, who: str) -> Store:
    from tabwire.store import postgres  # its driver takes a tenth of a second to import

    url = postgres.address(said)
    name = postgres.named(url)
    engine = postgres.engine_for(url, who)
    transactions = Transactions(engine, name, partial(postgres.named_errors, name))

    def is_up_to_date(connection: Connection) -> bool:
        return version_of(connection, name, postgres.SCHEMA) == HEAD

    def bring(connection: Connection) -> None:
        postgres.make_schema(connection)
        bring_up_to_date(connection, name, postgres.SCHEMA)

    try:
        # looked first: whoever only reads needs no place, which another home may have
        if not await transactions.read(is_up_to_date):
            await transactions.change(bring)
    except BaseException:
        await transactions.close()
        raise
    return Store(transactions)


@asynccontextmanager
async def opened(where: Path | str, who: str = "") -> AsyncIterator[Store]:
    """The store in this file or at this address, for the length of a block."""
    store = await open_store(where, who)
    try:
        yield store
    finally:
        await store.close()


def prepare(path: Path) -> None:
    """Make the file what this version needs. Also finds out whether it can be written at all."""
    make_file(path)
    give_up_at = time.monotonic() + BUSY_SECONDS
    with named_errors(path):
        while True:
            try:
                return _prepare_once(path)
            except DBAPIError as exc:
                # SQLite waits by itself for its locks, but not while a file becomes WAL.
                if not is_busy(exc) or time.monotonic() > give_up_at:
                    raise
                time.sleep(PAUSE_SECONDS)


def _prepare_once(path: Path) -> None:
    engine = preparing_engine(path)
    try:
        with engine.execution_options(**{EXCLUSIVE: True}).begin() as connection:
            bring_up_to_date(connection, path)
    finally:
        engine.dispose()
