"""The tables of the database. Rows are only ever added: a game is its seed, its seats and its events."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, String, Table

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("watchable", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", String(100), nullable=False),
    Column("level", String(32)),
    Column("holder", String(64)),
    Index("seats_by_holder", "holder"),
)
"""Who sits where: a bot of a level, or the person whose token has this hash. An empty seat has no row yet."""

invites = Table(
    "invites",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("game", ForeignKey("games.id"), nullable=False),
    Column("seat", Integer, nullable=False),
)
"""The hash of a link that seats a person; it is used up when its seat is taken."""

events = Table(
    "events",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("text", String(64), nullable=False),
    Column("key", String(64)),
    Column("at", BigInteger, nullable=False),
)
"""What happened, in order. The primary key decides between two that race for one number."""

results = Table(
    "results",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("winner", Integer, nullable=False),
    Column("seals", String(8), nullable=False),
    Column("at", BigInteger, nullable=False),
)
"""Finished games, so that lists need no replay."""
