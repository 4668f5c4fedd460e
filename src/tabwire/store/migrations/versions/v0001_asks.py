"""The first tables: asks with their answers, uses, and tabs of our own."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make them. They are written out, because tables.py will change and this step will not."""
    op.create_table(
        "attempts",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("same", sa.Text, nullable=False),
        sa.Column("owner_pid", sa.Integer, nullable=False),
        sa.Column("owner_started", sa.Double, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("updated_at", sa.Double, nullable=False),
        sa.Column("conversation_id", sa.Text),
        sa.Column("url", sa.Text),
        sa.Column("draft", sa.Text),
        sa.Column("error_code", sa.Text),
        sa.Column("error", sa.Text),
    )
    op.create_index("attempts_same", "attempts", ["same"])
    op.create_index("attempts_step", "attempts", ["step"])
    op.create_index("attempts_conversation", "attempts", ["conversation_id"])
    for name in ("requests", "answers"):
        op.create_table(
            name,
            sa.Column("attempt", sa.Integer, sa.ForeignKey("attempts.number"), primary_key=True),
            sa.Column("body", sa.Text, nullable=False),
        )
    op.create_table(
        "uses",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("number", sa.Text, nullable=False),
        sa.Column("owner_pid", sa.Integer, nullable=False),
        sa.Column("owner_started", sa.Double, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
    )
    op.create_table(
        "tabs",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("target", sa.Text, nullable=False, unique=True),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("browser", sa.Text, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
    )
