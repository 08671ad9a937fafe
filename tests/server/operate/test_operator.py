"""What an operator can do while a server runs, and what a server cleans up by itself."""

import contextlib
import sqlite3
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from jaipur.cli.operate import games as operator_commands
from jaipur.record import Ended, Loss
from jaipur.rules.errors import JaipurError
from jaipur.server.config import Config
from jaipur.server.operate.housekeeping import Housekeeping, read_network
from jaipur.store import People, Person
from jaipur.store.administration import Administration, OperationKind, Overview
from jaipur.table import NoSuchGame, Seating, Status, Tables, hashed
from jaipur.table.past.operator import close_game, delete_game, open_tables
from jaipur.table.secrets import fresh_id, id_for
from tests.support.first_version import make_first_version
from tests.support.served import TOKEN, Served, wait_for
from tests.support.server import BOT, FRIEND, ME, ONE_SCREEN, PEOPLE, hosted, new_tables, play_match, play_some, server
from tests.support.terminal import jaipur as command

DAY = 24 * 3600 * 1000


def rows(path: Path) -> dict[str, int]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        names = ("games", "seats", "invites", "events", "results")
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.day = 1000.0

    def __call__(self) -> int:
        return int(self.day * DAY)


def sweep(tables: Tables, **keep: float) -> None:
    nothing = {"keep_finished": 0.0, "keep_abandoned": 0.0, "keep_guests": 0.0}
    Housekeeping(tables, Config("", **(nothing | keep))).sweep()  # type: ignore[arg-type]


def test_games_are_kept_as_long_as_the_options_say(tmp_path: Path) -> None:
    clock = Clock()
    with new_tables(tmp_path, clock) as tables:
        finished, abandoned = tables.create(PEOPLE).game.id, tables.create(PEOPLE).game.id
        waiting = hosted(tables)[0]
        play_match(tables, finished)
        play_some(tables, abandoned, 3)
        clock.day += 10
        sweep(tables)
        sweep(tables, keep_finished=11, keep_abandoned=11)
        assert set(tables.store.game_ids()) == {finished, abandoned, waiting}
        sweep(tables, keep_finished=9)
        assert set(tables.store.game_ids()) == {abandoned, waiting}
        with pytest.raises(NoSuchGame):
            tables.open(finished)
        play_some(tables, abandoned, 1)
        sweep(tables, keep_abandoned=9)
        assert tables.store.game_ids() == [abandoned]
        assert rows(tmp_path / "games.sqlite3") == {"games": 1, "seats": 2, "invites": 0, "events": 4, "results": 0}


def test_many_old_games_are_removed_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.server.operate.housekeeping._AT_ONCE", 3)
    clock = Clock()
    with new_tables(tmp_path, clock) as tables:
        for _ in range(10):
            tables.create(BOT)
        clock.day += 10
        sweep(tables, keep_abandoned=9)
        assert tables.store.game_ids() == []


def test_a_guest_who_does_not_play_is_forgotten_and_the_game_stays(tmp_path: Path) -> None:
    clock = Clock()
    with new_tables(tmp_path, clock) as tables:
        old = tables.create(PEOPLE).game.id
        play_match(tables, old)
        clock.day += 10
        tables.create(BOT)  # the first player's, who therefore stays
        assert tables.open(old).held_by(hashed(FRIEND))
        sweep(tables, keep_guests=9)
        names = [(row.name, row.holder) for row in tables.store.seats(old)]
        assert names == [("Ann", hashed(ME)), ("", None)]
        assert not tables.open(old).held_by(hashed(FRIEND))
        with server(tables) as http:
            assert "Bob" not in http.get(f"/game/{old}", cookie=True).text
            assert http.get(f"/game/{old}", token=FRIEND).status == 403
            assert http.get(f"/game/{old}", cookie=True).status == 200
            assert http.get(f"/game/{old}/replay/3", cookie=True).status == 200


def test_a_guest_who_never_played_is_forgotten(tmp_path: Path) -> None:
    """There are only a name, a picture and a time to go by, but no seat."""
    clock = Clock()
    with new_tables(tmp_path, clock) as tables:
        people = People(tables.store)
        for secret in (ME, FRIEND):
            people.keep(hashed(secret), Person("Ann"), clock())
        tables.create(BOT)  # the first person's, who therefore stays as long as the game does
        clock.day += 10
        people.keep("new", Person("Bo"), clock())
        play_some(tables, tables.store.game_ids()[0], 1)
        sweep(tables, keep_guests=11)
        assert people.person(hashed(FRIEND)) == Person("Ann")
        sweep(tables, keep_guests=9)
        names = [people.person(holder).name for holder in (hashed(ME), hashed(FRIEND), "new")]
        assert names == ["Ann", "", "Bo"]


@pytest.mark.parametrize("seating", [BOT, PEOPLE, ONE_SCREEN])
def test_a_closed_game_is_over_for_whoever_looks(tmp_path: Path, seating: Seating) -> None:
    with new_tables(tmp_path) as tables, server(tables) as http:
        housekeeping = Housekeeping(tables, Config(""))
        game = tables.create(seating).game.id
        turn = play_some(tables, game, 5).turn
        heard: list[object] = []
        tables.listeners.append(lambda _table, event: heard.append(event and event.kind))
        close_game(open_tables(tables.store.where), game)
        assert tables.open(game).status is not Status.OVER
        housekeeping.look()
        housekeeping.look()
        assert tables.open(game).ended == Ended(turn or 0, Loss.RESIGNED)
        assert heard == ["resign"]
        assert http.get(f"/api/games/{game}").json["status"] == "over"


def test_a_game_without_a_turn_can_be_closed(tmp_path: Path) -> None:
    with new_tables(tmp_path) as tables:
        waiting, sheet = hosted(tables)[0], tables.create(PEOPLE).game.id
        play_some(tables, sheet)
        tables.ready(tables.open(sheet), 0)
        assert close_game(tables, waiting).ended == Ended(0, Loss.RESIGNED)
        assert close_game(tables, sheet).ended == Ended(1, Loss.RESIGNED)


def test_a_deleted_game_is_gone_and_nobody_can_move_in_it(tmp_path: Path) -> None:
    with new_tables(tmp_path) as tables:
        housekeeping = Housekeeping(tables, Config(""))
        game, other = tables.create(PEOPLE).game.id, tables.create(PEOPLE).game.id
        table = play_some(tables, game, 5)
        delete_game(open_tables(tables.store.where), game)
        with pytest.raises(NoSuchGame):
            tables.move(table, table.turn or 0, table.ply, table.match.round.legal_moves()[0])
        housekeeping.look()
        with pytest.raises(NoSuchGame):
            tables.open(game)
        assert tables.store.game_ids() == [other]
        with pytest.raises(NoSuchGame):
            delete_game(tables, game)


@pytest.mark.parametrize(
    ("address", "let_in"), [("127.0.0.1", False), ("127.0.0.0/8", False), ("192.0.2.1", True), ("::1", True)]
)
def test_a_blocked_address_is_not_let_in(tmp_path: Path, address: str, let_in: bool) -> None:
    with new_tables(tmp_path) as tables, server(tables) as http:
        administration = Administration(tables.store)
        administration.note(OperationKind.BLOCK, str(read_network(address)), 1)
        assert http.services is not None
        http.services.housekeeping.look()
        for path in ("/", "/api/games/x", "/static/table/table.js"):
            answer = http.get(path)
            assert (answer.status != 403) is let_in
            assert let_in or "blocked" in answer.text
        administration.note(OperationKind.UNBLOCK, str(read_network(address)), 2)
        http.services.housekeeping.look()
        assert http.get("/").status == 200


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(JaipurError, match="is not an address"):
        read_network("the neighbour")


@pytest.mark.slow
def test_the_commands_reach_a_running_server(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    option = ("--database", str(path))

    def games(*words: str) -> str:
        done = command("games", *words, *option, games=tmp_path)
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    with Served(path, "--pause", "0", "--rate", "0", "--bot-workers", "1") as served:
        first, second, third = (
            served.post("/api/games", TOKEN, {"kind": "one-screen"}).json()["game"] for _ in range(3)
        )
        listed = games("list")
        assert first in listed
        assert second in listed
        assert "moves: 0" in games("show", first)
        assert "is over" in games("close", first)
        french = partial(command, "--lang", "fr", "games", "delete", second, *option, games=tmp_path)
        assert [french(text=answer).returncode for answer in ("n\n", "", "o\n")] == [1, 1, 0]
        assert "was deleted" in games("delete", third, "--sure")
        wait_for(lambda: served.get(f"/api/games/{first}", TOKEN)["status"] == "over")
        wait_for(lambda: served.client.get(f"/api/games/{second}").status_code == 404)
        assert "is blocked" in games("block", "127.0.0.1")
        wait_for(lambda: served.client.get("/").status_code == 403)
        assert "127.0.0.1/32" in games("blocked")
        games("unblock", "127.0.0.1")
        wait_for(lambda: served.client.get("/").status_code == 200)
        assert "is not an address" in games("block", "nonsense")
        assert "no such game" in games("show", "nonsense")
    assert "There is no database" in command("games", "list", "--database", "nowhere", games=tmp_path).stderr


def test_the_id_of_a_game_is_no_option_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-G8f5EXKxsN_", "--f5EXKxsN_A", "G8f5EXKxsN_A"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda _length: next(drawn))
    assert fresh_id() == "G8f5EXKxsN_A"


@pytest.mark.parametrize("columns", [60, 80])
def test_the_id_of_a_game_is_listed_whole(columns: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Even a longer one, derived from a key, and even in a pipe, which counts as 80 columns wide."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(operator_commands, "console", Console(width=columns))
        for game in ("G8f5EXKxsN_A", id_for("holder", "key")):
            operator_commands._print([Overview(game, "one-screen", 0, 0, 2000, None)])
            assert game in capsys.readouterr().out


def test_a_database_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    """With games from before there were pictures and clocks."""
    with new_tables(tmp_path) as tables:
        before = play_some(tables, tables.create(PEOPLE).game.id, 5)
    make_first_version(tmp_path / "games.sqlite3")
    with new_tables(tmp_path) as tables:
        assert tables.open(before.game.id).log == before.log
        assert Administration(tables.store).operations() == []
        table = play_match(tables, before.game.id)
        assert (table.over, table.clock) == (True, None)
        assert len(People(tables.store).played(hashed(ME), 5)) == 1
