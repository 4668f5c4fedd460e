"""What helps to find the cause of a failure is kept with its error."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Older failures have none."""
    op.add_column("attempts", sa.Column("error_debug", sa.Text))
