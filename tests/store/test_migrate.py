"""From an empty or older file to one of now, in one step that happens or does not."""

import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from tabwire.store.errors import StoreDamaged, StoreNewer
from tabwire.store.migrate import HEAD, bring_up_to_date
from tabwire.store.opening import prepare
from tabwire.store.sqlite import EXCLUSIVE, make_file, preparing_engine
from tabwire.store.tables import METADATA


def steps():
    config = Config()
    config.set_main_option("script_location", "tabwire.store:migrations")
    return ScriptDirectory.from_config(config)


def changing(path):
    return preparing_engine(path).execution_options(**{EXCLUSIVE: True}).begin()


def test_the_steps_lead_to_the_tables_of_now(path):
    """Columns, keys and indexes; a change of tables.py without a step fails here."""
    prepare(path)
    with changing(path) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
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
        "import sys; from pathlib import Path; from tabwire.store.opening import prepare\n"
        f"prepare(Path({str(path)!r})); sys.exit('alembic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


OTHERS = [
    # id, what was done to the file, what is said of it
    ("next version", "UPDATE alembic_version SET version_num = '0002'", StoreNewer, "newer"),
    ("far version", "UPDATE alembic_version SET version_num = '1000'", StoreNewer, "1000"),
    ("named version", "UPDATE alembic_version SET version_num = 'ff3b'", StoreNewer, "ff3b"),
    ("no version", "DELETE FROM alembic_version", StoreDamaged, "0 versions"),
    ("two versions", "INSERT INTO alembic_version VALUES ('0002')", StoreDamaged, "2 versions"),
    ("something else", "DROP TABLE alembic_version", StoreDamaged, "something else"),
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
