"""A store in PostgreSQL: opened, refused, and used by several at once."""

import asyncio

import pytest
import sqlalchemy
from sqlalchemy import text

from store.asked import ME, OTHER, answer, ask
from tabwire.model.errors import BadSetting, Retry
from tabwire.store import postgres as server
from tabwire.store.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreNewer,
    StoreNotReachable,
    StoreNotWritable,
)
from tabwire.store.opening import open_store, opened

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("pg")]


def by_hand(address, *statements):
    engine = sqlalchemy.create_engine(server.address(address))
    with engine.begin() as line:
        for statement in statements:
            line.exec_driver_sql(statement)
    engine.dispose()


async def test_what_was_kept_is_there_when_opened_again(postgres):
    async with opened(postgres) as store:
        row, _ = await store.begin(ask(), ME, 1.0)
        await store.keep(row.id, answer(row.id, "because \x00\ud800"), 2.0)
        kept = await store.attempt(row.id)
    async with opened(postgres) as store:
        assert await store.attempt(row.id) == kept


async def test_two_who_open_a_new_database_at_once_both_have_it(postgres):
    stores = await asyncio.gather(*(open_store(postgres) for _ in range(4)))
    rows = await asyncio.gather(*(store.begin(ask(), ME, 1.0) for store in stores))
    assert len({row.id for row, _fresh in rows}) == 1
    for store in stores:
        await store.close()


async def test_tables_of_others_are_left_alone(postgres):
    by_hand(postgres, "CREATE TABLE IF NOT EXISTS public.attempts (theirs text)")
    try:
        async with opened(postgres) as store:
            await store.begin(ask(), ME, 1.0)
            assert len(await store.recent()) == 1
    finally:
        by_hand(postgres, "DROP TABLE public.attempts")


async def test_words_are_found_by_an_index_where_the_server_has_one(postgres):
    async with opened(postgres) as store:
        kinds = await store._read(
            lambda line: list(
                line.scalars(text("SELECT indexdef FROM pg_indexes WHERE indexname='texts_index'"))
            )
        )
        offered = text("SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm'")
        extension = await store._read(lambda line: line.scalar(offered))
    if extension is None:
        pytest.skip("this server has no pg_trgm")
    assert [("gin_trgm_ops" in kind) for kind in kinds] == [True]


async def test_a_newer_one_is_refused_and_left_as_it_is(postgres):
    async with opened(postgres):
        pass
    by_hand(postgres, "UPDATE tabwire.alembic_version SET version_num = '1000'")
    with pytest.raises(StoreNewer, match="newer"):
        await open_store(postgres)


async def test_one_without_its_tables_is_said_to_be_damaged(postgres):
    async with opened(postgres) as store:
        by_hand(postgres, "DROP TABLE tabwire.answers")
        with pytest.raises(StoreDamaged) as raised:
            await store.recent()
    assert "backup" in raised.value.what_to_do


async def test_somebody_who_never_lets_go_is_named_as_the_reason(postgres, monkeypatch):
    monkeypatch.setattr(server, "LOCK_SECONDS", 1.0)
    async with opened(postgres) as store:
        row, _ = await store.begin(ask(), ME, 1.0)
        engine = sqlalchemy.create_engine(server.address(postgres))
        with engine.begin() as holder:
            holder.exec_driver_sql(f"SELECT pg_advisory_xact_lock({server.WRITER})")
            with pytest.raises(StoreBusy) as raised:
                await store.cancel(row.id, 2.0)
            assert raised.value.retry is Retry.SAME
            assert len(await store.recent()) == 1  # reading goes on
        engine.dispose()
        assert await store.cancel(row.id, 3.0)


async def test_reading_sees_one_moment_and_changes_nothing(postgres):
    async with opened(postgres) as store:
        row, _ = await store.begin(ask(), OTHER, 1.0)
        with pytest.raises(StoreNotWritable):
            await store._read(lambda line: line.execute(text("DELETE FROM attempts")))
        assert (await store.attempt(row.id)).owner == OTHER


async def test_a_server_that_is_not_there_is_said_to_be(tmp_path):
    with pytest.raises(StoreNotReachable) as raised:
        await open_store(f"postgresql://me:secret@/db?host={tmp_path}")
    assert "secret" not in str(raised.value)
    assert raised.value.retry is Retry.SAME


WRONG = ["mysql://host/db", "nonsense", "sqlite:///x.db", "postgresql+asyncpg://host/db"]


@pytest.mark.parametrize("said", WRONG)
async def test_an_address_of_something_else_is_a_bad_setting(said):
    with pytest.raises(BadSetting, match="database"):
        await open_store(said)


CODES = [
    # what the server says, what we say
    ("53100", StoreFull),
    ("55P03", StoreBusy),
    ("42501", StoreNotWritable),
    ("42P01", StoreDamaged),
    ("57P01", StoreNotReachable),
    (None, StoreNotReachable),
    ("22012", StoreError),
]


@pytest.mark.parametrize("code, kind", CODES)
async def test_what_a_server_says_is_named(code, kind):
    class Said(Exception):
        sqlstate = code

    error = sqlalchemy.exc.DBAPIError("SELECT 1", {}, Said("no\nmore"))
    with pytest.raises(StoreError) as raised, server.named_errors("postgresql://host/db"):
        raise error
    assert type(raised.value) is kind
    assert raised.value.what_to_do
    assert "more" not in str(raised.value)
