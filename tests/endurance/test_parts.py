"""`make endure`: it resumes after a stop, and says which promises are broken."""

import json
from pathlib import Path

import pytest
from endurance.parts import NONE, PARTS, SOME, Part

from endurance import ROOT
from endurance import __main__ as endurance
from jaipur import JaipurError

COMMIT = "1234abcd"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endurance, "_commit", lambda: COMMIT)


def part(figures: dict[str, object], runs: list[float], fails: bool = False) -> Part:
    """A part that measures this and notes that it ran."""

    def measure(seconds: float) -> dict[str, object]:
        runs.append(seconds)
        if fails:
            raise JaipurError("No strace was found.")
        return figures

    return Part("it holds", 60, measure, {"lost": NONE, "kills": SOME})


GOOD: dict[str, object] = {"kills": 3, "lost": 0}


def test_a_part_that_is_done_is_not_run_again_unless_it_is_asked_for(tmp_path: Path) -> None:
    runs: list[float] = []
    parts = {"kills": part(GOOD, runs)}
    assert endurance.main([], parts, tmp_path) == endurance.main([], parts, tmp_path) == 0
    assert runs == [60]
    assert json.loads((tmp_path / "kills.json").read_text())["figures"] == GOOD
    endurance.main(["--again"], parts, tmp_path)
    endurance.main(["--seconds", "5", "kills"], parts, tmp_path)
    assert runs == [60, 60, 5]


@pytest.mark.parametrize("commit", ["", f"{COMMIT}-dirty", "another"])
def test_figures_of_other_sources_do_not_count(commit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[float] = []
    parts = {"kills": part(GOOD, runs)}
    endurance.main([], parts, tmp_path)
    monkeypatch.setattr(endurance, "_commit", lambda: commit)
    endurance.main([], parts, tmp_path)
    assert runs == [60, 60]


@pytest.mark.parametrize(
    ("figures", "broken"),
    [
        ({"kills": 3, "acknowledged_and_lost": 1}, ["acknowledged_and_lost is 1"]),
        ({"kills": 0, "lost": 0}, ["kills is 0"]),
        ({"kills": 3}, ["lost was not measured"]),
        ({"kills": 3, "points": [{"lost": 0}, {"lost": 2}]}, ["lost is 2"]),
        ({"kills": 3, "lost": 0, "postgres_kills": 0}, ["postgres_kills is 0"]),
    ],
)
def test_a_broken_promise_is_told_each_time(
    figures: dict[str, object], broken: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = {"kills": part(figures, [])}
    assert endurance.main([], parts, tmp_path) == endurance.main([], parts, tmp_path) == 1
    assert capsys.readouterr().out.count("; ".join(broken)) == 2


def test_a_part_that_fails_keeps_none_of_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts, runs = {"powercut": part({}, [], fails=True)}, list[float]()
    assert endurance.main([], parts | {"kills": part(GOOD, runs)}, tmp_path) == 1
    assert "No strace was found." in capsys.readouterr().out
    assert (runs, [path.name for path in tmp_path.iterdir()]) == ([60], ["kills.json"])


def test_a_part_that_does_not_exist_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        endurance.main(["kill"], {"kills": part(GOOD, [])}, tmp_path)
    assert "there is no part kill: choose from kills" in capsys.readouterr().err


def test_the_page_names_every_part_and_all_of_them_take_three_hours() -> None:
    page = (ROOT / "docs" / "endurance.md").read_text(encoding="utf-8")
    assert all(f"| [{name}](#" in page and part.proves in page for name, part in PARTS.items())
    assert sum(part.seconds for part in PARTS.values()) <= 3 * 3600
