"""The Gymnasium environment against an opponent: Gymnasium's own checks, all opponents, and bad input."""

import random
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from jaipur import IllegalMove, JaipurError, Move, Rng, View
from jaipur.bots import LEVELS, Budget
from jaipur.bots.external import Forfeit
from jaipur.encoding.actions import action_of
from jaipur.envs import SOLO
from jaipur.envs.solo import SoloEnv
from tests.envs.agreement import solo

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "options",
    [{}, {"actions": "factored"}, {"episode": "match", "reward": "rupees"}, {"features": True, "opponent": "merchant"}],
    ids=str,
)
def test_gymnasium_finds_no_fault(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """The check plays any action of the space, legal or not, so an illegal one must end the episode."""
    check_env(gymnasium.make(SOLO, illegal="end", **options).unwrapped)


def play_out(env: SoloEnv, seed: int) -> tuple[list[Any], float]:
    luck = random.Random(seed)
    shown, info = env.reset(seed=seed)
    seen, total, ended = [shown], 0.0, False
    while not ended:
        shown, reward, ended, cut, info = env.step(luck.choice(info["legal"]))
        assert not cut
        seen.append(shown)
        total += reward
    return seen, total


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_is_an_opponent_and_a_seed_gives_the_same_episode(level: str) -> None:
    budget = Budget(worlds=2)
    one, other = (play_out(SoloEnv(level, budget=budget), 4) for _ in range(2))
    assert data_equivalence(one, other, exact=True)


@pytest.mark.parametrize("actions", ["flat", "factored"])
def test_whole_matches_are_played(actions: str) -> None:
    env = SoloEnv("random", episode="match", actions=actions)
    for seed in range(3):
        _seen, total = play_out(env, seed)
        assert total == (1.0 if env.episode.match.winner == env.seat else -1.0)


def test_the_environment_and_the_engine_agree() -> None:
    solo(300, random.Random(4))


def test_the_seat_is_drawn_or_given() -> None:
    drawn = set()
    env = SoloEnv("random")
    for seed in range(20):
        env.reset(seed=seed)
        drawn.add(env.seat)
    assert drawn == {0, 1}
    for seat in (0, 1):
        env = SoloEnv("random", seat=seat)
        env.reset(seed=1)
        assert env.seat == env.episode.turn == seat


def test_a_program_of_somebody_else_is_an_opponent() -> None:
    env = SoloEnv(f"exec:{sys.executable} -m jaipur bot random")
    seen, _total = play_out(env, 2)
    assert len(seen) > 5
    env.close()
    env.close()


def test_a_program_that_fails_pays_the_penalty(tmp_path: Path) -> None:
    program = tmp_path / "broken.py"
    program.write_text("print('no')", encoding="utf-8")
    env = SoloEnv(f"exec:{sys.executable} {program}", seat=0)
    _shown, info = env.reset(seed=seed_where_seat_0_starts())
    _shown, reward, ended, _cut, info = env.step(info["legal"][0])
    assert (reward, ended) == (1.0, True)
    assert "is not JSON" in info["forfeit"]
    env = SoloEnv(f"exec:{sys.executable} {program}", seat=1)
    with pytest.raises(Forfeit, match="is not JSON"):
        env.reset(seed=seed_where_seat_0_starts())


class Cheat:
    """An opponent that plays cards it does not have."""

    def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
        return Move.parse("-LLLLLLL")


def test_an_opponents_illegal_move_is_not_the_agents_fault() -> None:
    env = SoloEnv(Cheat(), illegal="end", seat=0)
    _shown, info = env.reset(seed=seed_where_seat_0_starts())
    with pytest.raises(IllegalMove, match=r"leather in your hand \(R14\)"):
        env.step(info["legal"][0])


def seed_where_seat_0_starts() -> int:
    env = SoloEnv("random", seat=0)
    for seed in range(20):
        env.reset(seed=seed)
        if env.episode.view(0).starter == 0:
            return seed
    raise AssertionError


def test_an_illegal_action_is_refused_with_its_rule_or_ends_the_episode() -> None:
    env = SoloEnv("random")
    env.reset(seed=1)
    wrong = action_of(Move.parse("-LLLLLLL"))
    with pytest.raises(IllegalMove, match=r"leather in your hand \(R14\)"):
        env.step(wrong)
    env = SoloEnv("random", illegal="end")
    env.reset(seed=1)
    shown, reward, ended, cut, info = env.step(wrong)
    assert (reward, ended, cut) == (-1.0, True, False)
    assert "(R14)" in info["illegal"]
    assert not shown["action_mask"].any()
    with pytest.raises(JaipurError, match="The episode is over: call reset to begin another"):
        env.step(wrong)


def test_after_an_illegal_action_there_are_no_feature_rows() -> None:
    env = SoloEnv("random", illegal="end", features=True)
    env.reset(seed=1)
    info = env.step(action_of(Move.parse("-LLLLLLL")))[4]
    assert info["legal"] == info["features"] == []


@pytest.mark.parametrize(
    ("do", "sentence"),
    [
        (lambda: SoloEnv("emperor"), "There is no player “emperor”"),
        (lambda: SoloEnv(seat=2), "The option seat cannot be “2”: choose None, 0, 1."),
        (lambda: SoloEnv(seat=True), "The option seat cannot be “True”: choose None, 0, 1."),
        (lambda: SoloEnv(budget=3), "A budget is a jaipur.bots.Budget, not “3”."),  # type: ignore[arg-type]
        (lambda: SoloEnv(5), "An opponent is a name, or has a method choose(view, budget, rng); “5” is neither."),  # type: ignore[arg-type]
        (lambda: SoloEnv(speed=2), "There is no option “speed”"),
        (lambda: SoloEnv().step(0), "Call reset before anything else."),
        (lambda: SoloEnv().reset(seed="one"), "A seed is a whole number"),  # type: ignore[arg-type]
        (lambda: SoloEnv().reset(options={"level": 3}), "reset takes no options, so “level” cannot be given."),
    ],
)
def test_a_mistake_gets_one_clear_sentence(do: Any, sentence: str) -> None:
    with pytest.raises(JaipurError) as caught:
        do()
    assert sentence in str(caught.value)


def test_pictures_and_texts_are_of_the_agents_seat(capsys: pytest.CaptureFixture[str]) -> None:
    env = SoloEnv("random", render_mode="rgb_array")
    env.reset(seed=1)
    frame = env.render()
    assert isinstance(frame, np.ndarray)
    assert frame.shape == (640, 960, 3)
    env = SoloEnv("random", render_mode="human")
    env.reset(seed=1)
    assert "You: " in capsys.readouterr().out


def test_gymnasium_can_batch_it() -> None:
    """In Gymnasium's own vector environment, whatever differs in length between rounds comes as lists."""
    env = gymnasium.make_vec(SOLO, num_envs=3, opponent="random", features=True)
    shown, infos = env.reset(seed=1)
    for _ in range(80):
        for legal, mask, features in zip(infos["legal"], shown["action_mask"], infos["features"], strict=True):
            assert legal == np.flatnonzero(mask).tolist()
            assert len(features) == len(legal)
        shown, _rewards, _ended, _cut, infos = env.step(np.array([[*legal, 0][0] for legal in infos["legal"]]))
    env.close()
