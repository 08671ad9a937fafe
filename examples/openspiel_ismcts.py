"""OpenSpiel's information set Monte Carlo tree search against random moves: `python examples/openspiel_ismcts.py`.

It thinks in states that agree with what it has seen (`resample_from_infostate`), never in the true one.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from jaipur.envs import spiel


def main() -> None:
    """Plays some rounds and prints who won."""
    options = argparse.ArgumentParser(description="Let an OpenSpiel algorithm play Jaipur.")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--simulations", type=int, default=30)
    wanted = options.parse_args()
    luck = np.random.RandomState(1)
    game = pyspiel.load_game(spiel.NAME)
    searcher = ISMCTSBot(game, RandomRolloutEvaluator(1, luck), 1.4, wanted.simulations, random_state=luck)
    for number in range(wanted.rounds):
        seat = number % 2
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                action = luck.choice(outcomes, p=odds)
            elif state.current_player() == seat:
                action = searcher.step(state)
            else:
                action = luck.choice(state.legal_actions())
            state.apply_action(action)
        print(f"round {number + 1}: the search gets {state.returns()[seat]:+.0f}")


if __name__ == "__main__":
    main()
