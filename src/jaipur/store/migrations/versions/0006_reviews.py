"""Reviews of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "reviews",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("judge", sa.String(64), primary_key=True),
        sa.Column("worlds", sa.Integer, nullable=False),
        sa.Column("players", sa.String(2000), nullable=False),
        sa.Column("review", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
