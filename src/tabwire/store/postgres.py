"""All that is true of PostgreSQL only: the address, its settings, its error codes.

Everything of ours stands in a schema of its own, so the database may have other tables.

READ COMMITTED and one lock  a change takes the writer's place before it looks, as SQLite's
                             BEGIN IMMEDIATE does; the lock is the transaction's and goes with it
REPEATABLE READ, read only   whoever only looks sees everything as it was at one moment
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import sqlalchemy
from sqlalchemy import URL, Connection, Engine, NullPool, event, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tabwire.model.errors import BadSetting, Retry
from tabwire.store.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreNotReachable,
    StoreNotWritable,
)
from tabwire.store.sqlite import EXCLUSIVE, TURN_SECONDS

SCHEMA = "tabwire"
DRIVER = "postgresql+psycopg"
KINDS = ("postgresql", "postgres", DRIVER)
CONNECT_SECONDS = 10
FREE_SECONDS = 2.0  # for the place of a hub that is gone to be free
LOOK_SECONDS = 0.05
LOCK_SECONDS = 10.0  # how long one change waits for the changes of other processes
WRITER = 0x7AB31FE  # names of our locks are numbers; any will do that others do not use
HUB = WRITER + 1

FULL = ("53100",)
BUSY = ("55P03", "57014", "40P01", "40001")
FORBIDDEN = ("42501", "25006", "3D000", "28000", "28P01")
MISSING = ("42P01", "42703", "3F000", "XX001", "XX002")


def address(said: str) -> URL:
    """Where the database is, from what stands in the settings."""
    try:
        url = sqlalchemy.make_url(said)
    except ArgumentError:
        url = None
    if url is None or url.drivername not in KINDS:
        raise BadSetting(
            "database",
            said.partition(":")[0],
            "is no address of a PostgreSQL database",
            "Write postgresql://user@host/name, or leave it empty for SQLite.",
        )
    return url.set(drivername=DRIVER)


def named(url: URL) -> str:
    """The address, fit to be shown."""
    return url.set(drivername=KINDS[0]).render_as_string(hide_password=True)


def engine_for(url: URL) -> Engine:
    """One connection: changes take turns without asking the server."""
    engine = sqlalchemy.create_engine(
        url,
        pool_size=1,
        max_overflow=0,
        pool_timeout=TURN_SECONDS,
        pool_pre_ping=True,  # a server that was restarted meanwhile is no fault of a store
        hide_parameters=True,  # what people ask must not stand in the text of an error
        connect_args=_calling()
        | {"options": f"-csearch_path={SCHEMA},public -clock_timeout={LOCK_SECONDS:.0f}s"},
    )

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        if connection.get_execution_options().get(EXCLUSIVE):
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITER})")
        else:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")

    return engine


def make_schema(connection: Connection) -> None:
    """Room of our own in the database."""
    there = text("SELECT 1 FROM pg_namespace WHERE nspname = :name")
    if connection.scalar(there, {"name": SCHEMA}) is None:
        connection.exec_driver_sql(f"CREATE SCHEMA {SCHEMA}")


@contextmanager
def only_hub(url: URL) -> Iterator[None]:
    """No other hub uses this database, on any machine, in this block. Who still runs is known of
    processes on one machine only, so two hubs would take each other's jobs for left behind."""
    engine = sqlalchemy.create_engine(
        url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=_calling()
    )
    where = named(url)
    with named_errors(where):
        line = engine.connect()
    try:
        with named_errors(where):
            ours = _taken(line)
        if not ours:
            raise StoreError(
                where,
                f"another hub uses the store {where}",
                what_to_do="Stop it where it runs (`tabwire stop`), or name another database in "
                "the setting `database`: one hub at a time uses one.",
                retry=Retry.SAME,
            )
        try:
            yield
        finally:
            # not left to the end of the line, which the server notices a moment later
            with suppress(DBAPIError):
                line.execute(text("SELECT pg_advisory_unlock(:name)"), {"name": HUB})
    finally:
        line.close()
        engine.dispose()


def _taken(line: Connection) -> bool:
    """Whether the place of the one hub is ours; that of a hub that was just killed is free as
    soon as the server knows."""
    until = time.monotonic() + FREE_SECONDS
    while not line.scalar(text("SELECT pg_try_advisory_lock(:name)"), {"name": HUB}):
        if time.monotonic() >= until:
            return False
        time.sleep(LOOK_SECONDS)
    return True


def _calling() -> dict[str, object]:
    return {"connect_timeout": CONNECT_SECONDS, "application_name": "tabwire"}


@contextmanager
def named_errors(where: str) -> Iterator[None]:
    """What a server says, as what a person can act on."""
    try:
        yield
    except PoolTimeout as exc:
        raise StoreBusy(where, TURN_SECONDS) from exc
    except DBAPIError as exc:
        raise _named(where, exc) from exc


def _named(where: str, error: DBAPIError) -> StoreError:
    said = (str(error.orig).splitlines() or [""])[0]
    code = getattr(error.orig, "sqlstate", None) or ""
    if code in FULL:
        return StoreFull(where, said)
    if code in BUSY:
        return StoreBusy(where, LOCK_SECONDS)
    if code in FORBIDDEN:
        return StoreNotWritable(where, said)
    if code in MISSING:
        return StoreDamaged(where, said)
    if not code or code.startswith(("08", "57P", "53")):
        return StoreNotReachable(where, said)
    what_to_do = "Look into the log of the server."
    return StoreError(where, f"the store {where} failed: {said}", what_to_do=what_to_do,
                      retry=Retry.NO)  # fmt: skip
