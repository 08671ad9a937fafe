"""Schema versions, in order; Alembic runs those that a database lacks."""
