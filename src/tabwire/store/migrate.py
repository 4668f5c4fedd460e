"""An older file becomes one of now; a newer one is refused.

Forward only, and in the transaction of the caller: all steps happen or none. Alembic is imported
only when there is something to do, which is once in the life of most files.
"""

from pathlib import Path

from sqlalchemy import Column, MetaData, String, Table, inspect, select
from sqlalchemy.engine import Connection

from tabwire.store.errors import StoreDamaged, StoreNewer

HEAD = "0001"
"""The newest step in `migrations/versions`. Steps are numbered, so that newer is greater."""

_VERSION = Table("alembic_version", MetaData(), Column("version_num", String(32)))


def bring_up_to_date(connection: Connection, path: Path) -> None:
    """Make the tables what this version of Tabwire needs. `path` is for the words of an error."""
    version = _version(connection, path)
    if version == HEAD:
        return
    if version is not None and not version < HEAD:
        raise StoreNewer(path, version, HEAD)
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "tabwire.store:migrations")
    command.upgrade(config, "head")


def _version(connection: Connection, path: Path) -> str | None:
    """Which step the file is at; None for one without any tables."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    if _VERSION.name not in tables:
        raise StoreDamaged(path, "it is a database of something else")
    versions = connection.scalars(select(_VERSION.c.version_num)).all()
    if len(versions) != 1:
        raise StoreDamaged(path, f"it names {len(versions)} versions of itself, not one")
    return str(versions[0])
