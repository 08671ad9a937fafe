"""The OpenSpiel game: OpenSpiel's own test, the odds of chance, what players see, and resampling."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pyspiel
import pytest

from jaipur import IllegalMove, JaipurError
from jaipur.encoding.actions import SALES, action_of, move_of
from jaipur.envs.chance import BONUS, ChanceRound
from jaipur.envs.spiel import NAME, JaipurObserver
from jaipur.rules.move import Move
from jaipur.rules.score import Ending
from tests.envs.agreement import openspiel
from tests.support.chi_square import fits
from tests.support.positions import round_from

pytestmark = pytest.mark.slow

GAME = pyspiel.load_game(NAME)


def some_state(seed: int, moves: int) -> Any:
    """A state after this many random moves, or the last one before the end."""
    luck = random.Random(seed)
    state = GAME.new_initial_state()
    while moves or state.is_chance_node():
        before = state.clone()
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(luck.choices(outcomes, odds)[0])
        else:
            state.apply_action(luck.choice(state.legal_actions()))
            moves -= 1
        if state.is_terminal():
            return before
    return state


@pytest.mark.parametrize("name", [NAME, f"{NAME}(reward=rupees)"])
def test_openspiel_finds_no_fault(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


def test_the_game_and_the_engine_agree() -> None:
    openspiel(150, random.Random(5))


def test_a_copy_goes_its_own_way() -> None:
    state = some_state(1, 9)
    other = state.clone()
    other.apply_action(other.legal_actions()[0])
    assert str(state) != str(other)
    assert state.history() == other.history()[:-1]


def test_serialized_states_are_read_back_in_the_middle_of_a_refill() -> None:
    luck = random.Random(2)
    found = 0
    for seed in range(10):
        state = some_state(seed, 12)
        state.apply_action(luck.choice(state.legal_actions()))
        _game, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(GAME, state))
        assert str(read) == str(state)
        assert read.current_player() == state.current_player()
        if state.is_chance_node():
            found += 1
            assert read.chance_outcomes() == state.chance_outcomes()
    assert found


def test_chance_deals_by_the_cards_that_are_left() -> None:
    """R5: eight camels and 44 goods are shuffled; once a diamond is dealt, five of 51 cards are diamonds."""
    deal = ChanceRound()
    assert deal.outcomes() == {0: 0.5, 1: 0.5}
    deal.settle(0)
    assert deal.outcomes() == {kind: cards / 52 for kind, cards in enumerate((6, 6, 6, 8, 8, 10, 8))}
    deal.settle(0)
    assert deal.outcomes()[0] == 5 / 51


def test_a_bonus_token_comes_by_the_odds_of_its_pile() -> None:
    """R3, R17: of the tokens for three cards, 1 1 2 2 2 3 3, one 2 is gone."""
    played = ChanceRound()
    played.due = ()
    played.round = round_from("market DGSMM / seat0 hand LLL / seat1 bonus 2 / turn 0")
    played.choose(action_of(Move.parse("-LLL")))
    assert list(played.due) == [BONUS]
    assert played.outcomes() == {0: 2 / 6, 1: 2 / 6, 2: 2 / 6}
    played.settle(2)
    assert played.round.first.bonus_rupees == 3
    assert played.seen[0][-1] == "bonus 3"
    assert played.seen[1][-1] == "bonus ?"


def test_drawn_cards_are_turned_up_in_the_market() -> None:
    played = ChanceRound()
    played.due = ()
    played.round = round_from("market DGSMM / deck LPD / turn 0")
    played.choose(action_of(Move.parse("+M")))
    played.settle(0)
    played.settle(4)
    assert str(played.round.view(0)).splitlines()[1].startswith("market DDGSP / deck ?")
    assert played.round.deck.kinds() == [5]


def test_chance_and_players_are_held_to_the_rules() -> None:
    state = some_state(3, 0)
    with pytest.raises(IllegalMove, match="R"):
        state.played.choose(action_of(Move.parse("-LLLLLLL")))
    with pytest.raises(JaipurError, match="A chance outcome is due first"):
        ChanceRound().choose(0)
    with pytest.raises(JaipurError, match="7 is not a possible chance outcome now"):
        ChanceRound().settle(7)
    with pytest.raises(JaipurError, match="The option reward cannot be “fame”"):
        pyspiel.load_game(f"{NAME}(reward=fame)")
    public = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    with pytest.raises(JaipurError, match="An observer sees the public information and one player's own cards"):
        JaipurObserver(public)


def test_a_player_sees_its_own_deal_and_only_the_rivals_camels() -> None:
    state = some_state(4, 0)
    mine = state.played.dealt[:5]
    seen = state.information_state_string(0)
    assert seen.count("dealt") == 5
    assert f"rival's herd {state.played.round.second.herd}" in seen
    assert seen != state.information_state_string(1)
    early = GAME.new_initial_state()
    for action in state.history()[:6]:
        early.apply_action(action)
    assert Counter({kind: int(n) for kind, n in enumerate(early.observation_tensor(0)[2:8]) if n}) == Counter(
        kind for kind in mine if kind < 6
    )


@pytest.mark.parametrize("player", [0, 1])
def test_a_resampled_state_is_the_same_to_the_player(player: int) -> None:
    luck = random.Random(6)
    changed = 0
    for seed in range(40):
        state = some_state(seed, seed)
        other = state.resample_from_infostate(player, luck.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert len(other.history()) == len(state.history())
        assert other.current_player() == state.current_player()
        changed += other.history() != state.history()
    assert changed > 15


def test_resampling_forgets_the_true_hand() -> None:
    """Right after the deal, the rival's five cards are redrawn with the odds of the unseen cards."""
    luck = random.Random(7)
    state = next(state for state in (some_state(seed, 0) for seed in range(50)) if state.played.round.second.herd == 0)
    view = state.played.round.view(0)
    unseen = Counter({0: 6, 1: 6, 2: 6, 3: 8, 4: 8, 5: 10})
    for kind in range(6):
        unseen[kind] -= ((view.me.hand + view.market) >> (3 * kind)) & 7
    drawn: Counter[int] = Counter()
    for _ in range(600):
        drawn[state.resample_from_infostate(0, luck.random).history()[6]] += 1
    assert fits(drawn, {kind: number / unseen.total() for kind, number in unseen.items() if number})


def test_where_chance_speaks_nothing_is_resampled() -> None:
    """At a chance node, what was just seen is not in a view yet."""
    starting, playing = GAME.new_initial_state(), some_state(1, 9)
    playing.apply_action(next(action for action in playing.legal_actions() if action < SALES))
    for state in (starting, playing):
        assert state.is_chance_node()
        with pytest.raises(JaipurError, match="A state can be resampled where a player moves"):
            state.resample_from_infostate(0, random.random)


def test_actions_have_names() -> None:
    state = some_state(8, 3)
    for action in state.legal_actions():
        assert state.action_to_string(state.current_player(), action) == str(move_of(action))
    start = GAME.new_initial_state()
    assert start.action_to_string(pyspiel.PlayerId.CHANCE, 1) == "starter 1"
    start.apply_action(1)
    assert start.action_to_string(pyspiel.PlayerId.CHANCE, 6) == "M"


def test_tensors_have_their_size() -> None:
    assert GAME.observation_tensor_size() == GAME.information_state_tensor_size() == 69
    assert np.isfinite(some_state(9, 20).observation_tensor(1)).all()


def test_a_round_that_goes_nowhere_is_stopped_and_scored() -> None:
    """R25."""
    played = ChanceRound()
    played.due = ()
    played.round = round_from("market DGSCC / seat0 hand LLPP herd 2 / turn 0 / quiet 199")
    played.choose(action_of(Move.parse("+DG-LL")))
    assert played.over
    assert played.round.ending is Ending.STOPPED
