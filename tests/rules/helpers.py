"""What the tests of the rules share: playing, refusing, and reading a table as letters."""

import pytest

from jaipur import IllegalMove, Match, Move, Round, letters, size
from jaipur.core.bag import tally
from jaipur.core.box import GOODS, LETTERS
from jaipur.notation import round_text
from tests.positions import round_from


def played(text: str, *moves: str) -> Round:
    """The position after some moves, each of them listed as legal and accepted."""
    table = round_from(text)
    for move in map(Move.parse, moves):
        assert move in table.legal_moves()
        table.play(move)
    return table


def refuse(table: Round, text: str, rule: str) -> None:
    """The table refuses the move and cites the rule; nothing changes, and every other way to ask agrees."""
    move = Move.parse(text)
    before = round_text(table), list(table.moves)
    with pytest.raises(IllegalMove, match=rf"\b{rule}\b") as refused:
        table.play(move)
    assert (round_text(table), table.moves) == before
    assert str(table.why_illegal(move)) == str(table.view(table.turn).why_illegal(move)) == str(refused.value)
    assert move not in table.legal_moves()


def legal(table: Round) -> set[str]:
    """The legal moves as texts."""
    return {str(move) for move in table.legal_moves()}


def exchanges(table: Round) -> set[str]:
    """The legal exchanges as texts."""
    return {str(move) for move in table.legal_moves() if move.take and move.give}


def hand(table: Round, seat: int) -> str:
    """A hand as letters."""
    return letters(table.trader(seat).hand)


def market(table: Round) -> str:
    """The market as letters."""
    return letters(table.market)


def deck(table: Round) -> str:
    """The deck as letters, from the top."""
    return "".join(LETTERS[kind] for kind in table.deck.kinds())


def discarded(table: Round) -> str:
    """The discard pile as letters."""
    return "".join(LETTERS[good] * tally(table.discard, good) for good in range(GOODS))


def all_cards(table: Round) -> str:
    """Every card of the table, wherever it is."""
    herds = "M" * (table.first.herd + table.second.herd)
    return market(table) + deck(table) + discarded(table) + hand(table, 0) + hand(table, 1) + herds


def seen_hand(table: Round, seat: int) -> str:
    """The hand of a seat as its opponent knows it: `LL???`."""
    rival = table.view(1 - seat).rival
    return letters(rival.known) + "?" * (rival.hand_size - size(rival.known))


def play_first_moves(table: Round) -> None:
    """Plays the first legal move until the round is over: a take, the camels or a sale, so it ends soon."""
    while not table.over:
        table.play(table.legal_moves()[0])


def finish(match: Match) -> None:
    """Plays a match to its end in the same way."""
    play_first_moves(match.round)
    while not match.over:
        match.next_round()
        play_first_moves(match.round)
