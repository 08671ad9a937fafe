"""The league: outsiders that play by the rules, a fair mean, and the command."""

import json
from pathlib import Path

import pytest

from jaipur import Match, Rng, Round, determinize
from jaipur.arena.duel import Duel, run
from jaipur.arena.league import FIELD, League, mean
from jaipur.arena.play import Contender
from jaipur.bots import LEVELS, Budget, make_player
from jaipur.bots.levels import OUTSIDERS
from jaipur.brain.tree import Tree
from jaipur.rules.move import from_code
from tests.support.effort import often
from tests.support.positions import round_from, views
from tests.support.terminal import jaipur

FEW = Budget(worlds=30)


@pytest.mark.parametrize("name", OUTSIDERS)
def test_an_outsider_plays_legal_moves_and_always_the_same(name: str) -> None:
    for view in views(3)[::6]:
        move = make_player(name).choose(view, FEW, Rng(5))
        assert view.why_illegal(move) is None
        assert make_player(name).choose(view, FEW, Rng(5)) == move


@pytest.mark.parametrize("name", OUTSIDERS)
def test_an_outsider_cannot_tell_rounds_with_the_same_view_apart(name: str) -> None:
    player = make_player(name)
    for number, view in enumerate(views(12)):
        world = determinize(view, Rng(number))
        assert player.choose(world.view(view.seat), FEW, Rng(1)) == player.choose(view, FEW, Rng(1))


def test_the_tree_beats_dice_and_gets_better_with_more_tries() -> None:
    few, many = Contender("uct", Budget(worlds=30)), Contender("uct", Budget(worlds=200))
    *_all, against_dice = run(Duel(few, Contender("random"), 6), workers=1)
    assert against_dice.estimate.rate > 0.9
    *_rest, against_itself = run(Duel(many, few, often(10, 40)), workers=1)
    assert against_itself.estimate.rate > 0.6


def test_the_tree_sells_what_wins_the_round_at_once() -> None:
    sold = "GGGGGPPPPPPCCCCCCC"
    round_ = round_from(f"market DDSLM / discard {sold} / seat0 hand PD herd 0 rupees 60 tokens 9 / seat1 hand LLL")
    tree = Tree(round_.view(0), Rng(1))
    tree.run(300)
    ending = tree.root.children[next(move.code for move in round_.legal_moves() if str(move) == "-P")]
    assert ending.total == ending.visits
    assert _is_won(round_, tree.best())


def _is_won(round_: Round, code: int) -> bool:
    """Whether a move wins the round, or at least does not end it."""
    after = round_.copy()
    after.play(from_code(code))
    return not after.over or after.score().winner == 0


def test_a_try_counts_once_at_every_level_of_the_tree() -> None:
    view = Match(2).round.view(Match(2).round.turn)
    tree = Tree(view, Rng(2))
    tree.run(200)
    assert sum(int(node.visits) for node in tree.root.children.values()) == 200
    for node in tree.root.children.values():
        assert 0 <= node.total <= int(node.visits) <= int(node.allowed) == 200
        assert sum(int(child.visits) for child in node.children.values()) == max(int(node.visits) - 1, 0)


def test_outsiders_are_no_levels() -> None:
    assert not OUTSIDERS.keys() & LEVELS.keys()
    assert OUTSIDERS.keys() <= set(FIELD)


def test_the_mean_counts_every_opponent_the_same() -> None:
    now = mean([[1.0] * 10, [0.5, 0.0] * 50])
    assert now.rate == pytest.approx(0.625)
    assert now.low < 0.625 < now.high


def test_a_few_pairs_prove_little() -> None:
    few = mean([[1.0], [0.0], [1.0]])
    assert few.low < 0.4
    assert few.high > 0.9
    many = mean([[1.0, 0.5] * 200] * 3)
    assert many.rate == 0.75
    assert 0.01 < many.high - many.low < 0.04


def test_a_contender_does_not_meet_itself() -> None:
    league = League(Contender("merchant", FEW), ["exec:./other"], 1, 0)
    names = [opponent.name for opponent in league.opponents]
    assert "merchant" not in names
    assert names[-1] == "exec:./other"


def test_the_league_command_prints_json(tmp_path: Path) -> None:
    arguments = ["--rounds", "2", "--worlds", "2", "--workers", "1", "--also", "random", "--json"]
    result = jaipur("league", "pedlar", *arguments, games=tmp_path)
    figures = json.loads(result.stdout)
    assert list(figures["opponents"]) == [*FIELD, "random"]
    assert all(opponent["games"] == 2 for opponent in figures["opponents"].values())
    assert result.stderr == ""
    table = jaipur("league", "pedlar", *arguments[:-1], games=tmp_path)
    assert "pedlar in the league" in table.stdout
    wrong = jaipur("league", "emperor", games=tmp_path)
    assert "There is no player “emperor”" in wrong.stderr
