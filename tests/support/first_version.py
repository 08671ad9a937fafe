"""A database as the first version wrote it, made from a current one."""

import contextlib
import sqlite3
from pathlib import Path

TABLES = {
    "games": {"id", "kind", "seed", "watchable", "created"},
    "seats": {"game", "seat", "name", "level", "holder"},
    "invites": {"token", "game", "seat"},
    "events": {"game", "number", "seat", "kind", "text", "key", "at"},
    "results": {"game", "winner", "seals", "at"},
    "alembic_version": {"version_num"},
}


def make_first_version(path: Path) -> None:
    """Drops every table and column that the first version did not have."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for name in {row[0] for row in rows} - TABLES.keys():
            if not name.startswith("sqlite_"):
                connection.execute(f"DROP TABLE {name}")
        for name, columns in TABLES.items():
            for column in {row[1] for row in connection.execute(f"PRAGMA table_info({name})")} - columns:
                connection.execute(f"ALTER TABLE {name} DROP COLUMN {column}")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
        connection.execute("PRAGMA application_id=0")
        connection.commit()
