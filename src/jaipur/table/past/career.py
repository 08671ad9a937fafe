"""The statistics of one person, from the figures of their finished games."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from jaipur.coach.style import Style, added, style_from_text
from jaipur.rules.box import LETTERS
from jaipur.store import FinishedGame
from jaipur.table.events import GameKind
from jaipur.table.seen.labels import label_of

FEW = 10
"""With fewer matches than this a percentage says little, and the page shows it dimmed."""


@dataclass
class Against:
    """Results against one opponent, or against all."""

    name: str = ""
    level: str | None = None
    avatar: str = ""
    matches: int = 0
    won: int = 0
    rounds: int = 0
    rounds_won: int = 0

    @property
    def share(self) -> int:
        """Matches won, in percent."""
        return round(100 * self.won / self.matches) if self.matches else 0

    @property
    def few(self) -> bool:
        """Whether there are too few matches to say much."""
        return self.matches < FEW

    def count(self, game: FinishedGame) -> None:
        """Adds one match."""
        self.matches += 1
        self.won += game.won
        self.rounds += game.figures.rounds
        self.rounds_won += game.figures.rounds_won


@dataclass(frozen=True)
class Statistics:
    """What a person has done so far. `sold` lists each good's letter and number of cards sold, the most first."""

    all: Against
    opponents: list[Against]
    streak: int
    longest: int
    rupees: int
    sold: list[tuple[str, int]]
    best_sale: str
    best_rupees: int
    style: Style

    @property
    def rupees_per_round(self) -> int:
        """The average number of rupees per round."""
        return round(self.rupees / self.all.rounds) if self.all.rounds else 0


def statistics_of(games: Sequence[FinishedGame]) -> Statistics:
    """The statistics of finished games, given the newest first."""
    everybody, opponents = Against(), dict[str, Against]()
    for game in games:
        everybody.count(game)
        _opponent(opponents, game).count(game)
    streaks = [len([*streak]) for won, streak in groupby(games, key=lambda game: game.won) if won]
    figures = [game.figures for game in games]
    sold = Counter[str]()
    for one in figures:
        sold.update(dict(zip(LETTERS, map(int, one.sold.split()), strict=False)))
    best = max(figures, key=lambda one: one.best_rupees, default=None)
    return Statistics(
        all=everybody,
        opponents=sorted(opponents.values(), key=lambda against: -against.matches),
        streak=streaks[0] if games and games[0].won else 0,
        longest=max(streaks, default=0),
        rupees=sum(one.rupees for one in figures),
        sold=[(letter, cards) for letter, cards in sold.most_common() if cards],
        best_sale=best.best_sale if best else "",
        best_rupees=best.best_rupees if best else 0,
        style=added(style_from_text(one.style) for one in figures),
    )


def _opponent(opponents: dict[str, Against], game: FinishedGame) -> Against:
    """Tells bots apart by level and people by holder; all who asked to be forgotten share one entry."""
    name = label_of(GameKind(game.kind), 1, game.rival_name, game.level)
    return opponents.setdefault(game.level or game.rival or "", Against(name, game.level, game.rival_avatar))
