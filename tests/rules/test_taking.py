"""Taking one good, the camels, and exchanging: R8 to R13."""

import pytest

from tests.rules.helpers import deck, discard_pile, exchanges, hand, legal, market, played, refuse
from tests.support.positions import round_from


def test_r08_one_good_goes_to_the_hand_and_the_deck_refills_the_market() -> None:
    round_ = played("market DDSLM / deck GPPP / seat0 hand CC herd 1", "+D")
    assert (hand(round_, 0), market(round_), deck(round_)) == ("DCC", "DGSLM", "PPP")
    assert (round_.first.herd, round_.turn) == (1, 1)


@pytest.mark.parametrize("good", list("DGSCPL"))
def test_r08_any_good_can_be_taken(good: str) -> None:
    assert hand(played(f"market {good}MMMM / seat1 hand CC / turn 1", f"+{good}"), 1).replace("CC", "", 1) == good


def test_r08_each_kind_of_good_in_the_market_is_one_move() -> None:
    assert legal(round_from("market DDSLM")) == {"+D", "+S", "+L", "+M"}


def test_r08_a_sixth_card_and_a_seventh_can_be_taken() -> None:
    assert hand(played("market DDSLM / deck MMMM / seat0 hand CCCPP", "+D", "+M", "+D"), 0) == "DDCCCPP"


def test_r08_with_seven_cards_no_good_is_taken() -> None:
    round_ = round_from("market DDSLM / seat0 hand CCCCPPP")
    refuse(round_, "+D", "R8")
    assert not legal(round_) & {"+D", "+S", "+L"}


@pytest.mark.parametrize("move", ["+G", "+C"])
def test_r08_a_good_that_is_not_in_the_market_is_not_taken(move: str) -> None:
    refuse(round_from("market DDSLM / seat0 hand GCC"), move, "R8")


def test_r09_all_camels_go_to_the_herd_and_the_deck_refills_the_market() -> None:
    round_ = played("market DSMMM / deck GGPC / seat0 hand CC herd 1", "+M")
    assert (hand(round_, 0), round_.first.herd) == ("CC", 4)
    assert (market(round_), deck(round_), round_.turn) == ("DGGSP", "C", 1)


@pytest.mark.parametrize(("cards", "camels"), [("DDSLM", 1), ("DDSMM", 2), ("DSMMM", 3), ("DMMMM", 4), ("MMMMM", 5)])
def test_r09_however_many_camels_there_are(cards: str, camels: int) -> None:
    round_ = played(f"market {cards} / deck GGGGGG / seat0 hand - herd 0", "+M")
    assert (round_.first.herd, deck(round_)) == (camels, "G" * (6 - camels))


def test_r09_camels_that_refill_the_market_stay_there() -> None:
    round_ = played("market DDSMM / deck MMGG / seat0 hand -", "+M")
    assert (round_.first.herd, market(round_)) == (2, "DDSMM")


def test_r09_without_a_camel_in_the_market_none_is_taken() -> None:
    refuse(round_from("market DDSLL / seat0 hand CC herd 3"), "+M", "R9")


@pytest.mark.parametrize("move", ["+MM", "+MMM"])
def test_r09_camels_are_not_taken_by_number(move: str) -> None:
    refuse(round_from("market DDMMM"), move, "R9")


@pytest.mark.parametrize(
    ("move", "kept", "herd", "left"),
    [
        ("+DG-CC", "DGPPP", 2, "SCCLL"),
        ("+DG-CP", "DGCPP", 2, "SCPLL"),
        ("+DG-CM", "DGCPPP", 1, "SCLLM"),
        ("+LL-MM", "CCPPPLL", 0, "DGSMM"),
        ("+DLL-CPP", "DCPLL", 2, "GSCPP"),
        ("+DGSL-CCMM", "DGSPPPL", 0, "CCLMM"),
        ("+DGSLL-CCPPP", "DGSLL", 2, "CCPPP"),
        ("+DGSLL-CPPMM", "DGSCPLL", 0, "CPPMM"),
    ],
)
def test_r10_two_to_five_goods_are_exchanged_for_as_many_cards(move: str, kept: str, herd: int, left: str) -> None:
    round_ = played("market DGSLL / deck GGGG / seat0 hand CCPPP herd 2", move)
    assert (hand(round_, 0), round_.first.herd, market(round_)) == (kept, herd, left)


def test_r10_an_exchange_touches_neither_the_deck_nor_the_tokens() -> None:
    before = round_from("market DGSLL / deck GGGG / seat0 hand CCPPP herd 2")
    round_ = played("market DGSLL / deck GGGG / seat0 hand CCPPP herd 2", "+DGS-CCM")
    assert (deck(round_), discard_pile(round_)) == (deck(before), discard_pile(before))
    assert (round_.first.goods_rupees, round_.first.goods_tokens, round_.first.bonus, round_.turn) == (0, 0, 0, 1)


def test_r10_every_exchange_of_a_small_position() -> None:
    round_ = round_from("market DGGMM / seat0 hand CP herd 2")
    pairs = {f"+{take}-{give}" for take in ("DG", "GG") for give in ("CP", "CM", "PM", "MM")}
    assert exchanges(round_) == pairs | {"+DGG-CPM", "+DGG-CMM", "+DGG-PMM"}


def test_r10_camels_alone_can_pay_with_an_empty_hand() -> None:
    assert exchanges(round_from("market DGMMM / seat0 hand - herd 2")) == {"+DG-MM"}


@pytest.mark.parametrize(
    "move",
    [
        "+DG-C",  # fewer back than taken
        "+DG-CCP",  # more back than taken
        "+D-CC",
        "+DG",  # nothing back
        "+DGS",
    ],
)
def test_r10_an_exchange_gives_back_as_many_cards_as_it_takes(move: str) -> None:
    refuse(round_from("market DGSLL / seat0 hand CCPP herd 2"), move, "R10")


@pytest.mark.parametrize("move", ["+DD-CC", "+LLL-CCP", "+PP-CC"])
def test_r10_only_goods_of_the_market_are_taken(move: str) -> None:
    refuse(round_from("market DGSLL / seat0 hand CCP herd 2"), move, "R10")


@pytest.mark.parametrize("move", ["+LL-GS", "+DL-CS", "+DLL-CCC", "+DL-PP"])
def test_r10_only_goods_of_the_hand_are_given_back(move: str) -> None:
    refuse(round_from("market DGSLL / seat0 hand CCP herd 2"), move, "R10")


@pytest.mark.parametrize(("herd", "move"), [(0, "+DG-CM"), (1, "+DG-MM"), (2, "+DGS-MMM")])
def test_r10_only_camels_of_the_own_herd_are_given_back(herd: int, move: str) -> None:
    refuse(round_from(f"market DGSLL / seat0 hand CCP herd {herd} / seat1 herd 4"), move, "R10")


@pytest.mark.parametrize("move", ["+CD-CP", "+CC-CP", "+CL-CC", "+CDL-CCM"])
def test_r11_no_good_is_both_taken_and_given_back(move: str) -> None:
    refuse(round_from("market DCCLM / seat0 hand CCP herd 1"), move, "R11")


def test_r11_a_good_of_the_hand_can_be_taken_when_it_is_not_given_back() -> None:
    round_ = played("market DCCLM / seat0 hand CCP herd 1", "+CC-PM")
    assert hand(round_, 0) == "CCCC"


@pytest.mark.parametrize("move", ["+M-C", "+MM-CC", "+DM-CP", "+DM-CM", "+MM-MM", "+M-M", "+DM", "+DMM"])
def test_r11_camels_are_never_taken_with_goods_or_in_an_exchange(move: str) -> None:
    refuse(round_from("market DCCMM / seat0 hand CCP herd 2"), move, "R11")


@pytest.mark.parametrize("move", ["+D-C", "+D-M", "+L-P", "+C-C"])
def test_r12_one_card_is_never_exchanged_for_one_card(move: str) -> None:
    refuse(round_from("market DCCLM / seat0 hand CCP herd 1"), move, "R12")


def test_r12_a_full_hand_does_not_allow_it_either() -> None:
    refuse(round_from("market DCCLM / seat0 hand CCPPPLL herd 1"), "+D-C", "R12")


@pytest.mark.parametrize(("cards", "move"), [("CCPPP", "+DG-MM"), ("CCCPPP", "+DG-CM"), ("CCPP", "+DGS-MMM")])
def test_r13_camels_given_back_fill_the_hand_up_to_seven(cards: str, move: str) -> None:
    assert len(hand(played(f"market DGSLL / seat0 hand {cards} herd 3", move), 0)) == 7


@pytest.mark.parametrize(
    ("cards", "move"),
    [
        ("CCCPPP", "+DG-MM"),
        ("CCPPP", "+DGS-MMM"),
        ("CCCCPPP", "+DG-CM"),
        ("CCCCPPP", "+DGSLL-CCCCM"),
    ],
)
def test_r13_camels_given_back_never_raise_the_hand_above_seven(cards: str, move: str) -> None:
    refuse(round_from(f"market DGSLL / seat0 hand {cards} herd 3"), move, "R13")


def test_r13_a_full_hand_exchanges_goods_for_goods_only() -> None:
    found = exchanges(round_from("market DGMMM / seat0 hand CCCCPPP herd 3"))
    assert found == {"+DG-CC", "+DG-CP", "+DG-PP"}


@pytest.mark.parametrize(
    ("cards", "move", "herd"), [("CCCPPP", "+D", 8), ("CCCCPPP", "+M", 11), ("CCPPP", "+DG-MM", 6)]
)
def test_r13_camels_of_the_herd_do_not_count(cards: str, move: str, herd: int) -> None:
    round_ = played(f"market DGMMM / seat0 hand {cards} herd 8", move)
    assert (len(hand(round_, 0)), round_.first.herd) == (7, herd)
