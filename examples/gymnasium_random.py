"""A random round against the pedlar in Gymnasium: `python examples/gymnasium_random.py`."""

import gymnasium

from jaipur.envs import SOLO, move_of


def main() -> None:
    """Plays random legal moves and prints them."""
    env = gymnasium.make(SOLO, opponent="pedlar")
    env.action_space.seed(1)
    observation, info = env.reset(seed=1)
    ended = False
    while not ended:
        action = env.action_space.sample(observation["action_mask"])
        print(f"{move_of(action)}, one of {len(info['legal'])} moves")
        observation, reward, ended, _cut, info = env.step(action)
    print(f"reward {float(reward):+.0f}")


if __name__ == "__main__":
    main()
