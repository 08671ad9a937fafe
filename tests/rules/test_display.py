"""How objects are shown in a shell, a log or a notebook: never more than their owner may see."""

import re

import pytest

import jaipur
from jaipur import Match, Record, Rng, Round, View, determinize, parse_round, parse_view
from jaipur.art import CARD_ART, svg_of
from tests.support.digest import random_match, walk


def test_a_view_and_a_round_can_be_pasted_back() -> None:
    for round_ in walk(3):
        assert eval(repr(round_)) == round_
        for seat in (0, 1):
            view = round_.view(seat)
            assert eval(repr(view)) == view
            assert parse_view(str(view)) == view


def test_a_round_equals_one_at_the_same_position_and_no_other() -> None:
    positions = list(walk(4))
    assert positions[0] == positions[0].copy()
    assert positions[0] != positions[1]
    assert positions[0] != str(positions[0])
    other = positions[0].copy()
    other.deck.draw()
    assert other != positions[0]
    with pytest.raises(TypeError):
        hash(positions[0])


def test_a_match_equals_one_with_the_same_seed_and_moves() -> None:
    match = random_match(5, 60)
    assert match == match.until(match.ply) == match.copy()
    assert match != match.until(match.ply - 1)
    assert match != random_match(6, 60)
    assert match != "match"
    with pytest.raises(TypeError):
        hash(match)


def test_a_match_and_a_record_say_where_they_stand() -> None:
    match = random_match(7, 40)
    assert repr(match) == "<Match: round 1, seals 0-0, 40 moves>"
    assert str(match) == f"round 1 / seals 0-0 / ply 40\n{match.round}"
    assert repr(Record(match, ("Ann", ""))) == "<Record: Ann – ?, *, 40 moves>"


def drawn(svg: str) -> list[str]:
    """The cards in a picture, in the order they were drawn."""
    return [name for name in re.findall(r'<use href="#([a-z]+)"', svg) if name in (*CARD_ART, "back")]


def test_a_notebook_draws_a_view_and_a_round() -> None:
    round_ = parse_round(
        "market DGSCC / deck PPLL / discard DDDDDGGGGGSSSSSCCCCCCPPPPPPLLLLLLLL / bonus3 1 1 2 2 2 3 3"
        " / bonus4 4 4 5 5 6 6 / bonus5 8 8 9 10 10 / seat0 hand - herd 5 / seat1 hand - herd 6"
    )
    picture = round_._repr_svg_()
    assert picture is not None
    assert drawn(picture) == ["camel", "diamond", "gold", "silver", "cloth", "cloth", "back", "camel"]
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


def test_the_picture_of_a_view_tells_no_secret() -> None:
    """Rounds that a seat cannot tell apart have the same picture (R18 to R21); a round's own picture has both hands."""
    rng = Rng(1)
    different = 0
    for round_ in (position for seed in range(8) for position in walk(seed)):
        view = round_.view(1)
        world = determinize(view, rng)
        assert world.view(1)._repr_svg_() == view._repr_svg_()
        different += world._repr_svg_() != round_._repr_svg_()
    assert different > 10


def test_only_views_and_rounds_are_drawn() -> None:
    assert isinstance(Match(1).round.view(0), View)
    assert isinstance(Match(1).round, Round)
    with pytest.raises(TypeError):
        svg_of(jaipur)
