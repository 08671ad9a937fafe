"""Turns of recorded matches, from the view of whoever made them."""

import json
from pathlib import Path

import pytest

from jaipur import JaipurError, Record
from jaipur.coach.recorded_turn import ply_before, turn_after
from jaipur.language.words import choice_in_words
from jaipur.record import Ended, Loss
from tests.support.matches import played_match
from tests.support.terminal import jaipur


def test_a_decision_is_what_its_player_saw_and_played() -> None:
    record = Record(played_match(1))
    ply = 0
    for number, part in enumerate(record.match.rounds, 1):
        for at, move in enumerate(part.moves, 1):
            found = turn_after(record, ply)
            assert (found.round, found.number, found.played) == (number, at, move)
            assert found.view.turn == found.view.seat == (part.starter + at - 1) % 2
            assert found.view.why_illegal(move) is None
            assert ply_before(record.match, number, at) == ply
            ply += 1


def test_the_last_decision_of_a_match_that_was_given_up_is_still_open() -> None:
    match = played_match(1).until(5)
    found = turn_after(Record(match, ended=Ended(0, Loss.RESIGNED)), 5)
    assert (found.number, found.played) == (6, None)


def test_there_is_no_decision_before_the_end_or_after_it() -> None:
    record = Record(played_match(1))
    last = record.match.ply
    for wrong in (-1, last, last + 1):
        with pytest.raises(JaipurError):
            turn_after(record, wrong)
    with pytest.raises(JaipurError, match="not over"):
        turn_after(Record(record.match.until(last - 1)), 1)
    for number, move in ((0, 1), (4, 1), (1, 0), (1, 1 + len(record.match.rounds[0].moves))):
        with pytest.raises(JaipurError):
            ply_before(record.match, number, move)


def test_a_decision_of_a_record_is_analysed(tmp_path: Path) -> None:
    record = Record(played_match(1))
    path = tmp_path / "match.jaipur"
    record.save(path)
    found = turn_after(record, 7)
    told = json.loads(jaipur("analyse", str(path), "--ply", "7", "--worlds", "10", "--json", games=tmp_path).stdout)
    assert {move["move"] for move in told["moves"]} == {str(move) for move in found.view.legal_moves()}
    assert (told["round"], told["number"], told["played"]) == (found.round, found.number, str(found.played))
    shown = jaipur("analyse", str(path), "--ply", "7", "--worlds", "10", games=tmp_path).stdout
    assert found.played is not None
    assert f"Round {found.round}, move {found.number}" in shown
    assert choice_in_words(found.view, found.played)[1:20] in shown.splitlines()[0]


def test_a_record_without_such_a_turn_gets_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "match.jaipur"
    whole, unfinished = str(Record(played_match(1))), str(Record(played_match(1).until(9)))
    wrong = {("--ply", "9999"): whole, ("--ply", "-1"): whole, (): whole, ("--ply", "3"): unfinished}
    for arguments, text in wrong.items():
        path.write_text(text, encoding="utf-8")
        done = jaipur("analyse", str(path), *arguments, games=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
