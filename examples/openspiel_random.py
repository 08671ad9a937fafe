"""A random round in OpenSpiel, chance and all: `python examples/openspiel_random.py`."""

import random

import pyspiel

from jaipur.envs import spiel


def main() -> None:
    """Plays random legal moves and prints what chance and the players do."""
    state = pyspiel.load_game(spiel.NAME).new_initial_state()
    while not state.is_terminal():
        player = state.current_player()
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            action = random.choices(outcomes, odds)[0]
        else:
            action = random.choice(state.legal_actions())
        print(f"{'chance' if player < 0 else f'player {player}'}: {state.action_to_string(player, action)}")
        state.apply_action(action)
    print(state.observation_string(0))
    print("returns", state.returns())


if __name__ == "__main__":
    main()
