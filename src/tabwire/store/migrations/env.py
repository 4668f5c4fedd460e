"""Alembic runs this for every migration. The connection, and its transaction, are migrate.py's."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():  # joins the one that is open already
    context.run_migrations()
