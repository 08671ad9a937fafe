"""Alembic's entry point: brings the database of the given connection to the newest schema."""

from alembic import context

from jaipur.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
