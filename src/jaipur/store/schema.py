"""The tables of the database, and their rows as objects.

A game is its seed, its seats and its events, and events are only ever added. The person in a seat can change their
name, come from another device, or ask to be forgotten: only then does a row change.
"""

from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, get_args, get_type_hints

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()
_Hash = Annotated[str, String(64)]
_Word = Annotated[str, String(16)]
_Time = Annotated[int, BigInteger]
_STORED = {int: Integer, bool: Boolean}


def _table(name: str, row: type, *indexes: Index, keys: int = 1) -> Table:
    """A table with a column for each field of a row: `game` refers to a game, the first `keys` are the primary key."""
    hints = get_type_hints(row, include_extras=True)
    columns = []
    for place, field in enumerate(fields(row)):
        kind, *stored = get_args(hints[field.name]) or (hints[field.name],)
        column = Column(
            field.name,
            ForeignKey("games.id") if field.name == "game" else stored[0] if stored else _STORED[kind],
            primary_key=place < keys,
            nullable=type(None) in get_args(kind),
            server_default=None if field.default is MISSING else field.default,
        )
        columns.append(column)
    return Table(name, metadata, *columns, *indexes)


def columns(row: type, table: Table) -> list[Column[Any]]:
    """The columns that make up a row object, in the order of its fields."""
    return [table.c[field.name] for field in fields(row)]


@dataclass(frozen=True)
class GameRow:
    """A game as it was set up. The seed is secret until the match is over.

    The pace is how long players may think; empty means as long as they like.
    """

    id: Annotated[str, String(32)]
    kind: _Word
    seed: _Hash
    watchable: bool
    created: _Time
    pace: _Word = ""


@dataclass(frozen=True)
class SeatRow:
    """A taken seat: a bot with its level, or the person whose secret has this hash. An empty seat has no row yet."""

    game: str
    seat: int
    name: Annotated[str, String(100)]
    level: Annotated[str | None, String(32)]
    holder: Annotated[str | None, String(64)]
    avatar: Annotated[str, String(32)] = ""


@dataclass(frozen=True)
class Invite:
    """The hash of a link that seats a person; the link is used up once its seat is taken."""

    token: _Hash
    game: str
    seat: int


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a game. If two writers race for a number, the primary key lets only one through."""

    game: str
    number: int
    seat: int
    kind: _Word
    text: _Hash
    key: Annotated[str | None, String(64)]
    at: _Time


@dataclass(frozen=True)
class Result:
    """How a game ended, so that lists need no replay."""

    game: str
    winner: int
    seals: Annotated[str, String(8)]
    at: _Time


@dataclass(frozen=True)
class MatchFigures:
    """What a person did in a finished match, such as the cards sold of each good and the sale that brought the most.

    Written with the result, so that statistics need no replay. Rows from before there was a style have none.
    """

    game: str
    seat: int
    rounds: int
    rounds_won: int
    rupees: int
    sold: _Hash
    best_sale: _Word
    best_rupees: int
    style: Annotated[str, String(200)] = ""


@dataclass(frozen=True)
class ReviewRow:
    """A review as text, the judge and the number of worlds it used, and a short text about both players."""

    game: str
    judge: _Hash
    worlds: int
    players: Annotated[str, String(2000)]
    review: Annotated[str, Text]
    at: _Time


@dataclass(frozen=True)
class DeviceLink:
    """A link that brings somebody to another device: its hash, and a secret that only the link unseals."""

    token: _Hash
    holder: _Hash
    sealed: Annotated[str, String(256)]
    until: _Time


@dataclass(frozen=True)
class Operation:
    """One thing that the operator did; this is how a running server learns of it."""

    number: int
    kind: _Word
    about: _Hash
    at: _Time


games = _table("games", GameRow)
seats = _table("seats", SeatRow, Index("seats_by_holder", "holder"), keys=2)
invites = _table("invites", Invite)
events = _table("events", Event, keys=2)
results = _table("results", Result)
figures = _table("figures", MatchFigures, keys=2)
reviews = _table("reviews", ReviewRow, keys=2)
device_links = _table("device_links", DeviceLink, Index("device_links_by_holder", "holder"))
operations = _table("operations", Operation)

people = Table(
    "people",
    metadata,
    Column("holder", String(64), primary_key=True),
    Column("name", String(100), nullable=False),
    Column("avatar", String(32), nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""The chosen name and picture of the person whose secret has this hash."""

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

Row = GameRow | SeatRow | Invite | Event | Result | MatchFigures
ROWS: dict[type[Row], Table] = {
    GameRow: games,
    SeatRow: seats,
    Invite: invites,
    Event: events,
    Result: results,
    MatchFigures: figures,
}
"""What is added in units, in an order in which each row comes after those it refers to."""
