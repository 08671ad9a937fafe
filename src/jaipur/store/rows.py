"""The rows of games, as objects: one field for each column, in the order of the columns."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class GameRow:
    """A game as it was set up. The seed is secret until the match is over."""

    id: str
    kind: str
    seed: str
    watchable: bool
    created: int
    pace: str = ""


@dataclass(frozen=True)
class SeatRow:
    """A taken seat: a bot with its level, or the person whose secret has this hash."""

    game: str
    seat: int
    name: str
    level: str | None
    holder: str | None
    avatar: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a game."""

    game: str
    number: int
    seat: int
    kind: str
    text: str
    key: str | None
    at: int


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    game: str
    winner: int
    seals: str
    at: int


@dataclass(frozen=True)
class Figures:
    """What a person did in a finished game, such as the cards sold of each good and the sale that brought the most."""

    game: str
    seat: int
    rounds: int
    rounds_won: int
    rupees: int
    sold: str
    best_sale: str
    best_rupees: int
    style: str = ""


@dataclass(frozen=True)
class NewGame:
    """A game to set up: the seats taken, the hash of an invitation to the free one, and what was already played."""

    game: GameRow
    seats: Sequence[SeatRow]
    invite: str | None = None
    history: Sequence[Event] = ()
    result: Result | None = None


@dataclass(frozen=True)
class Listed:
    """A line in a list of games. A free seat has no name (None), not even an empty one."""

    game: str
    kind: str
    names: tuple[str | None, str | None]
    levels: tuple[str | None, str | None]
    seat: int
    winner: int | None
    seals: str
    at: int
    avatars: tuple[str, str] = ("", "")
