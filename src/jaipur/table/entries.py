"""What a table remembers besides its match: the moves as onlookers get them, requests with a key, open offers."""

from dataclasses import dataclass
from functools import cached_property

from jaipur.rules.move import Move
from jaipur.store import Event
from jaipur.table.enums import Question


@dataclass(frozen=True)
class Logged:
    """A move that was played, as it is told."""

    round: int
    seat: int
    move: str


@dataclass(frozen=True)
class Played:
    """A move in the log of a match, with the round it belongs to."""

    round: int
    seat: int
    move: Move

    @cached_property
    def logged(self) -> Logged:
        """Built once, because every view of the table contains the whole log."""
        return Logged(self.round, self.seat, str(self.move))


@dataclass(frozen=True)
class Keyed:
    """The event that a request with an idempotency key caused, and the ply at which the request came."""

    event: Event
    ply: int


@dataclass(frozen=True)
class Offer:
    """What a seat has asked of the other."""

    seat: int
    what: Question
