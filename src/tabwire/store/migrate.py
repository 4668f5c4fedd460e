"""An older file becomes one of now; a newer one is refused.

Forward only, and in the transaction of the caller: all steps happen or none. A file is copied
first, so that an older Tabwire can still be gone back to. Alembic is imported
only when there is something to do, which is once in the life of most files.
"""

from pathlib import Path

from sqlalchemy import Column, MetaData, String, Table, inspect, select
from sqlalchemy.engine import Connection

from tabwire.store.errors import Place, StoreDamaged, StoreNewer, good_copy
from tabwire.store.sqlite import keep_copy

HEAD = "0007"
"""The newest step in `migrations/versions`. Steps are numbered, so that newer is greater."""

_VERSION = Table("alembic_version", MetaData(), Column("version_num", String(32)))


def bring_up_to_date(connection: Connection, path: Place, schema: str | None = None) -> None:
    """Make the tables what this version of Tabwire needs. `path` is for the words of an error,
    `schema` where a database has several."""
    version = version_of(connection, path, schema)
    if version == HEAD:
        return
    if version is None and isinstance(path, Path) and good_copy(path).exists():
        raise StoreDamaged(path, "it is empty, but its copy is not")
    if version is not None and not version < HEAD:
        raise StoreNewer(path, version, HEAD)
    if version is not None and isinstance(path, Path):
        keep_copy(path, copy_of(path, version))
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "tabwire.store:migrations")
    command.upgrade(config, "head")


def copy_of(path: Path, version: str) -> Path:
    """Where the file is kept as an older Tabwire left it."""
    return path.with_name(f"{path.name}.{version}")


def version_of(connection: Connection, path: Place, schema: str | None) -> str | None:
    """Which step the file is at; None for one without any tables."""
    tables = inspect(connection).get_table_names(schema)
    if not tables:
        return None
    if _VERSION.name not in tables:
        raise StoreDamaged(path, "it is the database of another program")
    versions = connection.scalars(select(_VERSION.c.version_num)).all()
    if len(versions) != 1:
        raise StoreDamaged(path, f"it records {len(versions)} schema versions instead of one")
    return str(versions[0])
