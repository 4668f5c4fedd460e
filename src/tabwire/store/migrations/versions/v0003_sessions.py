"""Agents, their chats, and the files sessions were imported from."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "sessions",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("agent", sa.Text, nullable=False, unique=True),
        sa.Column("last_access", sa.Double, nullable=False),
        sa.Column("kept_at", sa.Double, nullable=False),
        sa.Column("project", sa.Text, nullable=False),
        sa.Column("client", sa.Text, nullable=False),
    )
    op.create_table(
        "chats",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("session", sa.Integer, sa.ForeignKey("sessions.number"), nullable=False),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("conversation_id", sa.Text),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("tab", sa.Text),
        sa.Column("last_used", sa.Double, nullable=False),
    )
    op.create_index("chats_of_a_session", "chats", ["session", "site"], unique=True)
    op.create_table(
        "session_files",
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("taken_at", sa.Double, nullable=False),
    )
