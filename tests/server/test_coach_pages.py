"""Exercises, the analysis of a position, and what reviews say about a person over time."""

import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from jaipur.review.judging import judge_name
from jaipur.review.luck import refill_map
from jaipur.review.review import review_match
from jaipur.review.words import points
from jaipur.server import judgements
from jaipur.server.judgements import tried
from jaipur.server.review_page import Bar, review_page
from jaipur.server.reviews import WORLDS
from jaipur.server.skill import skill_of
from jaipur.server.work_queue import Rank
from jaipur.store import Reviewed, ReviewRow
from jaipur.table import Table, Tables
from jaipur.table.seen import see, see_decision
from tests.review.matches import played_match
from tests.server.harness import BOT, my_turn, server
from tests.server.test_hints import as_form, worst_move
from tests.server.test_reviews import finished, made, with_reviews


@pytest.fixture(name="reviewed")
def _reviewed(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr("jaipur.server.reviews.WORLDS", 4)
    table = finished(tables)
    with_reviews(tables, lambda shelf, _workers: made(shelf, table))
    return table


def test_an_exercise_is_solved_by_the_best_move_and_not_by_a_bad_one(tables: Tables, reviewed: Table) -> None:
    game = reviewed.game.id
    with server(tables) as caller:
        assert caller.services is not None
        review = caller.services.reviews.finished(reviewed)
        assert review is not None
        plies = [ply for part in review.rounds for ply in part.plies]
        ply = next(at for at, one in enumerate(plies, 1) if one.grade.best != one.move)
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


def test_a_move_at_a_table_comes_before_an_exercise(
    tables: Tables, reviewed: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranks: list[Rank] = []

    async def ask(rank: Rank, _owner: str, task: Callable[..., object], *about: str) -> object:
        ranks.append(rank)
        return task(*about)

    _seen, view = see_decision(reviewed, 1)
    with server(tables) as caller:
        assert caller.services is not None
        monkeypatch.setattr(caller.services.hints.questions, "ask", ask)
        caller.post(f"/game/{reviewed.game.id}/exercise/1", as_form(str(view.legal_moves()[0])), cookie=True)
    assert ranks == [Rank.MATCH]


def test_only_some_of_very_many_refills_are_shown_and_that_is_said(tables: Tables, reviewed: Table) -> None:
    with server(tables) as caller:
        for ply, played in enumerate(reviewed.log, 1):
            possible = len(refill_map(reviewed.before(ply).match.round, played.move))
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
        assert view.why_illegal(reviewed.log[ply - 1].move) is None


def test_the_page_adds_up_all_losses_and_offers_your_own_costliest_moves(reviewed: Table) -> None:
    review = review_match(reviewed.match, 4)
    for seat in (0, 1, None):
        page = review_page(review, see(reviewed, seat))
        line = next(line for line in page.summary if line.heading == "lost through decisions")
        lost = [sum(ply.grade.loss for part in review.rounds for ply in part.plies if ply.seat == s) for s in (0, 1)]
        assert [bar.words for bar in line.cells if isinstance(bar, Bar)] == [points(-one, True) for one in lost]
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


def test_reviews_of_a_person_add_up(tables: Tables, reviewed: Table) -> None:
    with server(tables) as caller:
        page = caller.get("/me", cookie=True).text
        assert "points of luck per round" in page
        assert f"/game/{reviewed.game.id}/review" in page
        assert "points of luck per round" not in caller.get("/me", token="another-0123456789-another", cookie=True).text


def test_a_mean_weighs_matches_by_their_open_decisions() -> None:
    """Those are what the loss of a match is the mean of."""

    def one(open_decisions: int, loss: float) -> Reviewed:
        player = {"decisions": 100, "loss": loss, "error": 0.01, "luck": {"deal": 0.1}, "rounds": 2}
        return Reviewed("g", 1, json.dumps([{}, player | {"open_decisions": open_decisions}]), 5)

    told = skill_of([one(30, 0.02), one(10, 0.06)])
    assert told is not None
    assert told.lost.startswith("3.0 ±")
    assert told.luck == "+5.0"
    assert told.few
    assert skill_of([]) is None


def test_a_review_by_another_judge_is_not_counted(tables: Tables) -> None:
    game = tables.create(BOT, history=played_match(3, ("trader", "trader"))).game.id
    with server(tables) as caller:
        assert caller.services is not None
        shelf = caller.services.reviews.shelf
        shelf.keep(ReviewRow(game, "somebody else", WORLDS, "[]", "{}", 1))
        assert shelf.review(game, judge_name()) is None
        assert caller.get("/me", cookie=True).status == 200
