"""External programs: what they are asked, how their time is counted, and what happens when they fail."""

import json
import os
import sys
import time
from pathlib import Path

import pytest
from tools.catalogue import ROOT

from jaipur import Match, Move, Rng, View
from jaipur.arena.contender import Contender
from jaipur.arena.duel import Duel, play_pair, run
from jaipur.arena.play import play_game
from jaipur.bots import Budget, Clock
from jaipur.bots.external import ExternalBot, Forfeit
from jaipur.bots.protocol import question, read_question
from jaipur.bots.stopwatch import processor_seconds
from jaipur.notation import parse_view
from tests.positions import round_from
from tests.terminal import jaipur

QUICK = Budget(worlds=4)
PROGRAM = f"exec:{sys.executable} {ROOT / 'tests' / 'bots_for_tests.py'}"


def contender(name: str) -> Contender:
    return Contender(name, QUICK)


def test_a_good_program_plays() -> None:
    *_all, standing = run(Duel(contender(f"{PROGRAM} first"), contender("random"), 2), workers=1)
    assert standing.games == 4
    assert not standing.forfeits


@pytest.mark.parametrize("kind", ["crash", "illegal", "nonsense", "unreadable", "flood"])
def test_a_bad_program_loses_its_games_with_a_reason(kind: str) -> None:
    result = play_pair(Duel(contender("random"), contender(f"{PROGRAM} {kind}"), 1), 0)
    assert result.pairs == [1.0]
    assert [lost.side for lost in result.forfeits] == ["second", "second"]
    assert all(parse_view(lost.position).legal_moves() for lost in result.forfeits)
    assert all(lost.reason for lost in result.forfeits)


def test_the_side_of_a_forfeit_is_named_from_either_place() -> None:
    result = play_pair(Duel(contender(f"{PROGRAM} crash"), contender("random"), 1), 0)
    figures = result.figures()
    assert figures["forfeits"] == 2
    assert [lost["side"] for lost in figures["forfeited"]] == ["first", "first"]  # type: ignore[attr-defined]


def test_the_time_of_a_late_answer_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.bots.external._START", 0.0)
    monkeypatch.setattr("jaipur.bots.external._GRACE", 0.0)
    late = Contender(f"{PROGRAM} late", Budget(seconds=0.2))
    result = play_pair(Duel(contender("random"), late, 1), 0)
    assert result.pairs == [1.0]
    assert result.sides[1].longest >= 0.2
    assert result.sides[1].decisions == 2


@pytest.mark.skipif(processor_seconds(os.getpid()) is None, reason="the system does not tell")
def test_a_program_that_waits_uses_no_processor_time() -> None:
    """It sleeps for a tenth of a second before every answer; the wall counts that, the processor does not."""
    used = {}
    for clock in Clock:
        sleepy = Contender(f"{PROGRAM} sleepy", Budget(seconds=1.0, clock=clock))
        used[clock] = play_pair(Duel(sleepy, contender("random"), 1), 0).sides[0]
    assert used[Clock.WALL].seconds > 0.1 * used[Clock.WALL].decisions
    assert used[Clock.PROCESSOR].seconds < 0.1 * used[Clock.PROCESSOR].decisions


@pytest.mark.skipif(processor_seconds(os.getpid()) is None, reason="the system does not tell")
def test_a_program_that_uses_more_than_its_processor_time_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.bots.external._START", 0.0)
    monkeypatch.setattr("jaipur.bots.external._GRACE", 0.0)
    monkeypatch.setattr("jaipur.bots.stopwatch._PATIENCE", 1000.0)
    bot = ExternalBot(f"{PROGRAM} busy".removeprefix("exec:"))
    with pytest.raises(Forfeit, match="answered too late"):
        bot.choose(Match(1).round.view(Match(1).round.turn), Budget(seconds=0.3, clock=Clock.PROCESSOR), Rng(1))
    assert bot.seconds >= 0.3


def test_our_own_time_is_the_processors_where_that_is_asked() -> None:
    """A player that only waits has used up none of its processor time."""

    class Sleeper:
        def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
            time.sleep(0.01)
            return view.legal_moves()[0]

    for clock, least in ((Clock.WALL, 0.01), (Clock.PROCESSOR, 0.0)):
        budget = Budget(seconds=1.0, clock=clock)
        game = play_game((Sleeper(), Sleeper()), (budget, budget), Match(1), Rng(1), whole_match=False)
        assert game.seconds[0] >= least * game.decisions[0]
    assert game.seconds[0] < 0.01 * game.decisions[0]


def test_a_late_program_loses_and_hangs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.bots.external._START", 0.0)
    monkeypatch.setattr("jaipur.bots.external._GRACE", 0.0)
    bot = ExternalBot(f"{PROGRAM} late".removeprefix("exec:"))
    view = Match(1).round.view(Match(1).round.turn)
    with pytest.raises(Forfeit, match="answered too late"):
        bot.choose(view, Budget(seconds=0.2), Rng(1))
    assert bot.process is None


def test_a_question_tells_the_view_and_nothing_else() -> None:
    """Noninterference: what a program is told follows from the view alone."""
    view = Match(1).round.view(0)
    asked = json.loads(question(view, QUICK))
    assert asked["position"] == str(view)
    assert asked["view"]["hand"] in asked["position"]
    for budget in (QUICK, Budget(seconds=0.5, clock=Clock.PROCESSOR)):
        assert read_question(question(view, budget)) == (view, budget)
    old = json.dumps({"position": str(view), "budget": {"seconds": 2}})
    assert read_question(old) == (view, Budget(seconds=2))


def test_a_question_tells_what_the_rival_knows_and_counts_tokens() -> None:
    round_ = round_from("market DDSLM / seat0 hand GGC herd 2 / seat1 hand LL")
    round_.play(Move.parse("+S"))
    round_.play(Move.parse("-LL"))
    fields = json.loads(question(round_.view(0), QUICK))["view"]
    assert fields["shown"] == "S"
    assert fields["goods_tokens"] == 0
    assert fields["rival"]["goods_tokens"] == 2
    assert fields["quiet"] == 0


def test_our_levels_answer_as_external_bots(tmp_path: Path) -> None:
    view = Match(1).round.view(Match(1).round.turn)
    done = jaipur("bot", "trader", games=tmp_path, text=question(view, QUICK) + "\n")
    assert json.loads(done.stdout)["move"] in [str(move) for move in view.legal_moves()]
    wrong = jaipur("bot", "trader", games=tmp_path, text="hello\n")
    assert wrong.returncode == 1
    assert "A question is one line of JSON" in wrong.stderr
