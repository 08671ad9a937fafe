"""A million random moves in 512 rounds at once: `python examples/vector_random.py`."""

import argparse
import time

import gymnasium
import numpy as np

from jaipur.envs import SELF_PLAY


def main() -> None:
    """Plays random legal moves in all rounds and says how fast that was."""
    options = argparse.ArgumentParser(description="Random rounds, many at once.")
    options.add_argument("--steps", type=int, default=1_000_000)
    wanted = options.parse_args()
    luck = np.random.default_rng(1)
    env = gymnasium.make_vec(SELF_PLAY, num_envs=512)
    _rows, infos = env.reset(seed=1)
    rounds, start = 0, time.perf_counter()
    for _ in range(wanted.steps // env.num_envs):
        first = infos["first"]
        picks = first[:-1] + (luck.random(env.num_envs) * np.diff(first)).astype(int)
        _rows, _rewards, ended, _cut, infos = env.step(infos["legal"][picks])
        rounds += ended.sum()
    seconds = time.perf_counter() - start
    print(f"{wanted.steps:,} steps and {rounds:,} rounds in {seconds:.2f} s")


if __name__ == "__main__":
    main()
