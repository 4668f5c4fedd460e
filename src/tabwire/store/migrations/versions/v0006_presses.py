"""What was known when Send was pressed is kept with an ask."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Older asks have none."""
    op.add_column("attempts", sa.Column("press", sa.Text))
