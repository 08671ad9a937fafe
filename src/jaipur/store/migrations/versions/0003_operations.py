"""What the operator of a server did: closed or deleted a game, blocked or unblocked an address."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "operations",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("about", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
