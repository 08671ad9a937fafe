"""Selling, goods tokens and bonus tokens: R14 to R17."""

from itertools import combinations_with_replacement

import pytest

from jaipur import count
from jaipur.rules.bonus import bonus_kinds, bonus_left, pile_counts
from tests.rules.helpers import deck, discard_pile, hand, legal, market, played, refuse
from tests.support.positions import round_from


def test_r14_sold_cards_go_to_the_discard_pile() -> None:
    round_ = played("market DDSLM / discard CPP / seat0 hand CCCLL herd 1 / seat1 herd 7", "-CC")
    assert (hand(round_, 0), discard_pile(round_), round_.turn) == ("CLL", "CCCPP", 1)


def test_r14_a_sale_touches_neither_the_market_nor_the_deck_nor_the_herd() -> None:
    before = round_from("market DDSLM / seat0 hand CCCLL herd 1 / seat1 herd 7")
    round_ = played("market DDSLM / seat0 hand CCCLL herd 1 / seat1 herd 7", "-CC")
    assert (market(round_), deck(round_), round_.first.herd) == (market(before), deck(before), 1)


def test_r14_any_number_of_the_cards_of_one_type_can_be_sold() -> None:
    round_ = round_from("market MMMMM / seat0 hand CCCPPDD")
    assert legal(round_) == {"+M", "-C", "-CC", "-CCC", "-P", "-PP", "-DD"}


def test_r14_a_whole_hand_of_one_type_can_be_sold() -> None:
    round_ = played("market DDSMM / seat0 hand LLLLLLL / seat1 herd 9", "-LLLLLLL")
    assert (hand(round_, 0), discard_pile(round_)) == ("", "LLLLLLL")


@pytest.mark.parametrize("move", ["-CL", "-DG", "-CCL", "-DDL"])
def test_r14_a_sale_is_of_one_type(move: str) -> None:
    refuse(round_from("market DDSLM / seat0 hand DDGCCLL"), move, "R14")


@pytest.mark.parametrize("move", ["-M", "-MM", "-CM"])
def test_r14_camels_are_not_sold(move: str) -> None:
    refuse(round_from("market DDSLM / seat0 hand CC herd 3"), move, "R14")


@pytest.mark.parametrize("move", ["-P", "-PPP", "-CCC", "-DD", "-GG"])
def test_r14_only_cards_of_the_hand_are_sold(move: str) -> None:
    refuse(round_from("market DDSPM / seat0 hand GCC / seat1 hand DDPPP"), move, "R14")


@pytest.mark.parametrize("good", list("DGS"))
def test_r15_one_precious_card_is_not_sold(good: str) -> None:
    round_ = round_from(f"market MMMMM / seat0 hand {good * 2}")
    refuse(round_, f"-{good}", "R15")
    assert legal(round_) == {"+M", f"-{good * 2}"}


@pytest.mark.parametrize("good", list("DGS"))
def test_r15_not_even_when_a_single_token_of_the_type_is_left(good: str) -> None:
    position = f"market MMMMM / discard {good * 4} / seat0 hand {good * 2}"
    refuse(round_from(position), f"-{good}", "R15")
    round_ = played(position, f"-{good * 2}")
    assert (round_.first.goods_rupees, round_.first.goods_tokens) == (5, 1)


@pytest.mark.parametrize("good", list("DGS"))
def test_r15_not_even_when_no_token_of_the_type_is_left(good: str) -> None:
    refuse(round_from(f"market MMMMM / discard {good * 5} / seat0 hand {good}"), f"-{good}", "R15")


@pytest.mark.parametrize(("good", "rupees"), [("C", 5), ("P", 5), ("L", 4)])
def test_r15_one_card_of_the_other_goods_is_sold(good: str, rupees: int) -> None:
    round_ = played(f"market DDDMM / seat0 hand {good} / seat1 herd 9", f"-{good}")
    assert (round_.first.goods_rupees, round_.first.goods_tokens) == (rupees, 1)


@pytest.mark.parametrize(
    ("sold", "move", "rupees", "tokens"),
    [
        ("-", "-DD", 14, 2),
        ("DD", "-DD", 10, 2),
        ("-", "-GG", 12, 2),
        ("GG", "-GGG", 15, 3),
        ("-", "-SSSS", 20, 4),
        ("-", "-CCCC", 13, 4),
        ("CC", "-CC", 5, 2),
        ("PPPPP", "-P", 1, 1),
        ("-", "-LLLLL", 11, 5),
        ("LLL", "-LLLLL", 5, 5),
    ],
)
def test_r16_a_token_for_each_card_the_highest_first(sold: str, move: str, rupees: int, tokens: int) -> None:
    round_ = played(f"market MMMMM / discard {sold} / seat0 hand {move[1:]} / seat1 herd 6", move)
    assert (round_.first.goods_rupees, round_.first.goods_tokens) == (rupees, tokens)


@pytest.mark.parametrize(
    ("sold", "move", "rupees", "tokens"),
    [
        ("DDDD", "-DD", 5, 1),
        ("GGG", "-GGG", 10, 2),
        ("-", "-SSSSSS", 25, 5),
        ("CCCCC", "-CCC", 2, 2),
        ("P", "-PPPPPPP", 12, 6),
        ("LLLLLLLL", "-LL", 1, 1),
    ],
)
def test_r16_only_as_many_tokens_as_are_left(sold: str, move: str, rupees: int, tokens: int) -> None:
    round_ = played(f"market MMMMM / discard {sold} / seat0 hand {move[1:]} / seat1 herd 6", move)
    assert (round_.first.goods_rupees, round_.first.goods_tokens) == (rupees, tokens)


@pytest.mark.parametrize(("sold", "move"), [("CCCCCCC", "-C"), ("PPPPPPP", "-P"), ("LLLLLLLLL", "-L")])
def test_r16_a_type_without_tokens_is_sold_for_nothing(sold: str, move: str) -> None:
    round_ = played(f"market MMMMM / discard {sold} / seat0 hand {move[1:]} / seat1 herd 6", move)
    assert (round_.first.goods_rupees, round_.first.goods_tokens, hand(round_, 0)) == (0, 0, "")


def test_r16_tokens_are_added_to_those_of_the_seller_only() -> None:
    seats = "seat0 hand CC rupees 9 tokens 2 / seat1 hand CC rupees 7 tokens 1"
    round_ = played(f"market MMMMM / {seats}", "-CC", "-CC")
    assert (round_.first.goods_rupees, round_.first.goods_tokens) == (9 + 5 + 3, 4)
    assert (round_.second.goods_rupees, round_.second.goods_tokens) == (7 + 3 + 2, 3)


@pytest.mark.parametrize(
    ("move", "rupees", "taken"),
    [
        ("-L", 0, (0, 0, 0)),
        ("-LL", 0, (0, 0, 0)),
        ("-LLL", 2, (1, 0, 0)),
        ("-LLLL", 6, (0, 1, 0)),
        ("-LLLLL", 9, (0, 0, 1)),
        ("-LLLLLL", 9, (0, 0, 1)),
        ("-LLLLLLL", 9, (0, 0, 1)),
        ("-DDD", 2, (1, 0, 0)),
        ("-DDDDDD", 9, (0, 0, 1)),
    ],
)
def test_r17_a_sale_of_3_4_or_more_cards_takes_the_top_bonus_token(
    move: str, rupees: int, taken: tuple[int, int, int]
) -> None:
    piles = "bonus3 2 1 1 2 2 3 3 / bonus4 6 4 4 5 5 6 / bonus5 9 8 8 10 10"
    round_ = played(f"market MMMMM / {piles} / seat0 hand {move[1:]} / seat1 herd 6", move)
    assert (round_.first.bonus_rupees, round_.first.bonus_tokens) == (rupees, sum(taken))
    assert tuple(count(bonus_left(round_.bonus_piles), pile) for pile in range(3)) == (
        7 - taken[0],
        6 - taken[1],
        5 - taken[2],
    )
    assert round_.second.bonus_tokens == 0


@pytest.mark.parametrize(
    ("sold", "move", "taken"),
    [
        ("DDD", "-DDD", 0o001),  # 3 cards, 2 tokens
        ("CCCCCC", "-CC", 0),
        ("CCCCC", "-CCC", 0o001),  # 3 cards, 2 tokens
        ("CCCC", "-CCCC", 0o010),  # 4 cards, 3 tokens
        ("LLLLL", "-LLLLL", 0o100),  # 5 cards, 4 tokens
        ("-", "-SSSSSS", 0o100),  # 6 cards, 5 tokens
    ],
)
def test_r17_the_bonus_counts_cards_not_tokens(sold: str, move: str, taken: int) -> None:
    round_ = played(f"market MMMMM / discard {sold} / seat0 hand {move[1:]} / seat1 herd 6", move)
    assert pile_counts(round_.first.bonus) == taken


def test_r17_bonus_tokens_are_taken_from_the_top_one_after_the_other() -> None:
    hands = "seat0 hand LLL / seat1 hand CCC"
    round_ = played(f"market MMMMM / bonus3 3 1 2 1 2 2 3 / {hands}", "-LLL", "-CCC")
    assert (round_.first.bonus_rupees, round_.second.bonus_rupees) == (3, 1)
    assert [kind + 1 for kind in bonus_kinds(round_.bonus_piles, 0)] == [2, 1, 2, 2, 3]


@pytest.mark.parametrize(
    ("owned", "move"),
    [("1 1 2 2 2 3 3", "-LLL"), ("4 4 5 5 6 6", "-LLLL"), ("8 8 9 10 10", "-LLLLL"), ("8 8 9 10 10", "-LLLLLL")],
)
def test_r17_an_empty_bonus_pile_gives_no_bonus(owned: str, move: str) -> None:
    round_ = played(f"market MMMMM / seat0 hand {move[1:]} / seat1 herd 6 bonus {owned}", move)
    assert (round_.first.bonus_tokens, hand(round_, 0), round_.over) == (0, "", False)
    assert round_.first.goods_tokens == len(move) - 1


def test_r15_seven_cards_always_hold_a_sale() -> None:
    """So there is always a legal move, even with a full hand and no camels in the market."""
    hands = ["".join(cards) for cards in combinations_with_replacement("DGSCPL", 7)]
    possible = [cards for cards in hands if all(cards.count(precious) <= 5 for precious in "DGS")]
    for cards in possible:
        assert any(move.startswith("-") for move in legal(round_from(f"market DGSCP / seat0 hand {cards}")))
