"""Rows of reviews: each is made once, and kept as long as its game."""

from dataclasses import asdict, dataclass

from sqlalchemy import and_, exists, insert, select

from jaipur.store.schema import events, figures, games, results, reviews, seats
from jaipur.store.store import Store, Taken

_HINT = "hint"


@dataclass(frozen=True)
class ReviewRow:
    """A review as text, the judge and the number of worlds it used, and a short text about both players."""

    game: str
    judge: str
    worlds: int
    players: str
    review: str
    at: int


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
        wanted = select(reviews).where(reviews.c.game == game, reviews.c.judge == judge)
        with self.store.reading() as connection:
            row = connection.execute(wanted).one_or_none()
        return None if row is None else ReviewRow(*row)

    def of_same_seed(self, game: str, judge: str) -> list[str]:
        """A judge's reviews of other games with the same seed: one of them may be of the same match."""
        seed = select(games.c.seed).where(games.c.id == game).scalar_subquery()
        same = and_(games.c.id == reviews.c.game, games.c.seed == seed, games.c.id != game)
        wanted = select(reviews.c.review).join(games, same).where(reviews.c.judge == judge)
        with self.store.reading() as connection:
            return list(connection.execute(wanted).scalars())

    def keep(self, row: ReviewRow) -> None:
        """Stores a review, unless there is one already or the game has been deleted in the meantime."""
        try:
            with self.store.writing() as connection:
                connection.execute(insert(reviews), asdict(row))
        except Taken:
            return

    def of(self, holder: str, judge: str, limit: int) -> list[Reviewed]:
        """A person's reviewed games, the newest first, with the seat they had.

        Only games with figures count: the others were lessons, played at one screen, or taken from somebody's record.
        """
        asked = exists().where(events.c.game == reviews.c.game, events.c.seat == seats.c.seat, events.c.kind == _HINT)
        wanted = (
            select(reviews.c.game, seats.c.seat, reviews.c.players, results.c.at, figures.c.rounds, asked)
            .join(seats, and_(seats.c.game == reviews.c.game, seats.c.holder == holder))
            .join(figures, and_(figures.c.game == reviews.c.game, figures.c.seat == seats.c.seat))
            .join(results, results.c.game == reviews.c.game)
            .where(reviews.c.judge == judge)
            .order_by(results.c.at.desc(), reviews.c.game, seats.c.seat)
            .limit(limit)
        )
        with self.store.reading() as connection:
            return [Reviewed(*row) for row in connection.execute(wanted)]
