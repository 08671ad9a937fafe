"""The levels: what they are given, what they answer, and that the same question has the same answer."""

import hashlib
import math
import zlib
from pathlib import Path
from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from jaipur import JaipurError, Match, Rng, Round, View, bots, determinize
from jaipur.bots import LEVELS, Budget, make_player
from jaipur.bots.merchant import forgetful
from jaipur.bots.weights import MAGIC, SHIPPED, from_bytes, load_network, shipped_network, to_bytes
from jaipur.brain.features import ALONE, FEATURES, SLOTS, fill_alone, fill_moving, fill_still, rupee_lead
from jaipur.brain.learner import new_output, new_weights
from jaipur.brain.network import HIDDEN, Network, activation, network_of
from tests.support.positions import views

pytestmark = pytest.mark.slow

COUNT = Budget(worlds=8)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_legal_moves_only(level: str) -> None:
    for view in views(1, level):
        assert view.why_illegal(make_player(level).choose(view, COUNT, Rng(3))) is None


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_numbers_give_the_same_move(level: str) -> None:
    for view in views(2)[::5]:
        assert make_player(level).choose(view, COUNT, Rng(4)) == make_player(level).choose(view, COUNT, Rng(4))


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_can_tell_full_states_with_the_same_view_apart(level: str) -> None:
    """Noninterference over 1,000 pairs of different rounds that agree with a view from a real round."""
    player = make_player(level)
    rng = Rng(5)
    pairs = 0
    seed = 10
    while pairs < 1000:
        seed += 1
        for view in views(seed):
            world = determinize(view, rng)
            assert player.choose(world.view(view.seat), COUNT, Rng(pairs)) == player.choose(view, COUNT, Rng(pairs))
            pairs += 1


def test_a_player_is_given_a_view_that_leads_to_no_round() -> None:
    """Neither a round nor a deck can be reached from a view."""
    view = Match(1).round.view(0)
    parts: list[object] = [getattr(view, name) for name in dir(view) if not name.startswith("__")]
    parts += [getattr(part, name) for part in (view.me, view.rival) for name in dir(part) if not name.startswith("__")]
    assert not [part for part in parts if isinstance(part, Round) or type(part).__name__ == "Deck"]


@pytest.mark.parametrize("level", SHIPPED)
def test_the_value_of_a_move_does_not_depend_on_the_others(level: str) -> None:
    """Sums updated from one move to the next are the same as sums computed from scratch."""
    network = shipped_network(level)
    for view in views(6):
        codes = [move.code for move in view.legal_moves()]
        together = network.values(view, _codes(codes))
        alone = [network.values(view, _codes([code]))[0] for code in codes]
        assert list(together) == alone


def _codes(codes: list[int]) -> "vec[i64]":
    return vec[i64](codes)


def _features(view: View, code: int) -> list[int]:
    slots = _codes([-1] * SLOTS)
    fill_still(view, slots)
    fill_moving(view, code, rupee_lead(view), slots)
    fill_alone(slots)
    return list(slots)


@pytest.mark.parametrize(
    "wrong", [{"seconds": -1}, {"seconds": "x"}, {"seconds": math.nan}, {"worlds": 0}, {"worlds": 2.5}]
)
def test_a_budget_is_refused_when_it_is_made(wrong: dict[str, Any]) -> None:
    with pytest.raises(JaipurError, match="of a budget are"):
        Budget(**wrong)


def test_the_network_sees_every_feature() -> None:
    """Its packed whole numbers add up to the same as the weights of all slots, one by one."""
    rng = Rng(2)
    weights, output = list(new_weights(rng)), list(new_output(rng))
    network = network_of(weights, output)
    for view in views(9):
        code = view.legal_moves()[0].code
        total = output[HIDDEN]
        for unit in range(HIDDEN):
            rows = [*_features(view, code), FEATURES]
            total += output[unit] * activation(sum(weights[row * HIDDEN + unit] for row in rows))
        assert network.legal_values(view)[0] == pytest.approx(1 / (1 + math.exp(-total)), abs=0.005)


def test_every_afterstate_has_one_feature_in_each_slot() -> None:
    for view in views(7):
        slots = _features(view, view.legal_moves()[-1].code)
        assert len(set(slots)) == SLOTS
        assert min(slots) >= 0


def test_the_forgetful_see_the_same_table_without_the_rivals_cards() -> None:
    view = next(view for view in views(8) if view.rival.known)
    seen = forgetful(view)
    assert seen.rival.known == 0
    assert seen.legal_moves() == view.legal_moves()


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    rng = Rng(1)
    path = tmp_path / "new.weights"
    weights, output = new_weights(rng), new_output(rng)
    path.write_bytes(to_bytes(weights, output))
    written = Network(output)
    written.take_weights(weights)
    read = load_network(str(path))
    assert list(read.rows) == list(written.rows)
    assert list(read.output) == list(output)


@pytest.mark.parametrize("damage", [b"", b"nonsense", "cut", "flip", "not packed", "too short"])
def test_damaged_weights_are_refused(damage: bytes | str) -> None:
    rng = Rng(1)
    data = to_bytes(new_weights(rng), new_output(rng))
    if damage == "cut":
        data = data[:-1]
    elif damage == "flip":
        data = data[:1000] + bytes([data[1000] ^ 1]) + data[1001:]
    elif damage == "not packed":
        data = _sealed(MAGIC + b"nonsense")
    elif damage == "too short":
        data = _sealed(MAGIC + zlib.compress(b"nonsense"))
    elif isinstance(damage, bytes):
        data = damage
    with pytest.raises(JaipurError, match="file of weights"):
        from_bytes(data, "file")


def _sealed(body: bytes) -> bytes:
    return body + hashlib.sha256(body).digest()


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(JaipurError, match="There is no player “emperor”"):
        make_player("emperor")


@pytest.mark.parametrize("level", SHIPPED)
def test_the_sums_of_a_shipped_network_stay_in_their_lanes(level: str) -> None:
    """Four hidden units share an int: a sum has room for up to 32 and never exceeds 20, even in wild rounds."""
    network = shipped_network(level)
    rng = Rng(1)
    largest = 0.0
    for seed in range(20):
        round_ = Match(seed).round
        while not round_.over:
            view = round_.view(round_.turn)
            moves = view.legal_moves()
            move = moves[rng.below(len(moves))]
            slots = _features(view, move.code)[:ALONE]
            for unit in range(HIDDEN):
                total = network.weight(FEATURES, unit) + sum(network.weight(feature, unit) for feature in slots)
                largest = max(largest, abs(total))
            round_.play(move)
    assert 4 < largest < 20


def test_files_of_weights_are_small() -> None:
    files = list(Path(bots.__file__).parent.glob("*.weights"))
    assert {file.stem for file in files} == {"merchant", "vizier", "stranger", "hunter"}
    assert all(file.stat().st_size < 1_000_000 for file in files)
