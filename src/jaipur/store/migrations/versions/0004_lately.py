"""PostgreSQL finds recent rows quickly: they are stored in order of time, so a small BRIN index is enough."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Does nothing on SQLite, where one process knows everything."""
    if op.get_bind().dialect.name == "postgresql":
        for name, table, column in (("events_by_time", "events", "at"), ("games_by_time", "games", "created")):
            op.create_index(
                name,
                table,
                [column],
                postgresql_using="brin",
                postgresql_with={"pages_per_range": 32, "autosummarize": "on"},
            )
