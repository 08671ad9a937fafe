"""How a person plays, compared with the levels."""

from dataclasses import dataclass

from jaipur.bots import LEVELS
from jaipur.coach.coach_words import DASH, percent
from jaipur.coach.figures import figures
from jaipur.coach.style import TRAITS, Style, Trait
from jaipur.language import _, decimal


@dataclass(frozen=True)
class StyleRow:
    """One trait: the person's own value, whether it rests on too little data, and the values of the levels."""

    name: str
    own: str
    few: bool
    levels: list[str]


@dataclass(frozen=True)
class StyleTable:
    """Rows under headings; `levels` are the names and titles of the columns beside the person's own."""

    rounds: int
    levels: list[tuple[str, str]]
    groups: list[tuple[str, list[StyleRow]]]

    @property
    def few(self) -> bool:
        """Whether any row rests on too little data."""
        return any(row.few for _heading, rows in self.groups for row in rows)


def style_table(style: Style) -> StyleTable | None:
    """A person's table; None before any round has been counted."""
    if not style.rounds:
        return None
    levels = figures().styles
    titles = [(name, LEVELS[name].shown_title) for name in levels]
    groups = [(_(heading), [_row(trait, style, levels) for trait in traits]) for heading, traits in TRAITS.items()]
    return StyleTable(style.rounds, titles, groups)


def _row(trait: Trait, style: Style, levels: dict[str, Style]) -> StyleRow:
    others = [_in_words(trait, one) for one in levels.values()]
    return StyleRow(_(trait.name), _in_words(trait, style), trait.few(style), others)


def _in_words(trait: Trait, style: Style) -> str:
    value = trait.value(style)
    if value is None:
        return DASH
    return percent(value) if trait.share else decimal(value, 1)
