"""Gymnasium: one agent against one of our levels, an external program, or any player."""

from typing import Any, cast

import gymnasium
from gymnasium import spaces

from jaipur.bots import Budget, Player, make_player
from jaipur.bots.external import ExternalBot, Forfeit
from jaipur.encoding.actions import action_of
from jaipur.envs.episode import Episode, HasEpisode, Rewards
from jaipur.envs.factored import path
from jaipur.envs.observe import Observation, observation_space
from jaipur.envs.options import RENDER_MODES, Options, check, read_options, read_seed
from jaipur.envs.picture import Frame, render
from jaipur.match import SEED_BYTES
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.move import Move
from jaipur.rules.rng import Rng

_BUDGET = Budget(worlds=24)
"""A number of worlds, not seconds: the same seed gives the same episode."""


class SoloEnv(HasEpisode, gymnasium.Env[Any, Any]):
    """The agent has one seat, drawn for each episode unless given; an opponent has the other.

    `opponent` is a level, `merchant:FILE`, `vizier:FILE`, `exec:COMMAND`, or a player of your own. The other options
    are those of `jaipur.envs.options.Options`.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - as the base

    def __init__(
        self, opponent: str | Player = "trader", seat: int | None = None, budget: Budget = _BUDGET, **options: Any
    ) -> None:
        check("seat", seat, (None, 0, 1))
        self.options = read_options(Options, options)
        self.render_mode = self.options.render_mode
        if not isinstance(budget, Budget):
            raise JaipurError(N_("A budget is a jaipur.bots.Budget, not “{value}”."), value=str(budget)[:40])
        self.opponent = _player(opponent)
        self.budget = budget
        self.observation_space = observation_space(self.options.factored)
        self.action_space = spaces.Discrete(self.options.number_of_actions)
        self._given_seat = seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals a new episode, in which the opponent may have moved already; raises `Forfeit` if its program fails."""
        number = read_seed(seed)
        for name in options or {}:
            raise JaipurError(N_("reset takes no options, so “{name}” cannot be given."), name=str(name)[:40])
        super().reset(seed=number)
        self.seat = int(self.np_random.integers(2)) if self._given_seat is None else self._given_seat
        self._rng = Rng(int(self.np_random.integers(2**62)))
        self._episode = Episode(self.np_random.bytes(SEED_BYTES), self.options)
        self._forfeit: Forfeit | None = None
        self._answer()
        if self._forfeit is not None:
            raise self._forfeit
        return self._shown()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action, then the opponent's moves until it is the agent's turn again."""
        paid = self.episode.attempt(action)[self.seat] + self._answer()
        shown, info = self._shown()
        if self._forfeit is not None:
            info["forfeit"] = str(self._forfeit)
        return shown, paid, self.episode.over, False, info

    def _answer(self) -> float:
        """Plays the opponent's moves; returns the agent's reward, which is minus the penalty if the program fails."""
        paid = 0.0
        while not self.episode.over and self.episode.turn != self.seat:
            try:
                move = self.opponent.choose(self.episode.view(1 - self.seat), self.budget, self._rng)
            except Forfeit as error:
                self._forfeit = error
                return paid - self.episode.forfeit()[1 - self.seat]
            paid += self._play(move)[self.seat]
        return paid

    def _play(self, move: Move) -> Rewards:
        action = action_of(move)
        for part in path(action) if self.options.factored else (action,):
            rewards = self.episode.play(part)
        return rewards

    def _shown(self) -> tuple[Observation, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        # Lists, because Gymnasium's vector environments can only batch arrays that all have the same length.
        info = self.episode.info(self.seat)
        info |= {name: list(value) for name, value in info.items() if name != "illegal"}
        return self.episode.observation(self.seat), info

    def render(self) -> Frame:
        """The table as the agent sees it."""
        return render(self.episode.view(self.seat), self.render_mode)

    def close(self) -> None:
        """Ends the opponent's program, if it is one."""
        if isinstance(self.opponent, ExternalBot):
            self.opponent.close()


def _player(opponent: object) -> Player:
    if isinstance(opponent, str):
        return make_player(opponent)
    if not callable(getattr(opponent, "choose", None)):
        raise JaipurError(
            N_("An opponent is a name, or has a method choose(view, budget, rng); “{value}” is neither."),
            value=str(opponent)[:40],
        )
    return cast("Player", opponent)
