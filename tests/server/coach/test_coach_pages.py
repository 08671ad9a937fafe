"""Exercises, the analysis of a position, and what reviews say about a person over time."""

import json
import re
from urllib.parse import quote

import pytest
from markupsafe import escape

from jaipur import Move
from jaipur.coach.coach_words import points
from jaipur.coach.figures import figures
from jaipur.coach.grades import judge_name
from jaipur.coach.recorded_turn import ply_before, turn_after
from jaipur.coach.round_luck import refill_map
from jaipur.language.words import victory_in_words
from jaipur.record import Record
from jaipur.server.coach import jobs as judgements
from jaipur.server.coach.jobs import tried
from jaipur.server.coach.progress import skill_of
from jaipur.server.coach.review_pages import page_for
from jaipur.server.coach.review_service import WORLDS
from jaipur.store import Reviewed, ReviewRow, ReviewShelf
from jaipur.table import GameKind, Seating, Table, Tables
from jaipur.table.events import Status
from jaipur.table.seen.seen import see, see_decision
from tests.server.coach.test_hints import as_form, worst_move
from tests.server.coach.test_reviews import finished, made, with_reviews
from tests.support.matches import played_match, review_match
from tests.support.server import BOT, ONE_SCREEN, PAIR, my_turn, play, played_here, server


@pytest.fixture(name="reviewed")
def _reviewed(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr("jaipur.server.coach.review_service.WORLDS", 4)
    table = played_here(tables, BOT, played_match(1, ("trader", "trader")))
    with_reviews(tables, lambda shelf, _workers: made(shelf, table))
    return table


def test_an_exercise_is_solved_by_the_best_move_and_not_by_a_bad_one(tables: Tables, reviewed: Table) -> None:
    game = reviewed.game.id
    with server(tables) as caller:
        assert caller.services is not None
        review = caller.services.reviews.finished(reviewed)
        assert review is not None
        plies = [ply for part in review.rounds for ply in part.plies]
        ply = next(at for at, one in enumerate(plies, 1) if one.grade.best != str(one.move))
        path = f"/game/{game}/exercise/{ply}"
        assert "what would you play" in caller.get(path, cookie=True).text
        right = caller.post(path, as_form(plies[ply - 1].grade.best), cookie=True)
        assert "Well done" in right.text
        _seen, view = see_decision(reviewed, ply)
        bad = worst_move(view)
        lost = tried(str(view), plies[ply - 1].grade.best, bad).loss
        wrong = caller.post(path, as_form(bad), cookie=True)
        assert ("Not quite" in wrong.text) == (lost >= 0.02)
        nothing = caller.post(path, {}, cookie=True)
        assert nothing.status == 422
        assert "Choose cards" in nothing.text


def test_only_some_of_very_many_refills_are_shown_and_that_is_said(tables: Tables, reviewed: Table) -> None:
    with server(tables) as caller:
        for ply, played in enumerate(reviewed.log, 1):
            possible = len(refill_map(reviewed.before(ply).match.round, Move.parse(played.move)))
            page = caller.get(f"/game/{reviewed.game.id}/review/{ply}", cookie=True).text
            rows = page.count('<th scope="row">')
            assert rows == min(possible, 28)
            assert (f"The 28 likeliest of {possible} are shown" in page) == (possible > 28)
            if possible > 28:
                return
    pytest.fail("no refill of many cards")


def test_an_exercise_shows_no_more_than_its_player_saw(tables: Tables, reviewed: Table) -> None:
    for ply in range(1, reviewed.match.ply + 1, 5):
        seen, view = see_decision(reviewed, ply)
        assert seen.seat == view.seat == reviewed.log[ply - 1].seat
        assert seen.sides[1 - view.seat].hand is None
        assert seen.seed is None
        assert view.why_illegal(Move.parse(reviewed.log[ply - 1].move)) is None


def test_the_page_adds_up_all_losses_and_offers_your_own_costliest_moves(reviewed: Table) -> None:
    review = review_match(reviewed.match, 4)
    for seat in (0, 1, None):
        page = page_for(see(reviewed, seat), review)
        lost = [sum(ply.grade.loss for part in review.rounds for ply in part.plies if ply.seat == s) for s in (0, 1)]
        assert page.totals.lost.cells == (points(-lost[0], True), points(-lost[1], True))
        assert {move.seat for move in page.dearest} <= ({0, 1} if seat is None else {seat})
        assert page.dearest


def test_exercises_need_a_match_that_is_over_and_reviewed(tables: Tables) -> None:
    game = my_turn(tables)
    other = finished(tables).game.id
    with server(tables) as caller:
        assert caller.get(f"/game/{game}/exercise/1", cookie=True).status == 409
        answer = caller.get(f"/game/{other}/exercise/1", cookie=True)
        assert answer.status == 409
        assert "once the match has been reviewed" in answer.text


def test_a_position_is_analysed_from_its_text(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgements, "ANALYSIS_WORLDS", 40)
    view = tables.open(my_turn(tables)).view(0)
    with server(tables) as caller:
        page = caller.get(f"/analyse?position={quote(str(view))}").text
        assert page.count('<th scope="row">') == len(view.legal_moves())
        assert caller.get("/analyse").status == 200
        for bad in ("nonsense", str(tables.open(my_turn(tables)).match.round), "<script>"):
            answer = caller.get(f"/analyse?position={quote(bad)}")
            assert answer.status == 422
            assert "<script>" not in answer.text.replace("<script type", "")
        assert caller.get(f"/analyse?position={'x' * 3000}").status == 422


def test_a_move_can_be_tried(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """In notation or in words, taken from the page's list or as people type it."""
    monkeypatch.setattr(judgements, "ANALYSIS_WORLDS", 40)
    monkeypatch.setattr(judgements, "EXERCISE_WORLDS", 40)
    view = tables.open(my_turn(tables)).view(0)
    bad = worst_move(view)
    asked = f"/analyse?position={quote(str(view))}"
    with server(tables) as caller:
        assert 'class="verdict"' not in caller.get(asked).text
        page = caller.get(f"{asked}&move={quote(bad)}").text
        assert "points against the best" in page
        assert page.count('class="came"') == 1
        listed = re.findall(r'<option value="([^"]+)">', page)
        assert "No better move was found." in caller.get(f"{asked}&typed={quote(listed[0])}").text
        for wrong in ("xyz", "sell 7 diamonds", "-MMM"):
            answer = caller.get(f"{asked}&typed={quote(wrong)}")
            assert (answer.status, 'id="no-move"' in answer.text) == (422, True)
            assert answer.text.count('<th scope="row">') == len(view.legal_moves())


def test_a_decision_of_a_record_is_analysed(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgements, "ANALYSIS_WORLDS", 40)
    monkeypatch.setattr(judgements, "EXERCISE_WORLDS", 40)
    record = Record(played_match(1))
    asked = {"record": str(record), "round": 2, "number": 3}
    found = turn_after(record, ply_before(record.match, 2, 3))
    with server(tables) as caller:
        page = caller.post("/analyse", asked, cookie=True).text
        assert "Round 2, move 3" in page
        assert page.count('<th scope="row">') == len(found.view.legal_moves())
        assert page.count("played</b>") == page.count('class="came"') == 1
        assert escape(str(found.view)) in page
        assert "Round 2, move 4" in caller.post("/analyse", asked | {"step": 1}, cookie=True).text
        assert 'class="verdict"' in caller.post("/analyse", asked | {"typed": str(found.played)}, cookie=True).text
        kind = {"content-type": "multipart/form-data; boundary=x"}
        for content, told in ((str(record).encode(), "Round 1, move 1"), (b"\xff\xfe", "is not a text file")):
            head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="m.jaipur"\r\n\r\n'
            answer = caller.post("/analyse", body=[head + content + b"\r\n--x--\r\n"], headers=kind, cookie=True)
            assert told in answer.text


def test_a_record_that_cannot_be_analysed_gets_one_sentence(tables: Tables) -> None:
    match = played_match(1)
    whole, unfinished = str(Record(match)), str(Record(match.until(9)))
    wrong = [
        ({"record": "nonsense"}, "belongs here"),
        ({"record": ""}, "belongs here"),
        ({"record": unfinished}, "This match is not over"),
        ({"record": whole, "round": 9}, "This match has rounds 1 to"),
        ({"record": whole, "number": 999}, "Round 1 has moves 1 to"),
        ({"record": whole, "step": -1}, "This match has positions 0 to"),
    ]
    with server(tables) as caller:
        for fields, sentence in wrong:
            answer = caller.post("/analyse", fields, cookie=True)
            assert (answer.status, answer.text.count('role="alert"')) == (422, 1)
            assert sentence in answer.text


def test_the_analysis_is_found_from_every_page(tables: Tables) -> None:
    with server(tables) as caller:
        assert 'href="/analyse"' in caller.get("/", cookie=True).text


def test_a_review_says_who_won_the_match_and_each_round(tables: Tables, reviewed: Table) -> None:
    with server(tables) as caller:
        page = caller.get(f"/game/{reviewed.game.id}/review", cookie=True).text
    winner = see(reviewed, 0).sides[reviewed.winner or 0].called
    assert victory_in_words(winner) in page
    for played in reviewed.match.rounds:
        rupees = sorted(tally.rupees for tally in played.score().tallies)
        assert f"wins the round, {rupees[1]} rupees to {rupees[0]}." in page


def test_reviews_of_a_person_add_up(tables: Tables, reviewed: Table) -> None:
    with server(tables) as caller:
        assert "Open the review of a match" not in caller.get("/me", cookie=True).text
        page = caller.get("/me", cookie=True).text
        assert "points of luck per round" in page
        assert f"/game/{reviewed.game.id}/review" in page
        assert "points of luck per round" not in caller.get("/me", token="another-0123456789-another", cookie=True).text


def test_whoever_has_no_reviewed_match_yet_is_told_how_to_get_one(tables: Tables) -> None:
    with server(tables) as caller:
        assert "Open the review of a match" not in caller.get("/me", cookie=True).text
        played_here(tables, BOT, played_match(1, ("trader", "trader")))
        assert "Open the review of a match" in caller.get("/me", cookie=True).text


def test_a_mean_weighs_matches_by_their_open_decisions() -> None:
    """Because the loss of a match is the mean over its open decisions."""
    told = skill_of([told_of(2, open_decisions=30, loss=0.02), told_of(2, open_decisions=10, loss=0.06)])
    assert told is not None
    assert told.mean is not None
    assert told.mean.lost.startswith("3.0 ±")
    assert told.mean.luck == "+5.0"
    assert told.mean.few
    assert skill_of([]) is None


def told_of(rounds: int, hints: bool = False, **other: float) -> Reviewed:
    player = {"decisions": 100, "open_decisions": 40, "loss": 0.02, "error": 0.01, "luck": {"deal": 0.1}, "rounds": 2}
    return Reviewed("g", 0, json.dumps([player | {"won": 0.5, "adjusted": 0.4} | other, {}]), 5, rounds, hints)


def test_only_matches_that_were_played_here_say_something_about_a_person(tables: Tables) -> None:
    """Not an uploaded record, not a lesson, and not two people at one screen."""
    match = played_match(2, ("trader", "trader"))
    guided = Seating(GameKind.GUIDED, ("Ann", ""), (None, "pedlar"), (PAIR[0], None))
    played = [played_here(tables, seating, match) for seating in (BOT, guided, ONE_SCREEN)]
    shelf = ReviewShelf(tables.store)
    for table in (*played, tables.create(BOT, history=match)):
        shelf.keep(ReviewRow(table.game.id, judge_name(), 4, told_of(2).players, "{}", 1))
    counted = [(one.game, one.seat, one.rounds) for one in shelf.of(PAIR[0], judge_name(), 10)]
    assert counted == [(played[0].game.id, 0, len(match.rounds))]


def test_matches_with_hints_are_listed_and_not_counted(tables: Tables) -> None:
    told = skill_of([told_of(2, loss=0.04), told_of(3, hints=True, loss=0.09)])
    assert told is not None
    assert told.mean is not None
    assert (told.mean.matches, told.mean.lost[:3], told.hints) == (1, "4.0", 1)
    assert [match.hints for match in told.last] == [False, True]
    assert len(told.dots) == 1
    helped = skill_of([told_of(40, hints=True)])
    assert helped is not None
    assert (helped.mean, helped.adjusted) == (None, None)


def test_the_page_marks_a_match_with_hints(tables: Tables) -> None:
    match = played_match(1, ("trader", "trader"))
    before = next(ply for ply in range(match.ply) if match.until(ply).round.turn == 0)
    game = tables.create(BOT, history=match.until(before)).game.id
    tables.hint(tables.open(game), 0, tables.open(game).ply)
    for move in [move for part in match.rounds for move in part.moves][before:]:
        if tables.open(game).status is Status.SHEET:
            tables.ready(tables.open(game), 0)
        play(tables, game, move)
    shelf = ReviewShelf(tables.store)
    shelf.keep(ReviewRow(game, judge_name(), 4, told_of(2).players, "{}", 1))
    assert [found.hints for found in shelf.of(PAIR[0], judge_name(), 10)] == [True]
    with server(tables) as caller:
        page = caller.get("/me", cookie=True).text
    assert "with hints" in page
    assert "listed and not counted" in page
    assert "points of luck per round" not in page


def test_a_result_without_luck_is_told_from_thirty_rounds_on() -> None:
    few = skill_of([told_of(29)])
    assert few is not None
    assert few.adjusted is None
    told = skill_of([told_of(20, won=0.6, adjusted=0.5), told_of(10, won=0.3, adjusted=0.35)])
    assert told is not None
    assert told.adjusted is not None
    assert (told.adjusted.won, told.adjusted.without_luck, told.adjusted.rounds) == ("50%", "45%", 30)
    assert told.adjusted.error == f"{100 * figures().spread / 30**0.5:.0f}%" == "6%"


def test_a_result_without_luck_is_shown(tables: Tables, monkeypatch: pytest.MonkeyPatch, reviewed: Table) -> None:
    with server(tables) as caller:
        assert "luck of the cards and of starting" not in caller.get("/me", cookie=True).text
        monkeypatch.setattr("jaipur.server.coach.progress.ENOUGH_ROUNDS", len(reviewed.match.rounds))
        assert "luck of the cards and of starting" in caller.get("/me", cookie=True).text


def test_a_review_by_another_judge_is_not_counted(tables: Tables) -> None:
    game = tables.create(BOT, history=played_match(3, ("trader", "trader"))).game.id
    with server(tables) as caller:
        assert caller.services is not None
        shelf = caller.services.reviews.shelf
        shelf.keep(ReviewRow(game, "somebody else", WORLDS, "[]", "{}", 1))
        assert shelf.review(game, judge_name()) is None
        assert caller.get("/me", cookie=True).status == 200
