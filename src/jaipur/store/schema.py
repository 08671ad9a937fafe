"""The tables of the database. A game is its seed, its seats and its events, and events are only ever added.

The person in a seat can change their name, come from another device, or ask to be forgotten: only then does a row
change.
"""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("watchable", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("pace", String(16), nullable=False, server_default=""),
)
"""The pace is how long players may think; empty means as long as they like."""

seats = Table(
    "seats",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", String(100), nullable=False),
    Column("level", String(32)),
    Column("holder", String(64)),
    Column("avatar", String(32), nullable=False, server_default=""),
    Index("seats_by_holder", "holder"),
)
"""Who sits where: a bot with its level, or the person whose secret has this hash. An empty seat has no row yet."""

invites = Table(
    "invites",
    metadata,
    Column("token", String(64), key="secret", primary_key=True),
    Column("game", ForeignKey("games.id"), nullable=False),
    Column("seat", Integer, nullable=False),
)
"""The hash of a link that seats a person; the link is used up once its seat is taken."""

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
"""What happened, in order. If two writers race for the same number, the primary key lets only one through."""

results = Table(
    "results",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("winner", Integer, nullable=False),
    Column("seals", String(8), nullable=False),
    Column("at", BigInteger, nullable=False),
)
"""Finished games, so that lists need no replay."""

operations = Table(
    "operations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("kind", String(16), nullable=False),
    Column("about", String(64), nullable=False),
    Column("at", BigInteger, nullable=False),
)
"""What the operator did, in order; this is how a running server learns of it."""

people = Table(
    "people",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("name", String(100), nullable=False),
    Column("avatar", String(32), nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""The chosen name and picture of the person whose secret has this hash."""

figures = Table(
    "figures",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("rounds", Integer, nullable=False),
    Column("rounds_won", Integer, nullable=False),
    Column("rupees", Integer, nullable=False),
    Column("sold", String(64), nullable=False),
    Column("best_sale", String(16), nullable=False),
    Column("best_rupees", Integer, nullable=False),
    Column("style", String(200), nullable=False, server_default=""),
)
"""What a person did in a finished game, written with its result, so that statistics need no replay.

Rows from before there was a style have none; working it out would take a replay.
"""

reviews = Table(
    "reviews",
    metadata,
    Column("game", ForeignKey("games.id"), primary_key=True),
    Column("judge", String(64), primary_key=True),
    Column("worlds", Integer, nullable=False),
    Column("players", String(2000), nullable=False),
    Column("review", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)
"""Reviews of finished games, one for each judge. `players` sums up both seats, so that statistics need no review."""

device_links = Table(
    "device_links",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("sealed", String(256), nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("device_links_by_holder", "holder"),
)
"""The hash of a link to another device, and a secret that only the link itself unseals."""

subscriptions = Table(
    "subscriptions",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("holder", String(64), nullable=False),
    Column("endpoint", String(1000), nullable=False),
    Column("key", String(100), nullable=False),
    Column("auth", String(32), nullable=False),
    Column("language", String(8), nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("subscriptions_by_holder", "holder"),
)
"""Where a person's browser receives messages while the page is closed; the id is the hash of that address."""
