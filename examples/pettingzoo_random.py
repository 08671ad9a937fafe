"""A random round in PettingZoo: `python examples/pettingzoo_random.py`."""

import random

from jaipur.envs import jaipur_v0, move_of


def main() -> None:
    """Plays random legal moves and prints them."""
    env = jaipur_v0.env(render_mode="ansi")
    env.reset(seed=1)
    print(env.render())
    for agent in env.agent_iter():
        _observation, reward, ended, cut, info = env.last()
        if ended or cut:
            print(f"{agent} gets {reward:+.0f}")
            env.step(None)
            continue
        action = random.choice(info["legal"])
        print(f"{agent} plays {move_of(action)}, one of {len(info['legal'])} moves")
        env.step(action)


if __name__ == "__main__":
    main()
