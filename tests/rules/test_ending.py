"""The end of a round and its score: R22 to R25."""

import pytest

from jaipur import JaipurError, Move, Score
from jaipur.rules.score import Ending
from tests.rules.helpers import deck, hand, market, played, refuse
from tests.support.positions import round_from

LATE = "seat0 hand DGSCP herd 3 / seat1 hand DGSCPLL"
"""With a small deck and a market of five, these hands leave tokens of every good."""
QUIET = "market DDGGL / seat0 hand CC / seat1 hand PP"


def score(seats: str) -> Score:
    return round_from(f"market DDSLM / over tokens / {seats}").score()


def test_r22_the_round_ends_when_three_types_of_tokens_are_gone() -> None:
    round_ = played("market CCPPL / discard DDDDDGGGGGSSS / seat0 hand SSC", "-SS")
    assert (round_.over, round_.ending) == (True, Ending.TOKENS)


@pytest.mark.parametrize(
    ("sold", "move"),
    [
        ("GGGGGSSSSSDDD", "-DD"),
        ("DDDDDSSSSSGGG", "-GG"),
        ("DDDDDGGGGGCCCCC", "-CC"),
        ("DDDDDGGGGGPPPPPP", "-P"),
        ("DDDDDCCCCCCCLLLLLLLL", "-L"),
        ("DDDDDGGGGGSSSS", "-SS"),  # two cards for the last token
    ],
)
def test_r22_whichever_types_they_are(sold: str, move: str) -> None:
    assert played(f"market MMMMM / discard {sold} / seat0 hand {move[1:]}", move).ending == Ending.TOKENS


@pytest.mark.parametrize(
    ("sold", "move"),
    [
        ("DDDDDSSS", "-SS"),  # two types gone
        ("DDDDDGGGGGSS", "-SS"),  # one token left of the third
        ("DDDDDGGGGGCCCCC", "-C"),
        ("DDDDDCCCCCCC", "-C"),  # the eighth cloth card: its tokens were gone already, so still two types
        ("DDDDDGGGGGLLLLLLL", "-L"),
    ],
)
def test_r22_two_types_are_not_enough(sold: str, move: str) -> None:
    round_ = played(f"market MMMMM / discard {sold} / seat0 hand {move[1:]} / seat1 herd 6", move)
    assert (round_.over, round_.ending) == (False, None)


def test_r22_the_sale_that_ends_the_round_takes_its_tokens_and_its_bonus() -> None:
    position = "market CCPPL / discard DDDDDGGGGGSSS / bonus3 3 1 1 2 2 2 3 / seat0 hand SSSC"
    first = played(position, "-SSS").score().tallies[0]
    assert (first.goods, first.goods_tokens, first.bonus) == (10, 2, 3)


@pytest.mark.parametrize("cards", ["-", "L", "LL"])
def test_r22_the_round_ends_when_the_deck_cannot_refill_the_market(cards: str) -> None:
    round_ = played(f"market DGMMM / deck {cards} / {LATE}", "+M")
    assert (round_.over, round_.ending, round_.first.herd) == (True, Ending.DECK, 6)
    assert (market(round_), deck(round_)) == ("DG" + cards.strip("-"), "")


def test_r22_a_good_taken_with_an_empty_deck_ends_the_round_and_is_kept() -> None:
    round_ = played(f"market DGCPM / deck - / {LATE}", "+C")
    assert (round_.ending, hand(round_, 0), market(round_)) == (Ending.DECK, "DGSCCP", "DGPM")


@pytest.mark.parametrize(("cards", "move"), [("L", "+C"), ("LM", "+M")])
def test_r22_an_empty_deck_with_a_full_market_does_not_end_the_round(cards: str, move: str) -> None:
    round_ = played(f"market DCCMM / deck {cards} / {LATE}", move)
    assert (round_.over, deck(round_), len(market(round_))) == (False, "", 5)


@pytest.mark.parametrize("move", ["-C", "+DG-SM"])
def test_r22_with_an_empty_deck_sales_and_exchanges_go_on(move: str) -> None:
    assert not played("market DGLPM / deck - / seat0 hand SSCP herd 3 / seat1 hand DGSCPLL", move).over


@pytest.mark.parametrize("move", ["+D", "+M", "-CC", "+DS-CC"])
@pytest.mark.parametrize("ending", ["tokens", "deck", "stopped"])
def test_r22_nothing_is_played_after_the_end(ending: str, move: str) -> None:
    round_ = round_from(f"market DDSLM / over {ending} / seat0 hand CC")
    refuse(round_, move, "R22")
    assert round_.legal_moves() == []


@pytest.mark.parametrize(
    ("herds", "camels"),
    [((4, 3), (5, 0)), ((3, 4), (0, 5)), ((1, 0), (5, 0)), ((0, 10), (0, 5)), ((3, 3), (0, 0)), ((0, 0), (0, 0))],
)
def test_r23_the_larger_herd_gets_the_camel_token_and_equal_herds_do_not(
    herds: tuple[int, int], camels: tuple[int, int]
) -> None:
    first, second = score(f"seat0 herd {herds[0]} / seat1 herd {herds[1]}").tallies
    assert (first.camel, second.camel) == camels


def test_r23_the_camel_token_counts_as_rupees() -> None:
    sheet = score("seat0 rupees 20 herd 1 / seat1 rupees 16 herd 2")
    assert ([tally.rupees for tally in sheet.tallies], sheet.winner) == ([20, 21], 1)


def test_r23_camels_of_the_market_and_cards_of_the_hand_are_worth_nothing() -> None:
    sheet = score("seat0 hand DDDGG rupees 5 / seat1 rupees 6")
    assert ([tally.rupees for tally in sheet.tallies], sheet.winner) == ([5, 6], 1)


def test_r24_goods_bonus_and_camel_tokens_add_up() -> None:
    first, second = score("seat0 rupees 20 tokens 6 herd 3 bonus 2 5 10 / seat1 rupees 30 tokens 7 bonus 3").tallies
    assert first == (20, 2 + 5 + 10, 5, 3, 6)
    assert second == (30, 3, 0, 1, 7)
    assert (first.rupees, second.rupees) == (42, 33)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("better", "worse", "decided_by"),
    [
        ("rupees 31 tokens 5", "rupees 30 tokens 9", "rupees"),
        ("rupees 31 tokens 5", "rupees 18 tokens 5 bonus 3 4 5", "rupees"),  # more rupees before more bonus tokens
        ("rupees 25 tokens 5 herd 1", "rupees 29 tokens 5", "rupees"),
        ("rupees 27 tokens 5 bonus 1 2", "rupees 27 tokens 5 bonus 3", "bonus tokens"),
        ("rupees 27 tokens 5 bonus 3", "rupees 30 tokens 9", "bonus tokens"),  # before more goods tokens
        ("rupees 22 tokens 5 herd 2 bonus 3", "rupees 30 tokens 9 herd 1", "bonus tokens"),
        ("rupees 30 tokens 6", "rupees 30 tokens 5", "goods tokens"),
        ("rupees 22 tokens 6 bonus 8", "rupees 20 tokens 5 bonus 10", "goods tokens"),
        ("rupees 25 tokens 6 herd 1", "rupees 30 tokens 5", "goods tokens"),
    ],
)
def test_r24_rupees_then_bonus_tokens_then_goods_tokens(seat: int, better: str, worse: str, decided_by: str) -> None:
    sheet = score(f"seat{seat} {better} / seat{1 - seat} {worse}")
    assert (sheet.winner, sheet.decided_by) == (seat, decided_by)


@pytest.mark.parametrize(
    "seats",
    [
        "seat0 rupees 30 tokens 6 / seat1 rupees 30 tokens 6",
        "seat0 rupees 28 tokens 6 bonus 2 / seat1 rupees 27 tokens 6 bonus 3",
        "seat0 rupees 25 tokens 6 herd 2 / seat1 rupees 30 tokens 6 herd 1",
        "seat0 rupees 30 tokens 6 hand DDD / seat1 rupees 30 tokens 6 hand C",
    ],
)
def test_r24_when_all_three_are_equal_nobody_gets_a_seal(seats: str) -> None:
    assert (score(seats).winner, score(seats).decided_by) == (None, "nothing")


@pytest.mark.parametrize(
    ("moves", "quiet"),
    [
        (["+DD-CC"], 4),
        (["+DD-CC", "+GG-PP"], 5),
        (["+D"], 0),
        (["-C"], 0),
        (["+DD-CC", "-P"], 0),
        (["+DD-CC", "-P", "+GG-DD"], 1),
    ],
)
def test_r25_quiet_turns_are_counted_since_the_last_sale_or_drawn_card(moves: list[str], quiet: int) -> None:
    round_ = played(f"quiet 3 / {QUIET}", *moves)
    assert (round_.quiet, round_.view(0).quiet, round_.view(1).quiet) == (quiet, quiet, quiet)


def test_r25_taking_the_camels_draws_cards_too() -> None:
    assert played("quiet 199 / market DDSLM / seat0 hand CC", "+M").quiet == 0


@pytest.mark.parametrize("position", ["quiet 199", "quiet 0", "quiet 200 / over deck", "quiet 200 / over stopped"])
def test_r25_a_round_is_not_stopped_before_200_quiet_turns_nor_after_its_end(position: str) -> None:
    round_ = round_from(f"{position} / {QUIET}")
    before = str(round_)
    with pytest.raises(JaipurError, match=r"R25"):
        round_.stop()
    assert str(round_) == before


@pytest.mark.parametrize("quiet", [200, 201, 5000])
def test_r25_a_stopped_round_is_scored_as_it_stands(quiet: int) -> None:
    round_ = round_from(f"quiet {quiet} / market DDGGL / seat0 hand CC rupees 9 / seat1 hand PP rupees 3 herd 1")
    round_.stop()
    assert (round_.over, round_.ending, round_.legal_moves()) == (True, Ending.STOPPED, [])
    assert ([tally.rupees for tally in round_.score().tallies], round_.score().winner) == ([9, 8], 0)


def test_r25_the_rules_let_two_players_exchange_for_ever() -> None:
    round_ = round_from(QUIET)
    for _ in range(60):
        for move in ("+DD-CC", "+GG-PP", "+CC-DD", "+PP-GG"):
            round_.play(Move.parse(move))
    assert (round_.over, round_.quiet, len(round_.moves)) == (False, 240, 240)
