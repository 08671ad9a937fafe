"""An SQLite file says in its header that it is ours, so that it is recognised at once."""

from alembic import op

from jaipur.store.sqlite.recognition import APPLICATION_ID

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Does nothing on PostgreSQL, where a database is named and not found by its path."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"PRAGMA application_id = {APPLICATION_ID}")
