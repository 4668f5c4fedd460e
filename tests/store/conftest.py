"""A store of a test's own, in each database that can be one."""

import shutil

import pytest
import pytest_asyncio
import sqlalchemy

from tabwire.store.opening import opened, prepare


@pytest.fixture
def path(tmp_path):
    """Where it lies. Neither the file nor its folder is there yet."""
    return tmp_path / "home" / "tabwire.db"


@pytest.fixture(scope="session")
def empty(tmp_path_factory):
    """A store with nothing in it, to copy: its tables are made once, not for every test."""
    path = tmp_path_factory.mktemp("empty") / "tabwire.db"
    prepare(path)
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("pg"))])
def place(request, path, empty):
    """Where a store with nothing in it is: a file, or the address of a database."""
    if request.param == "postgres":
        return emptied(request.getfixturevalue("postgres_url"))
    path.parent.mkdir()
    shutil.copy(empty, path)
    return path


def emptied(address):
    """Its tables are made once; they only lose what the test before put in."""
    url = sqlalchemy.make_url(address).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(url)
    with engine.begin() as line:
        names = sqlalchemy.inspect(line).get_table_names("tabwire")
        tables = ", ".join(f"tabwire.{name}" for name in names if name != "alembic_version")
        if tables:
            line.exec_driver_sql(f"TRUNCATE {tables} RESTART IDENTITY CASCADE")
    engine.dispose()
    return address


@pytest_asyncio.fixture
async def store(place):
    """One that is open."""
    async with opened(place) as store:
        yield store
