"""How a person played in a finished game."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Rows that are there keep an empty one: whoever replays them all while a server starts keeps everybody waiting."""
    op.add_column("figures", sa.Column("style", sa.String(200), nullable=False, server_default=""))
