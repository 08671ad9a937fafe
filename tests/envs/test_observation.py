"""What a seat is shown: the view and nothing else, at places that never change."""

import random
import re

import numpy as np
import pytest
from tools.catalogue import ROOT

from jaipur import Rng, View, determinize
from jaipur.brain.features import FEATURES, SLOTS
from jaipur.encoding.actions import ACTIONS
from jaipur.encoding.observation import FIELDS, ROW
from jaipur.envs.factored import FACTORED_ACTIONS, PICKED, TAKES, Picks, next_picks
from jaipur.envs.observe import feature_rows, legal_list, observation, observation_space, row
from jaipur.envs.picture import picture, text
from jaipur.language import use_language
from tests.envs.agreement import expected_row
from tests.support.digest import SEATS, walk
from tests.support.other_secrets import other_round
from tests.support.positions import round_from

PAGE = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")


def views(rounds: int) -> list[View]:
    return [round_.view(seat) for seed in range(rounds) for round_ in walk(seed, seed % 2) for seat in SEATS]


def possible(view: View, picks: Picks | None) -> list[int]:
    return legal_list(view) if picks is None else next_picks(legal_list(view), picks)


def test_a_row_has_every_field_at_its_place() -> None:
    assert sum(places for _name, places, _most in FIELDS) == ROW
    for view in views(20):
        assert row(view).tolist() == expected_row(view)


def test_a_row_in_numbers() -> None:
    """One position by hand: the fields of the row in docs/environments.md."""
    round_ = round_from(
        "market DDSLM / deck GGM / seat0 hand GGCPL known GP herd 2 rupees 31 tokens 7 bonus 2 5"
        " / seat1 hand SSC known C herd 1 rupees 12 tokens 3 bonus 10 / turn 0 / starter 1 / quiet 4"
    )
    found = row(round_.view(0), (1, 0)).tolist()
    named, at = {}, 0
    for name, places, _most in FIELDS:
        named[name] = found[at : at + places]
        at += places
    assert named["hand"] == [0, 2, 0, 1, 1, 1]
    assert named["hidden"] == [0, 1, 0, 1, 0, 1]
    assert named["herd"] == [2]
    assert named["rival_known"] == [0, 0, 0, 1, 0, 0]
    assert named["rival_hand_size"] == [3]
    assert named["market"] == [2, 0, 1, 0, 0, 1, 1]
    assert named["deck"] == [3]
    assert named["bonus_left"] == [6, 5, 4]
    assert (named["goods_rupees"], named["goods_tokens"]) == ([31], [7])
    assert named["bonus"] == [0, 1, 0, 0, 1, 0, 0, 0, 0]
    assert named["rival_bonus_taken"] == [0, 0, 1]
    assert (named["quiet"], named["my_turn"], named["i_started"], named["over"]) == ([4], [1], [0], [0])
    assert (named["seals"], named["rival_seals"]) == ([1], [0])


@pytest.mark.parametrize("factored", [False, True])
def test_observations_are_in_their_space(factored: bool) -> None:
    space = observation_space(factored)
    for view in views(10):
        picks = () if factored else None
        assert space.contains(observation(view, (0, 1), possible(view, picks), picks))


def shown(view: View, picks: Picks) -> bytes:
    """Everything that an environment can show a seat, as bytes."""
    flat = observation(view, (1, 0), possible(view, None), None)
    parts = observation(view, (1, 0), possible(view, picks), picks)
    arrays = [*flat.values(), *parts.values(), feature_rows(view)]
    return b"".join(array.tobytes() for array in arrays) + repr(legal_list(view)).encode() + text(view).encode()


def test_full_states_with_the_same_view_are_shown_the_same() -> None:
    """Noninterference over more than 2,000 pairs: secrets changed by hand, and worlds drawn for the view."""
    chance, rng = random.Random(1), Rng(1)
    pairs = 0
    for seed in range(12):
        deal = next(walk(seed, seed % 2))
        for round_ in walk(seed, seed % 2):
            for seat in SEATS:
                view = round_.view(seat)
                other = other_round(deal, round_, seat, chance)
                picks = tuple(pick for pick in next_picks(legal_list(view), ()) if pick >= TAKES)[-1:]
                assert shown(other.view(seat), picks) == shown(view, picks)
                assert shown(determinize(view, rng).view(seat), picks) == shown(view, picks)
                pairs += 2
    assert pairs > 2000


def test_a_view_that_is_written_over_is_a_new_view() -> None:
    """The vector environment keeps one view for all rounds: nothing of the previous one, and no secret, stays in it."""
    chance = random.Random(2)
    used = next(walk(99)).view(1)
    pairs = 0
    for seed in range(12):
        deal = next(walk(seed, seed % 2))
        for round_ in walk(seed, seed % 2):
            seat = round_.turn
            other = other_round(deal, round_, seat, chance)
            for same in (round_, other):
                same.show(used)
                assert used == round_.view(seat)
                assert row(used).tolist() == expected_row(round_.view(seat))
                pairs += 1
    assert pairs > 1000


def test_pictures_of_the_same_view_are_the_same() -> None:
    rng = Rng(2)
    for round_ in list(walk(3))[::9]:
        view = round_.view(0)
        assert np.array_equal(picture(determinize(view, rng).view(0)), picture(view))


def test_different_views_are_shown_differently() -> None:
    """Shows that the test above can fail: what a seat may see does change what it is shown."""
    seen = {shown(view, ()) for view in views(5)}
    assert len(seen) == len(set(views(5)))


def test_feature_rows_belong_to_the_legal_actions() -> None:
    for view in views(3):
        rows = feature_rows(view)
        assert rows.shape == (len(legal_list(view)), SLOTS)
        assert rows.dtype == np.int16
        if len(rows):
            assert 0 <= rows.min() <= rows.max() < FEATURES


def test_a_picture_shows_the_cards_of_the_market() -> None:
    """A diamond in the market is painted where a camel was before."""
    camels = picture(round_from("market MMMMM / seat0 hand DD").view(0))
    diamond = picture(round_from("market DMMMM / seat0 hand DD").view(0))
    assert camels.shape == (640, 960, 3)
    assert camels.dtype == np.uint8
    changed = np.argwhere((camels != diamond).any(axis=2))
    assert (changed[:, 1] >= 20).all()
    assert (changed[:, 1] < 110).all()


def test_the_text_speaks_both_languages() -> None:
    view = round_from("market DDSLM / seat0 hand GGC herd 2 / seat1 hand SS known S").view(0)
    assert text(view).splitlines()[0].startswith("Rival: S?  camels: 0")
    use_language("fr")
    assert text(view).splitlines()[1].startswith("Marché\u00a0: DDSLM")
    use_language("en")


def test_the_page_names_every_field_with_its_places() -> None:
    rows = re.findall(r"^\| (\d+)(?:–(\d+))? \| `(\w+)` \| (\d+) \|", PAGE, re.MULTILINE)
    at, expected = 0, []
    for name, places, most in FIELDS:
        expected.append((str(at), str(at + places - 1) if places > 1 else "", name, str(most)))
        at += places
    assert rows[: len(FIELDS)] == expected


def test_the_page_tells_what_each_variant_costs() -> None:
    """Bytes of one observation, as numpy counts them."""
    view = round_from("market DDSLM / seat0 hand GGC herd 2").view(0)
    flat, parts = (observation(view, (0, 0), possible(view, picks), picks) for picks in (None, ()))
    assert sum(array.nbytes for array in flat.values()) == ROW + ACTIONS == 25_559
    assert sum(array.nbytes for array in parts.values()) == ROW + PICKED + FACTORED_ACTIONS == 131
    for figure in ("25,559", "3,248", "131"):
        assert figure in PAGE
