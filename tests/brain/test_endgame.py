"""Proven endgames: the bounds agree with brute force, and the vizier plays what is proven."""

from itertools import permutations

import pytest

from jaipur import Rng, Round
from jaipur.bots import Budget
from jaipur.bots.levels import shipped_vizier
from jaipur.brain.endgame import Endgame, can_be_listed
from jaipur.rules.deck import Deck
from jaipur.rules.move import Move, from_code
from tests.support.positions import round_from

SOLD = "GGGGGGPPPPPPPCCCCCC"
"""Gold and spice are gone; one more cloth ends the round."""
MANY = 10**9


def brute(round_: Round, me: int, depth: int) -> tuple[float, float]:
    """What a round with open cards is worth to a seat, at least and at most, found by trying everything."""
    if round_.over:
        return (round_.score().result(me),) * 2
    if depth == 0:
        return 0.0, 1.0
    best = max if round_.turn == me else min
    found = [brute_after(round_, move, me, depth - 1) for move in round_.legal_moves()]
    return best(low for low, _high in found), best(high for _low, high in found)


def brute_after(round_: Round, move: Move, me: int, depth: int) -> tuple[float, float]:
    """The same after a move, with every order of the deck equally likely."""
    orders = sorted(set(permutations(round_.deck.kinds())))
    drawn = 0 if move.give else 1 if str(move) != "+M" else str(round_.view(0).market).count("M")
    results = []
    for order in orders if drawn or str(move) == "+M" else orders[:1]:
        after = round_.copy()
        after.deck = Deck.of(list(order))
        after.play(move)
        results.append(brute(after, me, depth))
    return sum(low for low, _ in results) / len(results), sum(high for _, high in results) / len(results)


def known(round_: Round) -> Round:
    """The same round with nothing hidden in the hands."""
    round_.first.hidden = round_.second.hidden = 0
    return round_


POSITIONS = [
    f"market {market} / discard {SOLD} / seat0 {first} tokens 9 / seat1 {second}"
    for market, first, second in (
        ("DDLMM / deck L", "hand CL herd 1 rupees 40", "hand CS herd 3 rupees 42"),
        ("DSLLM / deck LD", "hand CS herd 2 rupees 40", "hand C herd 3 rupees 43"),
        ("DDSMM / deck SL", "hand DL herd 0 rupees 50", "hand LL herd 3 rupees 52"),
    )
]


@pytest.mark.parametrize("text", POSITIONS)
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_bounds_are_those_of_brute_force(text: str, depth: int) -> None:
    round_ = known(round_from(text))
    endgame = Endgame(round_.view(0), MANY)
    for number, code in enumerate(endgame.codes):
        low, high = endgame._after(endgame.start, code, depth)
        assert (low, high) == pytest.approx(brute_after(round_, from_code(code), 0, depth)), from_code(code)
        assert number < len(round_.legal_moves())


def test_only_endings_that_can_be_listed_are_looked_at() -> None:
    hidden = round_from(POSITIONS[0])
    assert not can_be_listed(hidden.view(0))
    assert can_be_listed(known(hidden).view(0))
    many = known(round_from("market DDLMM / seat0 hand CL / seat1 hand CS"))
    assert not can_be_listed(many.view(0))


def test_a_draw_of_several_cards_is_averaged_over_all_of_them() -> None:
    """Two camels are taken, and two of the three cards in the deck DLL come: two times in three, one is the diamond."""
    text = "market CCCMM / deck DLL / discard GGGGGGPPPPPPP / seat0 hand S herd 0 / seat1 hand C herd 3 rupees 9"
    endgame = Endgame(known(round_from(text)).view(0), MANY)
    camels = next(code for code in endgame.codes if str(from_code(code)) == "+M")
    assert endgame._after(endgame.start, camels, 0) == (0.0, 1.0)
    low, high = endgame._after(endgame.start, camels, 1)
    assert (low, high) == pytest.approx(brute_after(known(round_from(text)), from_code(camels), 0, 1))


def test_the_rivals_hidden_tokens_are_averaged_over() -> None:
    """Two rupees ahead, not counting the rival's token for three cards: 1, 1, 2, 2, 2, 3 or 3. It breaks a tie."""
    text = (
        f"market DSLLM / deck - / discard {SOLD} / seat0 hand C herd 6 rupees 47 tokens 9"
        " / seat1 hand L herd 3 rupees 50 tokens 9 bonus 3"
    )
    round_ = known(round_from(text))
    endgame = Endgame(round_.view(0), MANY)
    sale = next(code for code in endgame.codes if str(from_code(code)) == "-C")
    lead = 47 + 5 - 50
    chances = [float(lead > token) for token in (1, 1, 2, 2, 2, 3, 3)]
    assert endgame._after(endgame.start, sale, 0) == pytest.approx((sum(chances) / 7,) * 2)


def test_the_vizier_plays_what_is_proven_and_says_so() -> None:
    """This sale of the seventh cloth ends the round with a win, so the network has no say."""
    text = f"market DDSMM / deck SL / discard {SOLD} / seat0 hand CL herd 0 rupees 60 tokens 9 / seat1 hand LL herd 3"
    round_ = known(round_from(text))
    best = shipped_vizier().think(round_.view(0), Budget(worlds=8), Rng(1)).best()
    assert best.value == 1.0
    assert best.error == 0.0
    round_.play(from_code(best.code))
    assert not round_.over or round_.score().winner == 0


def test_where_all_is_lost_nothing_is_proven() -> None:
    text = f"market MMMMM / deck - / discard {SOLD} / seat0 hand C herd 0 / seat1 hand L herd 3 rupees 90 tokens 9"
    search = shipped_vizier().think(known(round_from(text)).view(0), Budget(worlds=8), Rng(1))
    assert len(search.live) > 1
    assert all(candidate.proven < 0 for candidate in search.candidates)


def test_a_proof_keeps_to_its_nodes() -> None:
    """With hardly any nodes, a move's lower bound is still 0 unless one turn settles its value."""
    endgame = Endgame(known(round_from(POSITIONS[1])).view(0), 1)
    endgame.solve()
    assert all(low in (0.0, high) for low, high in zip(endgame.low, endgame.high, strict=True))
    assert endgame.nodes <= 0
