"""`jaipur review` and related commands: what they print, their page, and what they cost."""

import contextlib
import json
import re
import subprocess
import sys
import time
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

from jaipur import JaipurError, Record
from jaipur.cli.study.review import MOST_USUAL, USUAL_WORKERS
from jaipur.cli.study.review import review as review_command
from jaipur.coach.grades import FAULTS, Label, judge_name
from jaipur.coach.summary import dearest
from jaipur.record import Ended, Loss
from tests.coach.test_review import match_of
from tests.support.matches import review_match, some_views
from tests.support.terminal import environment, jaipur

pytestmark = pytest.mark.slow


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "match.jaipur"
    Record(match_of(1), ("Ann <b> [/b]", "bot:merchant")).save(path)
    return path


def test_the_record_of_a_match_that_was_given_up_is_reviewed(tmp_path: Path) -> None:
    path, page = tmp_path / "match.jaipur", tmp_path / "review.html"
    Record(match_of(1).until(9), ("", "bot:merchant"), ended=Ended(0, Loss.RESIGNED)).save(path)
    arguments = ("review", str(path), "--worlds", "4", "--workers", "1", "--html", str(page))
    shown = jaipur(*arguments, games=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert "You resigned the match." in shown.stdout
    assert "You resigned the match." in page.read_text(encoding="utf-8")
    data = json.loads(jaipur(*arguments, "--json", games=tmp_path).stdout)
    check_keys(data)
    assert [len(part["plies"]) for part in data["rounds"]] == [9]
    assert (data["rounds"][0]["sum"]["result"], data["rounds"][0]["sum"]["rest"]) == (None, None)


def test_the_json_is_the_same_on_every_run_and_with_any_number_of_workers(tmp_path: Path) -> None:
    path = tmp_path / "match.jaipur"
    Record(match_of(1).until(14), ("Ann", "bot:merchant"), ended=Ended(1, Loss.TIME)).save(path)
    arguments = ("review", str(path), "--worlds", "20", "--json", "--workers")
    texts = {jaipur(*arguments, workers, games=tmp_path).stdout for workers in ("1", "1", "2", "3")}
    assert len(texts) == 1
    data = json.loads(texts.pop())
    check_keys(data)
    assert (data["judge"], data["worlds"]) == (judge_name(), 20)


def check_keys(data: dict[str, Any]) -> None:
    assert data.keys() == {"judge", "worlds", "rounds", "players"}
    for part in data["rounds"]:
        assert part.keys() == {"plies", "sum"}
        keys = {"result", "start", "deal", "refills", "bonus", "own_losses", "rival_losses", "rest"}
        assert part["sum"].keys() == keys
        for ply in part["plies"]:
            assert ply.keys() == {"seat", "move", "best", "loss", "error", "label", "win", "luck", "reasons"}
            assert ply["label"] in set(Label)
    for player in data["players"]:
        assert player.keys() == {"loss_per_decision", "error", "level_like", "luck"}
        assert player["luck"].keys() == {"deal", "refills", "bonus"}


def test_the_review_in_the_terminal_and_as_a_page(record: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    arguments = ("review", str(record), "--worlds", "4", "--workers", "1", "--html", str(page), "--lang", "fr")
    done = jaipur(*arguments, games=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Chance" in done.stdout
    assert "•" in done.stdout
    html = page.read_text(encoding="utf-8")
    assert '<html lang="fr">' in html
    assert "Ann &lt;b&gt; [/b]" in html
    assert "Ann <b>" not in html
    assert html.count("<svg") == len(match_of(1).rounds) == html.count("</svg>")
    assert "prefers-color-scheme" in html
    assert not re.search(r"(src|href)=|<script|@import|url\(", html), "the page needs nothing beside it"


def test_every_fault_has_its_reasons_and_hints_are_told(tmp_path: Path) -> None:
    path, page = tmp_path / "match.jaipur", tmp_path / "review.html"
    Record(match_of(1), ("", "bot:merchant"), hints=(2, 0)).save(path)
    shown = jaipur("review", str(path), "--worlds", "40", "--workers", "1", "--html", str(page), games=tmp_path).stdout
    done = review_match(match_of(1), 40)
    plies = [(number, ply) for part in done.rounds for number, ply in enumerate(part.plies, 1)]
    faults = [str(number) for number, ply in plies if ply.grade.label in FAULTS]
    assert len(faults) > len(dearest(done))
    assert re.findall(r"(?m)^Move (\d+) · (?:After this move: |No single reason)", shown) == faults
    html = page.read_text(encoding="utf-8")
    assert html.count("The move played lost ") == len(faults) + len(dearest(done))
    assert re.search(r"Better: .+\. The move played lost [\d.]+ ± [\d.]+ points\.", shown)
    for told in (shown, html):
        assert "Played with 2 hints." in told
        assert "Your chance of winning the round" in told
        assert "You's" not in told
        assert "give or take" not in told


def test_errors_are_one_sentence(record: Path, tmp_path: Path) -> None:
    text = record.read_text(encoding="utf-8")
    wrong = {
        "unfinished": re.sub(r"Result: .*", "Result: *", text[: text.rindex("Round")]),
        "other rules": text.replace("Rules: 1", "Rules: 99"),
        "unreadable": "nonsense",
    }
    for name, content in wrong.items():
        path = tmp_path / "wrong.jaipur"
        path.write_text(content, encoding="utf-8")
        done = jaipur("review", str(path), games=tmp_path)
        assert (done.returncode, done.stdout) == (1, ""), name
        assert len(done.stderr.strip().splitlines()) == 1, name
    missing = jaipur("review", str(tmp_path / "none.jaipur"), games=tmp_path)
    assert len(missing.stderr.strip().splitlines()) == 1


def test_a_page_that_cannot_be_written_is_refused_before_the_work(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def graded(*_about: object) -> None:
        raise AssertionError

    monkeypatch.setattr("jaipur.cli.study.review._graded", graded)
    for place in (tmp_path / "none" / "review.html", tmp_path):
        with pytest.raises(JaipurError, match="cannot be written"):
            review_command(record, html=place)
    assert [path.name for path in tmp_path.iterdir()] == [record.name]


def test_a_position_is_analysed(tmp_path: Path) -> None:
    view = some_views(1)[0]
    done = jaipur("analyse", str(view), "--worlds", "10", "--json", games=tmp_path)
    data = json.loads(done.stdout)
    assert {move["move"] for move in data["moves"]} == {str(move) for move in view.legal_moves()}
    shown = jaipur("analyse", str(view), "--worlds", "10", games=tmp_path)
    assert data["moves"][0]["move"] in shown.stdout
    over = jaipur("analyse", str(view).replace("\n", " / over\n", 1), games=tmp_path)
    assert (over.returncode, over.stderr.count("\n")) == (1, 1)
    nonsense = jaipur("analyse", "nonsense", games=tmp_path)
    assert (nonsense.returncode, nonsense.stderr.count("\n")) == (1, 1)


def test_an_analysis_that_stops_early_says_so(tmp_path: Path) -> None:
    view = "view 0 / turn 0 / starter 0 / quiet 0 / market DGPMM / deck " + "?" * 38 + " / discard - / "
    view += "bonus3 ??????? / bonus4 ?????? / bonus5 ????? / seat0 hand DPPLL herd 2 / seat1 hand ????? herd 0"
    moves = json.loads(jaipur("analyse", view, "--worlds", "100000", "--json", games=tmp_path).stdout)["moves"]
    tried = max(move["worlds"] for move in moves)
    assert tried < 100_000
    shown = jaipur("analyse", view, "--worlds", "100000", games=tmp_path).stdout
    assert f"The search stopped after {tried:,} of 100,000 worlds: one move was surely the best." in shown
    assert "The search stopped" not in jaipur("analyse", view, "--worlds", "4", games=tmp_path).stdout


def test_the_luck_of_a_duel_is_told_beside_its_result(tmp_path: Path) -> None:
    arguments = ("duel", "merchant", "trader", "--rounds", "8", "--luck", "--workers", "1")
    figures_ = json.loads(jaipur(*arguments, "--json", games=tmp_path).stdout)
    assert figures_["low_without_luck"] < figures_["win_rate_without_luck"] < figures_["high_without_luck"]
    refused = jaipur(*arguments, "--matches", games=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)


def test_the_truth_of_the_grades_is_told(tmp_path: Path) -> None:
    arguments = ("calibrate", "--grades", "6", "--worlds", "20", "--seed", "2")
    told = json.loads(jaipur(*arguments, "--json", games=tmp_path).stdout)
    assert told["checked_decisions"] == 6
    assert sum(group["cases"] for group in told["groups"]) == told["compared"]
    shown = jaipur(*arguments, games=tmp_path).stdout
    assert f"Labels confirmed with ten times as many worlds: {told['labels_held']} of {told['labels']}." in shown
    assert f"Reasons with the same sign in fresh worlds: {told['reasons_held']} of {told['reasons']}." in shown


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc elsewhere")
def test_a_review_takes_little_memory(record: Path, tmp_path: Path) -> None:
    """All processes together, with as many as it ever uses by default."""
    assert signature(review_command).parameters["workers"].default == USUAL_WORKERS <= MOST_USUAL
    command = [sys.executable, "-m", "jaipur", "review", str(record), "--worlds", "40", "--workers", str(MOST_USUAL)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment(tmp_path)) as process:
        peak, most = 0, 0
        while process.poll() is None:
            family = family_of(process.pid)
            peak, most = max(peak, sum(map(memory_of, family))), max(most, len(family))
            time.sleep(0.02)
    assert process.returncode == 0
    assert most > MOST_USUAL
    assert peak < 200 * 1024


def family_of(process: int) -> list[int]:
    """A process, its children, and theirs."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
        return [process, *(one for child in text.split() for one in family_of(int(child)))]
    return []


def memory_of(process: int) -> int:
    """The kilobytes that a process uses; shared memory is divided between those who share it."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
    return 0
