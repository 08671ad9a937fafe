"""Who may sit, who may look, and what is revealed when the match is over."""

import itertools
import threading

import pytest
from sqlalchemy.event import listen, remove

from jaipur import Move
from jaipur.store import Event, SeatRow
from jaipur.table import NoSuchGame, NotAllowed, NotSeated, Tables, hashed, invite_secret, see
from jaipur.table.cache import KeptTables
from jaipur.table.seen.seen import see_deals, see_record
from tests.support.program import PATIENCE
from tests.support.server import (
    FRIEND,
    ME,
    PAIR,
    PEOPLE,
    STRANGER,
    everything,
    folded,
    hosted,
    play_match,
    play_some,
)

pytestmark = pytest.mark.each_database


def test_an_invitation_seats_one_person(tables: Tables) -> None:
    game, token = hosted(tables)
    with pytest.raises(NotAllowed, match="other seat is free"):
        tables.move(tables.open(game), 0, 0, Move.parse("+M"))
    with pytest.raises(NotAllowed, match="your own invitation"):
        tables.join(token, "Ann", hashed(ME))
    assert tables.join(token, "Bob", hashed(FRIEND)).game.id == game
    assert tables.join(token, "Bob again", hashed(FRIEND)).game.id == game
    with pytest.raises(NotAllowed, match="used already"):
        tables.join(token, "Eve", hashed(STRANGER))
    assert [row.name for row in tables.store.seats(game)] == ["Ann", "Bob"]
    assert [event.kind for event in tables.store.events(game)] == ["join"]
    assert tables.open(game).turn is not None
    assert everything(tables.open(game)) == everything(folded(tables, game))


@pytest.mark.parametrize("statement", [1, 2, 3])
def test_who_joins_while_the_table_is_read_sits_there(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, statement: int
) -> None:
    """Reading takes several queries; the friend joins in between, and their table is kept after the reader's."""
    game, token = hosted(tables)
    tables._kept = KeptTables()
    written, read, sit = threading.Event(), threading.Event(), tables.store.sit
    reader, asked = threading.get_ident(), itertools.count(1)

    def sit_slowly(seat: SeatRow, event: Event) -> None:
        sit(seat, event)
        written.set()
        read.wait(PATIENCE)

    friend = threading.Thread(target=tables.join, args=(token, "Bob", hashed(FRIEND)))

    def friend_comes(*_statement: object) -> None:
        if threading.get_ident() == reader and next(asked) == statement:
            friend.start()
            written.wait(PATIENCE)

    monkeypatch.setattr(tables.store, "sit", sit_slowly)
    listen(tables.store.engine, "after_cursor_execute", friend_comes)
    tables.open(game)
    remove(tables.store.engine, "after_cursor_execute", friend_comes)
    read.set()
    if friend.ident is None:
        friend.start()
    friend.join(PATIENCE)
    table = tables.open(game)
    assert (table.number, table.held_by(hashed(FRIEND))) == (1, [1])
    assert everything(table) == everything(folded(tables, game))


def test_a_made_up_invitation_is_refused(tables: Tables) -> None:
    game, token = hosted(tables)
    for wrong in (token[:-1], "", game, invite_secret(FRIEND, game), invite_secret(hashed(ME), game)):
        with pytest.raises(NoSuchGame):
            tables.join(wrong, "Eve", hashed(STRANGER))
    assert len(tables.store.seats(game)) == 1


def test_a_spectator_sees_no_hand_and_has_no_moves(tables: Tables) -> None:
    """R18, R19: hands and the values of bonus tokens are secret."""
    game, token = hosted(tables, watchable=True)
    tables.join(token, "Bob", hashed(FRIEND))
    play_some(tables, game, 30)
    seen = see(tables.open(game), None)
    assert [(side.hand, side.bonus) for side in seen.sides] == [(None, None)] * 2
    assert (seen.legal, seen.seed, seen.can_undo) == ([], None, False)
    assert tables.open(game).open_to(hashed(STRANGER))
    with pytest.raises(NotSeated):
        tables.open(game).acting_seat(hashed(STRANGER))


def test_a_private_table_is_open_to_its_players_only_also_when_it_is_over(tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    for _ in range(2):
        table = tables.open(game)
        assert [table.open_to(holder) for holder in (*PAIR, hashed(STRANGER), None)] == [True, True, False, False]
        if not table.over:
            tables.resign(table, 0)


def test_secrets_are_given_out_at_the_end(tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    assert see(tables.open(game), 0).seed is None
    for early in (see_record, see_deals):
        with pytest.raises(NotAllowed):
            early(tables.open(game))
    table = play_match(tables, game)
    assert see(tables.open(game), None).seed == table.match.seed.hex()
    assert str(see_record(table).match.winner) == str(table.winner)
    assert len(see_deals(table)) == len(table.match.rounds)
