"""Undo and rematch: immediate against bots, by consent between people."""

from collections.abc import Callable

import pytest

from jaipur import Move, Rng, size
from jaipur.table import KeyUsed, NotAllowed, Seating, Stale, Table, Tables, see
from tests.support.digest import pick
from tests.support.server import (
    BOT,
    ONE_SCREEN,
    PAIR,
    PEOPLE,
    Caller,
    everything,
    folded,
    my_turn,
    play,
    play_match,
    play_some,
)

pytestmark = pytest.mark.each_database

ASKER = 0


def position(table: Table) -> tuple[object, ...]:
    """What is on the table, however it got there."""
    return [played.moves for played in table.match.rounds], table.log, table.slots.now, table.turn


def exchange(move: Move) -> bool:
    return bool(move.take and move.give)


def small_sale(move: Move) -> bool:
    return not move.take and size(move.give) < 3


def large_sale(move: Move) -> bool:
    return not move.take and size(move.give) >= 3


def draw(move: Move) -> bool:
    return not move.give


def with_last_move(tables: Tables, seating: Seating, wanted: Callable[[Move], bool]) -> tuple[str, int]:
    """A game whose last move is of the wanted kind, and who played it."""
    game = tables.create(seating).game.id
    rng = Rng(5)
    while (table := tables.open(game)).turn is not None:
        moves = table.match.round.legal_moves()
        found = [move for move in moves if wanted(move)]
        seat = table.turn
        if found and table.ply > 3:
            play(tables, game, found[0])
            if tables.open(game).turn is not None:
                return game, seat
        else:
            play(tables, game, pick(moves, rng.below(1 << 20)))
    raise AssertionError("no such move")


def test_against_a_bot_the_last_own_move_is_taken_back(tables: Tables) -> None:
    game = tables.create(BOT).game.id
    while (table := tables.open(game)).turn != 0 or table.ply < 4:
        play_some(tables, game, 1)
    before, ply = position(folded(tables, game)), table.ply
    play_some(tables, game, 2)
    tables.undo(tables.open(game), 0)
    table = tables.open(game)
    assert position(table) == before
    assert table.ply == ply + 3
    assert everything(table) == everything(folded(tables, game))


def test_undo_goes_back_while_the_bot_has_not_moved(tables: Tables) -> None:
    game = my_turn(tables)
    before = position(folded(tables, game))
    play_some(tables, game, 1)
    tables.undo(tables.open(game), 0)
    assert position(tables.open(game)) == before


def test_there_is_nothing_to_take_back_before_the_first_own_move(tables: Tables) -> None:
    game = tables.create(BOT).game.id
    if tables.open(game).turn == 1:
        play_some(tables, game, 1)
    with pytest.raises(NotAllowed):
        tables.undo(tables.open(game), 0)
    play_some(tables, game, 1)
    tables.undo(tables.open(game), 0)
    with pytest.raises(NotAllowed):
        tables.undo(tables.open(game), 0)


def test_undo_goes_back_across_the_end_of_a_round(tables: Tables) -> None:
    """R22: the move that ended the round, or the last one before the bot ended it."""
    for _ in range(6):
        game = tables.create(BOT).game.id
        table = play_some(tables, game, rng=Rng(table_number(game)))
        last = max(number for number, played in enumerate(table.log) if played.seat == 0)
        before = table.replayed(last)
        tables.undo(tables.open(game), 0)
        table = tables.open(game)
        assert not table.match.round.over
        assert position(table) == position(before)
        assert everything(table) == everything(folded(tables, game))


def test_undo_goes_back_across_a_new_deal(tables: Tables) -> None:
    """R7: if the bot started the new round, the person's last move is in the round before."""
    games = [tables.create(BOT).game.id for _ in range(6)]
    began = set()
    for game in games:
        play_some(tables, game, rng=Rng(table_number(game)))
        tables.ready(tables.open(game), 0)
        began.add(tables.open(game).turn)
        own_round = 2 if play_some(tables, game, 1).log[-1].seat == 0 else 1
        tables.undo(tables.open(game), 0)
        table = tables.open(game)
        assert (len(table.match.rounds), table.turn) == (own_round, 0)
        assert everything(table) == everything(folded(tables, game))
    assert began == {0, 1}


def table_number(game: str) -> int:
    return int(game.removeprefix("game"))


@pytest.mark.parametrize("wanted", [exchange, small_sale])
def test_people_take_back_by_consent_what_showed_nothing(tables: Tables, wanted: Callable[[Move], bool]) -> None:
    """R10, R14: an exchange and a sale without a bonus reveal no card and no token value."""
    game, seat = with_last_move(tables, PEOPLE, wanted)
    table = tables.open(game)
    before = position(table.replayed(len(table.log) - 1))
    with pytest.raises(NotAllowed):
        tables.undo(tables.open(game), 1 - seat)
    tables.undo(tables.open(game), seat)
    with pytest.raises(NotAllowed):
        tables.undo(tables.open(game), seat)
    with pytest.raises(NotAllowed):
        tables.answer(tables.open(game), seat, True)
    assert len(tables.open(game).log) == tables.open(game).ply
    tables.answer(tables.open(game), 1 - seat, True)
    table = tables.open(game)
    assert position(table) == before
    assert table.offer is None
    assert everything(table) == everything(folded(tables, game))


@pytest.mark.parametrize("wanted", [draw, large_sale])
@pytest.mark.parametrize("seating", [PEOPLE, ONE_SCREEN])
def test_people_cannot_take_back_what_showed_something(
    tables: Tables, seating: Seating, wanted: Callable[[Move], bool]
) -> None:
    """R8, R9, R17: a card from the deck or a bonus token cannot be unseen."""
    game, seat = with_last_move(tables, seating, wanted)
    assert not see(tables.open(game), seat).can_undo
    with pytest.raises(NotAllowed, match="cannot be taken back"):
        tables.undo(tables.open(game), seat)


def test_the_score_sheet_cannot_be_unseen(tables: Tables) -> None:
    """R19, R23: it shows the values of the bonus tokens."""
    for seating in (PEOPLE, ONE_SCREEN):
        for _ in range(4):
            game = tables.create(seating).game.id
            table = play_some(tables, game, rng=Rng(table_number(game)))
            with pytest.raises(NotAllowed):
                tables.undo(tables.open(game), table.log[-1].seat)


def test_who_says_no_ends_the_question_and_a_move_does_too(tables: Tables) -> None:
    game, seat = with_last_move(tables, PEOPLE, exchange)
    after = position(folded(tables, game))
    tables.undo(tables.open(game), seat)
    tables.answer(tables.open(game), 1 - seat, False)
    table = tables.open(game)
    assert (position(table), table.offer) == (after, None)
    tables.undo(tables.open(game), seat)
    assert tables.open(game).offer is not None
    assert play_some(tables, game, 1).offer is None
    with pytest.raises(NotAllowed):
        tables.answer(tables.open(game), 1 - seat, True)


def test_two_at_one_screen_have_agreed_already(tables: Tables) -> None:
    game, seat = with_last_move(tables, ONE_SCREEN, exchange)
    table = tables.open(game)
    before = position(table.replayed(len(table.log) - 1))
    tables.undo(tables.open(game), 1 - seat)
    assert position(tables.open(game)) == before


def test_an_undo_with_a_key_counts_once(tables: Tables) -> None:
    game = tables.create(BOT).game.id
    play_some(tables, game, 8)
    first = tables.undo(tables.open(game), 0, "key")
    after = position(folded(tables, game))
    assert everything(tables.undo(tables.open(game), 0, "key")) == everything(first)
    assert position(tables.open(game)) == after
    assert len(tables.store.events(game)) == 9
    with pytest.raises(KeyUsed):
        tables.resign(tables.open(game), 0, "key")


def test_a_question_and_its_answer_with_keys_count_once(tables: Tables) -> None:
    game, seat = with_last_move(tables, PEOPLE, exchange)
    asked = tables.undo(tables.open(game), seat, "ask")
    assert everything(tables.undo(tables.open(game), seat, "ask")) == everything(asked)
    agreed = tables.answer(tables.open(game), 1 - seat, True, "yes")
    assert everything(tables.answer(tables.open(game), 1 - seat, True, "yes")) == everything(agreed)
    assert everything(tables.undo(tables.open(game), seat, "ask")) == everything(asked)
    assert [event.kind for event in tables.store.events(game)][-2:] == ["ask", "undo"]


def test_the_loser_sits_where_the_rematch_starts(tables: Tables) -> None:
    """R7: the loser starts."""
    swapped = set()
    for number in range(8):
        game = tables.create(BOT).game.id
        play_match(tables, game, Rng(number))
        tables.rematch(tables.open(game), 0)
        table = tables.open(game)
        assert table.rematch is not None
        new = tables.open(table.rematch)
        rows = [table.seats, new.seats]
        loser = rows[0][1 - (table.winner or 0)]
        starter = rows[1][new.turn or 0]
        assert loser is not None
        assert starter is not None
        assert (starter.name, starter.level, starter.holder) == (loser.name, loser.level, loser.holder)
        swapped.add(starter.seat == loser.seat)
        with pytest.raises(Stale):
            tables.rematch(tables.open(game), 0)
        assert everything(table) == everything(folded(tables, game))
    assert swapped == {True, False}


def test_a_person_is_asked_for_a_rematch(tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    with pytest.raises(NotAllowed):
        tables.rematch(tables.open(game), 0)
    tables.resign(tables.open(game), 0)
    tables.rematch(tables.open(game), 0)
    assert tables.open(game).rematch is None
    with pytest.raises(NotAllowed):
        tables.rematch(tables.open(game), 1)
    tables.answer(tables.open(game), 1, False)
    tables.rematch(tables.open(game), 1)
    tables.answer(tables.open(game), 0, True)
    table = tables.open(game)
    assert table.rematch is not None
    assert tables.open(table.rematch).turn is not None
    assert everything(table) == everything(folded(tables, game))


@pytest.mark.parametrize("seating", [BOT, PEOPLE])
def test_a_rematch_with_a_key_makes_one_game(tables: Tables, seating: Seating) -> None:
    game = tables.create(seating).game.id
    tables.resign(tables.open(game), 0)
    first = tables.rematch(tables.open(game), 0, "key")
    assert everything(tables.rematch(tables.open(game), 0, "key")) == everything(first)
    if seating is PEOPLE:
        first = tables.answer(tables.open(game), 1, True, "yes")
        assert everything(tables.answer(tables.open(game), 1, True, "yes")) == everything(first)
    assert len(tables.store.games_of(PAIR[0], 10)) == 2


def test_a_key_of_another_request_is_refused(tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    while not ((table := tables.open(game)).log and exchange(table.match.round.moves[-1])):
        moves = table.match.round.legal_moves()
        seat = table.turn or 0
        tables.move(tables.open(game), seat, table.ply, next(filter(exchange, moves), moves[0]), f"move {table.ply}")
    with pytest.raises(KeyUsed):
        tables.undo(tables.open(game), seat, f"move {table.ply - 1}")
    tables.undo(tables.open(game), seat, "ask")
    tables.answer(tables.open(game), 1 - seat, False, "no")
    with pytest.raises(KeyUsed):
        tables.answer(tables.open(game), 1 - seat, True, "no")
    with pytest.raises(KeyUsed):
        tables.resign(tables.open(game), seat, "ask")
    tables.resign(tables.open(game), seat, "resign")
    with pytest.raises(KeyUsed):
        tables.rematch(tables.open(game), seat, "resign")
    assert tables.open(game).rematch is None


def test_what_was_taken_back_can_be_played_again(tables: Tables) -> None:
    """All of it, even if more than one move was taken back, along with the bot's answers."""
    game = my_turn(tables)
    play_some(tables, game, 6)
    before = position(tables.open(game))
    for _ in range(2):
        tables.undo(tables.open(game), 0)
    assert position(tables.open(game)) != before
    assert see(tables.open(game), 0).can_redo
    table = tables.redo(tables.open(game), 0)
    assert position(table) == before
    assert not see(table, 0).can_redo
    assert everything(table) == everything(folded(tables, game))
    with pytest.raises(NotAllowed, match="no move to play again"):
        tables.redo(table, 0)


def test_a_new_move_ends_what_can_be_played_again(tables: Tables) -> None:
    game = my_turn(tables)
    play_some(tables, game, 2)
    tables.undo(tables.open(game), 0)
    play_some(tables, game, 1, Rng(99))
    assert not see(tables.open(game), 0).can_redo
    with pytest.raises(NotAllowed):
        tables.redo(tables.open(game), 0)


def test_between_people_nothing_is_played_again_without_asking(tables: Tables) -> None:
    game, seat = with_last_move(tables, PEOPLE, exchange)
    tables.undo(tables.open(game), seat)
    tables.answer(tables.open(game), 1 - seat, True)
    assert not see(tables.open(game), seat).can_redo
    with pytest.raises(NotAllowed):
        tables.redo(tables.open(game), seat)


def test_taking_back_over_the_end_of_a_round_and_playing_again(tables: Tables) -> None:
    """The next round is dealt again exactly as it was."""
    for game in [tables.create(BOT).game.id for _ in range(6)]:
        play_some(tables, game)
        if tables.open(game).over:
            continue
        tables.ready(tables.open(game), 0)
        before = position(tables.open(game))
        assert see(tables.open(game), 0).undo_round == 1
        tables.undo(tables.open(game), 0)
        assert len(tables.open(game).match.rounds) == 1
        tables.redo(tables.open(game), 0)
        assert position(tables.open(game)) == before
        assert everything(tables.open(game)) == everything(folded(tables, game))


def test_the_page_asks_before_an_undo_leaves_the_round(http: Caller, tables: Tables) -> None:
    game = tables.create(BOT).game.id
    play_some(tables, game)
    tables.ready(tables.open(game), 0)
    asked = http.post(f"/game/{game}/undo", {"key": "k"}, cookie=True)
    assert asked.status == 200
    assert "Stay in this round" in asked.text
    assert len(tables.open(game).match.rounds) == 2
    done = http.post(f"/game/{game}/undo", {"key": "k", "sure": "1"}, cookie=True)
    assert done.status == 303
    assert len(tables.open(game).match.rounds) == 1
