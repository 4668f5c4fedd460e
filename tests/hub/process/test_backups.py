"""Fault F42: a damaged store is noticed, set aside, and its last good copy put in its place."""

import asyncio
import os

import pytest

from kit.hub_process import tabwire
from store.asked import ME, answer, ask
from tabwire.hub.process.backups import keep_copies, repair
from tabwire.hub.process.lock import HubLock, HubRunsAlready, this_process
from tabwire.store.copies import check, keep_good_copy
from tabwire.store.errors import StoreDamaged, good_copy
from tabwire.store.opening import opened

pytestmark = pytest.mark.asyncio

WAIT_SECONDS = 60.0


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    return tmp_path / "tabwire.db"


async def filled(path, count=40):
    async with opened(path) as store:
        for number in range(count):
            row, _ = await store.begin(ask(f"why {number}?"), ME, 1.0)
            await store.keep(row.id, answer(row.id, "because " * 500), 2.0)


async def questions(path):
    async with opened(path) as store:
        return len(await store.recent(1000))


def flipped(path):
    """Every page but the first few says something else now."""
    data = bytearray(path.read_bytes())
    for place in range(8 * 4096, len(data), 4096):
        data[place : place + 64] = os.urandom(64)
    path.write_bytes(bytes(data))


def cut(path):
    path.write_bytes(path.read_bytes()[: 6 * 4096])


def emptied(path):
    path.write_bytes(b"")


def foreign(path):
    path.write_bytes(b"no database at all" * 1000)


DAMAGES = [flipped, cut, emptied, foreign]


@pytest.mark.parametrize("damage", DAMAGES, ids=[one.__name__ for one in DAMAGES])
async def test_a_damaged_store_is_set_aside_for_its_last_good_copy(path, damage):
    await filled(path)
    keep_good_copy(path)
    damage(path)
    spoilt = path.read_bytes()
    with pytest.raises(StoreDamaged) as raised:
        check(path)
    assert "tabwire repair" in raised.value.what_to_do
    assert "last good copy" in raised.value.what_to_do
    with pytest.raises(StoreDamaged):  # and it does not become the copy
        keep_good_copy(path)
    done = repair()
    assert done.aside.read_bytes() == spoilt
    assert done.copied_at is not None
    assert await questions(path) == 40
    assert good_copy(path).exists()
    assert repair() is None


async def test_one_that_was_emptied_is_not_taken_for_a_new_one(path):
    await filled(path, 1)
    keep_good_copy(path)
    emptied(path)
    with pytest.raises(StoreDamaged, match="empty"):
        await questions(path)


async def test_without_a_copy_a_new_store_is_begun_and_the_old_one_stays(path):
    await filled(path, 1)
    foreign(path)
    with pytest.raises(StoreDamaged, match="cannot be read") as raised:
        await questions(path)
    assert "no copy" in raised.value.what_to_do
    done = repair()
    assert done.copied_at is None
    assert done.aside.exists()
    assert await questions(path) == 0


async def test_nothing_is_set_aside_under_a_hub_that_runs(path):
    await filled(path, 1)
    foreign(path)
    lock = HubLock()
    lock.take(this_process())
    try:
        with pytest.raises(HubRunsAlready):
            repair()
    finally:
        lock.release()
    assert path.exists()


async def test_the_hub_copies_a_store_that_is_whole(path):
    await filled(path, 3)
    async with asyncio.TaskGroup() as group:
        copying = group.create_task(keep_copies(path, first=0.0))
        async with asyncio.timeout(WAIT_SECONDS):
            while not good_copy(path).exists():
                await asyncio.sleep(0.01)
        copying.cancel()
    assert await questions(good_copy(path)) == 3


async def test_a_person_is_led_from_the_error_to_the_copy(path, tmp_path):
    await filled(path, 2)
    keep_good_copy(path)
    foreign(path)
    told = await asyncio.to_thread(tabwire, tmp_path, "history")
    assert told.returncode == 1
    assert "tabwire repair" in told.stderr
    done = await asyncio.to_thread(tabwire, tmp_path, "repair")
    assert done.returncode == 0, done.stderr
    assert "restored the backup of" in done.stdout
    assert "why 1?" in (await asyncio.to_thread(tabwire, tmp_path, "history")).stdout
