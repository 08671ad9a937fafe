"""PettingZoo: two agents that take turns. `jaipur_v0.env()` is the environment."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from jaipur.envs.episode import Episode, HasEpisode
from jaipur.envs.observe import Observation, observation_space
from jaipur.envs.options import RENDER_MODES, Options, read_options, read_seed
from jaipur.envs.picture import Frame, render
from jaipur.match import SEED_BYTES

AGENTS = ("player_0", "player_1")


class raw_env(HasEpisode, AECEnv[str, Any, Any]):  # noqa: N801 - the name that PettingZoo programs look for
    """Seat 0 is `player_0`. Every mistake is refused here, so it needs no wrappers."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - as the base class declares it
        "name": "jaipur_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, **options: Any) -> None:
        self.options = read_options(Options, options)
        self.render_mode = self.options.render_mode
        self.possible_agents = list(AGENTS)
        self.agents = []
        self.observation_spaces = {agent: observation_space(self.options.factored) for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self.options.number_of_actions) for agent in AGENTS}
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both agents."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new episode. The same seed leads to the same series of episodes."""
        number = read_seed(seed)
        if self._random is None or number is not None:
            self._random, _seed = seeding.np_random(number)
        self._episode = Episode(self._random.bytes(SEED_BYTES), self.options)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._next_turn()

    def _next_turn(self) -> None:
        self.agent_selection = AGENTS[self.episode.turn]
        self.infos = {agent: self.episode.info(seat) for seat, agent in enumerate(AGENTS)}
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What an agent may know now, with the mask of its legal actions."""
        return self.episode.observation(AGENTS.index(agent))

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """What the agent to move sees, and its reward."""
        self.episode  # noqa: B018 - raises if there is none yet
        return super().last(observe)

    def step(self, action: int | None) -> None:
        """Plays an action for `agent_selection`."""
        if self.agents and self.episode.over and action is None:
            self._was_dead_step(None)
            return
        rewards = self.episode.attempt(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict(zip(AGENTS, rewards, strict=True))
        self._accumulate_rewards()
        if self.episode.over:
            self.terminations = dict.fromkeys(AGENTS, True)
        self._next_turn()

    def render(self) -> Frame:
        """The table as the agent to move sees it."""
        return render(self.episode.view(self.episode.turn), self.render_mode)

    def close(self) -> None:
        """There is nothing to close, but `api_test` demands it."""


def env(**options: Any) -> raw_env:
    """The environment; the options are those of `jaipur.envs.options.Options`."""
    return raw_env(**options)
