"""All that is true of PostgreSQL only: the address, its settings, its error codes.

Everything of ours stands in a schema of its own, so the database may have other tables.

READ COMMITTED and one lock  a change takes the writer's place before it looks, as SQLite's
                             BEGIN IMMEDIATE does; the lock is the transaction's and goes with it
REPEATABLE READ, read only   whoever only looks sees everything as it was at one moment
a shared lock of the session one home at a time changes anything (`hold_place`)
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy
from sqlalchemy import URL, Connection, Engine, event, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from tabwire.model.errors import BadSetting, Retry
from tabwire.store.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreHeld,
    StoreNotReachable,
    StoreNotWritable,
)
from tabwire.store.sqlite import EXCLUSIVE, TURN_SECONDS

SCHEMA = "tabwire"
DRIVER = "postgresql+psycopg"
KINDS = ("postgresql", "postgres", DRIVER)
CONNECT_SECONDS = 10
FREE_SECONDS = 2.0  # for the place of a process that is gone to be free
LOOK_SECONDS = 0.05
LOCK_SECONDS = 10.0  # how long one change waits for the changes of other processes
WRITER = 0x7AB31FE  # names of our locks are numbers; any will do that others do not use
HUB = WRITER + 1
PLACE = WRITER + 2
HOLDS = "tabwire_place"  # what a connection that holds the place says of itself, here
NAME = "tabwire"

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
            "is not a PostgreSQL URL",
            "Write postgresql://user@host/name, or leave it empty to use SQLite.",
        )
    return url.set(drivername=DRIVER)


def named(url: URL) -> str:
    """The address, fit to be shown."""
    return url.set(drivername=KINDS[0]).render_as_string(hide_password=True)


def engine_for(url: URL, who: str = "") -> Engine:
    """One connection: changes take turns without asking the server. `who` names our home."""
    where = named(url)
    engine = sqlalchemy.create_engine(
        url,
        pool_size=1,
        max_overflow=0,
        pool_timeout=TURN_SECONDS,
        pool_pre_ping=True,  # a server that was restarted meanwhile is no fault of a store
        hide_parameters=True,  # what people ask must not stand in the text of an error
        connect_args=calling(who)
        | {"options": f"-csearch_path={SCHEMA},public -clock_timeout={LOCK_SECONDS:.0f}s"},
    )

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        if connection.get_execution_options().get(EXCLUSIVE):
            hold_place(connection, where)
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITER})")
        else:
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")

    return engine


def make_schema(connection: Connection) -> None:
    """Room of our own in the database."""
    there = text("SELECT 1 FROM pg_namespace WHERE nspname = :name")
    if connection.scalar(there, {"name": SCHEMA}) is None:
        connection.exec_driver_sql(f"CREATE SCHEMA {SCHEMA}")


_HOLDERS = text(
    """
    SELECT coalesce(activity.application_name, '') FROM pg_locks AS lock
    LEFT JOIN pg_stat_activity AS activity ON activity.pid = lock.pid
    WHERE lock.locktype = 'advisory' AND lock.granted AND lock.objsubid = 1 AND lock.classid = 0
      AND lock.objid IN (:hub, :place) AND lock.pid <> pg_backend_pid()
      AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """
)


def hold_place(connection: Connection, where: str) -> None:
    """No other home changes anything as long as this session lives. Raises `StoreHeld`.

    Whether a process still runs is known on its own machine alone: two homes would take each
    other's work for left behind. The lock is the session's, so whoever connects anew, after the
    server was restarted, say, holds it anew first. Held, then looked for others: of two who come
    at once, one at least sees the other.
    """
    if connection.info.get(HOLDS):
        return
    connection.execute(text("SELECT pg_advisory_lock_shared(:place)"), {"place": PLACE})
    until = time.monotonic() + FREE_SECONDS
    while (other := _other_home(connection)) is not None:
        if time.monotonic() >= until:
            connection.execute(text("SELECT pg_advisory_unlock_shared(:place)"), {"place": PLACE})
            raise StoreHeld(where, "another Tabwire home", other.partition("@")[2])
        time.sleep(LOOK_SECONDS)  # a process that was just killed may still be known to the server
    connection.info[HOLDS] = True


def _other_home(connection: Connection) -> str | None:
    """How a session of another home calls itself, where one holds the place."""
    connection.execute(text("SELECT pg_stat_clear_snapshot()"))  # else it is as old as our change
    ours = connection.scalar(text("SELECT current_setting('application_name')"))
    found = connection.scalars(_HOLDERS, {"hub": HUB, "place": PLACE}).all()
    return next((one for one in found if _home_in(one) != _home_in(str(ours))), None)


def _home_in(name: str) -> str:
    """The home, without the name of the machine, which may change."""
    return name.partition("@")[0]


def calling(who: str = "") -> dict[str, object]:
    """How we introduce ourselves to a server."""
    name = f"{NAME} {who}".strip().encode("ascii", "replace")[:63].decode()
    return {
        "connect_timeout": CONNECT_SECONDS,
        "application_name": name,
        # a line that was cut without a word is noticed within half a minute
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }


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
    what_to_do = "Check the database server's log."
    return StoreError(where, f"the store {where} failed: {said}", what_to_do=what_to_do,
                      retry=Retry.NO)  # fmt: skip
