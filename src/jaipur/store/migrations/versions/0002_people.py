"""People without accounts: names, avatars, figures of finished games, links to other devices; a pace for games."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds the new tables, and columns with a default to the existing ones."""
    op.add_column("games", sa.Column("pace", sa.String(16), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("avatar", sa.String(32), nullable=False, server_default=""))
    op.create_table(
        "people",
        sa.Column("holder", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("avatar", sa.String(32), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "figures",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("rounds_won", sa.Integer, nullable=False),
        sa.Column("rupees", sa.Integer, nullable=False),
        sa.Column("sold", sa.String(64), nullable=False),
        sa.Column("best_sale", sa.String(16), nullable=False),
        sa.Column("best_rupees", sa.Integer, nullable=False),
    )
    op.create_table(
        "device_links",
        sa.Column("token", sa.String(64), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("sealed", sa.String(256), nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_index("device_links_by_holder", "device_links", ["holder"])
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
