"""Once begun, a change is finished, whatever happens to its caller."""

import asyncio
import shutil
import sqlite3
from contextlib import contextmanager

import pytest

from store.asked import ME, ask
from tabwire.model.ask import Step
from tabwire.store import sqlite
from tabwire.store.errors import StoreBusy
from tabwire.store.opening import open_store, opened

pytestmark = pytest.mark.asyncio


@pytest.fixture
def place(path, empty):
    """A file: this is about SQLite."""
    path.parent.mkdir()
    shutil.copy(empty, path)
    return path


@contextmanager
def held(path):
    """Somebody else is writing."""
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        holder.execute("ROLLBACK")
        holder.close()


async def test_a_caller_that_is_cancelled_waits_until_it_is_noted(store, path):
    attempt, _ = await store.begin(ask(), ME, 1.0)
    with held(path):
        noting = asyncio.create_task(store.note(attempt.id, Step.SENT, 2.0))  # noqa: TID251
        await asyncio.sleep(0)
        noting.cancel()
        await asyncio.sleep(0)
        assert not noting.done()
    with pytest.raises(asyncio.CancelledError):
        await noting
    assert (await store.attempt(attempt.id)).step is Step.SENT


async def test_a_caller_that_is_cancelled_twice_does_not_wait_but_closing_does(path):
    store = await open_store(path)
    attempt, _ = await store.begin(ask(), ME, 1.0)
    with held(path):
        noting = asyncio.create_task(store.note(attempt.id, Step.SENT, 2.0))  # noqa: TID251
        for _ in range(2):
            await asyncio.sleep(0)
            noting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await noting
    await store.close()
    async with opened(path) as again:
        assert (await again.attempt(attempt.id)).step is Step.SENT


async def test_what_failed_for_a_cancelled_caller_is_logged(path, monkeypatch, caplog):
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.05)
    async with opened(path) as store:
        attempt, _ = await store.begin(ask("a secret"), ME, 1.0)
        with held(path):
            noting = asyncio.create_task(store.note(attempt.id, Step.SENT, 2.0))  # noqa: TID251
            await asyncio.sleep(0)
            noting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await noting
    (said,) = caplog.records
    assert said.exc_info[0] is StoreBusy
    assert "a secret" not in caplog.text


async def test_work_that_raises_changes_nothing(store):
    attempt, _ = await store.begin(ask(), ME, 1.0)

    def half(connection):
        connection.exec_driver_sql("UPDATE attempts SET step = 'sent'")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store._change(half)
    assert await store.attempt(attempt.id) == attempt


async def test_changes_take_turns_and_none_is_lost(store, path):
    """Each looks at a number and writes the next one."""

    def next_number(connection):
        seen = connection.exec_driver_sql("SELECT count(*) FROM tabs").scalar()
        row = (str(seen), "s", "b", 1.0)
        into = "INSERT INTO tabs (target, site, browser, since) VALUES (?, ?, ?, ?)"
        connection.exec_driver_sql(into, row)

    async with opened(path) as another, asyncio.TaskGroup() as group:
        for one in [store, another] * 10:
            group.create_task(one._change(next_number))
    assert await store.our_tabs("s", "b") == [str(n) for n in reversed(range(20))]


async def test_what_people_ask_is_not_in_the_text_of_an_error(store):
    def twice(connection):
        for _ in range(2):
            into = (
                "INSERT INTO tabs (number, target, site, browser, since) VALUES (1, ?, '', '', 1)"
            )
            connection.exec_driver_sql(into, ("a secret",))

    with pytest.raises(Exception, match="UNIQUE") as raised:
        await store._change(twice)
    assert "a secret" not in f"{raised.value} {raised.value.__cause__}"
