"""From an empty or older file to one of now, in one step that happens or does not."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from store.asked import ME, ask
from tabwire.model.ask import Answer, AskRequest, Completeness, Step
from tabwire.model.errors import Retry
from tabwire.model.job import JobState
from tabwire.store.codec import to_json
from tabwire.store.errors import StoreDamaged, StoreFull, StoreNewer
from tabwire.store.migrate import HEAD, bring_up_to_date
from tabwire.store.opening import opened, prepare
from tabwire.store.sqlite import EXCLUSIVE, make_file, preparing_engine
from tabwire.store.tables import METADATA


def steps():
    config = Config()
    config.set_main_option("script_location", "tabwire.store:migrations")
    return ScriptDirectory.from_config(config)


def ours(_thing, name, kind, *_more):
    """The index of the words is SQLite's own kind of table."""
    return not (kind == "table" and name.startswith("texts_index"))


def changing(path):
    return preparing_engine(path).execution_options(**{EXCLUSIVE: True}).begin()


def test_the_steps_lead_to_the_tables_of_now(path):
    """Columns, keys and indexes; a change of tables.py without a step fails here."""
    prepare(path)
    with changing(path) as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "include_object": ours}
        )
        assert compare_metadata(context, METADATA) == []


def test_the_newest_step_is_the_one_we_name():
    assert steps().get_current_head() == HEAD


def test_steps_go_forward_only_and_are_numbered():
    for step in steps().walk_revisions():
        assert step.revision.isdigit()
        assert len(step.revision) == len(HEAD)
        assert not hasattr(step.module, "downgrade")


def test_a_step_that_is_cut_off_leaves_nothing(path):
    make_file(path)
    with changing(path) as connection:
        bring_up_to_date(connection, path)
        assert inspect(connection).has_table("attempts")
        connection.rollback()
    with changing(path) as connection:
        assert inspect(connection).get_table_names() == []


def test_alembic_is_not_needed_for_a_file_that_is_up_to_date(path):
    """It takes a quarter of a second to import."""
    prepare(path)
    program = (
        "import sys; from pathlib import Path; from tabwire.store.opening import opened, prepare\n"
        f"prepare(Path({str(path)!r})); sys.exit('alembic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


NEXT = f"{int(HEAD) + 1:04}"

OTHERS = [
    # id, what was done to the file, what is said of it
    ("next version", f"UPDATE alembic_version SET version_num = '{NEXT}'", StoreNewer, "newer"),
    ("far version", "UPDATE alembic_version SET version_num = '1000'", StoreNewer, "1000"),
    ("named version", "UPDATE alembic_version SET version_num = 'ff3b'", StoreNewer, "ff3b"),
    ("no version", "DELETE FROM alembic_version", StoreDamaged, "0 schema versions"),
    (
        "two versions",
        "INSERT INTO alembic_version VALUES ('0009')",
        StoreDamaged,
        "2 schema versions",
    ),
    ("something else", "DROP TABLE alembic_version", StoreDamaged, "database of another program"),
]


@pytest.mark.parametrize("done, error, said", [c[1:] for c in OTHERS], ids=[c[0] for c in OTHERS])
def test_a_file_that_is_not_ours_to_change_is_left_as_it_is(path, done, error, said):
    prepare(path)
    with changing(path) as connection:
        connection.execute(text(done))
    before = path.read_bytes()
    with pytest.raises(error, match=said) as raised:
        prepare(path)
    assert raised.value.what_to_do
    assert path.read_bytes() == before


# --- files of before -----------------------------------------------------------------------------

OLD = [
    # step, with an answer, what the job's state becomes, what may be done next
    ("new", False, JobState.CANCELLED, None),
    ("sending", False, JobState.INPUT_REQUIRED, Retry.RESUME),
    ("sent", False, JobState.INPUT_REQUIRED, Retry.RESUME),
    ("done", True, JobState.COMPLETED, None),
    ("failed", False, JobState.FAILED, None),
]


def at_version(path, version):
    """A file as a Tabwire of that version left it, with an ask at every step."""
    make_file(path)
    with changing(path) as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", "tabwire.store:migrations")
        command.upgrade(config, version)
        for number, (step, answered, _state, _retry) in enumerate(OLD, 1):
            connection.execute(
                text(
                    "INSERT INTO attempts (number, id, site, step, same, owner_pid, owner_started,"
                    " created_at, updated_at) VALUES (:number, :id, 'grok', :step, 's', 1, 1.0,"
                    " 5.0, 6.0)"
                ),
                {"number": number, "id": f"a{step}", "step": step},
            )
            request = AskRequest("grok", f"Question {step} \ud800 天気")
            body = {"number": number, "body": to_json(request)}
            connection.execute(text("INSERT INTO requests VALUES (:number, :body)"), body)
            if answered:
                said = Answer(f"a{step}", "grok", "Q", "Antwort", Completeness.COMPLETE, "w")
                body["body"] = to_json(said)
                connection.execute(text("INSERT INTO answers VALUES (:number, :body)"), body)


RELEASED = ["0001"]
"""Versions that people have on their disks, with asks in them. 0002 and 0003 came out together,
and 0004 only adds tables."""


@pytest.mark.asyncio
@pytest.mark.parametrize("version", RELEASED)
async def test_a_file_of_every_version_that_came_out_is_brought_up_to_date(path, version):
    at_version(path, version)
    before = all_rows(path)
    async with opened(path) as store:
        rows = {row.step.value: row for row in await store.recent(100)}
        for step, answered, state, retry in OLD:
            row = rows[step]
            kept = None if row.failure is None else row.failure.retry
            assert (row.state, kept, row.rested_at) == (state, retry, 6.0)
            assert row.request.prompt == f"Question {step} \ud800 天気"
            assert (row.answer is not None) == answered
            assert (row.asker.agent, row.position) == ("", None)
            assert [one.id for one in await store.search(f"question {step} 天気")] == [row.id]
        assert [one.step for one in await store.search("antwort")] == [Step.DONE]
        assert await store.waiting() == []  # no hub asks what was asked long ago
        fresh, new = await store.begin(ask("and now?"), ME, 9.0, queued=True)
        assert new
        assert [row.id for row in await store.waiting()] == [fresh.id]
    copy = path.with_name(f"{path.name}.{version}")
    assert all_rows(copy) == before, "and as it was before, it lies beside"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert {one.name for one in path.parent.iterdir()} >= {path.name, copy.name}
    assert not list(path.parent.glob("*.part"))


@pytest.mark.asyncio
async def test_conversations_come_to_a_file_that_had_none(path):
    at_version(path, "0003")
    before = all_rows(path)
    async with opened(path) as store:
        assert await store.conversations.recent() == []
        assert len(await store.recent(100)) == len(OLD)
    assert all_rows(path.with_name(f"{path.name}.0003")) == before


def all_rows(path):
    """Everything in a file, by table."""
    with closing(sqlite3.connect(path)) as line:
        tables = line.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: line.execute(f"SELECT * FROM {name}").fetchall() for (name,) in tables}


def test_without_room_for_a_copy_nothing_is_changed(path, monkeypatch):
    at_version(path, "0001")
    before = all_rows(path)

    def full(*_):
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr("tabwire.store.migrate.keep_copy", full)
    with pytest.raises(StoreFull):
        prepare(path)
    assert all_rows(path) == before


def test_a_damaged_row_of_before_does_not_stop_the_rest(path):
    at_version(path, "0001")
    with changing(path) as connection:
        connection.execute(text("UPDATE requests SET body = 'broken' WHERE attempt = 1"))
    prepare(path)
    with changing(path) as connection:
        assert connection.scalar(text("SELECT count(*) FROM texts")) == len(OLD)
