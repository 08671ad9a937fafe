"""Our levels as opponents and as players: `python examples/levels.py`.

In each environment the merchant plays a few rounds against one level. A player of yours is anything with the same
method `choose(view, budget, rng)`; it can stand on either side.
"""

import argparse

from jaipur import Rng
from jaipur.bots import LEVELS, Budget, make_player
from jaipur.envs import SoloEnv, action_of


def main() -> None:
    """Prints how the merchant does against each level."""
    options = argparse.ArgumentParser(description="The merchant against all levels.")
    options.add_argument("--rounds", type=int, default=20)
    wanted = options.parse_args()
    merchant, rng = make_player("merchant"), Rng(1)
    for level in LEVELS:
        env = SoloEnv(opponent=level, budget=Budget(worlds=8))
        wins = 0
        for number in range(wanted.rounds):
            env.reset(seed=number)
            ended = False
            while not ended:
                move = merchant.choose(env.episode.view(env.seat), env.budget, rng)
                _observation, reward, ended, _cut, _info = env.step(action_of(move))
            wins += reward > 0
        print(f"against {level}: {wins} of {wanted.rounds} won")


if __name__ == "__main__":
    main()
