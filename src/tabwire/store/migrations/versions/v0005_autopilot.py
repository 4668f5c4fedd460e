"""What the autopilot did, line by line, and what it asks a person."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

SQLITE = """
CREATE TRIGGER audit_keeps_{verb} BEFORE {verb} ON audit
BEGIN SELECT RAISE(ABORT, 'lines of the audit stay as they are'); END
"""
POSTGRES = """
CREATE FUNCTION audit_keeps() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'lines of the audit stay as they are'; END $$
"""
POSTGRES_TRIGGER = """
CREATE TRIGGER audit_keeps BEFORE UPDATE OR DELETE ON audit
FOR EACH ROW EXECUTE FUNCTION audit_keeps()
"""


def upgrade() -> None:
    """Make their tables; the audit can only be added to."""
    op.create_table(
        "audit",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("window", sa.Text, nullable=False),
        sa.Column("session", sa.Text, nullable=False),
        sa.Column("card", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("control", sa.Text, nullable=False),
        sa.Column("verdict", sa.Text, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("command_hash", sa.Text, nullable=False),
        sa.Column("card_hash", sa.Text, nullable=False),
        sa.Column("approval", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("away", sa.Integer, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
    )
    op.create_index("audit_at", "audit", ["at"])
    op.create_index("audit_of_a_window", "audit", ["window", "act"])
    op.create_table(
        "approvals",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("window", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.Column("answered_at", sa.Double),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("approvals_state", "approvals", ["state"])
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("update", "delete"):
            op.execute(SQLITE.format(verb=verb))
    else:
        op.execute(POSTGRES)
        op.execute(POSTGRES_TRIGGER)
