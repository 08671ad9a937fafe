"""Checks that environments and engine play the same rounds: `python -m tests.envs.agreement ROUNDS [NAME ...]`.

Alongside each environment a plain round is played with the same moves. At every step the legal actions, the observation
and the rewards of the environment are compared with what the engine says; the row is computed here once more, from the
view.
"""

import random
import sys
from bisect import bisect_left
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pyspiel

from jaipur import Match, Move, Rng, Round, View, count
from jaipur.encoding.actions import ACTIONS, EXCHANGES, SALES, move_of
from jaipur.envs import jaipur_v0, spiel
from jaipur.envs.factored import next_picks, path, picked_row
from jaipur.envs.self_play import SelfPlayEnv, unpack
from jaipur.envs.solo import SoloEnv
from jaipur.rules.bag import ONE_CAMEL

ACTION = {move_of(action).code: action for action in range(ACTIONS)}
GOODS, KINDS, PILES, BONUSES = range(6), range(7), range(3), range(9)
AT_ONCE = 64


def expected_row(view: View) -> list[int]:
    """The row of docs/environments.md, spelled out."""
    me, rival = view.me, view.rival
    return [
        *(count(me.hand, good) for good in GOODS),
        *(count(me.hidden, good) for good in GOODS),
        me.herd,
        *(count(rival.known, good) for good in GOODS),
        rival.hand_size,
        rival.herd,
        *(count(view.market, kind) for kind in KINDS),
        view.deck_size,
        *((view.discard >> 4 * good) & 15 for good in GOODS),
        *(count(view.bonus_left, pile) for pile in PILES),
        me.goods_rupees,
        me.goods_tokens,
        *(count(me.bonus, kind) for kind in BONUSES),
        rival.goods_rupees,
        rival.goods_tokens,
        *(count(rival.bonus_taken, pile) for pile in PILES),
        view.quiet,
        int(view.turn == view.seat and not view.over),
        int(view.starter == view.seat),
        int(view.over),
        0,
        0,
    ]


def play(round_: Round, move: Move) -> None:
    """Plays a move, and ends a round that is going nowhere (R25)."""
    round_.play(move)
    round_.stop_if_quiet()


def payoff(round_: Round, seat: int) -> float:
    """The reward for a finished round: 1 with the seal, -1 without it, 0 for a draw."""
    winner = round_.score().winner
    return 0.0 if winner is None else 1.0 if winner == seat else -1.0


def actions(round_: Round) -> list[int]:
    """The legal actions, from the engine's own list of moves."""
    return [ACTION[move.code] for move in round_.legal_moves()]


def pick(legal: list[int], luck: random.Random) -> int:
    """A random action: picks a kind of move first (take, sell, exchange), so that a round is not all exchanges."""
    ends = [bisect_left(legal, first) for first in (0, SALES, EXCHANGES, ACTIONS)]
    start, end = luck.choice([ways for ways in pairwise(ends) if ways[0] < ways[1]])
    return legal[luck.randrange(start, end)]


def is_mask_of(mask: Any, legal: list[int]) -> bool:
    """Whether a mask has a 1 for each of the actions and nothing else."""
    return bool(mask[legal].all()) and np.count_nonzero(mask.view(np.bool_)) == len(legal)


def vector(rounds: int, luck: random.Random, masks: bool = False) -> int:
    """The vector environment."""
    env = SelfPlayEnv(AT_ONCE, masks=masks)
    rows, infos = env.reset(seed=luck.randrange(1 << 30))
    rngs = [Rng(seed) for seed in env.seeds]
    tables = [_deal(rng) for rng in rngs]
    done = 0
    while done < rounds:
        legal, first, seats = infos["legal"].tolist(), infos["first"].tolist(), infos["seat"].tolist()
        picks = []
        for i, (round_, row) in enumerate(zip(tables, rows.tolist(), strict=True)):
            possible = actions(round_)
            assert legal[first[i] : first[i + 1]] == possible
            assert not masks or is_mask_of(unpack(infos["action_mask"][i]), possible)
            assert seats[i] == round_.turn
            assert row == expected_row(round_.view(round_.turn))
            picks.append(pick(possible, luck))
        rows, rewards, ended, cut, infos = env.step(np.array(picks))
        assert not cut.any()
        for i, round_ in enumerate(tables):
            seat = round_.turn
            play(round_, move_of(picks[i]))
            assert ended[i] == round_.over
            assert rewards[i] == (payoff(round_, seat) if round_.over else 0.0)
            if round_.over:
                assert infos["final_obs"][i].tolist() == expected_row(round_.view(seat))
                tables[i] = _deal(rngs[i])
                done += 1
    return done


def _deal(rng: Rng) -> Round:
    starter = rng.below(2)
    return Round.deal(rng, starter)


def agents(rounds: int, luck: random.Random, **options: Any) -> int:
    """PettingZoo's environment."""
    env = jaipur_v0.env(**options)
    for _round in range(rounds):
        env.reset(seed=luck.randrange(1 << 30))
        round_ = Match(env.episode.match.seed).round
        while not round_.over:
            legal = actions(round_)
            agent = f"player_{round_.turn}"
            assert env.agent_selection == agent
            assert env.observe(f"player_{1 - round_.turn}")["observation"][:60].tolist() == expected_row(
                round_.view(1 - round_.turn)
            )
            move = pick(legal, luck)
            expected = expected_row(round_.view(round_.turn))
            parts = path(move) if options else (move,)
            for done, part in enumerate(parts):
                shown, possible = env.observe(agent), next_picks(legal, parts[:done]) if options else legal
                picked = picked_row(parts[:done]) if options else []
                assert shown["observation"].tolist() == expected + picked
                assert env.infos[agent]["legal"].tolist() == possible
                assert is_mask_of(shown["action_mask"], possible)
                env.step(part)
            play(round_, move_of(move))
        assert env.rewards == {"player_0": payoff(round_, 0), "player_1": payoff(round_, 1)}
        assert all(env.terminations.values())
    return rounds


def factored(rounds: int, luck: random.Random) -> int:
    """PettingZoo's environment with factored actions."""
    return agents(rounds, luck, actions="factored")


class Scripted:
    """An opponent that plays random moves and remembers them."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck
        self.moves: list[Move] = []

    def choose(self, view: View, budget: object, rng: Rng) -> Move:
        self.moves.append(self.luck.choice(view.legal_moves()))
        return self.moves[-1]


def solo(rounds: int, luck: random.Random) -> int:
    """Gymnasium's environment against a random opponent."""
    opponent = Scripted(luck)
    env = SoloEnv(opponent)
    for _round in range(rounds):
        shown, info = env.reset(seed=luck.randrange(1 << 30))
        round_ = Match(env.episode.match.seed).round
        ended = False
        while True:
            for move in opponent.moves:
                play(round_, move)
            opponent.moves.clear()
            assert shown["observation"].tolist() == expected_row(round_.view(env.seat))
            assert ended == round_.over
            if ended:
                break
            legal = actions(round_)
            assert info["legal"] == legal
            assert is_mask_of(shown["action_mask"], legal)
            action = pick(legal, luck)
            play(round_, move_of(action))
            shown, reward, ended, _cut, info = env.step(action)
        assert reward == payoff(round_, env.seat)
    return rounds


def openspiel(rounds: int, luck: random.Random) -> int:
    """OpenSpiel's game, with chance following what the engine dealt and drew."""
    game = pyspiel.load_game(spiel.NAME)
    for _round in range(rounds):
        round_ = _deal(Rng(luck.randrange(1 << 30)))
        state = game.new_initial_state()
        _speak(state, [round_.turn, *_dealt(round_)])
        while not round_.over:
            legal = actions(round_)
            assert (state.current_player(), state.legal_actions()) == (round_.turn, legal)
            for seat in (0, 1):
                assert state.observation_tensor(seat)[2:62] == expected_row(round_.view(seat))
            action = pick(legal, luck)
            state.apply_action(action)
            _speak(state, _play_and_tell(round_, move_of(action)))
        assert state.is_terminal()
        assert state.returns() == [payoff(round_, 0), payoff(round_, 1)]
    return rounds


def _speak(state: Any, outcomes: list[int]) -> None:
    """Applies these chance outcomes in turn; after them no chance node is left."""
    for outcome in outcomes:
        odds = dict(state.chance_outcomes())
        assert odds[outcome] > 0
        assert abs(sum(odds.values()) - 1) < 1e-9
        state.apply_action(outcome)
    assert not state.is_chance_node()


def _dealt(round_: Round) -> list[int]:
    """The cards dealt to both players, with their camels, and the two dealt to the market (R5, R6)."""
    bags = [trader.hand + trader.herd * ONE_CAMEL for trader in (round_.first, round_.second)]
    return [kind for bag in [*bags, round_.market - 3 * ONE_CAMEL] for kind in KINDS for _ in range(count(bag, kind))]


def _play_and_tell(round_: Round, move: Move) -> list[int]:
    """Plays a move and returns the cards drawn and the bonus token taken."""
    mover, deck = round_.side(round_.turn), round_.deck.kinds()
    bonus = mover.bonus
    play(round_, move)
    gained = mover.bonus - bonus
    return deck[: len(deck) - round_.deck.size] + [kind for kind in BONUSES if count(gained, kind)]


CHECKS: dict[str, Callable[[int, random.Random], int]] = {
    "vector": vector,
    "agents": agents,
    "factored": factored,
    "solo": solo,
    "openspiel": openspiel,
}


def main() -> None:
    rounds, *names = sys.argv[1:]
    for name in names or CHECKS:
        print(f"{name}: {CHECKS[name](int(rounds), random.Random(1)):,} rounds agree", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
