"""Learning: it improves, a run is reproducible, and a stopped one is resumed."""

import math
from functools import cache
from pathlib import Path

import pytest

from jaipur import JaipurError, Rng, Round
from jaipur.bots.weights import load_network, shipped_network
from jaipur.brain.features import FEATURES, SLOTS
from jaipur.brain.learner import Learner, learner_of, new_output, new_seen, new_weights
from jaipur.training.checkpoint import Checkpoint, Plan
from jaipur.training.train import train
from tests.support.terminal import jaipur

pytestmark = pytest.mark.slow

SHORT = Plan(rounds=200, workers=1, stretch=50)


@cache
def learned(plan: Plan) -> Checkpoint:
    """What comes of a plan; learned once for all tests."""
    return learn(plan)


def learn(plan: Plan) -> Checkpoint:
    *_stretches, run = train(Checkpoint.start(plan))
    return run


def new_learner(rng: Rng) -> Learner:
    weights, output = list(new_weights(rng)), list(new_output(rng))
    return learner_of([weights, output, weights, output, list(new_seen())], rng)


def test_the_same_plan_learns_the_same() -> None:
    first, second = learned(SHORT), learn(SHORT)
    assert list(first.weights[0]) == list(second.weights[0])
    assert first.history == second.history


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "run.training"
    for number, run in enumerate(train(Checkpoint.start(SHORT))):
        run.save(path)
        if number == 1:
            break
    *_rest, again = train(Checkpoint.load(path))
    assert again.rounds == 200
    assert list(again.weights[0]) == list(learned(SHORT).weights[0])
    assert list(again.steady[1]) == list(learned(SHORT).steady[1])


def test_learning_lowers_the_error() -> None:
    """With the results of whole rounds as targets (lambda 1), the error falls from that of a coin flip."""
    rng = Rng(1)
    learner = new_learner(rng)
    learner.play(300, 0.01, 1.0, 0.03, 1.0)
    first = learner.error / int(learner.positions)
    learner.error, learner.positions = 0.0, 0
    learner.play(1500, 0.01, 1.0, 0.03, 1.0)
    learner.error, learner.positions = 0.0, 0
    learner.play(300, 0.01, 1.0, 0.03, 1.0)
    assert learner.error / int(learner.positions) < first - 0.01


def test_the_steady_weights_follow_slowly() -> None:
    """Every 50 rounds they go the given fraction of the way, and the network plays with them."""
    learner = new_learner(Rng(3))
    start = learner.steady_weights[0]
    learner.weights[0] += 8.0
    learner.play(1, 1e-12, 1.0, 0.0, 0.25)
    assert learner.steady_weights[0] == pytest.approx(start + 2.0)
    assert learner.network.weight(0, 0) == pytest.approx(start + 2.0, abs=1 / 512)
    learner.play(51, 1e-12, 1.0, 0.0, 0.25)
    assert learner.steady_weights[0] == pytest.approx(start + 8.0 - 6.0 * 0.75**2, abs=0.001)


def test_the_steady_weights_grow_steady_in_the_first_half() -> None:
    plan = Plan(rounds=1_000_000, workers=2)
    assert plan.follow_at(0) == 1
    assert plan.follow_at(250_000) == pytest.approx(0.003**0.5)
    assert plan.follow_at(500_000) == plan.follow_at(1_000_000) == pytest.approx(0.003)


def test_in_a_short_run_the_steady_weights_do_not_lag_behind() -> None:
    assert Plan(rounds=2_000, workers=2).follow_at(2_000) == 1


def test_a_feature_that_is_seldom_seen_learns_in_larger_steps() -> None:
    """Plain steps if seen in one of twenty positions, larger by the square root if rarer, at most 20 times."""
    learner = new_learner(Rng(4))
    learner.seen[FEATURES] = 1_000_000.0
    for seen, step in ((60_000.0, 1.0), (49_999.0, 1.0), (12_499.0, 2.0), (499.0, 10.0), (9.0, 20.0)):
        learner.seen[0] = seen
        assert learner._step_of(0) == pytest.approx(step)
        assert learner.seen[0] == seen + 1


def test_what_was_seen_is_counted() -> None:
    """Every position has one feature in each slot, and the bias."""
    learner = new_learner(Rng(5))
    learner.play(3, 1e-3, 1.0, 0.0, 1.0)
    new = [seen - 1 for seen in learner.seen]
    assert new[FEATURES] == learner.positions
    assert sum(new[:FEATURES]) == SLOTS * learner.positions


def test_one_round_changes_the_weights_a_little() -> None:
    rng = Rng(2)
    learner = new_learner(rng)
    learner.play(1, 1e-9, 1.0, 0.0, 1.0)
    before = list(learner.weights), list(learner.output)
    learner.play(1, 1e-3, 1.0, 0.0, 1.0)
    moved = max(abs(a - b) for a, b in zip(before[0], learner.weights, strict=True))
    assert 0 < moved < 0.05
    assert all(math.isfinite(weight) for weight in learner.weights)


def test_a_run_begins_with_the_weights_it_is_given() -> None:
    start = Checkpoint.start(Plan(start="vizier"))
    played, shipped = start.network(), shipped_network("vizier")
    assert list(played.rows) == list(shipped.rows)
    assert list(played.output) == list(shipped.output)


def test_a_hunter_learns_from_its_own_side_only() -> None:
    """The opponent plays half of the turns, and its weights do not change."""
    learner = new_learner(Rng(6))
    learner.opponent = shipped_network("vizier")
    before = list(learner.opponent.rows)
    learner.play(20, 1e-3, 1.0, 0.0, 1.0)
    hunted = int(learner.positions)
    learner.opponent = None
    learner.play(20, 1e-3, 1.0, 0.0, 1.0)
    assert hunted < 0.7 * (int(learner.positions) - hunted)
    assert list(shipped_network("vizier").rows) == before


def test_a_hunter_comes_to_expect_its_own_results() -> None:
    """A beginner who only ever meets the vizier's network learns that it loses, from either seat."""
    learner = new_learner(Rng(7))
    learner.opponent = shipped_network("vizier")
    learner.play(300, 0.02, 1.0, 0.02, 1.0)
    for seat in (0, 1):
        learner.network.best(Round.deal(Rng(8), seat).view(seat))
        assert learner.network.best_value < 0.3


def test_a_network_that_is_not_there_is_named_before_anything_is_written(tmp_path: Path) -> None:
    for option in ("--start", "--against"):
        wrong = jaipur("train", str(tmp_path / "run"), option, "nobody", games=tmp_path)
        assert wrong.returncode == 1
        assert "nobody" in wrong.stderr
        assert wrong.stderr.count("\n") == 1
        assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("data", [b"", b"nonsense", b"jaipur training 3\n{}\n"])
def test_a_damaged_run_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "run.training"
    path.write_bytes(data)
    with pytest.raises(JaipurError, match="is not a training run"):
        Checkpoint.load(path)


def test_the_train_command_writes_weights_that_play(tmp_path: Path) -> None:
    arguments = ["--rounds", "200", "--workers", "1", "--check-every", "100", "--check-rounds", "4"]
    done = jaipur("train", str(tmp_path / "run"), *arguments, games=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "against the trader" in done.stdout
    load_network(str(tmp_path / "run" / "learned.weights"))
    again = jaipur("train", str(tmp_path / "run"), *arguments, games=tmp_path)
    assert again.returncode == 0
    assert "other options" not in again.stdout
    other = jaipur("train", str(tmp_path / "run"), "--rounds", "100", "--workers", "1", "--rate", "0.5", games=tmp_path)
    assert "was started with other options and keeps them: --rounds 200 --rate 0.01\n" in other.stdout
    blocked = tmp_path / "file"
    blocked.write_text("")
    wrong = jaipur("train", str(blocked / "run"), *arguments, games=tmp_path)
    assert "cannot be written" in wrong.stderr
    assert wrong.stderr.count("\n") == 1
