"""Matches: who starts (R7, R24), seals and the winner (R26), and going back."""

import pytest

from jaipur import IllegalMove, JaipurError, Match, Move, Round
from jaipur.rules.score import Ending
from tests.rules.helpers import finish, play_first_moves
from tests.support.positions import round_from

DRAWN = None
QUIET_SEED = 1
"""After a first +M, this deal always allows another exchange."""


def ended(winner: int | None, starter: int = 0) -> Round:
    """A finished round with this winner."""
    rupees = [10 + (winner == seat) for seat in (0, 1)]
    seats = f"seat0 rupees {rupees[0]} tokens 3 / seat1 rupees {rupees[1]} tokens 3"
    return round_from(f"market DDSLM / starter {starter} / over tokens / {seats}")


def match_of(*winners: int | None) -> Match:
    """A match whose last round has just ended, with these winners."""
    match = Match(1)
    match.rounds = [ended(winner) for winner in winners]
    return match


def texts(match: Match) -> list[str]:
    return [str(played) for played in match.rounds]


def match_with_a_stopped_round() -> Match:
    """In the first round there are only exchanges until it may be stopped; then a second round begins."""
    match = Match(QUIET_SEED)
    match.play(Move.parse("+M"))
    for _ in range(200):
        match.play(next(move for move in match.round.legal_moves() if move.take and move.give))
    match.round.stop()
    match.next_round()
    match.play(match.round.legal_moves()[0])
    return match


def test_r07_the_starter_of_the_first_round_follows_from_the_seed() -> None:
    assert [Match(seed).round.starter for seed in range(30)] == [Match(seed).round.starter for seed in range(30)]
    assert {Match(seed).round.starter for seed in range(30)} == {0, 1}


def test_r07_without_a_seed_one_is_drawn() -> None:
    first, second = Match(), Match()
    assert first.seed != second.seed
    assert texts(Match(first.seed)) == texts(first)


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("winner", [0, 1])
def test_r07_the_loser_of_the_last_round_starts_the_next(winner: int, starter: int) -> None:
    match = Match(1)
    match.rounds[-1] = ended(winner, starter)
    match.next_round()
    assert (match.round.starter, match.round.turn) == (1 - winner, 1 - winner)


def test_r07_the_loser_of_the_last_round_and_not_of_the_first_starts_the_third() -> None:
    match = match_of(0, 1)
    match.next_round()
    assert match.round.starter == 0


def test_r05_each_round_of_a_match_is_dealt_from_the_seed() -> None:
    match = Match(1)
    match.rounds[-1] = ended(0)
    match.next_round()
    again = Match(1)
    assert len(match.rounds) == 2
    assert match.round.deck.kinds() != again.round.deck.kinds()
    assert match.round.deck.size == 40
    assert match.round.score().tallies[0].goods == 0


@pytest.mark.parametrize("starter", [0, 1])
def test_r24_after_a_drawn_round_the_other_player_starts(starter: int) -> None:
    match = Match(1)
    match.rounds[-1] = ended(DRAWN, starter)
    match.next_round()
    assert (match.seals, match.round.starter) == ((0, 0), 1 - starter)


def test_r24_a_drawn_round_brings_no_seal_and_the_match_goes_on() -> None:
    match = match_of(0, DRAWN, 1, DRAWN)
    assert (match.seals, match.winner, match.over) == ((1, 1), None, False)
    match.next_round()
    match.rounds[-1] = ended(1)
    assert (match.seals, match.winner) == ((1, 2), 1)


def test_r24_a_round_in_progress_brings_no_seal() -> None:
    match = match_of(0)
    match.rounds.append(round_from("market DDSLM / seat0 rupees 50"))
    assert (match.seals, match.over) == ((1, 0), False)


@pytest.mark.parametrize(
    ("winners", "winner"),
    [
        ((), None),
        ((0,), None),
        ((1,), None),
        ((0, 1), None),
        ((DRAWN, DRAWN, DRAWN), None),
        ((0, 0), 0),
        ((1, 1), 1),
        ((0, 1, 0), 0),
        ((0, 1, 1), 1),
        ((1, DRAWN, 1), 1),
    ],
)
def test_r26_the_first_to_two_seals_wins(winners: tuple[int | None, ...], winner: int | None) -> None:
    match = match_of(*winners)
    assert (match.winner, match.over) == (winner, winner is not None)
    assert match.seals == (winners.count(0), winners.count(1))


@pytest.mark.parametrize("winners", [(0, 0), (1, 0, 1)])
def test_r26_nothing_is_played_after_the_match(winners: tuple[int, ...]) -> None:
    match = match_of(*winners)
    before = texts(match)
    with pytest.raises(IllegalMove, match=r"R26"):
        match.play(Move.parse("+D"))
    with pytest.raises(JaipurError, match=r"two seals"):
        match.next_round()
    assert texts(match) == before


def test_r26_the_next_round_is_not_dealt_before_the_current_one_is_over() -> None:
    match = Match(1)
    with pytest.raises(JaipurError, match=r"current one is over"):
        match.next_round()
    assert len(match.rounds) == 1


def test_r26_a_move_after_a_round_is_played_in_the_next() -> None:
    match = Match(1)
    match.rounds[-1] = ended(0)
    match.play(Move.parse("+M"))
    assert (len(match.rounds), match.round.moves) == (2, [Move.parse("+M")])
    assert match.round.second.herd >= 3


def test_an_illegal_move_in_a_match_changes_nothing() -> None:
    match = Match(1)
    before = texts(match)
    with pytest.raises(IllegalMove, match=r"R14"):
        match.play(Move.parse("-M"))
    assert texts(match) == before


@pytest.mark.parametrize("seed", range(8))
def test_r26_a_whole_match_ends_with_two_seals_for_the_winner(seed: int) -> None:
    match = Match(seed)
    finish(match)
    assert match.winner is not None
    assert (match.seals[match.winner], match.seals[1 - match.winner] < 2) == (2, True)
    for before, after in zip(match.rounds, match.rounds[1:], strict=False):
        winner = before.score().winner
        assert after.starter == 1 - (before.starter if winner is None else winner)


def test_until_is_the_match_as_it_was_after_so_many_moves() -> None:
    match = Match(2)
    history = [texts(match)]
    while not match.over:
        if match.round.over:
            match.next_round()
        match.play(match.round.legal_moves()[0])
        history.append(texts(match))
    assert match.ply == len(history) - 1
    assert [texts(match.until(ply)) for ply in range(len(history))] == history


def test_until_leaves_the_match_itself_alone() -> None:
    match = Match(2)
    play_first_moves(match.round)
    before = texts(match)
    match.until(3).play(match.until(3).round.legal_moves()[-1])
    assert (texts(match), match.until(3).ply) == (before, 3)


def test_until_at_the_end_of_a_round_has_not_dealt_the_next() -> None:
    match = Match(2)
    play_first_moves(match.round)
    ply = match.ply
    match.next_round()
    match.play(match.round.legal_moves()[0])
    assert (match.until(ply).round.over, len(match.until(ply).rounds)) == (True, 1)
    assert len(match.until(ply + 1).rounds) == 2


def test_r25_until_stops_a_round_that_was_stopped() -> None:
    match = match_with_a_stopped_round()
    assert texts(match.until(match.ply)) == texts(match)
    assert (match.until(201).round.ending, len(match.until(201).rounds)) == (Ending.STOPPED, 1)
    assert not match.until(200).round.over


def test_r25_a_stopped_round_brings_its_seal_and_the_loser_starts() -> None:
    match = match_with_a_stopped_round()
    sheet = match.rounds[0].score()
    assert sheet.winner is not None
    assert match.seals[sheet.winner] == 1
    assert match.round.starter == 1 - sheet.winner


def test_an_illegal_move_after_a_round_deals_nothing() -> None:
    match = Match(2)
    play_first_moves(match.round)
    with pytest.raises(IllegalMove, match="R14"):
        match.play(Move.parse("-M"))
    assert len(match.rounds) == 1


@pytest.mark.parametrize("ply", [-1, 1])
def test_until_refuses_a_position_that_never_was(ply: int) -> None:
    with pytest.raises(JaipurError, match="positions 0 to 0"):
        Match(2).until(ply)
