"""The table room without HTTP: what is refused, what counts once, and that the log alone is the game."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaipur import IllegalMove, JaipurError, Move, Rng, size
from jaipur.core.box import LETTERS
from jaipur.table import (
    Company,
    GameOver,
    KeyUsed,
    NoSuchGame,
    NotAllowed,
    Stale,
    Table,
    Tables,
    hashed,
    invite_token,
)
from tests.digest import pick
from tests.server.houses import (
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
    play,
    play_match,
    play_some,
    room,
)
from tests.test_properties import quiet_match


def a_move(table: Table) -> Move:
    return table.match.round.legal_moves()[0]


def test_a_stale_ply_is_refused(tables: Tables) -> None:
    game = tables.create(PEOPLE)
    table = play_some(tables, game, 3)
    assert table.turn is not None
    for ply in (0, 2, 4):
        with pytest.raises(Stale):
            tables.submit(game, table.turn, ply, a_move(table))
    assert len(tables.store.events(game)) == 3


def test_the_seat_whose_turn_it_is_not_is_refused(tables: Tables) -> None:
    game = tables.create(PEOPLE)
    table = tables.open(game)
    assert table.turn is not None
    with pytest.raises(IllegalMove, match="not your turn"):
        tables.submit(game, 1 - table.turn, 0, a_move(table))
    assert not tables.store.events(game)


def test_an_illegal_move_is_refused_with_its_rule(tables: Tables) -> None:
    """R12: one card is never exchanged for one card."""
    game = tables.create(PEOPLE)
    table = tables.open(game)
    good = next(letter for kind, letter in enumerate(LETTERS[:6]) if kind in table.places)
    assert table.turn is not None
    with pytest.raises(IllegalMove, match="R12"):
        tables.submit(game, table.turn, 0, Move.parse(f"+{good}-M"))
    assert everything(table) == everything(folded(tables, game))


def test_a_finished_game_is_refused(tables: Tables) -> None:
    """R26: two seals end the match."""
    game = tables.create(BOT)
    table = play_match(tables, game)
    assert 2 in table.match.seals
    with pytest.raises(GameOver):
        tables.submit(game, 0, table.ply, Move.parse("+D"))
    for ask in (tables.resign, tables.ready):
        with pytest.raises(GameOver):
            ask(game, 0)


def test_a_key_counts_once_and_gives_the_same_answer(tables: Tables) -> None:
    game = tables.create(PEOPLE)
    table = tables.open(game)
    seat, move = table.turn or 0, a_move(table)
    first = tables.submit(game, seat, 0, move, "key")
    play_some(tables, game, 2)
    assert tables.submit(game, seat, 0, move, "key") == first
    assert [event.key for event in tables.store.events(game)] == ["key", None, None]


def test_a_key_holds_in_a_room_that_was_opened_anew(tables: Tables) -> None:
    game = tables.create(PEOPLE)
    table = tables.open(game)
    seat, move = table.turn or 0, a_move(table)
    first = tables.submit(game, seat, 0, move, "key")
    anew = Tables(tables.store)
    assert anew.submit(game, seat, 0, move, "key") == first
    assert len(tables.store.events(game)) == 1


def test_a_key_for_another_request_is_refused(tables: Tables) -> None:
    game = tables.create(PEOPLE)
    table = tables.open(game)
    seat, (first, second) = table.turn or 0, table.match.round.legal_moves()[:2]
    tables.submit(game, seat, 0, first, "key")
    with pytest.raises(KeyUsed):
        tables.submit(game, seat, 0, second, "key")
    with pytest.raises(KeyUsed):
        tables.submit(game, 1 - seat, 1, first, "key")
    with pytest.raises(KeyUsed):
        tables.resign(game, seat, "key")
    assert len(tables.store.events(game)) == 1


def test_a_key_makes_one_game_for_one_person(tables: Tables) -> None:
    first = tables.create(BOT, ME, "key")
    assert tables.create(BOT, ME, "key") == first
    assert tables.create(BOT, FRIEND, "key") != first
    assert tables.create(BOT, ME, "another") != first
    assert len(tables.store.games_of(hashed(ME), 100)) == 3


def test_the_next_round_waits_for_everybody(tables: Tables) -> None:
    """R7: then the loser of the last round starts."""
    game = tables.create(PEOPLE)
    with pytest.raises(Stale):
        tables.ready(game, 0)
    table = play_some(tables, game)
    assert table.between_rounds
    with pytest.raises(NotAllowed, match="has not begun"):
        tables.submit(game, 0, table.ply, Move.parse("+M"))
    tables.ready(game, 1)
    with pytest.raises(Stale):
        tables.ready(game, 1)
    table = tables.open(game)
    assert (len(table.match.rounds), table.ready) == (1, {1})
    tables.ready(game, 0)
    table = tables.open(game)
    winner = table.match.rounds[0].score().winner
    assert (len(table.match.rounds), table.ready) == (2, set())
    assert table.turn == table.match.round.starter == 1 - (winner or 0)


@pytest.mark.parametrize("company", [BOT, ONE_SCREEN])
def test_one_person_is_enough_for_the_next_round(tables: Tables, company: Company) -> None:
    game = tables.create(company)
    play_some(tables, game)
    tables.ready(game, 0)
    assert len(tables.open(game).match.rounds) == 2


@pytest.mark.parametrize(("company", "seat"), [(BOT, 0), (PEOPLE, 1), (ONE_SCREEN, 1)])
def test_who_resigns_loses(tables: Tables, company: Company, seat: int) -> None:
    game = tables.create(company)
    play_some(tables, game, 3)
    tables.resign(game, seat)
    table = tables.open(game)
    assert (table.over, table.winner, table.turn) == (True, 1 - seat, None)
    (line,) = tables.store.games_of(PAIR[0], 10)
    assert (line.winner, line.seals) == (1 - seat, "0-0")
    assert everything(Tables(tables.store).open(game)) == everything(table)


def test_there_is_no_game_that_nobody_set_up(tables: Tables) -> None:
    with pytest.raises(NoSuchGame):
        tables.look("nowhere", None)


def test_a_card_that_stays_keeps_its_place(tables: Tables) -> None:
    """R8 to R10: what is taken leaves its place, and what comes goes to a free one."""
    game = tables.create(PEOPLE)
    table, rng = tables.open(game), Rng(3)
    while table.turn is not None:
        before, market = table.places, table.match.round.market
        move = pick(table.match.round.legal_moves(), rng.below(1 << 20))
        play(tables, game, move)
        table = tables.open(game)
        camels = str(move) == "+M"
        taken = sum(kind == 6 for kind in before) if camels else size(move.take)
        stayed = [(place, kind) for place, kind in enumerate(before) if table.places[place] == kind]
        assert len(stayed) >= 5 - taken
        assert sorted(kind for kind in table.places if kind is not None) == [
            kind for kind in range(7) for _ in range((table.match.round.market >> (3 * kind)) & 7)
        ]
        if not move.take:
            assert (table.places, table.match.round.market) == (before, market)
        if camels:
            assert all(table.places[place] == kind for place, kind in enumerate(before) if kind != 6)


def test_two_bots_that_go_nowhere_are_stopped(tables: Tables) -> None:
    """R25: after 200 turns without a sale or a drawn card; the round is scored as it stands."""
    quiet = quiet_match(0)
    game = tables.create(BOTS, history=quiet.until(quiet.ply - 1))
    table = tables.open(game)
    assert not table.quiet
    with pytest.raises(Stale):
        tables.stop(game)
    play(tables, game, next(move for move in table.match.round.legal_moves() if move.take and move.give))
    before = tables.open(game)
    assert before.quiet
    tables.stop(game)
    assert (before.stops, before.between_rounds) == (set(), False)
    table = tables.open(game)
    assert tables.look(game, None).sheets[0].ended_by == "stopped"
    assert everything(table) == everything(folded(tables, game))
    assert table.between_rounds
    tables.ready(game, 0)
    assert everything(tables.open(game)) == everything(folded(tables, game))


@pytest.mark.parametrize("company", [BOT, PEOPLE, ONE_SCREEN])
def test_people_are_never_stopped(tables: Tables, company: Company) -> None:
    """R25."""
    game = tables.create(company, history=quiet_match(0))
    assert tables.open(game).match.round.quiet == 200
    with pytest.raises(Stale):
        tables.stop(game)


ACTIONS = st.sampled_from(["move"] * 8 + ["round", "ready", "undo", "yes", "no", "resign", "rematch", "join", "twice"])


def act(tables: Tables, game: str, what: str, seat: int, number: int) -> None:
    table = tables.open(game)
    if what == "move" and table.turn is not None:
        play(tables, game, pick(table.match.round.legal_moves(), number))
    elif what == "round":
        play_some(tables, game, rng=Rng(number))
    elif what == "join":
        tables.join(invite_token(ME, game), "Bob", hashed(FRIEND))
    elif what in {"yes", "no"}:
        tables.answer(game, seat, what == "yes", f"{number % 5}")
    elif what in {"ready", "undo", "resign", "rematch"}:
        getattr(tables, what)(game, seat, f"{number % 5}")
    elif what == "twice" and table.keys:
        done = table.keys[max(table.keys)]
        tables.ready(game, done.seat, done.key)


@pytest.fixture(name="one_room", scope="module")
def _one_room() -> Iterator[Tables]:
    with room() as tables:
        yield tables


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([BOT, PEOPLE, ONE_SCREEN, BOTS, None]),
    st.lists(st.tuples(ACTIONS, st.integers(0, 1), st.integers(0, 1 << 20)), max_size=30),
)
def test_what_is_in_memory_is_the_fold_of_the_store(
    one_room: Tables, company: Company | None, actions: list[tuple[str, int, int]]
) -> None:
    """And what somebody looks at stays as it is, whatever happens in the meantime."""
    game = one_room.create(company) if company else hosted(one_room)[0]
    for action in actions:
        before, looked_at = one_room.store.events(game), one_room.open(game)
        looks = everything(looked_at)
        try:
            act(one_room, game, *action)
        except JaipurError:
            assert one_room.store.events(game) == before
        assert everything(looked_at) == looks
        assert everything(one_room.open(game)) == everything(folded(one_room, game))
