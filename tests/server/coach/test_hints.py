"""The coach at the table: a hint in three steps and a warning before a blunder, from a seat's view alone."""

import random
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from jaipur import Match, Move, notation
from jaipur.coach.advice import Hint, Valued, analyse
from jaipur.coach.grades import Grade, Label
from jaipur.coach.outcomes import Outcome, Reason
from jaipur.language.words import move_in_words
from jaipur.record import Record
from jaipur.rules.errors import JaipurError
from jaipur.rules.view import View
from jaipur.server.coach import jobs as judgements
from jaipur.server.coach.advisor import Advisor
from jaipur.server.coach.hints import question, shown
from jaipur.server.coach.jobs import advice_for, doubt_about
from jaipur.server.lesson.lesson_script import SEED, STEPS
from jaipur.table import GameKind, Seating, Tables
from jaipur.table.seen.seen import see, see_record
from tests.support.digest import random_match
from tests.support.server import (
    BOT,
    ONE_SCREEN,
    PAIR,
    PEOPLE,
    Answer,
    Caller,
    everything,
    folded,
    my_turn,
    new_tables,
    play_match,
    play_some,
    server,
)  # fmt: skip
from tests.support.twins import Twins, make_twins

pytestmark = pytest.mark.each_database

TUTOR = {"cookie": "jaipur_seat=me-me-0123456789-me-me-me; jaipur_settings=tutor=on"}


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgements, "HINT_WORLDS", 60)
    monkeypatch.setattr(judgements, "WARNING_WORLDS", 100)
    monkeypatch.setattr(judgements, "ANALYSIS_WORLDS", 40)
    monkeypatch.setattr(judgements, "EXERCISE_WORLDS", 40)


@pytest.fixture(name="twins")
def _twins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Twins]:
    with make_twins(monkeypatch) as twins:
        yield twins


def ask(caller: Caller, tables: Tables, game: str, key: str = "") -> Answer:
    wanted = {"ply": tables.open(game).ply, "key": key}
    return caller.post(f"/game/{game}/hint", wanted, cookie=True, headers={"x-fragment": "1"})


def view_of(tables: Tables, game: str) -> View:
    return tables.open(game).view(0)


def test_a_hint_is_told_in_three_steps(tables: Tables) -> None:
    game = my_turn(tables)
    advice = advice_for(str(view_of(tables, game)))
    with server(tables) as caller:
        first, second, third = (ask(caller, tables, game).text for _ in range(3))
        assert "Hint:" in first
        assert "marked by the hint" not in first
        assert "marked by the hint" in second
        assert "Chance of winning the round" not in second
        assert third.count("<tr>") == 1 + len(advice.best)
        assert "Hint: show" not in third
        assert ask(caller, tables, game).status == 409
        # The hint is still there when the page is reloaded; after a move it is gone.
        assert "Chance of winning the round" in caller.get(f"/game/{game}", cookie=True).text
        play_some(tables, game, 2)
        assert 'id="hint"' not in caller.get(f"/game/{game}", cookie=True).text
    assert everything(tables.open(game)) == everything(folded(tables, game))


@pytest.mark.one_process  # the coach thinks in the server's process
def test_a_view_is_read_once_for_a_hint_and_once_for_a_doubt(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read where the coach thinks; the page is then made of the advice that the request holds."""
    read: list[str] = []

    class Parts(notation._Parts):
        def __init__(self, text: str) -> None:
            read.append(text)
            super().__init__(text)

    def look_up(*_about: object) -> Hint:
        raise AssertionError

    monkeypatch.setattr(notation, "_Parts", Parts)
    monkeypatch.setattr(Advisor, "known_hint", look_up)
    game = my_turn(tables)
    view = view_of(tables, game)
    with server(tables) as caller:
        assert "Hint:" in ask(caller, tables, game).text
        assert read == [str(view)]
        wanted = as_form(str(view.legal_moves()[-1])) | {"ply": tables.open(game).ply}
        caller.post(f"/game/{game}/move", wanted, headers=TUTOR, cookie=True)
        assert read == [str(view)] * 2


def test_the_numbers_of_a_hint_come_with_a_reason_that_names_the_rival() -> None:
    """If the second-best move does not clearly lose anything, no reason is given."""
    theirs = Reason(Outcome.RIVAL_GOODS, 1, 1.0, 4.0, 0.1)
    why = {
        Label.MISTAKE: "After the second-best move: the Trader earns 3.0 rupees more from gold.",
        Label.CLOSE: "Played on further, the second-best move is not clearly worse: it loses 2.1 ± 1.0 points.",
        Label.FINE: "Played on further, the second-best move is not clearly worse: it loses 0.0 ± 1.0 points.",
    }
    losses = {Label.MISTAKE: 0.08, Label.CLOSE: 0.021, Label.FINE: -0.02}
    for label, sentence in why.items():
        beside = Grade("+D", losses[label], 0.01, label, (theirs,) if label is Label.MISTAKE else ())
        advice = Hint((Valued("+D", 0.604, 0.01, 9), Valued("+G", 0.504, None, 0)), beside)
        told = shown(advice, 3, ["D", "G"], "the Trader")
        assert told.why == sentence
        assert told.best == (("Take the diamond", "60.4% ± 1.0"), ("Take the gold", "50%"))
    asked = question(Grade("+D", 0.2, 0.01, Label.BLUNDER, (theirs,)), "the Trader")
    assert asked.endswith("After this move: the Trader earns 3.0 rupees more from gold.")


def test_the_same_key_asks_once(tables: Tables) -> None:
    game = my_turn(tables)
    with server(tables) as caller:
        assert [ask(caller, tables, game, "k").status for _ in range(2)] == [200, 200]
    assert tables.open(game).hint_step == 1


def test_a_game_with_hints_is_marked_for_everybody_and_in_its_record(tables: Tables) -> None:
    game = my_turn(tables)
    for _step in range(2):
        tables.hint(tables.open(game), 0, tables.open(game).ply)
    play_some(tables, game, 2)
    tables.hint(tables.open(game), 0, tables.open(game).ply)
    assert [see(tables.open(game), seat).hints for seat in (0, 1, None)] == [(2, 0)] * 3
    with server(tables) as caller:
        assert "Played with 2 hints." in caller.get(f"/game/{game}", cookie=True).text
    record = see_record(play_match(tables, game))
    assert "\nHints: 2-0\n" in str(record)
    again = Record.parse(str(record))
    assert again.hints == (2, 0)
    assert str(again) == str(record)
    with pytest.raises(JaipurError, match="Line 9: Hints are counted"):
        Record.parse(str(record).replace("2-0\n\nRound", "many\n\nRound"))


def test_a_record_without_hints_is_as_it_always_was(tables: Tables) -> None:
    assert "Hints" not in str(see_record(play_match(tables, tables.create(BOT).game.id)))


@pytest.mark.parametrize("seating", [PEOPLE, ONE_SCREEN])
def test_between_people_the_coach_is_silent(tables: Tables, seating: Seating) -> None:
    game = my_turn(tables, seating)
    blunder = worst_move(view_of(tables, game))
    with server(tables) as caller:
        page = caller.get(f"/game/{game}?seat=0", cookie=True).text
        assert "/hint" not in page
        answer = caller.post(f"/game/{game}/hint", {"ply": tables.open(game).ply, "seat": 0}, cookie=True)
        assert answer.status == 409
        assert "Hints are for games against bots." in answer.text
        wanted = as_form(blunder) | {"ply": tables.open(game).ply, "seat": 0}
        assert caller.post(f"/game/{game}/move", wanted, headers=TUTOR, cookie=True).status == 303


def as_form(move: str) -> dict[str, object]:
    plus, _dash, minus = move.partition("-")
    return {"take": list(plus[1:]), "give": list(minus)}


def worst_move(view: View) -> str:
    return min(analyse(view, 200), key=lambda one: one.win).move


def blunder_in(tables: Tables) -> tuple[str, str]:
    """A game against a bot, and a move in it that the tutor warns against."""
    game = my_turn(tables)
    while True:
        move = worst_move(view_of(tables, game))
        if doubt_about(str(view_of(tables, game)), move) is not None:
            return game, move
        play_some(tables, game, 2)


def test_the_tutor_asks_once_before_a_blunder(tables: Tables) -> None:
    game, move = blunder_in(tables)
    wanted = as_form(move) | {"ply": tables.open(game).ply}
    with server(tables) as caller:
        asked = caller.post(f"/game/{game}/move", wanted, headers=TUTOR, cookie=True)
        assert asked.status == 200
        assert "Are you sure?" in asked.text
        better = doubt_about(str(view_of(tables, game)), move)
        assert better is not None
        assert move_in_words(Move.parse(better.best)).lower() not in asked.text.lower(), "that would be a hint"
        assert 'id="hint"' not in asked.text
        assert 'name="sure"' in asked.text
        assert tables.open(game).turn == 0
        assert caller.post(f"/game/{game}/move", wanted | {"sure": "1"}, headers=TUTOR, cookie=True).status == 303
    assert tables.open(game).log[-1].move == move


def test_without_the_setting_nobody_is_asked(tables: Tables) -> None:
    game, move = blunder_in(tables)
    with server(tables) as caller:
        wanted = as_form(move) | {"ply": tables.open(game).ply}
        assert caller.post(f"/game/{game}/move", wanted, cookie=True).status == 303


def test_the_tutor_never_doubts_the_lesson(monkeypatch: pytest.MonkeyPatch) -> None:
    async def everything_is_bad(*_about: object) -> None:
        raise AssertionError

    with new_tables() as tables:
        seating = Seating(GameKind.GUIDED, ("Ann", "Pedlar"), (None, "pedlar"), (PAIR[0], None))
        game = tables.create(seating, history=Match(SEED)).game.id
        with server(tables) as caller:
            assert caller.services is not None
            monkeypatch.setattr(caller.services.advisor, "doubt", everything_is_bad)
            wanted = as_form(STEPS[0].move) | {"ply": 0}
            assert caller.post(f"/game/{game}/move", wanted, cookie=True).status == 303


@pytest.mark.one_process  # the coach thinks in the server's process
def test_hints_tutor_and_analysis_tell_nothing_that_the_seat_may_not_know(twins: Twins) -> None:
    """Two twins with the same view but different secrets give exactly the same bytes."""
    differed, compared, asked = 0, 0, 0
    for number in range(8):
        chance = random.Random(number)
        match = random_match(number, chance.randrange(4, 40))
        while match.over or match.round.over:
            match = match.until(match.ply - 1)
        seat = match.round.turn
        rows = ((None, PAIR[0]), ("pedlar", None))
        levels, holders = zip(*(rows if seat == 0 else rows[::-1]), strict=True)
        seating = Seating(GameKind.BOT, ("Ann", "Bob"), levels, holders)
        game = twins.create(seating, match, [1 - seat], chance)
        first, second = twins.rounds(game)
        assert first.view(seat) == second.view(seat)
        differed += str(first) != str(second)
        ply = twins.tables[0].open(game).ply
        for _step in range(3):
            one, other = twins.ask("POST", f"/game/{game}/hint", {"ply": ply}, cookie=True, headers={"x-fragment": "1"})
            assert one.status == 200
            assert one == other
            compared += 1
        worst = worst_move(first.view(seat))
        for move in ("", quote(worst)):
            path = f"/analyse?position={quote(str(first.view(seat)))}&move={move}"
            one, other = twins.ask("GET", path, cookie=True)
            assert one.status == 200
            assert one == other
            compared += 1
        wish = as_form(worst) | {"ply": ply, "key": "m"}
        one, other = twins.ask("POST", f"/game/{game}/move", wish, headers=TUTOR, cookie=True)
        assert one == other
        asked += "Are you sure?" in one.text
    assert differed >= 6
    assert compared == 8 * 5
    assert asked >= 3
