"""One home at a time uses a database, also after the server was restarted."""

import asyncio
from contextlib import contextmanager

import pytest
import sqlalchemy

from store.asked import ME, ask
from tabwire.model.errors import Retry
from tabwire.store import postgres as server
from tabwire.store.errors import StoreHeld, StoreNotReachable
from tabwire.store.hub_place import HubPlace
from tabwire.store.opening import opened

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("pg")]

HERE, THERE = "aaaa@here", "bbbb@there"
WAIT_SECONDS = 60.0


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Nobody is waited for who will not go."""
    monkeypatch.setattr(server, "FREE_SECONDS", 0.2)


@contextmanager
def hub(address, who=HERE):
    place = HubPlace(server.address(address), who)
    try:
        place.take()
        yield place
    finally:
        place.leave()


async def not_regained():
    raise AssertionError("the place is another's")


def cut_all_lines(address):
    """As a restart does, but with the server there at once."""
    engine = sqlalchemy.create_engine(server.address(address))
    with engine.begin() as line:
        line.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name ^@ 'tabwire' AND pid <> pg_backend_pid()"
        )
    engine.dispose()


async def test_one_hub_at_a_time_uses_a_database(postgres):
    with hub(postgres):
        with pytest.raises(StoreHeld, match=r"^another hub uses"), hub(postgres):
            pass
        told = pytest.raises(StoreHeld, match=r"^another Tabwire home \(on here\) uses")
        with told as raised, hub(postgres, THERE):
            pass
        assert raised.value.retry is Retry.SAME
        assert "tabwire stop" in raised.value.what_to_do
    with hub(postgres, THERE):
        pass


async def test_another_home_reads_and_changes_nothing(postgres):
    with hub(postgres):
        async with opened(postgres, HERE) as ours:
            row, _ = await ours.begin(ask(), ME, 1.0)
        async with opened(postgres, THERE) as theirs:
            assert [one.id for one in await theirs.recent()] == [row.id]
            with pytest.raises(StoreHeld):
                await theirs.begin(ask("and this?"), ME, 1.0)
            with pytest.raises(StoreHeld):
                await theirs.cancel(row.id, 2.0)
            assert len(await theirs.recent()) == 1
    async with opened(postgres, THERE) as theirs:  # the hub is gone, and its home with it
        await theirs.begin(ask("and this?"), ME, 1.0)


async def test_two_homes_without_a_hub_do_not_share_it_either(postgres):
    async with opened(postgres, HERE) as ours, opened(postgres, THERE) as theirs:
        await ours.begin(ask(), ME, 1.0)
        with pytest.raises(StoreHeld, match="on here"):
            await theirs.begin(ask("and this?"), ME, 1.0)
        with pytest.raises(StoreHeld), hub(postgres, THERE):
            pass
        with hub(postgres, HERE):
            await ours.begin(ask("once more?"), ME, 1.0)


async def test_the_machine_may_be_renamed(postgres):
    with hub(postgres, "aaaa@here"):
        async with opened(postgres, "aaaa@renamed") as store:
            await store.begin(ask(), ME, 1.0)


async def test_the_place_is_taken_again_when_the_server_was_restarted(postgres, postgres_server):
    said = asyncio.Queue()

    async def regained():
        said.put_nowait("regained")

    with hub(postgres) as place:
        async with asyncio.TaskGroup() as group:
            watching = group.create_task(place.kept(said.put_nowait, regained))
            postgres_server.stop()
            try:
                async with asyncio.timeout(WAIT_SECONDS):
                    assert "closed the connection" in await said.get()
            finally:
                postgres_server.start()
            async with asyncio.timeout(WAIT_SECONDS):
                assert "held again" in await said.get()
                assert await said.get() == "regained"
            for who in (HERE, THERE):
                with pytest.raises(StoreHeld), hub(postgres, who):
                    pass
            assert not watching.done()
            watching.cancel()


async def test_whoever_came_first_after_a_restart_has_the_place_and_the_other_is_told(postgres):
    with hub(postgres) as place:
        cut_all_lines(postgres)
        with hub(postgres, THERE):
            async with asyncio.timeout(WAIT_SECONDS):
                lost = await place.kept(lambda _said: None, not_regained)
            assert "on there" in str(lost)


async def test_a_store_that_lost_its_line_changes_nothing_that_is_another_homes_now(postgres):
    async with opened(postgres, HERE) as ours:
        row, _ = await ours.begin(ask(), ME, 1.0)
        cut_all_lines(postgres)
        with hub(postgres, THERE):
            with pytest.raises(StoreHeld):
                await ours.cancel(row.id, 2.0)
            assert len(await ours.recent()) == 1
        assert await ours.cancel(row.id, 3.0)


async def test_a_server_that_is_away_is_no_other_hub(postgres, postgres_server):
    with hub(postgres) as place:
        postgres_server.stop()
        try:
            with pytest.raises(StoreNotReachable):
                place.take()
        finally:
            postgres_server.start()
        place.take()
