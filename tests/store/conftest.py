"""A store of a test's own."""

import shutil

import pytest
import pytest_asyncio

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


@pytest_asyncio.fixture
async def store(path, empty):
    """One that is open."""
    path.parent.mkdir()
    shutil.copy(empty, path)
    async with opened(path) as store:
        yield store
