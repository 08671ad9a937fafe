"""Rows of reviews: each is made once, and kept as long as its game."""

from contextlib import suppress
from dataclasses import asdict, dataclass

from sqlalchemy import and_, exists, insert, select

from jaipur.store.schema import ReviewRow, columns, events, figures, games, results, reviews, seats
from jaipur.store.store import Store, Taken

_HINT = "hint"


@dataclass(frozen=True)
class Reviewed:
    """A review's summary of both players of a game, and the seat of the person in question.

    `rounds` counts the finished rounds; `hints` says whether this seat asked for any.
    """

    game: str
    seat: int
    players: str
    at: int
    rounds: int = 0
    hints: bool = False


class ReviewShelf:
    """The reviews of one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def review(self, game: str, judge: str) -> ReviewRow | None:
        """What a judge said about a game."""
        one = select(*columns(ReviewRow, reviews)).where(reviews.c.game == game, reviews.c.judge == judge)
        return self.store.find(ReviewRow, one)

    def of_same_seed(self, game: str, judge: str) -> list[str]:
        """A judge's reviews of other games with the same seed: one of them may be of the same match."""
        seed = select(games.c.seed).where(games.c.id == game).scalar_subquery()
        same = and_(games.c.id == reviews.c.game, games.c.seed == seed, games.c.id != game)
        return self.store.fetch(str, select(reviews.c.review).join(games, same).where(reviews.c.judge == judge))

    def keep(self, row: ReviewRow) -> None:
        """Stores a review, unless there is one already or the game has been deleted in the meantime."""
        with suppress(Taken), self.store.writing() as connection:
            connection.execute(insert(reviews), asdict(row))

    def of(self, holder: str, judge: str, limit: int) -> list[Reviewed]:
        """A person's reviewed games, the newest first, with the seat they had.

        Only games with figures count: the others were lessons, played at one screen, or taken from somebody's record.
        """
        hints = exists().where(events.c.game == reviews.c.game, events.c.seat == seats.c.seat, events.c.kind == _HINT)
        reviewed = (
            select(reviews.c.game, seats.c.seat, reviews.c.players, results.c.at, figures.c.rounds, hints)
            .join(seats, and_(seats.c.game == reviews.c.game, seats.c.holder == holder))
            .join(figures, and_(figures.c.game == reviews.c.game, figures.c.seat == seats.c.seat))
            .join(results, results.c.game == reviews.c.game)
            .where(reviews.c.judge == judge)
            .order_by(results.c.at.desc(), reviews.c.game, seats.c.seat)
            .limit(limit)
        )
        return self.store.fetch(Reviewed, reviewed)
