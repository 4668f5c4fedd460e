"""Asks become jobs: who asked, in which state it is, and words to search for."""

import json
import re
import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

STATES = {
    # Nobody carries these out any more, and nobody said how they ended.
    "new": "cancelled",
    "sending": "input_required",
    "sent": "input_required",
    "done": "completed",
    "failed": "failed",
}

KNOWN = ("rested_at", "retry", "what_to_do")
LOOK = "Look for its answer: `tabwire fetch` and the id."


def upgrade() -> None:
    """Add them, and say of old asks what can be said."""
    for column in _columns():
        op.add_column("attempts", column)
    op.create_index("attempts_state", "attempts", ["state"])
    attempts = sa.table("attempts", *(sa.column(c) for c in ("step", "state", *KNOWN)))
    for step, state in STATES.items():
        values: dict[str, object] = {"state": state, "rested_at": sa.text("updated_at")}
        if state == "input_required":
            values |= {"retry": "resume", "what_to_do": LOOK}
        op.execute(attempts.update().where(attempts.c.step == step).values(values))
    op.create_table(
        "texts",
        sa.Column("attempt", sa.Integer, sa.ForeignKey("attempts.number"), primary_key=True),
        sa.Column("words", sa.Text, nullable=False),
    )
    _fill()
    if op.get_bind().dialect.name == "sqlite":
        _index_in_sqlite()
    else:
        _index_in_postgres()


def _columns() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("agent", sa.Text, nullable=False, server_default=""),
        sa.Column("door", sa.Text, nullable=False, server_default="cli"),
        sa.Column("client", sa.Text, nullable=False, server_default=""),
        sa.Column("project", sa.Text, nullable=False, server_default=""),
        sa.Column("state", sa.Text, nullable=False, server_default="working"),
        sa.Column("position", sa.Integer),
        sa.Column("carried", sa.Integer, nullable=False, server_default="0"),
        sa.Column("phase", sa.Text),
        sa.Column("phase_at", sa.Double),
        sa.Column("note", sa.Text, nullable=False, server_default=""),
        sa.Column("characters", sa.Integer, nullable=False, server_default="0"),
        sa.Column("what_to_do", sa.Text),
        sa.Column("retry", sa.Text),
        sa.Column("resets_at", sa.Double),
        sa.Column("rested_at", sa.Double),
    )


def _fill() -> None:
    """The words of what is there already."""
    line = op.get_bind()
    rows = line.execute(
        sa.text(
            "SELECT requests.attempt, requests.body, answers.body FROM requests "
            "LEFT JOIN answers ON answers.attempt = requests.attempt"
        )
    )
    for number, request, answer in rows.fetchall():
        parts = [_field(request, "prompt"), _field(answer, "text")]
        words = unicodedata.normalize("NFKC", "\n".join(parts)).casefold()
        # what a database does not take is nothing that anybody searches for
        plain = re.sub("[\x00\x1a\ud800-\udfff]", "", words)
        line.execute(
            sa.text("INSERT INTO texts (attempt, words) VALUES (:number, :words)"),
            {"number": number, "words": plain},
        )


def _field(body: str | None, name: str) -> str:
    try:
        return str(json.loads((body or "{}").removeprefix("escaped:")).get(name) or "")
    except ValueError:
        return ""  # a damaged row is named when it is read, not here


def _index_in_sqlite() -> None:
    """Kept in step by triggers, in the same transaction. It holds no text of its own."""
    op.execute(
        "CREATE VIRTUAL TABLE texts_index USING fts5("
        "words, content='texts', content_rowid='attempt', tokenize='trigram case_sensitive 1')"
    )
    add = "INSERT INTO texts_index (rowid, words) VALUES (new.attempt, new.words);"
    remove = (
        "INSERT INTO texts_index (texts_index, rowid, words) "
        "VALUES ('delete', old.attempt, old.words);"
    )
    op.execute(f"CREATE TRIGGER texts_added AFTER INSERT ON texts BEGIN {add} END")
    op.execute(f"CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN {remove} END")
    op.execute(f"CREATE TRIGGER texts_changed AFTER UPDATE ON texts BEGIN {remove} {add} END")
    op.execute("INSERT INTO texts_index (texts_index) VALUES ('rebuild')")


def _index_in_postgres() -> None:
    """By groups of three letters, where the server has them; else a search reads all texts."""
    line = op.get_bind()
    try:
        with line.begin_nested():
            line.execute(sa.text("CREATE EXTENSION IF NOT EXISTS pg_trgm"))
    except sa.exc.DBAPIError:
        return
    op.execute("CREATE INDEX texts_index ON texts USING gin (words gin_trgm_ops)")
