"""A path becomes a store, or it is said why not."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys

import pytest

from store.asked import ME, answer, ask
from tabwire.model.ask import Step
from tabwire.model.errors import Retry
from tabwire.store import opening, sqlite
from tabwire.store.errors import StoreBusy, StoreDamaged, StoreNotWritable
from tabwire.store.opening import open_store, opened, prepare


@pytest.fixture
def place(path, empty):
    """A file: this is about SQLite."""
    path.parent.mkdir()
    shutil.copy(empty, path)
    return path


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.asyncio
async def test_file_and_folders_are_for_one_person_only(tmp_path):
    path = tmp_path / "a" / "b" / "tabwire.db"
    before = os.umask(0)
    try:
        async with opened(path) as store:
            await store.begin(ask(), ME, 1.0)
            files = {file.name: mode(file) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert files == dict.fromkeys(("tabwire.db", "tabwire.db-wal", "tabwire.db-shm"), 0o600)
    assert [mode(folder) for folder in (path.parent, path.parent.parent)] == [0o700, 0o700]


def test_a_file_that_others_could_read_is_closed_to_them(path):
    prepare(path)
    path.chmod(0o644)
    prepare(path)
    assert mode(path) == 0o600


@pytest.mark.asyncio
async def test_what_was_kept_is_there_when_opened_again(path):
    async with opened(path) as store:
        attempt, _ = await store.begin(ask(), ME, 1.0)
        await store.keep(attempt.id, answer(attempt.id), 2.0)
        kept = await store.attempt(attempt.id)
    assert [file.name for file in path.parent.iterdir()] == ["tabwire.db"]
    async with opened(path) as store:
        assert await store.attempt(attempt.id) == kept


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["a?b=c.db", "100%.db", "mit Umlaut ä und #.db", "-.db"])
async def test_a_file_may_be_called_anything(tmp_path, name):
    async with opened(tmp_path / name) as store:
        await store.begin(ask(), ME, 1.0)
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.asyncio
async def test_a_file_left_empty_by_somebody_who_was_killed_is_new(path):
    path.parent.mkdir()
    path.touch()
    async with opened(path) as store:
        assert await store.recent() == []


@pytest.mark.asyncio
async def test_every_connection_is_set_up(store):
    def settings(connection):
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]

    full, on = 2, 1
    assert await store._read(settings) == ["wal", full, on, 10_000]


@pytest.mark.asyncio
async def test_a_closed_store_says_so_and_closing_twice_is_once(path):
    store = await open_store(path)
    await store.close()
    await store.close()
    with pytest.raises(RuntimeError, match="closed"):
        await store.recent()


def test_a_program_that_forgets_to_close_ends_all_the_same(path):
    program = (
        "import asyncio; from pathlib import Path; from tabwire.store.opening import open_store\n"
        "async def main():\n"
        f"    global store; store = await open_store(Path({str(path)!r})); await store.recent()\n"
        "asyncio.run(main()); print('over')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert done.stdout == b"over\n"


# --- damage --------------------------------------------------------------------------------------


def garbage(path):
    path.write_bytes(b"no database at all " * 500)


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scrambled(path):
    pages = path.read_bytes()
    path.write_bytes(pages[:4096] + bytes(reversed(pages[4096:])))


def without_tables(path):
    by_hand(path, "DROP TABLE answers")


def bad_body(path):
    by_hand(path, "UPDATE requests SET body = substr(body, 1, 20)")


def bad_answer(path):
    by_hand(path, "UPDATE answers SET body = replace(body, 'complete', 'maybe')")


def by_hand(path, statement):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(statement)
    connection.close()


DAMAGE = [garbage, cut, scrambled, without_tables, bad_body, bad_answer]


@pytest.mark.asyncio
@pytest.mark.parametrize("damage", DAMAGE)
async def test_a_damaged_file_is_said_to_be_and_nothing_in_it_is_believed(path, damage):
    """At the opening where that can be seen, else when what is damaged is read."""
    async with opened(path) as store:
        attempt, _ = await store.begin(ask("why? " * 2000), ME, 1.0)
        await store.keep(attempt.id, answer(attempt.id, "because " * 2000), 2.0)
    damage(path)
    with pytest.raises(StoreDamaged) as raised:
        async with opened(path) as store:
            await store.attempt(attempt.id)
    assert raised.value.path == path
    assert "why?" not in str(raised.value)
    assert path.name in raised.value.what_to_do


def test_a_folder_is_no_store_and_stays_as_it_is(path):
    path.mkdir(parents=True)
    path.chmod(0o755)
    with pytest.raises(StoreNotWritable, match="not a file"):
        prepare(path)
    assert mode(path) == 0o755


# --- no permission -------------------------------------------------------------------------------


def no_file(path):
    path.unlink()
    path.parent.chmod(0o500)


def read_only_file(path):
    path.chmod(0o400)


def read_only_for_all(path):
    path.chmod(0o444)


def read_only_folder(path):
    path.parent.chmod(0o500)


def locked_folder(path):
    path.parent.chmod(0o000)


FORBID = [no_file, read_only_file, read_only_for_all, read_only_folder, locked_folder]

TRY = """
import sys
from pathlib import Path as File
from tabwire.store.opening import prepare
from tabwire.store.errors import StoreError
for name in sys.argv[1:]:
    try:
        prepare(File(name))
        print("opened", "", "", sep="|")
    except StoreError as exc:
        print(type(exc).__name__, exc, exc.what_to_do, sep="|")
"""

# To root permissions are nothing: it is run without that right.
WITHOUT_RIGHTS = "setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all".split()


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """What is said of each forbidden file; one process tries them all."""
    command = [sys.executable, "-c", TRY]
    if os.geteuid() == 0:
        if subprocess.run([*WITHOUT_RIGHTS, "true"], check=False).returncode:
            pytest.skip("root may write everything here, and cannot give that up")
        command = [*WITHOUT_RIGHTS, *command]
    paths = [tmp_path_factory.mktemp(forbid.__name__) / "tabwire.db" for forbid in FORBID]
    for path, forbid in zip(paths, FORBID, strict=True):
        prepare(path)
        forbid(path)
    try:
        done = subprocess.run([*command, *paths], stdout=subprocess.PIPE, text=True, check=True)
    finally:
        for path in paths:
            path.parent.chmod(0o700)
    said = [line.split("|") for line in done.stdout.splitlines()]
    return {forbid: (path, *words) for forbid, path, words in zip(FORBID, paths, said, strict=True)}


@pytest.mark.parametrize("forbid", FORBID)
def test_a_file_that_cannot_be_written_is_said_to_be(refused, forbid):
    path, name, what, what_to_do = refused[forbid]
    assert name == "StoreNotWritable"
    assert str(path) in what
    assert "TABWIRE_HOME" in what_to_do


# --- others in the way ---------------------------------------------------------------------------


@pytest.fixture
def impatient(monkeypatch):
    for module in (sqlite, opening):
        monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)


@pytest.mark.asyncio
async def test_somebody_who_never_lets_go_is_named_as_the_reason(path, impatient):
    async with opened(path) as store:
        attempt, _ = await store.begin(ask(), ME, 1.0)
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy) as raised:
            await store.note(attempt.id, Step.SENT, 2.0)
        assert raised.value.retry is Retry.SAME
        with pytest.raises(StoreBusy):
            await open_store(path)
        assert (await store.attempt(attempt.id)).step is Step.NEW  # reading goes on
        holder.execute("ROLLBACK")
        holder.close()
        await store.note(attempt.id, Step.SENT, 2.0)


def test_a_new_file_that_another_is_just_making_is_waited_for(path, monkeypatch):
    """SQLite itself does not wait here: a file cannot become WAL while somebody writes."""
    path.parent.mkdir()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    pauses = []

    def let_go(seconds):
        pauses.append(seconds)
        holder.execute("ROLLBACK")
        holder.close()

    monkeypatch.setattr(opening.time, "sleep", let_go)
    prepare(path)
    assert pauses == [opening.PAUSE_SECONDS]


# --- imports -------------------------------------------------------------------------------------


def test_help_does_not_need_the_store():
    program = (
        "import sys, atexit\n"
        "names = ('sqlalchemy', 'alembic', 'sqlite3', 'tabwire.store')\n"
        "atexit.register(lambda: print([n for n in names if n in sys.modules], file=sys.stderr))\n"
        "sys.argv = ['tabwire', '--help']\n"
        "from tabwire.__main__ import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stderr == b"[]\n"
