"""The statistics of one person, from the figures of their finished games."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jaipur.coach.style import Style, added, style_from_text
from jaipur.rules.box import GOODS, LETTERS
from jaipur.store import Figures, PlayedGame
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

    def count(self, game: PlayedGame) -> None:
        """Adds one match."""
        self.matches += 1
        self.won += game.won
        self.rounds += game.figures.rounds
        self.rounds_won += game.figures.rounds_won


@dataclass
class Statistics:
    """What a person has done so far. `sold` lists each good's letter and number of cards sold, the most first."""

    all: Against = field(default_factory=Against)
    opponents: list[Against] = field(default_factory=list)
    streak: int = 0
    longest: int = 0
    rupees: int = 0
    sold: list[tuple[str, int]] = field(default_factory=list)
    best_sale: str = ""
    best_rupees: int = 0
    style: Style = Style()  # noqa: RUF009 - it never changes

    @property
    def rupees_per_round(self) -> int:
        """The average number of rupees per round."""
        return round(self.rupees / self.all.rounds) if self.all.rounds else 0


def statistics_of(games: Sequence[PlayedGame]) -> Statistics:
    """The statistics of finished games, given the newest first."""
    told = Statistics()
    by_rival: dict[str, Against] = {}
    for game in games:
        told.all.count(game)
        _rival(by_rival, game).count(game)
    told.opponents = sorted(by_rival.values(), key=lambda against: -against.matches)
    told.streak, told.longest = _streaks(game.won for game in games)
    figures = [game.figures for game in games]
    told.rupees = sum(done.rupees for done in figures)
    for done in figures:
        if done.best_rupees > told.best_rupees:
            told.best_sale, told.best_rupees = done.best_sale, done.best_rupees
    told.sold = _sold(figures)
    told.style = added(style_from_text(done.style) for done in figures)
    return told


def _rival(by_rival: dict[str, Against], game: PlayedGame) -> Against:
    """Tells bots apart by level and people by holder; all who asked to be forgotten share one entry."""
    key = game.level or game.rival or ""
    if key not in by_rival:
        name = label_of(GameKind(game.kind), 1, game.rival_name, game.level)
        by_rival[key] = Against(name, game.level, game.rival_avatar)
    return by_rival[key]


def _streaks(won: Iterable[bool]) -> tuple[int, int]:
    """Wins in a row: up to now, and the most ever."""
    runs = [0]
    for win in won:
        if win:
            runs[-1] += 1
        else:
            runs.append(0)
    return runs[0], max(runs)


def _sold(figures: Sequence[Figures]) -> list[tuple[str, int]]:
    counts = [0] * GOODS
    for done in figures:
        for good, number in enumerate(done.sold.split()):
            counts[good] += int(number)
    return sorted(((LETTERS[good], counts[good]) for good in range(GOODS) if counts[good]), key=lambda line: -line[1])
