"""How a person plays, compared with the levels."""

from collections.abc import Mapping
from dataclasses import dataclass

from jaipur.coach.coach_words import DASH, percent
from jaipur.coach.figures import figures
from jaipur.coach.style import TRAITS, Style, Trait
from jaipur.language import decimal


@dataclass(frozen=True)
class StyleTable:
    """A person's style beside those of the levels; the rows are traits under headings."""

    own: Style
    levels: Mapping[str, Style]
    groups: Mapping[str, tuple[Trait, ...]]

    @property
    def few(self) -> bool:
        """Whether any row rests on too little data."""
        return any(trait.few(self.own) for traits in self.groups.values() for trait in traits)

    def cell(self, trait: Trait, style: Style) -> str:
        """One value, or a dash if nothing was counted."""
        value = trait.value(style)
        if value is None:
            return DASH
        return percent(value) if trait.share else decimal(value, 1)


def style_table(style: Style) -> StyleTable | None:
    """A person's table; None before any round has been counted."""
    return StyleTable(style, figures().styles, TRAITS) if style.rounds else None
