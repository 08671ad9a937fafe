"""OpenSpiel: one round as a game with explicit chance nodes. Importing this module registers `python_jaipur`."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from jaipur.encoding.actions import ACTIONS, move_of
from jaipur.encoding.observation import ROW, place_of
from jaipur.envs.chance import BONUS, CARD, STARTER, ChanceRound
from jaipur.envs.observe import row
from jaipur.envs.options import REWARDS, check
from jaipur.rules.bag import count, letters
from jaipur.rules.bonus import BONUS_KINDS, bonus_value
from jaipur.rules.box import CAMEL, DEALT, KINDS, LETTERS, QUIET_LIMIT
from jaipur.rules.errors import N_, JaipurError
from jaipur.rules.rng import Rng
from jaipur.rules.worlds import determinize

NAME = "python_jaipur"
_MOST_RUPEES = 224.0
"""All goods tokens, all bonus tokens and the camel token."""
_SALES_AND_DRAWS = 84
"""At most 44 goods are sold and 40 cards drawn, with fewer than 200 turns between any two of these (R25)."""

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Jaipur",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"reward": "win"},
)


class JaipurGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no types
    """One round. The parameter `reward` is `win` or `rupees`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        kind = (params or {}).get("reward", "win")
        check("reward", kind, REWARDS)
        self.count_rupees = kind == "rupees"
        most = _MOST_RUPEES if self.count_rupees else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=BONUS_KINDS,
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=_SALES_AND_DRAWS * QUIET_LIMIT,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> "JaipurState":
        """The state before the first card is dealt."""
        return JaipurState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "JaipurObserver":
        """An observer of what a player sees, now or over the whole round."""
        return JaipurObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class JaipurState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A position. Chance chooses the starter, and each card and bonus token by kind; players choose flat actions."""

    def __init__(self, game: JaipurGame) -> None:
        super().__init__(game)
        self.played = ChanceRound()
        self.count_rupees = game.count_rupees

    def current_player(self) -> int:
        """A seat, chance, or nobody."""
        if self.played.over:
            return int(pyspiel.PlayerId.TERMINAL)
        if self.played.due or self.played.round is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(self.played.round.turn)

    def _legal_actions(self, player: int) -> list[int]:
        return self.played.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes and their probabilities."""
        return list(self.played.outcomes().items())

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.played.settle(action)
        else:
            self.played.choose(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return str(move_of(action))
        what = self.played.due[0] if self.played.due else CARD
        if what == STARTER:
            return f"starter {action}"
        return f"bonus {bonus_value(action)}" if what == BONUS else LETTERS[action]

    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.played.over

    def returns(self) -> list[float]:
        """What each player gets at the end."""
        if self.played.round is None or not self.played.over:
            return [0.0, 0.0]
        paid = self.played.round.score().reward(0, self.count_rupees)
        return [paid, -paid]

    def __str__(self) -> str:
        round_ = "" if self.played.round is None else str(self.played.round)
        return f"{round_}\n{' '.join(self.played.seen[0])} | {' '.join(self.played.seen[1])}"

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "JaipurState":
        """A state that the player cannot tell from this one, every hidden arrangement equally likely.

        The history is replayed with the rival's unseen cards and bonus tokens redrawn; everything else was open.
        """
        round_ = self.played.round
        if round_ is None or self.played.due:
            raise JaipurError(N_("A state can be resampled where a player moves, not at a chance node."))
        rng = Rng(int(sampler() * 2**53))
        rival = determinize(round_.view(player), rng).side(1 - player)
        history = self.history()
        at = 1 + DEALT * (1 - player)
        history[at : at + DEALT] = self._rival_deal(1 - player, rival.hidden, rng)
        owned = [kind for kind in range(BONUS_KINDS) for _token in range(count(rival.bonus, kind))]
        tokens = _in_any_order(owned, rng)
        state = self.get_game().new_initial_state()
        for action in history:
            outcome = action
            if state.played.due[:1] == (BONUS,) and state.played.round.turn != player:
                outcome = next(kind for kind in tokens if kind // 3 == action // 3)
                tokens.remove(outcome)
            state.apply_action(outcome)
        return state  # type: ignore[no-any-return]

    def _rival_deal(self, seat: int, hidden: int, rng: Rng) -> list[int]:
        """The cards that a seat was dealt, with those it never showed replaced by others, in random order."""
        round_ = self.played.round
        assert round_ is not None
        dealt = self.played.dealt[DEALT * seat : DEALT * (seat + 1)]
        for letter in letters(round_.side(seat).hidden):
            dealt.remove(LETTERS.index(letter))
        return _in_any_order(dealt + [LETTERS.index(letter) for letter in letters(hidden)], rng)


def _in_any_order(kinds: list[int], rng: Rng) -> list[int]:
    left = kinds.copy()
    return [left.pop(rng.below(len(left))) for _kind in kinds]


class JaipurObserver:
    """Makes tensors and strings of what a player sees. The tensor of a view also remembers what was played openly."""

    def __init__(self, kind: Any) -> None:
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise JaipurError(
                N_("An observer sees the public information and one player's own cards, no less and no more.")
            )
        self.perfect_recall = kind.perfect_recall
        self.tensor = np.zeros(2 + ROW + KINDS, np.float32)
        self.dict = {
            "player": self.tensor[:2],
            "view": self.tensor[2 : 2 + ROW],
            "drawn": self.tensor[2 + ROW :],
        }

    def set_from(self, state: JaipurState, player: int) -> None:
        """Writes the tensor."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        played = state.played
        for kind in played.drawn:
            self.dict["drawn"][kind] += 1
        if played.round is not None:
            self.dict["view"][:] = row(played.round.view(player))
            return
        for kind in played.dealt[DEALT * player : DEALT * (player + 1)]:
            self.dict["view"][place_of("herd") if kind == CAMEL else kind] += 1

    def string_from(self, state: JaipurState, player: int) -> str:
        """The view as text, or everything that the player has seen so far."""
        played = state.played
        if self.perfect_recall or played.round is None:
            return f"seat {player} " + " ".join(played.seen[player])
        pending = "" if played.pending is None else f"\n{played.pending}"
        return str(played.round.view(player)) + pending + "".join(LETTERS[kind] for kind in played.drawn)


pyspiel.register_game(_TYPE, JaipurGame)
