"""Jaipur for learning programs: PettingZoo, Gymnasium, a vector environment and OpenSpiel (docs/environments.md).

Importing this package registers the environments with Gymnasium and PettingZoo; importing `jaipur.envs.spiel`
registers the game with OpenSpiel. Everything that a learner is given comes from a view.
"""

from jaipur.extras import missing

try:
    import gymnasium
    import pettingzoo
except ImportError as error:
    raise missing("rl") from error

from jaipur.brain.features import FEATURES, SLOTS
from jaipur.encoding.actions import ACTIONS, action_of, move_of
from jaipur.envs.self_play import SelfPlayEnv, unpack
from jaipur.envs.solo import SoloEnv

PETTINGZOO = "jaipur/jaipur-v0"
SOLO = "jaipur/Solo-v0"
SELF_PLAY = "jaipur/SelfPlay-v0"

if SOLO not in gymnasium.registry:
    gymnasium.register(SOLO, entry_point="jaipur.envs.solo:SoloEnv")
    pettingzoo.register("aec", PETTINGZOO, "jaipur.envs.jaipur_v0:env")
    gymnasium.register(SELF_PLAY, vector_entry_point="jaipur.envs.self_play:SelfPlayEnv")

__all__ = [
    "ACTIONS",
    "FEATURES",
    "PETTINGZOO",
    "SELF_PLAY",
    "SLOTS",
    "SOLO",
    "SelfPlayEnv",
    "SoloEnv",
    "action_of",
    "move_of",
    "unpack",
]
