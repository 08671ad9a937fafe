"""Clocks begin again when a server starts, so nothing notes when one was last awake."""

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Drops the table."""
    op.drop_table("heartbeat", if_exists=True)
