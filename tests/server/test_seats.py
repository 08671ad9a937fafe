"""Who may sit, who may look, and what is given out when the match is over."""

import pytest

from jaipur import Move
from jaipur.table import NoSuchGame, NotAllowed, NotSeated, Tables, hashed, invite_token
from tests.server.houses import (
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


def test_an_invitation_seats_one_person(tables: Tables) -> None:
    game, token = hosted(tables)
    with pytest.raises(NotAllowed, match="other seat is free"):
        tables.submit(game, 0, 0, Move.parse("+M"))
    with pytest.raises(NotAllowed, match="your own invitation"):
        tables.join(token, "Ann", hashed(ME))
    assert tables.join(token, "Bob", hashed(FRIEND)) == game
    assert tables.join(token, "Bob again", hashed(FRIEND)) == game
    with pytest.raises(NotAllowed, match="used already"):
        tables.join(token, "Eve", hashed(STRANGER))
    assert [row.name for row in tables.store.seats(game)] == ["Ann", "Bob"]
    assert [event.kind for event in tables.store.events(game)] == ["join"]
    assert tables.open(game).turn is not None
    assert everything(tables.open(game)) == everything(folded(tables, game))


def test_a_made_up_invitation_is_refused(tables: Tables) -> None:
    game, token = hosted(tables)
    for wrong in (token[:-1], "", game, invite_token(FRIEND, game), invite_token(hashed(ME), game)):
        with pytest.raises(NoSuchGame):
            tables.join(wrong, "Eve", hashed(STRANGER))
    assert len(tables.store.seats(game)) == 1


def test_a_spectator_sees_no_hand_and_has_no_moves(tables: Tables) -> None:
    """R18, R19: hands and the values of bonus tokens are secret."""
    game, token = hosted(tables, watchable=True)
    tables.join(token, "Bob", hashed(FRIEND))
    play_some(tables, game, 30)
    seen = tables.look(game, None)
    assert [(side.hand, side.bonus) for side in seen.sides] == [(None, None)] * 2
    assert (seen.legal, seen.seed, seen.can_undo) == ([], None, False)
    assert tables.may_look(game, hashed(STRANGER))
    with pytest.raises(NotSeated):
        tables.acting_seat(game, hashed(STRANGER))


def test_a_private_table_is_open_to_its_players_until_it_is_over(tables: Tables) -> None:
    game = tables.create(PEOPLE)
    assert [tables.may_look(game, holder) for holder in (*PAIR, hashed(STRANGER), None)] == [True, True, False, False]
    tables.resign(game, 0)
    assert tables.may_look(game, hashed(STRANGER))


def test_secrets_are_given_out_at_the_end(tables: Tables) -> None:
    game = tables.create(PEOPLE)
    assert tables.look(game, 0).seed is None
    for early in (tables.record, tables.deals):
        with pytest.raises(NotAllowed):
            early(game)
    table = play_match(tables, game)
    assert tables.look(game, None).seed == table.match.seed.hex()
    assert str(tables.record(game).match.winner) == str(table.winner)
    assert len(tables.deals(game)) == len(table.match.rounds)
