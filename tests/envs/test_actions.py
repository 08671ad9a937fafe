"""The numbers of the actions: one for each move of the game, in an order that never changes, with text both ways."""

import hashlib
from collections import Counter
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaipur import JaipurError, Move, size
from jaipur.encoding.actions import (
    ACTIONS,
    EXCHANGES,
    MOST_LEGAL,
    SALES,
    action_of,
    action_of_code,
    legal_actions,
    move_of,
)
from jaipur.envs.factored import (
    FACTORED_ACTIONS,
    GIVES,
    TAKEN,
    finished,
    next_picks,
    path,
    pick_text,
    picked_row,
    read_pick,
)
from jaipur.rules.bag import ONE_CAMEL, all_hands
from jaipur.rules.legal import legal_codes
from tests.support.digest import walk

GOODS = "DGSCPL"
CARDS = {"D": 6, "G": 6, "S": 6, "C": 8, "P": 8, "L": 10}


def moves_of_the_game() -> set[str]:
    """Every move that any position can allow, derived from rules R8 to R15 with letters alone."""
    moves = {f"+{good}" for good in GOODS} | {"+M"}
    for good in GOODS:
        fewest = 2 if good in "DGS" else 1
        moves |= {"-" + good * cards for cards in range(fewest, min(CARDS[good], 7) + 1)}
    for cards in range(2, 6):
        for take in combinations_with_replacement(GOODS, cards):
            for give in combinations_with_replacement(GOODS + "M", cards):
                if not set(take) & set(give):
                    moves.add(f"+{''.join(take)}-{''.join(give)}")
    return moves


def test_there_is_one_action_for_each_move_of_the_game() -> None:
    texts = [str(move_of(action)) for action in range(ACTIONS)]
    assert ACTIONS == len(set(texts)) == 25_499
    assert set(texts) == moves_of_the_game()


def test_the_numbers_never_change() -> None:
    """A policy learned with them must always mean the same."""
    texts = "\n".join(str(move_of(action)) for action in range(ACTIONS))
    assert (
        hashlib.sha256(texts.encode()).hexdigest() == "c32731c36fe812e8422a9a36a65ec9edbfd0adaf65d857b2650a1ebf9f883947"
    )
    assert [str(move_of(action)) for action in (0, 5, 6, SALES, 42, EXCHANGES, ACTIONS - 1)] == [
        *("+D", "+L", "+M", "-DD", "-LLLLLLL", "+LL-MM", "+DDDDD-GGGGG"),
    ]


def test_text_and_number_lead_to_each_other() -> None:
    assert all(action_of(Move.parse(str(move_of(action)))) == action for action in range(ACTIONS))


@pytest.mark.parametrize(
    "text", ["+DD", "+MM", "+M-D", "-D", "-DDDDDDD", "-DG", "-M", "+D-G", "+DG-DL", "+DG-L", "-GM", "+DDDDD-DDDDD"]
)
def test_what_no_position_allows_has_no_number(text: str) -> None:
    with pytest.raises(JaipurError, match="is not an action: no position allows it"):
        action_of(Move.parse(text))


@given(st.integers(0, (1 << 21) - 1), st.integers(0, (1 << 21) - 1))
def test_any_bags_are_an_action_or_are_refused(take: int, give: int) -> None:
    if take or give:
        move = Move(take, give)
        try:
            assert move_of(action_of(move)) == move
        except JaipurError:
            assert str(move) not in MOVES


MOVES = moves_of_the_game()


@pytest.mark.parametrize("action", [-1, ACTIONS, 1 << 40])
def test_other_numbers_are_refused(action: int) -> None:
    with pytest.raises(JaipurError, match="numbered 0 to 25498"):
        move_of(action)


def test_actions_are_listed_as_the_rules_list_the_moves() -> None:
    """From low to high, with hands and markets of all sizes and any number of camels, however rare."""
    view = next(walk(1)).view(0)
    view.turn, view.over = view.seat, False
    hands = all_hands()
    for market in [bag for bag in hands if size(bag) <= 5][::5]:
        for number, hand in enumerate(hands[::17]):
            view.me.hand, view.me.herd = hand, number % 12
            view.market = market + (5 - size(market)) * ONE_CAMEL
            actions = [action_of_code(code) for code in legal_codes(hand, number % 12, view.market)]
            assert list(legal_actions(view)) == actions == sorted(actions)


def test_no_position_allows_more_actions_than_the_buffers_hold() -> None:
    """All hands and markets, with as many camels as there can be."""
    most = 0
    hands = all_hands()
    for market in hands:
        if size(market) <= 5:
            camels = 5 - size(market)
            for hand in hands:
                most = max(most, len(legal_codes(hand, 11 - camels, market + camels * ONE_CAMEL)))
    assert most == MOST_LEGAL


def test_the_code_of_every_action_has_its_number() -> None:
    assert [action_of_code(move_of(action).code) for action in range(ACTIONS)] == list(range(ACTIONS))


def test_every_move_is_one_path_of_factored_actions() -> None:
    paths = [path(action) for action in range(ACTIONS)]
    assert len(set(paths)) == ACTIONS
    assert FACTORED_ACTIONS == 57
    prefixes = Counter(way[:length] for way in paths for length in range(1, len(way)))
    assert not [way for way in paths if prefixes[way]], "no path begins another"
    assert {pick for way in paths for pick in way} == set(range(FACTORED_ACTIONS))


def test_a_path_is_picked_card_by_card() -> None:
    exchange = action_of(Move.parse("+DG-LM"))
    assert [pick_text(pick) for pick in path(exchange)] == ["+D…", "+G…", "…-", "-L…", "-M…"]
    assert finished([exchange], path(exchange)) == exchange
    assert next_picks([exchange], path(exchange)[:2]) == [TAKEN]
    assert next_picks([exchange], path(exchange)[:3]) == [GIVES + 5]
    assert picked_row(path(exchange)[:4]) == [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1]


def test_factored_actions_have_text_both_ways() -> None:
    texts = [pick_text(action) for action in range(FACTORED_ACTIONS)]
    assert len(set(texts)) == FACTORED_ACTIONS
    assert [read_pick(text) for text in texts] == list(range(FACTORED_ACTIONS))
    with pytest.raises(JaipurError, match="is not a factored action"):
        read_pick("+DG-LM")


def test_following_the_picks_leads_to_every_legal_move_and_to_no_other() -> None:
    for round_ in list(walk(5))[::7]:
        legal = [int(action) for action in legal_actions(round_.view(round_.turn))]
        ways: list[int] = []
        open_picks: list[tuple[int, ...]] = [()] if legal else []
        while open_picks:
            picks = open_picks.pop()
            whole = finished(legal, picks)
            if whole is None:
                further = next_picks(legal, picks)
                assert further, "no pick leads nowhere"
                open_picks += [(*picks, pick) for pick in further]
            else:
                ways.append(whole)
        assert sorted(ways) == legal
