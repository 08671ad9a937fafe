"""Luck: its means are exact, it averages zero, and how much it explains."""

import math
from itertools import permutations
from statistics import stdev

import pytest

from jaipur import Match, Move, Rng, Round
from jaipur.brain.luck import bonus_outcomes, refill_outcomes, value
from jaipur.coach.figures import KINDS, figures
from jaipur.coach.grades import judge_network
from jaipur.coach.round_luck import for_seat, least_squares, luck_by_kind, refill_map, round_luck, weighed_luck
from jaipur.coach.summary import mean_and_error
from jaipur.rules.bag import letters, size
from jaipur.rules.bonus import bonus_kinds, with_bonus_on_top
from jaipur.rules.box import LETTERS
from jaipur.rules.deck import Deck
from tests.support.matches import played_by_equals, played_match, replayed, round_of_equals

pytestmark = pytest.mark.slow


def played_positions() -> list[Round]:
    return [before for before, _move in replayed(*round_of_equals(Rng(4), 0))]


def test_the_mean_over_bags_is_the_mean_over_all_orders_of_the_deck() -> None:
    """Tries every order of a small deck, an independent count that knows nothing of bags and ways."""
    network = judge_network()
    tried = 0
    for before in played_positions():
        cards = before.deck.kinds()
        for move in before.legal_moves():
            drawn = size(before.market) - size(after_draw(before, move)) if not move.give else 0
            if not drawn or drawn > 2 or not 3 <= len(cards) <= 9:
                continue
            values = []
            for order in permutations(range(len(cards)), drawn):
                other = before.copy()
                rest = [cards[i] for i in range(len(cards)) if i not in order]
                other.deck = Deck.of([*(cards[i] for i in order), *rest])
                other.play(move)
                values.append(value(other, network))
            outcomes = refill_outcomes(before, move.code, network)
            mean = sum(ways * then for _bag, ways, then in outcomes) / sum(ways for _bag, ways, _then in outcomes)
            assert mean == pytest.approx(sum(values) / len(values), abs=1e-12)
            tried += 1
    assert tried > 20


def after_draw(before: Round, move: Move) -> int:
    """The market after a take but before the refill."""
    camels = move.take >> 18
    return before.market & 0o777777 if camels else before.market - move.take


def test_the_first_outcome_is_what_came() -> None:
    network = judge_network()
    for before in played_positions():
        for move in before.legal_moves():
            after = before.copy()
            after.play(move)
            if outcomes := refill_outcomes(before, move.code, network):
                assert outcomes[0][2] == pytest.approx(value(after, network), abs=1e-12)
                assert len({bag for bag, _ways, _then in outcomes}) == len(outcomes)
            else:
                assert move.give


def test_all_refills_of_five_cards_are_counted() -> None:
    """Five camels are replaced from a deck with five of every kind: 462 bags, and every way to draw five cards."""
    before = next(round_ for seed in range(99) for round_ in [Round.deal(Rng(seed), 0)] if full_deck(round_))
    before.market = 5 << 18
    outcomes = refill_outcomes(before, Move.parse("+M").code, judge_network())
    assert len(outcomes) == 462
    assert sum(ways for _bag, ways, _then in outcomes) == math.comb(40, 5)


def full_deck(round_: Round) -> bool:
    return min(round_.deck.kinds().count(kind) for kind in range(7)) >= 5 if round_.deck.size == 40 else False


def test_a_bonus_token_is_counted_against_the_tokens_of_its_pile() -> None:
    network = judge_network()
    gains: list[float] = []
    for seed in range(6):
        for before, move in replayed(*round_of_equals(Rng(seed), 0)):
            outcomes = bonus_outcomes(before, move.code, network)
            if move.take or size(move.give) < 3:
                assert not outcomes
            elif outcomes:
                after = before.copy()
                after.play(move)
                drawn = after.side(before.turn).bonus - before.side(before.turn).bonus
                assert drawn == 1 << (3 * outcomes[0][0])
                pile = bonus_kinds(before.bonus_piles, outcomes[0][0] // 3)
                assert sum(number for _kind, number, _then in outcomes) == len(pile)
                by_kind = sorted(outcomes)
                gains.append((by_kind[-1][2] - by_kind[0][2]) * (1 if before.turn == 0 else -1))
                other = before.copy()
                other.bonus_piles = with_bonus_on_top(other.bonus_piles, outcomes[-1][0])
                assert bonus_outcomes(other, move.code, network)[0] == outcomes[-1]
    assert len(gains) > 5
    assert sum(gains) > 0.1, "a richer token is worth more to its owner"


def test_the_map_of_a_refill_names_cards_and_adds_up() -> None:
    for before, move in replayed(*round_of_equals(Rng(9), 1)):
        refills = refill_map(before, move)
        if not refills:
            continue
        assert sum(refill.probability for refill in refills) == pytest.approx(1)
        top = sorted(before.deck.kinds()[: size(refills[0].cards)])
        assert letters(refills[0].cards) == "".join(LETTERS[kind] for kind in top)
        assert refills[0].cards == sum(1 << (3 * kind) for kind in top)


def test_luck_has_the_mean_zero_and_explains_most_of_the_result() -> None:
    """Rounds between equals, fewer than in docs/coach.md; each kind of luck is within 2.6 standard errors of zero."""
    rng, rows, results = Rng(21), [], []
    for number in range(300):
        luck = round_luck(*round_of_equals(rng, number % 2))
        rows.append(luck_by_kind(luck, figures().start))
        results.append(luck.result - for_seat(figures().start, luck.starter))
    for number, name in enumerate(KINDS):
        mean, error = mean_and_error([row[number] for row in rows])
        assert abs(mean) < 2.6 * error, name
    left = [result - sum(row) for row, result in zip(rows, results, strict=True)]
    assert stdev(results) > 0.45
    assert stdev(left) < 0.38
    assert all(0.7 < weight < 1.4 for weight in least_squares(rows, results)[1:])


def test_least_squares_finds_the_weights() -> None:
    rng = Rng(1)
    rows = [[float(rng.below(100)) for _ in range(3)] for _ in range(50)]
    results = [2 * a - b + 0.5 * c for a, b, c in rows]
    assert least_squares(rows, results) == pytest.approx([2, -1, 0.5])


def test_luck_of_one_seat_is_the_bad_luck_of_the_other() -> None:
    """The same round with the seats swapped."""
    match = Match(5)
    dealt = match.deal(1, 0)
    mirrored = Round(dealt.second, dealt.first, dealt.market, dealt.deck.copy(), dealt.bonus_piles, 1)
    first, second = (round_luck(start, played_by_equals(start)) for start in (dealt, mirrored))
    assert second.opening == pytest.approx(1 - first.opening)
    for one, other in zip(first.moves, second.moves, strict=True):
        assert one.refill == pytest.approx(-other.refill, abs=1e-6)
        assert one.bonus == pytest.approx(-other.bonus, abs=1e-6)
    assert weighed_luck(first) == pytest.approx(-weighed_luck(second), abs=1e-4)


def test_the_last_move_leads_to_the_result() -> None:
    match = played_match(3)
    for number, played in enumerate(match.rounds, 1):
        luck = round_luck(match.deal(number, played.starter), played)
        assert luck.moves[-1].win == luck.result
        assert len(luck.moves) == len(played.moves)
