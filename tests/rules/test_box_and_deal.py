"""The box and the deal: R1 to R7."""

from collections import Counter

import pytest

from jaipur import Match, Move, Rng, Round, count, size
from jaipur.rules.bonus import bonus_kinds, bonus_value
from jaipur.rules.box import CAMEL
from tests.rules.helpers import all_cards, deck, hand, legal, market, play_first_moves, played
from tests.support.positions import round_from

SEEDS = range(100)
BOX = Counter(D=6, G=6, S=6, C=8, P=8, L=10, M=11)
GOODS_TOKENS = [
    ("D", [7, 7, 5, 5, 5]),
    ("G", [6, 6, 5, 5, 5]),
    ("S", [5, 5, 5, 5, 5]),
    ("C", [5, 3, 3, 2, 2, 1, 1]),
    ("P", [5, 3, 3, 2, 2, 1, 1]),
    ("L", [4, 3, 2, 1, 1, 1, 1, 1, 1]),
]
BONUS_TOKENS = [[1, 1, 2, 2, 2, 3, 3], [4, 4, 5, 5, 6, 6], [8, 8, 9, 10, 10]]


def dealt(seed: int) -> Round:
    return Round.deal(Rng(seed))


def bonus_pile(round_: Round, pile: int) -> list[int]:
    return [bonus_value(kind) for kind in bonus_kinds(round_.bonus_piles, pile)]


def test_r01_a_deal_has_the_55_cards_of_the_box() -> None:
    assert BOX.total() == 55
    assert all(Counter(all_cards(dealt(seed))) == BOX for seed in SEEDS)


@pytest.mark.parametrize("seed", range(5))
def test_r01_no_card_is_lost_or_made_while_a_round_is_played(seed: int) -> None:
    round_ = dealt(seed)
    play_first_moves(round_)
    assert Counter(all_cards(round_)) == BOX


@pytest.mark.parametrize(("good", "tokens"), GOODS_TOKENS)
def test_r02_the_tokens_of_a_good_from_the_top(good: str, tokens: list[int]) -> None:
    for sold in range(BOX[good] - 1):
        market_cards = "CCPPP" if good not in "CP" else "DDGGG"
        round_ = played(
            f"market {market_cards} / discard {good * sold or '-'} / seat0 hand {good * 2} / seat1 herd 11",
            f"-{good * 2}",
        )
        left = tokens[sold : sold + 2]
        assert (round_.first.goods_rupees, round_.first.goods_tokens) == (sum(left), len(left))


def test_r02_there_are_38_goods_tokens() -> None:
    assert sum(len(tokens) for _, tokens in GOODS_TOKENS) == 38


@pytest.mark.parametrize("pile", range(3))
def test_r03_a_deal_has_the_bonus_tokens_of_the_box(pile: int) -> None:
    assert all(sorted(bonus_pile(dealt(seed), pile)) == BONUS_TOKENS[pile] for seed in SEEDS)


@pytest.mark.parametrize("pile", range(3))
@pytest.mark.parametrize("place", [0, -1])
def test_r03_the_bonus_piles_are_shuffled(pile: int, place: int) -> None:
    assert {bonus_pile(dealt(seed), pile)[place] for seed in SEEDS} == set(BONUS_TOKENS[pile])


def test_r04_the_camel_token_is_worth_5_rupees() -> None:
    first, second = round_from("market DDSLM / seat0 herd 2 / seat1 herd 1").score().tallies
    assert (first.camel, first.rupees, second.camel, second.rupees) == (5, 5, 0, 0)


def test_r04_there_are_three_seals_so_the_third_ends_the_match() -> None:
    match = Match(1)
    for winner in (0, 1, 0):
        match.rounds[-1] = round_from(f"market DDSLM / over tokens / seat{winner} rupees 9")
        if not match.over:
            match.next_round()
    assert (match.seals, match.over, len(match.rounds)) == ((2, 1), True, 3)


def test_r05_the_market_of_a_deal_has_five_cards_three_of_them_camels() -> None:
    markets = [dealt(seed).market for seed in SEEDS]
    assert {size(cards) for cards in markets} == {5}
    assert min(count(cards, CAMEL) for cards in markets) == 3


def test_r05_the_two_cards_that_complete_the_market_may_be_camels() -> None:
    assert {count(dealt(seed).market, CAMEL) for seed in SEEDS} == {3, 4, 5}


def test_r05_each_player_is_dealt_five_cards_and_40_stay_in_the_deck() -> None:
    for seed in SEEDS:
        round_ = dealt(seed)
        assert {size(trader.hand) + trader.herd for trader in (round_.first, round_.second)} == {5}
        assert round_.deck.size == len(deck(round_)) == 40


@pytest.mark.parametrize("place", [0, 19, 20, 39])
def test_r05_any_kind_of_card_may_lie_anywhere_in_the_deck(place: int) -> None:
    assert {deck(dealt(seed))[place] for seed in SEEDS} == set(BOX)


@pytest.mark.parametrize("seat", [0, 1])
def test_r05_any_good_may_be_dealt_to_either_seat(seat: int) -> None:
    assert set("".join(hand(dealt(seed), seat) for seed in SEEDS)) == set("DGSCPL")


def test_r05_a_seed_deals_the_same_round_again_and_another_seed_another() -> None:
    assert str(dealt(1)) == str(dealt(1))
    assert len({str(dealt(seed)) for seed in SEEDS}) == len(SEEDS)


def test_r05_nothing_is_sold_or_scored_in_a_new_round() -> None:
    round_ = dealt(1)
    assert (round_.discard, round_.quiet, round_.moves, round_.over) == (0, 0, [], False)
    assert round_.score().tallies[0][:2] == round_.score().tallies[1][:2] == (0, 0)


def test_r06_dealt_camels_lie_in_the_herds_and_never_in_a_hand() -> None:
    herds = set()
    for seed in SEEDS:
        round_ = dealt(seed)
        assert "M" not in hand(round_, 0) + hand(round_, 1)
        herds |= {round_.first.herd, round_.second.herd}
    assert herds >= {0, 1, 2}


def test_r06_taken_camels_go_to_the_herd_and_not_to_the_hand() -> None:
    round_ = played("market DDSMM / seat0 hand GG herd 1", "+M")
    assert (hand(round_, 0), round_.first.herd) == ("GG", 3)


def test_r06_a_drawn_camel_joins_the_market_and_no_herd() -> None:
    round_ = played("market DDSLP / deck MGG / seat0 hand C", "+L")
    assert (market(round_), round_.first.herd) == ("DDSPM", 0)


@pytest.mark.parametrize("starter", [0, 1])
def test_r07_the_starter_plays_first_and_then_the_seats_take_turns(starter: int) -> None:
    round_ = Round.deal(Rng(1), starter)
    assert (round_.starter, round_.turn) == (starter, starter)
    for ply in range(4):
        assert round_.turn == (starter + ply) % 2
        round_.play(round_.legal_moves()[0])
    assert round_.starter == starter
    assert [seat for seat, _move in round_.turns()] == [starter, 1 - starter] * 2
    assert [move for _seat, move in round_.turns()] == round_.moves


def test_r07_the_first_player_of_a_match_is_drawn() -> None:
    starters = [Match(seed).round.starter for seed in range(400)]
    assert 160 < sum(starters) < 240


def test_r07_who_starts_does_not_change_the_cards() -> None:
    first, second = Round.deal(Rng(1), 0), Round.deal(Rng(1), 1)
    assert str(first).replace("turn 0 / starter 0", "turn 1 / starter 1") == str(second)


@pytest.mark.parametrize("turn", [0, 1])
def test_the_seat_whose_turn_it_is_plays_from_its_own_cards(turn: int) -> None:
    round_ = round_from(f"turn {turn} / market MMMMM / seat0 hand CC / seat1 hand PP")
    assert legal(round_) == [{"+M", "-C", "-CC"}, {"+M", "-P", "-PP"}][turn]
    round_.play(Move.parse("+M"))
    assert [round_.first.herd, round_.second.herd] == [5 * (turn == 0), 5 * (turn == 1)]
