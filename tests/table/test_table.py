"""Tables without HTTP: what is refused, what counts once, and that the log alone is the game."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaipur import IllegalMove, JaipurError, Move, Rng, size
from jaipur.rules.box import LETTERS
from jaipur.table import (
    GameOver,
    NoSuchGame,
    NotAllowed,
    Seating,
    Stale,
    Status,
    Table,
    Tables,
    hashed,
    invite_secret,
    see,
)
from tests.support.digest import pick, quiet_match
from tests.support.effort import often
from tests.support.server import (
    BOT,
    BOTS,
    FRIEND,
    ME,
    ONE_SCREEN,
    PAIR,
    PEOPLE,
    everything,
    folded,
    hosted,
    new_tables,
    play,
    play_match,
    play_some,
)

pytestmark = [pytest.mark.each_database, pytest.mark.both_databases]


def a_move(table: Table) -> Move:
    return table.match.round.legal_moves()[0]


def test_a_stale_ply_is_refused(tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    table = play_some(tables, game, 3)
    assert table.turn is not None
    for ply in (0, 2, 4):
        with pytest.raises(Stale):
            tables.move(tables.open(game), table.turn, ply, a_move(table))
    assert len(tables.store.events(game)) == 3


def test_the_seat_whose_turn_it_is_not_is_refused(tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    table = tables.open(game)
    assert table.turn is not None
    with pytest.raises(IllegalMove, match="not your turn"):
        tables.move(tables.open(game), 1 - table.turn, 0, a_move(table))
    assert not tables.store.events(game)


def test_an_illegal_move_is_refused_with_its_rule(tables: Tables) -> None:
    """R12: one card is never exchanged for one card."""
    game = tables.create(PEOPLE).game.id
    table = tables.open(game)
    good = next(letter for kind, letter in enumerate(LETTERS[:6]) if kind in table.slots.now)
    assert table.turn is not None
    with pytest.raises(IllegalMove, match="R12"):
        tables.move(tables.open(game), table.turn, 0, Move.parse(f"+{good}-M"))
    assert everything(table) == everything(folded(tables, game))


def test_a_finished_game_is_refused(tables: Tables) -> None:
    """R26: two seals end the match."""
    game = tables.create(BOT).game.id
    table = play_match(tables, game)
    assert 2 in table.match.seals
    with pytest.raises(GameOver):
        tables.move(tables.open(game), 0, table.ply, Move.parse("+D"))
    for ask in (tables.resign, tables.ready):
        with pytest.raises(GameOver):
            ask(table, 0)


def test_a_key_counts_once_and_gives_the_same_answer(tables: Tables) -> None:
    game = tables.create(PEOPLE).game.id
    table = tables.open(game)
    seat, move = table.turn or 0, a_move(table)
    first = tables.move(tables.open(game), seat, 0, move, "key")
    play_some(tables, game, 2)
    for again in (tables, Tables(tables.store)):
        assert everything(again.move(again.open(game), seat, 0, move, "key")) == everything(first)
    assert [event.key for event in tables.store.events(game)] == ["key", None, None]


def test_the_next_round_waits_for_everybody(tables: Tables) -> None:
    """R7: the loser of the last round then starts."""
    game = tables.create(PEOPLE).game.id
    with pytest.raises(Stale):
        tables.ready(tables.open(game), 0)
    table = play_some(tables, game)
    assert table.status is Status.SHEET
    with pytest.raises(NotAllowed, match="has not begun"):
        tables.move(tables.open(game), 0, table.ply, Move.parse("+M"))
    tables.ready(tables.open(game), 1)
    with pytest.raises(Stale):
        tables.ready(tables.open(game), 1)
    table = tables.open(game)
    assert (len(table.match.rounds), set(table.ready)) == (1, {1})
    tables.ready(tables.open(game), 0)
    table = tables.open(game)
    winner = table.match.rounds[0].score().winner
    assert (len(table.match.rounds), set(table.ready)) == (2, set())
    assert table.turn == table.match.round.starter == 1 - (winner or 0)


@pytest.mark.parametrize("seating", [BOT, ONE_SCREEN])
def test_one_person_is_enough_for_the_next_round(tables: Tables, seating: Seating) -> None:
    game = tables.create(seating).game.id
    play_some(tables, game)
    tables.ready(tables.open(game), 0)
    assert len(tables.open(game).match.rounds) == 2


@pytest.mark.parametrize(("seating", "seat"), [(BOT, 0), (PEOPLE, 1), (ONE_SCREEN, 1)])
def test_who_resigns_loses(tables: Tables, seating: Seating, seat: int) -> None:
    game = tables.create(seating).game.id
    play_some(tables, game, 3)
    tables.resign(tables.open(game), seat)
    table = tables.open(game)
    assert (table.over, table.winner, table.turn) == (True, 1 - seat, None)
    (line,) = tables.store.games_of(PAIR[0], 10)
    assert (line.winner, line.seals) == (1 - seat, "0-0")
    assert everything(Tables(tables.store).open(game)) == everything(table)


def test_there_is_no_game_that_nobody_set_up(tables: Tables) -> None:
    with pytest.raises(NoSuchGame):
        see(tables.open("nowhere"), None)


def test_a_card_that_stays_keeps_its_place(tables: Tables) -> None:
    """R8 to R10: a card that is taken leaves its slot, and a new one goes to a free slot."""
    game = tables.create(PEOPLE).game.id
    table, rng = tables.open(game), Rng(3)
    while table.turn is not None:
        before, market = table.slots.now, table.match.round.market
        move = pick(table.match.round.legal_moves(), rng.below(1 << 20))
        play(tables, game, move)
        table = tables.open(game)
        camels = str(move) == "+M"
        taken = sum(kind == 6 for kind in before) if camels else size(move.take)
        stayed = [(place, kind) for place, kind in enumerate(before) if table.slots.now[place] == kind]
        assert len(stayed) >= 5 - taken
        assert sorted(kind for kind in table.slots.now if kind is not None) == [
            kind for kind in range(7) for _ in range((table.match.round.market >> (3 * kind)) & 7)
        ]
        if not move.take:
            assert (table.slots.now, table.match.round.market) == (before, market)
        if camels:
            assert all(table.slots.now[place] == kind for place, kind in enumerate(before) if kind != 6)


def test_two_bots_that_go_nowhere_are_stopped(tables: Tables) -> None:
    """R25: after 200 turns without a sale or a drawn card; the round is scored as it stands."""
    quiet = quiet_match(0)
    game = tables.create(BOTS, history=quiet.until(quiet.ply - 1)).game.id
    table = tables.open(game)
    assert not table.stalled
    with pytest.raises(Stale):
        tables.stop(tables.open(game))
    play(tables, game, next(move for move in table.match.round.legal_moves() if move.take and move.give))
    before = tables.open(game)
    assert before.stalled
    tables.stop(tables.open(game))
    assert (before.match.round.over, before.status) == (False, Status.PLAYING)
    table = tables.open(game)
    assert see(tables.open(game), None).sheets[0].ended_by == "stopped"
    assert everything(table) == everything(folded(tables, game))
    assert table.status is Status.SHEET
    tables.ready(tables.open(game), 0)
    assert everything(tables.open(game)) == everything(folded(tables, game))


@pytest.mark.parametrize("seating", [BOT, PEOPLE, ONE_SCREEN])
def test_people_are_never_stopped(tables: Tables, seating: Seating) -> None:
    """R25."""
    game = tables.create(seating, history=quiet_match(0)).game.id
    assert tables.open(game).match.round.quiet == 200
    with pytest.raises(Stale):
        tables.stop(tables.open(game))


ACTIONS = st.sampled_from(["move"] * 8 + ["round", "ready", "undo", "yes", "no", "resign", "rematch", "join", "twice"])


def act(tables: Tables, game: str, what: str, seat: int, number: int) -> None:
    table = tables.open(game)
    if what == "move" and table.turn is not None:
        play(tables, game, pick(table.match.round.legal_moves(), number))
    elif what == "round":
        play_some(tables, game, rng=Rng(number))
    elif what == "join":
        tables.join(invite_secret(ME, game), "Bob", hashed(FRIEND))
    elif what in {"yes", "no"}:
        tables.answer(tables.open(game), seat, what == "yes", f"{number % 5}")
    elif what in {"ready", "undo", "resign", "rematch"}:
        getattr(tables, what)(table, seat, f"{number % 5}")
    elif what == "twice" and table.keys:
        done = table.keys[max(table.keys, key=str)][0]
        tables.ready(tables.open(game), done.seat, done.key)


@pytest.fixture(name="tables_of_module", scope="module")
def _one_room() -> Iterator[Tables]:
    with new_tables() as tables:
        yield tables


@pytest.mark.slow
@settings(max_examples=often(40, 200), deadline=None)
@given(
    st.sampled_from([BOT, PEOPLE, ONE_SCREEN, BOTS, None]),
    st.lists(st.tuples(ACTIONS, st.integers(0, 1), st.integers(0, 1 << 20)), max_size=30),
)
def test_what_is_in_memory_is_the_fold_of_the_store(
    tables_of_module: Tables, seating: Seating | None, actions: list[tuple[str, int, int]]
) -> None:
    """And a table that somebody is looking at stays as it is, whatever happens in the meantime."""
    game = tables_of_module.create(seating).game.id if seating else hosted(tables_of_module)[0]
    for action in actions:
        before, looked_at = tables_of_module.store.events(game), tables_of_module.open(game)
        looks = everything(looked_at)
        try:
            act(tables_of_module, game, *action)
        except JaipurError:
            assert tables_of_module.store.events(game) == before
        assert everything(looked_at) == looks
        assert everything(tables_of_module.open(game)) == everything(folded(tables_of_module, game))


@pytest.mark.parametrize("seat", [0, None])
def test_before_the_friend_has_joined_no_deal_is_seen(tables: Tables, seat: int | None) -> None:
    """Games with different seeds look the same except for the commitment; after joining, the deal is seen at once."""
    games = [hosted(tables, watchable=True) for _ in range(8)]
    pictures = {repr(replace(see(tables.open(game), seat), game="", commitment="")) for game, _token in games}
    assert len(pictures) == 1
    after = see(tables.join(games[0][1], "Bob", PAIR[1]), 0)
    assert (after.sides[0].hand_size + after.sides[0].herd, None in after.market) == (5, False)
    assert after.starter in {0, 1}
