"""What holds in every position of random play."""

import pickle
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from copy import copy, deepcopy
from itertools import pairwise
from multiprocessing import get_context
from operator import methodcaller
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaipur import IllegalMove, JaipurError, Match, Move, Rng, Round
from jaipur.notation import parse_round, parse_view
from jaipur.record import Record
from jaipur.rules.bag import BAG_MASK, letters
from jaipur.rules.move import from_code
from jaipur.rules.playout import RandomMover
from jaipur.rules.rng import SeedRng
from tests.support import brute
from tests.support.chi_square import fits
from tests.support.digest import SEATS, pick, pickled, quiet_match, random_match, same_match
from tests.support.effort import often
from tests.support.moves import ALL_MOVES
from tests.support.positions import round_from

pytestmark = pytest.mark.slow

frequent = settings(derandomize=True, deadline=None, max_examples=often(60, 200))
seldom = settings(derandomize=True, deadline=None, max_examples=often(30, 100))

seeds = st.integers(0, 2**64)
choices = st.integers(0, 90).flatmap(lambda turns: st.lists(st.integers(0, 2**20), min_size=turns, max_size=turns))


def played(seed: int, choices: list[int]) -> Round:
    """A round after some turns, or at its end if that comes earlier."""
    round_ = Round.deal(Rng(seed), seed % 2)
    for choice in choices:
        if round_.over:
            break
        round_.play(pick(round_.legal_moves(), choice))
    return round_


rounds = st.builds(played, seeds, choices)
bags = st.integers(0, BAG_MASK) | st.lists(st.integers(0, 6), max_size=6).map(lambda kinds: sum(8**k for k in kinds))


def copies(value: Any) -> list[Any]:
    return [copy(value), deepcopy(value), pickled(value)]


def everything(round_: Round) -> tuple[str, list[Move]]:
    return str(round_), list(round_.moves)


@frequent
@given(rounds)
def test_the_box_is_conserved(round_: Round) -> None:
    """R1 to R3: no card, token or rupee appears or is lost."""
    slow = brute.read(str(round_))
    first, second = slow.sides
    cards = slow.market + slow.deck + slow.discard + first.hand + second.hand + "M" * (first.herd + second.herd)
    assert Counter(cards) == brute.CARDS
    left = [value for good in brute.GOODS for value in slow.tokens_left(good)]
    assert first.tokens + second.tokens + len(left) == 38
    assert first.rupees + second.rupees + sum(left) == sum(sum(tokens) for tokens in brute.TOKENS.values())
    bonus = first.bonus + second.bonus + [value for pile in slow.piles.values() for value in pile]
    assert sorted(bonus) == sorted(value for pile in brute.BONUS.values() for value in pile)


@frequent
@given(rounds)
def test_hands_and_market_keep_their_limits(round_: Round) -> None:
    """R6 and R13: at most 7 goods in a hand; R22: five cards in the market unless the deck has run out."""
    for seat in SEATS:
        me = round_.side(seat)
        assert len(letters(me.hand)) <= 7
        assert set(letters(me.hand)) <= set(brute.GOODS)
        assert brute.has(letters(me.hand), letters(me.known))
    slow = brute.read(str(round_))
    assert len(slow.market) == 5 or (len(slow.market) < 5 and slow.ended == "deck" and not slow.deck)
    assert (sum(not slow.tokens_left(good) for good in brute.GOODS) >= 3) == (slow.ended == "tokens")


@frequent
@given(seeds, choices)
def test_a_turn_has_the_effect_that_the_brute_force_gives_it(seed: int, choices: list[int]) -> None:
    """R8 to R19, turn by turn: cards, tokens, what is known, the end of the round, and the score (R23, R24)."""
    round_ = played(seed, [])
    for choice in choices:
        slow = brute.read(str(round_))
        assert brute.totals(slow) == tuple(tally.rupees for tally in round_.score().tallies)
        assert brute.winner(slow) == round_.score().winner
        if round_.over:
            break
        move = pick(round_.legal_moves(), choice)
        round_.play(move)
        assert brute.read(str(round_)) == brute.play(slow, (letters(move.take), letters(move.give)))


@seldom
@given(rounds)
def test_the_legal_moves_are_exactly_those_that_nothing_forbids(round_: Round) -> None:
    """R8 to R15 over all 25,499 actions: the list, the reasons and the brute force agree; there is always a move."""
    legal = round_.legal_moves()
    assert len(legal) == len(set(legal))
    assert bool(legal) != round_.over
    assert set(legal) == {move for move in ALL_MOVES if round_.why_illegal(move) is None}
    assert {str(move) for move in legal} == {brute.text(a) for a in brute.legal_actions(brute.read(str(round_)))}


@frequent
@given(rounds, st.lists(st.tuples(bags, bags).filter(any) | st.sampled_from(ALL_MOVES).map(lambda m: (m.take, m.give))))
def test_any_other_move_is_refused_and_changes_nothing(round_: Round, moves: list[tuple[int, int]]) -> None:
    slow = brute.read(str(round_))
    side = slow.sides[slow.turn]
    before = everything(round_)
    for take, give in moves:
        move = Move(take, give)
        if not slow.ended and brute.is_legal(side.hand, side.herd, slow.market, (letters(take), letters(give))):
            assert round_.why_illegal(move) is None
            continue
        with pytest.raises(IllegalMove, match=r"\(R\d+") as caught:
            round_.play(move)
        assert str(caught.value) == str(round_.why_illegal(move))
        assert everything(round_) == before


@frequent
@given(rounds, st.lists(st.integers(0, 2**20), min_size=1, max_size=9))
def test_a_copy_is_played_on_separately(round_: Round, choices: list[int]) -> None:
    before = everything(round_)
    for twin in (round_.copy(), *copies(round_)):
        assert everything(twin) == before
        for choice in choices:
            if not twin.over:
                twin.play(pick(twin.legal_moves(), choice))
                assert everything(twin) != before
        assert everything(round_) == before


@seldom
@given(seeds, st.integers(0, 160))
def test_a_copy_of_a_match_or_a_record_is_played_on_separately(seed: int, turns: int) -> None:
    record = Record(random_match(seed, turns), ("Ann", "Bob"), "2020-02-29", (1, 2))
    before = str(record)
    twins = copies(record)
    assert [(twin, str(twin)) for twin in twins] == [(record, before)] * 3
    for match in (record.match.copy(), *copies(record.match), *(twin.match for twin in twins)):
        assert same_match(match, record.match)
        if match.round.over and not match.over:
            match.next_round()
        for move in match.round.legal_moves()[:1]:
            match.play(move)
        assert str(record) == before


@frequent
@given(rounds)
def test_a_copy_of_a_view_is_the_same_holds_no_more_and_is_separate(round_: Round) -> None:
    for seat in SEATS:
        view = round_.view(seat)
        assert pickle.dumps(view) == pickle.dumps(parse_view(str(view)))
        for part in (view.me, view.rival, *view.legal_moves()[:1]):
            assert copies(part) == [part] * 3
        for twin in copies(view):
            assert (twin, str(twin), twin.legal_moves()) == (view, str(view), view.legal_moves())
            twin.me.lose(twin.me.hand)
            twin.rival.known += 1
            assert view == round_.view(seat)


def test_a_copy_of_a_generator_draws_the_same_numbers() -> None:
    for rng in (Rng(1), SeedRng(bytes(32), "label")):
        rng.below(10)
        drawn = [[twin.below(2**20) for _ in range(20)] for twin in (*copies(rng), rng)]
        assert drawn == [drawn[0]] * 4


def test_another_process_is_handed_a_view_and_hands_moves_back() -> None:
    view = Round.deal(Rng(1)).view(0)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert pool.submit(methodcaller("legal_moves"), view).result() == view.legal_moves()


@frequent
@given(rounds)
def test_a_position_reads_back_as_it_was_written(round_: Round) -> None:
    assert str(parse_round(str(round_))) == str(round_)
    for seat in SEATS:
        view = round_.view(seat)
        assert parse_view(str(view)) == view
        assert parse_round(str(round_)).view(seat) == view


@frequent
@given(rounds)
def test_a_view_has_the_moves_of_its_own_seat_only(round_: Round) -> None:
    assert round_.view(round_.turn).legal_moves() == round_.legal_moves()
    assert round_.view(1 - round_.turn).legal_moves() == []
    for move in round_.legal_moves()[:1]:
        assert round_.view(round_.turn).why_illegal(move) is None
        assert round_.view(1 - round_.turn).why_illegal(move) is not None


@seldom
@given(seeds, st.integers(0, 160), st.data())
def test_replay_is_play(seed: int, turns: int, data: st.DataObject) -> None:
    """A match is its seed and its moves: `until` and a record lead to the same positions after every move."""
    rng = Rng(seed)
    match = Match(seed)
    positions = [everything(match.round)]
    while match.ply < turns and not match.over:
        if match.round.over:
            match.next_round()
        match.play(pick(match.round.legal_moves(), rng.below(1 << 20)))
        positions.append(everything(match.round))
    ply = data.draw(st.integers(0, match.ply))
    assert everything(match.until(ply).round) == positions[ply]
    assert same_match(match.until(match.ply), match)
    for last, current in pairwise(match.rounds):
        winner = last.score().winner
        assert current.starter == 1 - (last.starter if winner is None else winner)  # R7, R24
    record = Record(match, ("Ann", "Bob"), "2020-02-29")
    assert same_match(Record.parse(str(record)).match, match)
    assert str(Record.parse(str(record))) == str(record)


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5])
def test_a_stopped_round_replays_as_it_was_played(seed: int) -> None:
    """R25: only after 200 turns without a sale or a drawn card, and scored as it stands."""
    match = quiet_match(seed)
    assert match.round.quiet == 200
    with pytest.raises(JaipurError, match=r"R25"):
        match.until(match.ply - 1).round.stop()
    match.round.stop()
    assert match.round.over
    assert same_match(match.until(match.ply), match)
    assert same_match(Record.parse(str(Record(match))).match, match)
    assert "stopped" in str(Record(match))


@frequent
@given(st.sampled_from(ALL_MOVES), st.randoms(use_true_random=False))
def test_a_move_reads_back_from_letters_in_any_order_and_case(move: Move, chance: random.Random) -> None:
    def jumbled(cards: str) -> str:
        return "".join(chance.choice([card, card.lower()]) for card in chance.sample(cards, len(cards)))

    assert Move.parse(str(move)) == move
    take, give = letters(move.take), letters(move.give)
    assert Move.parse(brute.text((jumbled(take), jumbled(give)))) == move
    assert hash(Move.parse(str(move))) == hash(move)
    assert from_code(move.code) == move


@frequent
@given(rounds, seeds)
def test_a_random_move_is_legal(round_: Round, seed: int) -> None:
    mover = RandomMover(Rng(seed))
    me = round_.side(round_.turn)
    for _ in range(0 if round_.over else 20):
        assert round_.why_illegal(from_code(mover.choose(me.hand, me.herd, round_.market))) is None


@pytest.mark.parametrize(
    "position",
    [
        "market DGSPM / seat0 hand DDLLLC herd 3",
        "market DDGCC / seat0 hand LLLSSPP herd 5",
        "market GPMMM / seat0 hand GP herd 0",
        "market DGSCP / seat0 hand - herd 7",
        "market MMMMM / seat0 hand DGSCPLL herd 0",
    ],
)
def test_every_legal_move_is_a_random_move_equally_often(position: str) -> None:
    round_ = round_from(position)
    me = round_.side(0)
    mover = RandomMover(Rng(11))
    codes = [move.code for move in round_.legal_moves()]
    counts = Counter(mover.choose(me.hand, me.herd, round_.market) for _ in range(100 * len(codes)))
    assert fits(counts, dict.fromkeys(codes, 1 / len(codes)))
