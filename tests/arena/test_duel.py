"""Duels: paired deals, honest intervals, ladders, and what is left after an interruption."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.catalogue import ROOT

from jaipur import JaipurError, Record, Rng
from jaipur.arena.duel import Duel, Standing, deal_seed, run
from jaipur.arena.play import Contender
from jaipur.arena.statistics import Estimate, decided, estimate, normal_estimate, rate_of, ratings
from jaipur.bots import LEVELS, Budget, Clock
from jaipur.bots.weights import shipped_weights, to_bytes
from jaipur.brain.learner import new_output, new_weights
from jaipur.cli.kit.options import read_two_budgets
from jaipur.cli.study.ladder import ladder
from tests.support.program import PATIENCE
from tests.support.terminal import environment, hear_interrupts, jaipur

pytestmark = pytest.mark.slow

QUICK = Budget(worlds=4)
PROGRAM = f"exec:{sys.executable} {ROOT / 'tests' / 'support' / 'bots_for_tests.py'}"


def contender(name: str) -> Contender:
    return Contender(name, QUICK)


def test_a_player_against_itself_wins_exactly_half() -> None:
    """Both games of a pair have the same cards and the same luck, so a deterministic player wins one of the two."""
    *_all, standing = run(Duel(contender("merchant"), contender("merchant"), 10), workers=1)
    assert standing.pairs == [0.5] * 10
    assert standing.games == 20


def test_a_duel_is_the_same_every_time_and_with_any_number_of_workers() -> None:
    duel = Duel(contender("vizier"), contender("trader"), 4, seed=3)
    *_one, alone = run(duel, workers=1)
    *_two, together = run(duel, workers=2)
    assert alone.pairs == together.pairs
    assert alone.turns == together.turns


def test_the_trader_beats_dice_and_the_merchant_beats_the_trader() -> None:
    *_all, first = run(Duel(contender("trader"), contender("random"), 50), workers=1)
    *_rest, second = run(Duel(contender("merchant"), contender("trader"), 50), workers=1)
    assert first.estimate.rate > 0.95
    assert second.estimate.low > 0.7


def test_weights_that_changed_play_in_the_next_duel(tmp_path: Path) -> None:
    """Training tests the same file again and again."""
    path = tmp_path / "some.weights"
    duel = Duel(contender(f"merchant:{path}"), contender("merchant"), 10)
    path.write_bytes(shipped_weights("merchant"))
    *_all, before = run(duel, workers=1)
    path.write_bytes(to_bytes(new_weights(Rng(1)), new_output(Rng(2))))
    *_rest, after = run(duel, workers=1)
    assert before.estimate.rate == 0.5
    assert after.estimate.rate < 0.2


def test_records_of_a_duel_can_be_replayed(tmp_path: Path) -> None:
    duel = Duel(contender("trader"), contender("random"), 2, records=tmp_path)
    list(run(duel, workers=1))
    records = [Record.load(path) for path in sorted(tmp_path.iterdir())]
    assert [record.players for record in records][:2] == [("bot:trader", "bot:random"), ("bot:random", "bot:trader")]
    assert records[0].match.seed == records[1].match.seed == deal_seed(0, 0)
    assert all(record.match.round.over for record in records)


def test_whole_matches_are_played_to_two_seals(tmp_path: Path) -> None:
    list(run(Duel(contender("trader"), contender("random"), 1, whole_match=True, records=tmp_path), workers=1))
    assert all(Record.load(path).match.over for path in tmp_path.iterdir())


def test_an_interval_holds_the_truth_as_often_as_it_says() -> None:
    """In about 95% of 400 simulated duels of 100 pairs, the interval contains the true rate."""
    rng = Rng(1)
    for percent in (50, 80, 95):
        inside = 0
        for _duel in range(400):
            pairs = [((rng.below(100) < percent) + (rng.below(100) < percent)) / 2 for _ in range(100)]
            now = estimate(pairs)
            inside += now.low <= percent / 100 <= now.high
        assert 0.92 <= inside / 400 <= 0.99


def test_no_share_leaves_the_scale_when_the_luck_is_taken_off() -> None:
    now = normal_estimate([1.3, 1.1, 0.8, 1.2])
    assert (now.rate, now.high) == (1.0, 1.0)
    assert 0.8 < now.low < 1.0
    assert normal_estimate([-0.3, 0.1, 0.2]).low == 0.0


def test_a_clean_sweep_is_not_certain() -> None:
    assert estimate([1.0] * 50).low < 0.98
    assert estimate([1.0] * 50).high == pytest.approx(1.0)
    assert estimate([]).rate == 0.5


def test_elo_and_win_rate_are_each_others_inverse() -> None:
    assert Estimate(rate_of(120), 0, 1).elo == pytest.approx(120)
    assert Estimate(0.5, 0, 1).elo == 0


def test_the_sequential_test_decides_and_not_too_early() -> None:
    assert decided([1.0, 0.5] * 40, 0, 50) == "high"
    assert decided([0.0, 0.5] * 40, 0, 50) == "low"
    assert decided([1.0], 0, 50) == ""


def test_ratings_explain_the_results() -> None:
    elo = ratings(["a", "b", "c"], {("a", "b"): (0.36, 1000), ("b", "c"): (0.36, 1000), ("a", "c"): (0.24, 1000)})
    assert elo["a"] == 0
    assert 90 < elo["b"] < 110
    assert 190 < elo["c"] < 210


def test_a_duel_prints_json(tmp_path: Path) -> None:
    result = jaipur("duel", "trader", "random", "--rounds", "10", "--workers", "1", "--json", games=tmp_path)
    figures = json.loads(result.stdout)
    assert {"rounds", "win_rate", "low", "high", "elo", "ms_per_decision"} <= figures.keys()
    assert figures["rounds"] == 10
    assert figures["forfeited"] == []
    assert result.stderr == ""


def test_a_duel_speaks_french_with_commas(tmp_path: Path) -> None:
    arguments = ["duel", f"{PROGRAM} crash", "random", "--rounds", "3", "--workers", "1"]
    shown = jaipur(*arguments, "--lang", "fr", games=tmp_path).stdout
    assert "100,0\u00a0%" in shown
    assert "de 0,0\u00a0% à " in shown
    assert re.search(r"\d\.\d", shown) is None
    assert "Perdu par forfait, 4 fois" in shown


@pytest.mark.parametrize(("command", "default"), [("duel", "0.1"), ("ladder", "0.05"), ("league", "0.1")])
def test_the_budget_that_is_not_given_is_on_the_help_page(tmp_path: Path, command: str, default: str) -> None:
    page = " ".join(jaipur(command, "--help", games=tmp_path).stdout.replace("│", " ").split())
    assert re.search(rf"--budget SECONDS\S* [^[]*\[default: {default}\]", page)


def test_an_interrupted_ladder_prints_who_has_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(plan: Duel, workers: int) -> Iterator[Standing]:
        if plan.second.name == "broker":
            raise KeyboardInterrupt
        yield from run(plan, workers)

    monkeypatch.setattr("jaipur.cli.study.ladder.show_progress", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ladder(rounds=2, worlds=2, workers=1)
    shown = capsys.readouterr().out
    assert "trader" in shown
    assert "broker" not in shown


def test_a_ladder_prints_json(tmp_path: Path) -> None:
    result = jaipur("ladder", "--rounds", "2", "--worlds", "2", "--workers", "1", "--json", games=tmp_path)
    assert set(json.loads(result.stdout)["elo"]) == LEVELS.keys()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["duel", "emperor", "trader"], "There is no player “emperor”"),
        (["duel", "exec:no-such-program", "trader"], "There is no program “no-such-program”"),
        (["duel", "exec:", "trader"], "exec: needs a command"),
        (["duel", "merchant:missing.weights", "trader"], "missing.weights cannot be read"),
        (["duel", "merchant:README.md", "trader"], "is not a file of weights"),
        (["duel", "trader:x", "trader"], "There is no player"),
        (["duel", "trader", "random", "--budget", "0"], "A budget is a number of seconds above 0"),
        (["duel", "trader", "random", "--budget", "nan"], "A budget is a number of seconds above 0"),
        (["duel", "trader", "random", "--budget", "0.1,soon"], "A budget is a number of seconds above 0"),
        (["duel", "trader", "random", "--budget", "1,2,3"], "one for each of the two sides"),
        (["duel", "trader", "random", "--worlds", "0"], "at least one world"),
        (["duel", "trader", "random", "--worlds", "1", "--budget", "1"], "not both"),
        (["duel", "trader", "random", "--sprt", "5", "5"], "the smaller one"),
        (["duel", "trader", "random", "--sprt", "nan", "nan"], "--sprt takes two differences in Elo"),
        (["duel", "trader", "random", "--sprt", "-1e9", "0"], "--sprt takes two differences in Elo, at most 10000"),
        (["bot", "emperor"], "There is no player “emperor”"),
    ],
)
def test_bad_input_gets_one_clear_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    result = jaipur(*arguments, games=tmp_path)
    assert result.returncode == 1
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1


def test_each_side_may_have_its_own_budget() -> None:
    first, second = read_two_budgets("0.1,0.5", None, 1.0)
    assert (first.seconds, second.seconds) == (0.1, 0.5)
    assert first.clock is second.clock is Clock.PROCESSOR
    assert read_two_budgets(None, None, 0.3) == read_two_budgets("0.3", None, 1.0)
    assert read_two_budgets(None, 7, 1.0)[1].worlds == 7


def test_a_contender_is_known_by_a_short_name() -> None:
    assert Contender("vizier").short == "vizier"
    assert Contender("exec:/some/where/my-bot --fast").short == "exec my-bot"
    with pytest.raises(JaipurError):
        Contender("nobody").make()


def start_duel(folder: Path) -> "subprocess.Popen[str]":
    arguments = ["duel", "trader", "random", "--rounds", "100000", "--workers", "2", "--records", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "jaipur", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - it touches nothing but a signal
        text=True,
        env=environment(folder),
    )
    while len(list(folder.glob("*.jaipur"))) < 6:
        assert process.poll() is None
        time.sleep(0.05)
    return process


def test_a_killed_duel_leaves_its_finished_games(tmp_path: Path) -> None:
    process = start_duel(tmp_path)
    process.kill()
    process.communicate()
    assert all(Record.load(path).match.round.over for path in tmp_path.glob("*.jaipur"))


def test_an_interrupted_duel_tells_what_it_has_and_ends_with_one_sentence(tmp_path: Path) -> None:
    process = start_duel(tmp_path)
    process.send_signal(signal.SIGINT)
    shown, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "95% interval" in shown
    assert errors.strip() == "Interrupted."
