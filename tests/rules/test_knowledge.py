"""What each player knows: R18 to R21."""

import pytest

from jaipur import Match, Move, Rng, Round, count, determinize, letters
from tests.rules.helpers import deck, hand, played, seen_hand
from tests.support.positions import round_from


@pytest.mark.parametrize("seed", range(20))
def test_r18_of_a_new_deal_the_opponent_knows_only_how_many_cards(seed: int) -> None:
    round_ = Round.deal(Rng(seed))
    for seat in (0, 1):
        assert seen_hand(round_, seat) == "?" * (5 - round_.side(seat).herd)


def test_r18_each_player_sees_the_own_hand() -> None:
    round_ = round_from("market DDSLM / seat0 hand GGS / seat1 hand CCL")
    assert [letters(round_.view(seat).me.hand) for seat in (0, 1)] == ["GGS", "CCL"]


def test_r18_a_card_taken_from_the_market_is_remembered() -> None:
    round_ = played("market DDSLM / seat0 hand CC / seat1 hand PP", "+D", "+L", "+S")
    assert (seen_hand(round_, 0), seen_hand(round_, 1)) == ("DS??", "L??")


def test_r18_a_taken_card_does_not_show_others_of_its_type() -> None:
    assert seen_hand(played("market DDSLM / seat0 hand DDCC", "+D"), 0) == "D????"


def test_r18_taken_camels_show_nothing_of_the_hand() -> None:
    assert seen_hand(played("market DDSLM / seat0 hand CC", "+M"), 0) == "??"


def test_r18_the_goods_of_an_exchange_are_remembered_and_those_given_back_are_seen() -> None:
    round_ = played("market DGSLL / seat0 hand CCPP herd 1", "+DG-CP")
    assert (hand(round_, 0), seen_hand(round_, 0)) == ("DGCP", "DG??")


def test_r18_for_camels_nothing_of_the_dealt_hand_is_shown() -> None:
    assert seen_hand(played("market DGSLL / seat0 hand CCPP herd 2", "+DG-MM"), 0) == "DG????"


@pytest.mark.parametrize(
    ("cards", "known", "move", "seen"),
    [
        ("CCPP", "CC", "+DG-CC", "DG??"),  # the known cards are given back
        ("CCPP", "CC", "+DG-PP", "DGCC"),  # the hidden cards are given back: now all are known
        ("CCPP", "CP", "+DG-CP", "DG??"),
        ("CCCP", "C", "+DG-CC", "DG??"),  # one known, and one that was hidden
        ("CCCP", "CC", "+DG-CM", "DGC??"),
        ("CCPL", "C", "+DG-CC", "DG??"),
    ],
)
def test_r18_an_exchange_gives_back_known_and_hidden_cards(cards: str, known: str, move: str, seen: str) -> None:
    assert seen_hand(played(f"market DGSSS / seat0 hand {cards} known {known} herd 1", move), 0) == seen


@pytest.mark.parametrize(
    ("cards", "known", "move", "seen"),
    [
        ("CCLLL", "", "-LLL", "??"),  # from the deal
        ("CCLLL", "", "-L", "????"),
        ("CCLLL", "LLL", "-LL", "L??"),  # taken openly
        ("CCLLL", "LLL", "-LLL", "??"),
        ("CCLLL", "LL", "-L", "L???"),  # two known, one sold: one of those left is still leather
        ("CCLLL", "LL", "-LL", "???"),  # the third may be anything from the deal
        ("CCLLL", "L", "-L", "????"),
        ("CCLLL", "L", "-LL", "???"),
        ("CCLLL", "LL", "-LLL", "??"),
        ("CCLLL", "CCL", "-LLL", "CC"),
        ("CCLLL", "CC", "-LL", "CC?"),
    ],
)
def test_r18_a_sale_leaves_known_what_the_sold_cards_cannot_be(cards: str, known: str, move: str, seen: str) -> None:
    field = f"known {known}" if known else ""
    assert seen_hand(played(f"market DGSSM / seat0 hand {cards} {field}", move), 0) == seen


def test_r18_a_card_given_back_and_taken_again_is_known() -> None:
    round_ = played("market DGSLL / seat0 hand CCP / seat1 hand PP", "+DG-CC", "-P", "+CC-DG")
    assert (hand(round_, 0), seen_hand(round_, 0)) == ("CCP", "CC?")


def test_r18_what_the_opponent_takes_does_not_touch_the_own_secrets() -> None:
    round_ = played("market DGSLL / seat0 hand CCP / seat1 hand CCP", "+D", "+G")
    assert (seen_hand(round_, 0), seen_hand(round_, 1)) == ("D???", "G???")


@pytest.mark.parametrize("seat", [0, 1])
def test_r18_other_hidden_cards_of_the_opponent_make_the_same_view(seat: int) -> None:
    mine, other = f"seat{seat} hand CCP known C herd 1", f"seat{1 - seat} herd 2 known D hand"
    views = {
        str(round_from(f"market GGGLL / deck {cards_left} / {mine} / {other} {cards}").view(seat))
        for cards_left, cards in [("SSPPMM", "DLLP"), ("MMPPSS", "DLLP"), ("LSLPMM", "DSPP")]
    }
    assert len(views) == 1


def test_r19_a_bonus_token_shows_the_opponent_its_pile_and_the_owner_its_value() -> None:
    round_ = played("market DDSMM / bonus4 6 4 4 5 5 6 / seat0 hand LLLLC / seat1 hand CC", "-LLLL")
    assert str(round_.view(0)).splitlines()[3].endswith("bonus 6")
    assert str(round_.view(1)).splitlines()[3].endswith("bonus 4?")


@pytest.mark.parametrize(("move", "pile"), [("-LLL", 0), ("-LLLL", 1), ("-LLLLL", 2), ("-LLLLLL", 2)])
def test_r19_which_pile_a_bonus_token_came_from_is_public(move: str, pile: int) -> None:
    view = played(f"market DDSMM / seat0 hand {move[1:]} / seat1 hand CC herd 8", move).view(1)
    assert [count(view.rival.bonus_taken, i) for i in range(3)] == [int(i == pile) for i in range(3)]
    assert [count(view.bonus_left, i) for i in range(3)] == [7 - (pile == 0), 6 - (pile == 1), 5 - (pile == 2)]


def test_r19_the_value_of_a_bonus_token_is_secret() -> None:
    low = round_from("market DDSLM / seat0 hand GG / seat1 hand CC bonus 1 4 8")
    high = round_from("market DDSLM / seat0 hand GG / seat1 hand CC bonus 3 6 10")
    assert low.view(0) == high.view(0)
    assert low.view(1) != high.view(1)


@pytest.mark.parametrize("seat", [0, 1])
def test_r19_the_bonus_tokens_in_the_piles_are_unknown_to_both(seat: int) -> None:
    low = round_from("market DDSLM / bonus3 1 1 2 2 2 3 3 / bonus4 4 4 5 5 6 6 / bonus5 8 8 9 10 10")
    high = round_from("market DDSLM / bonus3 3 3 2 2 2 1 1 / bonus4 6 6 5 5 4 4 / bonus5 10 10 9 8 8")
    assert low.view(seat) == high.view(seat)


def test_r19_the_goods_tokens_of_both_are_public() -> None:
    rival = played("market DDSLM / seat0 hand CC / seat1 herd 9", "-CC").view(1).rival
    assert (rival.goods_rupees, rival.goods_tokens) == (8, 2)


def test_r20_a_view_carries_both_herds() -> None:
    round_ = round_from("market DDSLM / seat0 herd 3 / seat1 herd 2")
    assert [(round_.view(seat).me.herd, round_.view(seat).rival.herd) for seat in (0, 1)] == [(3, 2), (2, 3)]


@pytest.mark.parametrize(("move", "herd"), [("+M", 4), ("+DG-MM", 0), ("+DG-CM", 1), ("-C", 2)])
def test_r20_the_herd_in_the_view_follows_what_was_seen(move: str, herd: int) -> None:
    assert played("market DGSMM / seat0 hand CC herd 2", move).view(1).rival.herd == herd


def test_r20_the_herd_is_no_part_of_the_hand_in_the_view() -> None:
    assert seen_hand(round_from("market DDSLM / seat0 hand GG herd 4"), 0) == "??"


@pytest.mark.parametrize("seat", [0, 1])
def test_r21_the_order_of_the_deck_is_secret(seat: int) -> None:
    views = [round_from(f"market DDSLM / deck {cards} / seat0 hand GG").view(seat) for cards in ("SPPLM", "MLPPS")]
    assert views[0] == views[1]


@pytest.mark.parametrize(("move", "left"), [("+D", 7), ("+M", 6), ("+DG-CC", 8), ("-CC", 8)])
def test_r21_the_size_of_the_deck_is_public(move: str, left: int) -> None:
    round_ = played("market DGSMM / deck SSPPLLLM / seat0 hand CC", move)
    assert [round_.view(seat).deck_size for seat in (0, 1)] == [left, left]


def test_r21_the_market_and_the_discard_pile_are_public() -> None:
    round_ = played("market DDSLM / discard PPL / seat0 hand CC / seat1 hand GG herd 9", "-CC")
    lines = [str(round_.view(seat)).splitlines()[1] for seat in (0, 1)]
    assert lines == [f"market DDSLM / deck {'?' * 34} / discard CCPPL"] * 2


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("seed", range(5))
def test_r21_a_view_of_a_deal_leaves_the_opponents_cards_and_the_deck_open(seed: int, seat: int) -> None:
    view = Match(seed).round.view(seat)
    worlds = [determinize(view, Rng(i)) for i in range(20)]
    assert all(world.view(seat) == view for world in worlds)
    assert len({hand(world, 1 - seat) for world in worlds}) > 10
    assert len({str(world) for world in worlds}) == 20


@pytest.mark.parametrize("place", [0, -1])
def test_r21_the_next_card_and_the_last_may_be_of_any_kind(place: int) -> None:
    view = round_from("market DDSLM / seat0 hand GG").view(0)
    assert {deck(determinize(view, Rng(i)))[place] for i in range(100)} == set("DGSCPLM")


def test_r18_what_a_player_remembers_is_certain_and_the_rest_is_not() -> None:
    view = round_from("market DGSMM / seat0 hand CC bonus 1 10 / seat1 hand LLLP known LL herd 2 bonus 3 6 8").view(0)
    worlds = [determinize(view, Rng(i)) for i in range(100)]
    assert all(world.view(0) == view and hand(world, 1).count("L") >= 2 for world in worlds)
    assert set("".join(hand(world, 1) for world in worlds)) == set("DGSCPL")
    assert len({world.second.bonus for world in worlds}) > 10


def test_a_view_is_a_copy_that_cannot_change_the_round() -> None:
    round_ = round_from("market DDSLM / seat0 hand GG herd 1")
    before = str(round_)
    view = round_.view(0)
    view.me.hand = view.me.herd = view.market = 0
    assert str(round_) == before


def test_a_view_does_not_change_when_the_round_goes_on() -> None:
    round_ = round_from("market DDSLM / seat0 hand CC herd 1")
    view = round_.view(0)
    before = str(view)
    round_.play(Move.parse("-CC"))
    assert str(view) == before


@pytest.mark.parametrize("seat", [0, 1])
def test_a_view_lists_the_moves_of_its_seat_only_in_its_turn(seat: int) -> None:
    round_ = round_from("market DDSLM / turn 1 / seat0 hand CC / seat1 hand PP")
    view = round_.view(seat)
    assert view.legal_moves() == (round_.legal_moves() if seat == 1 else [])
    assert (view.why_illegal(Move.parse("+D")) is None) == (seat == 1)


def test_a_view_of_a_finished_round_has_no_moves() -> None:
    view = round_from("market DDSLM / over tokens / seat0 hand CC").view(0)
    assert (view.over, view.legal_moves()) == (True, [])
    assert "R22" in str(view.why_illegal(Move.parse("+D")))
