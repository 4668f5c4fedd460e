"""Conversations, what they are rebuilt from, and which way of capture works at a site."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "conversations",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("conversation_id", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("ready", sa.Integer, nullable=False),
        sa.Column("reasons", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("completeness", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("title_from", sa.Text, nullable=False),
        sa.Column("model", sa.Text),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Double),
        sa.Column("updated_at", sa.Double),
        sa.Column("first_at", sa.Double, nullable=False),
        sa.Column("captured_at", sa.Double, nullable=False),
    )
    op.create_index(
        "conversations_of_a_site", "conversations", ["site", "conversation_id"], unique=True
    )
    op.create_index("conversations_captured", "conversations", ["captured_at"])
    op.create_table(
        "bodies",
        sa.Column(
            "conversation", sa.Integer, sa.ForeignKey("conversations.number"), primary_key=True
        ),
        sa.Column("place", sa.Integer, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("packed", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "capture_steps",
        sa.Column("site", sa.Text, primary_key=True),
        sa.Column("step", sa.Text, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
    )
