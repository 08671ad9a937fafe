"""Reviews of whole matches: the sum adds up, they are the same everywhere, who judged, and the players' summaries."""

import json
import math
from dataclasses import asdict
from functools import cache

import pytest

from jaipur import JaipurError, Match
from jaipur.coach import review, round_luck, summary
from jaipur.coach.figures import figures, level_like
from jaipur.coach.grades import FAULTS, LIMITS, METHOD, Task, grade, judge_name, rng_for
from jaipur.coach.review import Draft, Review, with_grades
from jaipur.coach.saved import review_data, review_from_text, review_to_text
from jaipur.coach.summary import (
    dearest,
    match_chance,
    mean_and_error,
    player_summary,
    round_worth,
)
from tests.support.matches import played_match, review_match

pytestmark = pytest.mark.slow

WORLDS = 8
SEEDS = (1, 2, 3)


@cache
def match_of(seed: int) -> Match:
    return played_match(seed)


@cache
def review_of(seed: int) -> Review:
    return review_match(match_of(seed), WORLDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_parts_of_every_round_add_up_to_its_result(seed: int) -> None:
    data = json.loads(json.dumps(review_data(review_of(seed))))
    for part, played in zip(data["rounds"], match_of(seed).rounds, strict=True):
        total = part["sum"]
        plies = part["plies"]
        losses = [sum(ply["loss"] for ply in plies if ply["seat"] == seat) for seat in (0, 1)]
        explained = total["deal"] + total["refills"] + total["bonus"] - losses[0] + losses[1] + total["rest"]
        assert total["result"] - total["start"] == pytest.approx(explained, abs=1e-9)
        assert total["result"] == played.score().result(0)
        assert sum(ply["luck"] for ply in plies) == pytest.approx(total["refills"] + total["bonus"], abs=1e-9)
        assert [ply["seat"] for ply in plies] == [(played.starter + n) % 2 for n in range(len(plies))]
        assert [ply["move"] for ply in plies] == [str(move) for move in played.moves]
        assert plies[-1]["win"] == total["result"]


def test_the_rest_is_small_beside_what_is_explained() -> None:
    """A part counted twice or with the wrong sign would end up in the rest."""
    rests = [part.sum.rest for seed in SEEDS for part in review_of(seed).rounds if part.sum.rest is not None]
    assert len(rests) == sum(len(review_of(seed).rounds) for seed in SEEDS)
    assert abs(mean_and_error(rests)[0]) < 0.5


@pytest.mark.parametrize("seed", SEEDS)
def test_the_other_side_has_the_same_sum_mirrored(seed: int) -> None:
    for part in review_of(seed).rounds:
        other = part.sum.seen_from(1)
        assert other.result is not None
        assert other.rest is not None
        gains = other.deal + other.refills + other.bonus - other.own_losses + other.rival_losses + other.rest
        assert other.result - other.start == pytest.approx(gains, abs=1e-9)
        assert (other.own_losses, other.rival_losses) == (part.sum.rival_losses, part.sum.own_losses)
        assert asdict(other.seen_from(1)) == pytest.approx(asdict(part.sum), abs=1e-9)


def test_a_review_has_the_same_digits_however_sums_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Since Python 3.12, `sum` is exact to the last bit, like `fsum` here."""
    grades = [ply.grade for ply in review_of(1).plies]
    plain = Draft(match_of(1), WORLDS).review(grades)
    told = [review_data(plain), [player_summary(plain, seat) for seat in (0, 1)]]
    for room in (review, round_luck, summary):
        monkeypatch.setattr(room, "sum", math.fsum, raising=False)
    exact = Draft(match_of(1), WORLDS).review(grades)
    assert exact == with_grades(plain, grades) == plain
    assert [review_data(exact), [player_summary(exact, seat) for seat in (0, 1)]] == told


def test_the_summaries_add_up() -> None:
    review = review_of(1)
    both = [player_summary(review, seat) for seat in (0, 1)]
    assert both[0].luck["refills"] == pytest.approx(-both[1].luck["refills"])
    assert both[0].won + both[1].won == pytest.approx(1)
    assert sum(side.decisions for side in both) == sum(ply.decided for ply in review.plies)
    assert both[0].rounds == len(review.rounds)


def test_the_trader_loses_more_than_the_merchant() -> None:
    """Three matches with few worlds are enough for players this far apart."""
    rounds = [part for seed in SEEDS for part in review_match(match_of(seed), 5 * WORLDS).rounds]
    sides = [player_summary(Review("all of them", 5 * WORLDS, tuple(rounds)), seat) for seat in (0, 1)]
    assert sides[0].loss - sides[1].loss > 2 * (sides[0].error ** 2 + sides[1].error ** 2) ** 0.5


def test_the_dearest_moves_are_faults_and_the_dearest_of_all() -> None:
    for seed in SEEDS:
        plies = review_of(seed).plies
        dear = [plies[at - 1].grade for at in dearest(review_of(seed))]
        losses = sorted((ply.grade.loss for ply in plies if ply.grade.label in FAULTS), reverse=True)
        assert [grade.loss for grade in dear] == losses[:3]
        assert all(grade.label in FAULTS for grade in dear)


def test_what_a_round_is_worth_in_the_match() -> None:
    c = 0.6
    assert match_chance(1, 0, False, c) == pytest.approx((1 - c) + c * c)
    assert match_chance(0, 1, True, c) == pytest.approx(1 - ((1 - c) + c * c))
    assert round_worth(1, 1, c) == 1
    assert round_worth(1, 0, c) == pytest.approx(1 - c) == pytest.approx(round_worth(0, 1, c))


def test_somebody_who_loses_like_a_level_is_told_so() -> None:
    for name, (loss, _error) in figures().levels.items():
        assert level_like(loss) == name
    assert level_like(-1.0) == "vizier"


def test_an_unfinished_match_is_not_reviewed() -> None:
    with pytest.raises(JaipurError, match="not over"):
        Draft(Match(1), WORLDS)


def test_a_match_that_was_given_up_is_reviewed_without_a_sum_of_its_last_round() -> None:
    whole = match_of(1)
    first = len(whole.rounds[0].moves)
    review = review_match(whole.until(first + 7), WORLDS, ended=True)
    assert [len(part.plies) for part in review.rounds] == [first, 7]
    assert review.rounds[0] == review_of(1).rounds[0]
    assert review.rounds[1].plies == review_of(1).rounds[1].plies[:7]
    broken_off = review.rounds[1].sum.seen_from(1)
    assert (broken_off.result, broken_off.rest) == (None, None)
    assert broken_off.refills == pytest.approx(-sum(ply.luck for ply in review.rounds[1].plies) - broken_off.bonus)
    summary = player_summary(review, 0)
    assert (summary.rounds, summary.won) == (2, review.rounds[0].sum.result)
    for one in (review, review_match(whole, 40)):
        assert review_from_text(review_to_text(one)) == one
    assert any(ply.grade.reasons for ply in one.plies)
    assert with_grades(review, [ply.grade for ply in review.plies]) == review


def test_a_round_that_was_dealt_and_not_begun_is_left_out() -> None:
    whole = match_of(1)
    match = whole.until(len(whole.rounds[0].moves))
    match.next_round()
    assert len(Draft(match, WORLDS, ended=True).rounds) == 1
    with pytest.raises(JaipurError, match="No move was played"):
        Draft(Match(1), WORLDS, ended=True)


def test_another_method_has_another_number() -> None:
    """If you change what a review says, increase METHOD and update these figures."""
    view = (
        "view 0 / turn 0 / starter 0 / quiet 0 / market DDSLM / deck ??????????????????????????????????? / discard LLC"
        " / bonus3 ??????? / bonus4 ?????? / bonus5 ????? / seat0 hand GGSL known S herd 2 rupees 7 tokens 2"
        " / seat1 hand CC??? herd 1 rupees 4 tokens 1"
    )
    found = grade(Task(view, "+L", 100))
    assert judge_name().endswith(f"/{METHOD}")
    assert (found.best, found.loss, found.error) == ("+DDS-LMM", 0.594229, 0.027173)
    assert (METHOD, list(LIMITS.values())) == (2, [0.12, 0.05, 0.02])


def test_the_random_numbers_of_a_position_never_change() -> None:
    """A golden number, so that reviews people have kept stay comparable."""
    assert rng_for(Match(1).round.view(0), "choose").below(1_000_000) == 635559
