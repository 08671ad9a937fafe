"""How somebody plays, counted from the moves and the score sheet alone."""

import pytest

from jaipur.bench.coach import level_style
from jaipur.coach.figures import GRADED, figures
from jaipur.coach.style import TRAITS, Kind, Style, added, kind_of_move, style_from_text, style_of
from jaipur.rules.bag import size
from tests.support.matches import played_match

ALL_TRAITS = [trait for traits in TRAITS.values() for trait in traits]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_style_counts_the_moves_of_one_seat(seat: int) -> None:
    match = played_match(4)
    style = style_of(match.rounds, seat)
    moves = [move for part in match.rounds for n, move in enumerate(part.moves) if (part.starter + n) % 2 == seat]
    kinds = [kind_of_move(move) for move in moves]
    assert (style.takes, style.camels, style.exchanges) == tuple(kinds.count(kind) for kind in list(Kind)[:3])
    assert (style.sales, style.moves) == (kinds.count(Kind.SALE), len(moves))
    sold = [size(move.give) for move in moves if not move.take]
    assert style.cards_sold == sum(sold)
    assert style[4:9] == (*(sold.count(cards) for cards in (1, 2, 3, 4)), sum(cards >= 5 for cards in sold))


def test_what_it_brought_is_that_of_the_score_sheets() -> None:
    match = played_match(4)
    first, second = (style_of(match.rounds, seat) for seat in (0, 1))
    sheets = [part.score().tallies for part in match.rounds]
    assert first.rounds == second.rounds == len(match.rounds)
    assert first.rupees == sum(sheet[0].goods for sheet in sheets)
    assert second.bonus_tokens == sum(sheet[1].bonus_tokens for sheet in sheets)
    assert first.camel_tokens + second.camel_tokens <= len(match.rounds)


def test_styles_add_up_and_are_kept_as_text() -> None:
    match = played_match(6)
    parts = [style_of([part], 1) for part in match.rounds]
    assert added(parts) == style_of(match.rounds, 1)
    assert style_from_text(str(parts[0])) == parts[0]
    assert style_from_text("") == added([]) == Style()


def test_a_trait_says_little_below_its_own_sample() -> None:
    moves, sales = TRAITS["Of all moves"][0], TRAITS["Of all sales"][0]
    style = Style(rounds=3, takes=60, camels=20, sales_of_1=5, sales_of_2=15)
    assert (moves.value(style), moves.few(style)) == (0.6, False)
    assert (sales.value(style), sales.few(style)) == (0.25, True)
    assert all(trait.value(Style()) is None and trait.few(Style()) for trait in ALL_TRAITS)


def test_every_level_ships_with_a_style_from_enough_rounds() -> None:
    styles = figures().styles
    assert tuple(styles) == GRADED
    for style in styles.values():
        assert not any(trait.few(style) for trait in ALL_TRAITS)
        assert sum(trait.value(style) or 0 for trait in TRAITS["Of all moves"]) == pytest.approx(1)
        assert sum(trait.value(style) or 0 for trait in TRAITS["Of all sales"]) == pytest.approx(1)


def test_the_shipped_styles_are_those_of_the_levels() -> None:
    """A small live check: the pedlar often sells a single card, the merchant rarely."""
    single = TRAITS["Of all sales"][0]
    for name in ("pedlar", "merchant"):
        live, shipped = single.value(level_style(name, 40, seed=5)), single.value(figures().styles[name])
        assert live == pytest.approx(shipped, abs=0.1)
