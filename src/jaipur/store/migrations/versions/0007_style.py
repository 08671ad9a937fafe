"""How a person played in a finished game."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Existing rows get an empty style: replaying every game while the server starts would keep everybody waiting."""
    op.add_column("figures", sa.Column("style", sa.String(200), nullable=False, server_default=""))
