"""External programs: what they are asked, how their time is counted, and what happens when they fail."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tools.catalogue import ROOT

from jaipur import Match, Move, Rng, View
from jaipur.arena.duel import Duel, play_pair, run
from jaipur.arena.play import Contender, play_game
from jaipur.bots import Budget, Clock
from jaipur.bots.external import ExternalBot, Forfeit
from jaipur.bots.protocol import question, read_question
from jaipur.bots.stopwatch import Stopwatch, processor_seconds
from jaipur.notation import parse_view
from tests.support.positions import round_from
from tests.support.program import PATIENCE
from tests.support.served import running, wait_for
from tests.support.terminal import environment, hear_interrupts, jaipur

QUICK = Budget(worlds=4)
PROGRAM = f"exec:{sys.executable} {ROOT / 'tests' / 'support' / 'bots_for_tests.py'}"


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


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs get no time beyond their budget."""
    monkeypatch.setattr("jaipur.bots.external._START", 0.0)
    monkeypatch.setattr("jaipur.bots.external._GRACE", 0.0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("clock", Clock)
def test_the_time_of_a_late_answer_counts_by_either_clock(clock: Clock) -> None:
    """A sleeping program uses no processor time; once the wall limit is reached, the time spent waiting counts."""
    budget = Budget(seconds=0.2, clock=clock)
    result = play_pair(Duel(contender("random"), Contender(f"{PROGRAM} late", budget), 1), 0)
    assert result.pairs == [1.0]
    assert result.sides[1].longest >= 0.2


@pytest.mark.usefixtures("impatient")
def test_a_program_that_never_answers_is_asked_only_once() -> None:
    late = Contender(f"{PROGRAM} late", Budget(seconds=0.2))
    *_all, standing = run(Duel(contender("random"), late, 3), workers=1)
    assert standing.pairs == [1.0] * 3
    assert standing.sides[1].decisions == 1
    assert {lost.reason for lost in standing.forfeits} == {
        f"{late.name.removeprefix('exec:')} did not answer its first question in time: does it flush its output?"
    }


@pytest.mark.usefixtures("impatient")
def test_a_program_that_has_answered_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.bots.external._START", 60.0)
    tired = ExternalBot(f"{PROGRAM} tired".removeprefix("exec:"))
    view = Match(1).round.view(Match(1).round.turn)
    for _start in range(2):
        assert tired.choose(view, Budget(seconds=0.2), Rng(1)) == view.legal_moves()[0]
        with pytest.raises(Forfeit, match="tired answered too late"):
            tired.choose(view, Budget(seconds=0.2), Rng(1))


@pytest.mark.skipif(processor_seconds(os.getpid()) is None, reason="the system does not tell")
def test_time_to_start_up_is_given_once_and_not_tenfold() -> None:
    watch = Stopwatch(os.getpid(), Clock.PROCESSOR, 1.1, start=20.0)
    assert (watch.seconds, watch.wall_seconds) == (21.1, 31.0)


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize(
    ("how", "code", "message"), [(signal.SIGINT, 130, "Interrupted.\n"), (signal.SIGTERM, 143, "")]
)
def test_programs_end_with_their_children_when_a_duel_is_ended(
    tmp_path: Path, workers: str, how: signal.Signals, code: int, message: str
) -> None:
    arguments = ["duel", f"{PROGRAM} parent {tmp_path}", "trader", "--workers", workers]
    process = subprocess.Popen(
        [sys.executable, "-m", "jaipur", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - it touches nothing but a signal
        env=environment(tmp_path),
    )
    wait_for(lambda: len(list(tmp_path.iterdir())) == 2 * int(workers))
    process.send_signal(how)
    _out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors.decode()) == (code, message)
    wait_for(lambda: not any(running(int(note.name)) for note in tmp_path.iterdir()))


@pytest.mark.usefixtures("impatient")
def test_programs_end_with_their_children_when_a_duel_is_over(tmp_path: Path) -> None:
    parent = Contender(f"{PROGRAM} parent {tmp_path}", Budget(seconds=5.0))
    list(run(Duel(parent, contender("random"), 1), workers=1))
    assert len(list(tmp_path.iterdir())) == 2
    wait_for(lambda: not any(running(int(note.name)) for note in tmp_path.iterdir()))


@pytest.mark.parametrize(
    ("kind", "reason"),
    [("crash", "ended with exit code 7."), ("flood", "the answer is longer than 10000 bytes.")],
)
def test_what_a_program_did_wrong_is_told_apart_and_the_program_named(kind: str, reason: str) -> None:
    bot = ExternalBot(f"{PROGRAM} {kind}".removeprefix("exec:"))
    with pytest.raises(Forfeit, match=f"bots_for_tests.py {kind}:? {reason}"):
        bot.choose(Match(1).round.view(Match(1).round.turn), QUICK, Rng(1))


def test_a_program_that_closes_its_output_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.bots.external._LAST_WORDS", 0.1)
    bot = ExternalBot(f"{PROGRAM} closed".removeprefix("exec:"))
    with pytest.raises(Forfeit, match="closed has closed its output"):
        bot.choose(Match(1).round.view(Match(1).round.turn), QUICK, Rng(1))


@pytest.mark.skipif(processor_seconds(os.getpid()) is None, reason="the system does not tell")
def test_a_program_that_waits_uses_no_processor_time() -> None:
    """It sleeps for a tenth of a second before every answer, which counts by the wall, but not as processor time."""
    used = {}
    for clock in Clock:
        sleepy = Contender(f"{PROGRAM} sleepy", Budget(seconds=1.0, clock=clock))
        used[clock] = play_pair(Duel(sleepy, contender("random"), 1), 0).sides[0]
    assert used[Clock.WALL].seconds > 0.1 * used[Clock.WALL].decisions
    assert used[Clock.PROCESSOR].seconds < 0.1 * used[Clock.PROCESSOR].decisions


@pytest.mark.skipif(processor_seconds(os.getpid()) is None, reason="the system does not tell")
@pytest.mark.usefixtures("impatient")
def test_a_program_that_uses_more_than_its_processor_time_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaipur.bots.stopwatch._PATIENCE", 1000.0)
    bot = ExternalBot(f"{PROGRAM} busy".removeprefix("exec:"))
    with pytest.raises(Forfeit, match="did not answer its first question in time"):
        bot.choose(Match(1).round.view(Match(1).round.turn), Budget(seconds=0.3, clock=Clock.PROCESSOR), Rng(1))
    assert bot.seconds is not None
    assert bot.seconds >= 0.3


def test_our_own_time_is_the_processors_where_that_is_asked() -> None:
    """A player that only waits uses no processor time."""

    class Sleeper:
        def choose(self, view: View, budget: Budget, rng: Rng) -> Move:
            time.sleep(0.01)
            return view.legal_moves()[0]

    for clock, least in ((Clock.WALL, 0.01), (Clock.PROCESSOR, 0.0)):
        budget = Budget(seconds=1.0, clock=clock)
        game = play_game((Sleeper(), Sleeper()), (budget, budget), Match(1), Rng(1), whole_match=False)
        assert game.seats[0].seconds >= least * game.seats[0].decisions
    assert game.seats[0].seconds < 0.01 * game.seats[0].decisions


def test_a_question_tells_the_view_and_nothing_else() -> None:
    """Noninterference: what a program is told depends on the view alone."""
    view = Match(1).round.view(0)
    fields = json.loads(question(view, QUICK))
    assert fields["position"] == str(view)
    assert fields["view"]["hand"] in fields["position"]
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
    result = jaipur("bot", "trader", games=tmp_path, text=question(view, QUICK) + "\n")
    assert json.loads(result.stdout)["move"] in [str(move) for move in view.legal_moves()]
    wrong = jaipur("bot", "trader", games=tmp_path, text="hello\n")
    assert wrong.returncode == 1
    assert "A question is one line of JSON" in wrong.stderr
