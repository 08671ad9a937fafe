"""One episode: a round or a whole match, who moves, what the rewards are, and what each seat is shown."""

from typing import Any

import numpy as np

from jaipur.encoding.actions import EXCHANGES, move_of
from jaipur.envs.factored import Picks, finished, next_picks, pick_text
from jaipur.envs.observe import Observation, feature_rows, legal_list, observation
from jaipur.envs.options import NOT_RESET, Options, read_action
from jaipur.match import Match
from jaipur.rules.errors import N_, IllegalMove, JaipurError
from jaipur.rules.view import View

Rewards = tuple[float, float]
_NOTHING: Rewards = (0.0, 0.0)
_NO_ACTIONS = np.array([], np.int32)


class Episode:
    """A game in progress. It knows everything, but what it shows a seat is made from that seat's view.

    `turn` is the seat to move, `legal` what it may play, and `flat` the same as whole moves. `illegal` says why an
    action has ended the episode.
    """

    def __init__(self, seed: bytes, options: Options) -> None:
        self.options = options
        self.match = Match(seed)
        self.picks: Picks = ()
        self.illegal = ""
        self._look()

    def _look(self) -> None:
        """Computes what is needed again and again until the next move."""
        self.round = self.match.round
        self.turn = int(self.round.turn)
        self.over = self.match.over if self.options.whole_match else self.round.over
        self.flat = [] if self.over else legal_list(self.view(self.turn))
        self.legal = next_picks(self.flat, self.picks) if self.options.factored else self.flat

    def play(self, action: object) -> Rewards:
        """Plays an action for the seat to move and returns the rewards of both seats."""
        if self.over:
            raise JaipurError(N_("The episode is over: call reset to begin another."))
        number = read_action(action, self.options.number_of_actions)
        if number not in self.legal:
            raise self._why_illegal(number)
        if self.options.factored:
            self.picks = (*self.picks, number)
            whole = finished(self.flat, self.picks)
            if whole is None:
                self._look()
                return _NOTHING
            self.picks = ()
            number = whole
        rewards = self._play(number)
        self._look()
        return rewards

    def attempt(self, action: object) -> Rewards:
        """The same for an agent, whose illegal action may end the episode."""
        try:
            return self.play(action)
        except IllegalMove as reason:
            if self.options.illegal == "error":
                raise
            self.illegal = str(reason)
            return self.forfeit()

    def forfeit(self) -> Rewards:
        """Ends the episode: the seat to move gets the penalty, the other gets nothing."""
        self.over = True
        self.flat = self.legal = []
        return (self.options.penalty, 0.0) if self.turn == 0 else (0.0, self.options.penalty)

    def _why_illegal(self, number: int) -> JaipurError:
        is_pick = self.options.factored and (self.picks or number >= EXCHANGES)
        reason = None if is_pick else self.round.why_illegal(move_of(number))
        return reason or IllegalMove(
            N_("“{action}” leads to no legal exchange now (R10 to R13): choose {names}."),
            action=pick_text(number),
            names=" ".join(map(pick_text, self.legal)),
        )

    def _play(self, number: int) -> Rewards:
        round_ = self.round
        round_.play(move_of(number))
        round_.stop_if_quiet()
        if not round_.over:
            return _NOTHING
        paid = round_.score().reward(0, self.options.count_rupees)
        if self.options.whole_match and not self.match.over:
            self.match.next_round()
            return (paid, -paid) if self.options.count_rupees else _NOTHING
        return paid, -paid

    def observation(self, seat: int) -> Observation:
        """What a seat is shown."""
        seals = self.match.seals if self.options.whole_match else (0, 0)
        legal, picks = (self.legal, self.picks) if seat == self.turn else ([], ())
        shown_picks = picks if self.options.factored else None
        return observation(self.view(seat), (seals[seat], seals[1 - seat]), legal, shown_picks)

    def view(self, seat: int) -> View:
        """What a seat may know of the current round."""
        return self.round.view(seat)

    def info(self, seat: int) -> dict[str, Any]:
        """The legal actions of a seat, the feature rows of its legal moves if wanted, and its illegal action if any."""
        info: dict[str, Any] = {"legal": np.array(self.legal, np.int32) if seat == self.turn else _NO_ACTIONS}
        if self.options.features:
            info["features"] = feature_rows(self.view(seat))[: len(info["legal"])]
        if self.illegal and seat == self.turn:
            info["illegal"] = self.illegal
        return info


class HasEpisode:
    """An environment that plays one episode after the other."""

    _episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The game itself, for programs that run the environment; agents are given only observations."""
        if self._episode is None:
            raise JaipurError(NOT_RESET)
        return self._episode
