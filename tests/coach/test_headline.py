"""The headline and the shipped figures: they tell the levels apart, and luck averages out."""

from itertools import pairwise

import pytest

from jaipur import Move
from jaipur.bench.coach import open_decisions
from jaipur.coach.figures import GRADED, KINDS, figures, measured
from jaipur.coach.grades import WORLDS, Grade, Label, judge_name, judge_network, loss_of
from jaipur.coach.review import Ply, Review, RoundReview, Sum
from jaipur.coach.summary import MOST, counted, is_open, mean_and_error, player_summary
from tests.support.effort import often

pytestmark = pytest.mark.slow

INTERVAL = 1.96


def test_the_shipped_figures_belong_to_the_judge() -> None:
    assert measured()["judge"] == judge_name(), "other weights: run `make figures`"


def test_the_levels_are_told_apart_up_to_the_merchant() -> None:
    """The confidence intervals of neighbouring levels do not overlap."""
    levels = list(figures().levels.items())
    assert tuple(name for name, _level in levels) == GRADED
    for (_weak, (above, error_above)), (strong, (below, error_below)) in pairwise(levels):
        assert above > below
        if strong != "vizier":
            assert above - INTERVAL * error_above > below + INTERVAL * error_below


def test_luck_has_the_mean_zero_and_explains_much() -> None:
    data = measured()
    assert data["rounds"] >= 500
    for kind in KINDS:
        assert abs(data[f"{kind}_mean"]) <= 2 * data[f"{kind}_error"]
    assert data["sd_result"] == pytest.approx(0.5, abs=0.03)
    assert data["sd_without_luck"] <= 0.38
    assert data["start"] == pytest.approx(data["starter_won"], abs=2 * data["starter_won_error"])


def test_a_weak_level_still_loses_more_than_a_strong_one() -> None:
    """A small live check of the table: pedlar and merchant, told apart by a few decisions."""
    pedlar, merchant = (
        mean_and_error([counted(loss_of(*one, WORLDS, 20)) for one in open_decisions(name, often(25, 50), seed=3)])
        for name in ("pedlar", "merchant")
    )
    assert pedlar[0] - merchant[0] > 2 * (pedlar[1] ** 2 + merchant[1] ** 2) ** 0.5


def test_the_measured_decisions_are_open_and_have_a_choice() -> None:
    for view, _move in open_decisions("trader", 20, seed=5):
        judge_network().best(view)
        assert is_open(judge_network().best_value)
        assert len(view.legal_moves()) > 1


def test_the_headline_counts_open_decisions_and_a_blunder_as_a_blunder() -> None:
    plies = (
        ply(0, 0.40, win=0.95),
        ply(1, 0.30, win=0.85),  # 5% for seat 1: no longer open
        ply(0, -0.01, win=0.08),
        ply(1, 0.03, win=0.20),  # 92% for seat 1: decided
        ply(0, 0.05, win=0.50),
        ply(1, 0.00, win=0.50, label=Label.FORCED),
    )
    part = RoundReview(0, 0.6, plies, Sum(0, 0, 0, 0, 0, 0, 0, 0))
    first, second = (player_summary(Review("judge", 100, (part,)), seat) for seat in (0, 1))
    assert (first.decisions, first.open_decisions) == (3, 3)
    assert first.loss == round((MOST - 0.01 + 0.05) / 3, 6)
    assert (second.decisions, second.open_decisions, second.loss) == (2, 0, 0.0)


def ply(seat: int, loss: float, win: float, label: Label = Label.CLOSE) -> Ply:
    return Ply(seat, Move.parse("+D"), Grade("+D", loss, 0.01, label), win, 0.0)
