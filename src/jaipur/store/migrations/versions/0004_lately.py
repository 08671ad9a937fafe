"""PostgreSQL finds what happened lately: rows come in the order of time, so a few pages (BRIN) are index enough."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nothing on SQLite, where one process knows everything."""
    if op.get_bind().dialect.name == "postgresql":
        for name, table, column in (("events_by_time", "events", "at"), ("games_by_time", "games", "created")):
            op.create_index(
                name,
                table,
                [column],
                postgresql_using="brin",
                postgresql_with={"pages_per_range": 32, "autosummarize": "on"},
            )
