"""Helpers for the tests of the rules: playing moves, checking refusals, and reading a round as letters."""

import pytest

from jaipur import IllegalMove, Match, Move, Round, letters, size
from jaipur.rules.box import GOODS, LETTERS
from jaipur.rules.discard import discarded
from tests.support.positions import round_from


def played(text: str, *moves: str) -> Round:
    """The position after some moves, each of which must be listed as legal and accepted."""
    round_ = round_from(text)
    for move in map(Move.parse, moves):
        assert move in round_.legal_moves()
        round_.play(move)
    return round_


def refuse(round_: Round, text: str, rule: str) -> None:
    """Checks that the round refuses the move citing the rule, that nothing changes, and that views and lists agree."""
    move = Move.parse(text)
    before = str(round_), list(round_.moves)
    with pytest.raises(IllegalMove, match=rf"\b{rule}\b") as refused:
        round_.play(move)
    assert (str(round_), round_.moves) == before
    assert str(round_.why_illegal(move)) == str(round_.view(round_.turn).why_illegal(move)) == str(refused.value)
    assert move not in round_.legal_moves()


def legal(round_: Round) -> set[str]:
    """The legal moves as texts."""
    return {str(move) for move in round_.legal_moves()}


def exchanges(round_: Round) -> set[str]:
    """The legal exchanges as texts."""
    return {str(move) for move in round_.legal_moves() if move.take and move.give}


def hand(round_: Round, seat: int) -> str:
    """A hand as letters."""
    return letters(round_.side(seat).hand)


def market(round_: Round) -> str:
    """The market as letters."""
    return letters(round_.market)


def deck(round_: Round) -> str:
    """The deck as letters, top first."""
    return "".join(LETTERS[kind] for kind in round_.deck.kinds())


def discard_pile(round_: Round) -> str:
    """The discard pile as letters."""
    return "".join(LETTERS[good] * discarded(round_.discard, good) for good in range(GOODS))


def all_cards(round_: Round) -> str:
    """Every card in the round, wherever it is."""
    herds = "M" * (round_.first.herd + round_.second.herd)
    return market(round_) + deck(round_) + discard_pile(round_) + hand(round_, 0) + hand(round_, 1) + herds


def seen_hand(round_: Round, seat: int) -> str:
    """The hand of a seat as its opponent knows it: `LL???`."""
    rival = round_.view(1 - seat).rival
    return letters(rival.known) + "?" * (rival.hand_size - size(rival.known))


def play_first_moves(round_: Round) -> None:
    """Plays the first legal move until the round is over: a take, the camels or a sale, so it ends soon."""
    while not round_.over:
        round_.play(round_.legal_moves()[0])


def finish(match: Match) -> None:
    """Plays a match to its end in the same way."""
    play_first_moves(match.round)
    while not match.over:
        match.next_round()
        play_first_moves(match.round)
