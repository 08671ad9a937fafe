"""The `.jaipur` file: what it says is checked line by line."""

import tracemalloc
from pathlib import Path

import pytest

from jaipur import JaipurError, Match, Record, RecordError, Rng
from jaipur.match import MOST_PLIES
from jaipur.record import MOST_BYTES, Ended, Loss
from jaipur.rules.score import Ending
from tests.support.terminal import jaipur as command


def random_match(seed: int, moves: int = 10_000) -> Match:
    match = Match(seed)
    rng = Rng(3)
    while not match.over and match.ply < moves:
        if match.round.over:
            match.next_round()
        legal = match.round.legal_moves()
        match.play(legal[rng.below(len(legal))])
    return match


RECORD = Record(random_match(7), ("Ann", "bot:trader"), "2026-11-15")
TEXT = str(RECORD)


def line_of(text: str, start: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if line.startswith(start))


def test_a_record_is_read_as_it_was_written() -> None:
    assert Record.parse(TEXT) == RECORD
    assert str(Record.parse(TEXT)) == TEXT
    assert Record.parse(TEXT).players == ("Ann", "bot:trader")


def test_an_unfinished_record_goes_on() -> None:
    unfinished = Record(random_match(7, 40))
    again = Record.parse(str(unfinished))
    assert again.result == "*"
    assert again.match.ply == 40
    again.match.play(again.match.round.legal_moves()[0])


@pytest.mark.parametrize("ended", [Ended(seat, by) for seat in (0, 1) for by in Loss])
@pytest.mark.parametrize("hints", [(0, 0), (2, 0)])
def test_a_match_that_was_given_up_says_so(ended: Ended, hints: tuple[int, int]) -> None:
    record = Record(random_match(7, 40), hints=hints, ended=ended)
    again = Record.parse(str(record))
    assert (again.ended, again.hints, again.result) == (ended, hints, "*")
    assert str(again) == str(record)
    assert Record.parse(str(Record(random_match(7, 40)))).ended is None


def test_however_many_hints_there_were_the_record_can_be_read() -> None:
    assert Record.parse(str(Record(random_match(7, 40), hints=(12_345, 3)))).hints == (9999, 3)


def test_how_a_match_ended_is_checked() -> None:
    unfinished = str(Record(random_match(7, 40)))
    with pytest.raises(RecordError, match="Line 9: A match ends like “seat 0 resigned”"):
        Record.parse(unfinished.replace("Result: *", "Result: *\nEnded: seat 2 resigned"))
    with pytest.raises(RecordError, match="Line 9: This match was played to its end"):
        Record.parse(TEXT.replace("Result: 2-0", "Result: 2-0\nEnded: seat 0 resigned"))


def test_comments_and_empty_lines_are_passed_over() -> None:
    assert str(Record.parse(TEXT.replace("\nRound 1", "\n# a comment\n\nRound 1"))) == TEXT


@pytest.mark.parametrize(
    ("old", "new", "line", "sentence"),
    [
        ("Jaipur-Record: 1", "Jaipur-Record: 2", "Jaipur-Record", "This program reads record format 1, not 2."),
        ("Rules: 1", "Rules: 9", "Rules", "rules version 1, not 9"),
        ("Seed: 0000", "Seed: 000", "Seed", "A seed is 32 bytes"),
        ("Seed: 0000", "Seed: 1000", "Commitment", "The commitment is not the SHA-256 of the seed"),
        ("Seat-0: Ann\n", "", "Seat-1", "The header “Seat-0:” belongs here"),
        ("Result: 2-0", "Result: 0-2", "Result", "The result is 2-0, not 0-2."),
        ("Round 1, seat 0", "Round 1, seat 1", "Round 1", "“Round 1, seat 0 starts” belongs here"),
        ("1. +CP-SM", "1. +DD-SM", "1. ", "There is no diamond in the market (R8, R10)."),
        ("1. +CP-SM", "1. +CPSM", "1. ", "(R9, R11)"),
        ("1. +CP-SM", "1. hello", "1. ", "“hello” is not a move"),
        ("1. +CP-SM", "7. +CP-SM", "7. ", "Turn “1.” belongs here"),
        ("= 64-45", "= 64-46", "= 64-46", "The score is “= 64-45”."),
        ("= 64-45", "= 64-45 stopped", "= 64-45", "The score is “= 64-45”."),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old: str, new: str, line: str, sentence: str) -> None:
    edited = TEXT.replace(old, new, 1)
    with pytest.raises(RecordError) as raised:
        Record.parse(edited)
    assert sentence in str(raised.value)
    assert raised.value.line == line_of(edited, line)


def test_a_truncated_record_is_refused() -> None:
    with pytest.raises(RecordError, match=r"The result is \*, not 2-0"):
        Record.parse(TEXT[: len(TEXT) // 2].rpartition("\n")[0])


def test_a_stopped_round_is_recorded_as_stopped() -> None:
    """R25: a program stopped the round; the record says so and checks it."""
    match = Match(5)
    while not match.round.over and match.round.quiet < 200:
        round_ = match.round
        moves = [move for move in round_.legal_moves() if move.take and move.give] or round_.legal_moves()
        round_.play(moves[-1])
    match.round.stop()
    text = str(Record(match))
    assert text.rstrip().endswith("stopped")
    assert Record.parse(text).match.round.ending is Ending.STOPPED
    assert Record.parse(text).match.until(match.ply).round.ending is Ending.STOPPED


@pytest.mark.parametrize(
    ("data", "sentence"),
    [(b"\xff\xfe\x00", "is not a text file"), (b"x" * 100_001, "is too large"), (b"", "Line 1:")],
)
def test_foreign_files_are_refused(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(data)
    with pytest.raises(JaipurError, match=sentence):
        Record.load(path)


def test_a_failed_save_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "match.jaipur"
    folder.mkdir()
    with pytest.raises(JaipurError, match="cannot be written"):
        RECORD.save(folder)
    assert list(tmp_path.iterdir()) == [folder]


def test_verify_proves_the_shuffle(tmp_path: Path) -> None:
    path = tmp_path / "match.jaipur"
    RECORD.save(path)
    done = command("verify", str(path), "--commitment", RECORD.match.commitment.upper(), games=tmp_path)
    assert done.returncode == 0
    assert "Correct:" in done.stdout
    other = command("verify", str(path), "--commitment", "00" * 32, games=tmp_path)
    assert other.returncode == 1
    assert "not the match that was announced" in other.stderr
    wrong = command("verify", str(path), "--commitment", "zz", games=tmp_path)
    assert (wrong.returncode, wrong.stderr) == (1, "“zz” is not a SHA-256: that has 64 hex digits.\n")


def test_replay_shows_every_position_or_one(tmp_path: Path) -> None:
    path = tmp_path / "match.jaipur"
    RECORD.save(path)
    everything = command("replay", str(path), games=tmp_path).stdout
    assert f"{RECORD.match.ply}/{RECORD.match.ply}" in everything
    assert everything.count("the seal") == 2
    assert "The Trader takes" in everything
    assert "bot:" not in everything
    first = command("replay", str(path), "--ply", "0", games=tmp_path).stdout
    assert f"0/{RECORD.match.ply}" in first
    assert "the seal" not in first
    wrong = command("replay", str(path), "--ply", "9999", games=tmp_path)
    assert f"positions 0 to {RECORD.match.ply}" in wrong.stderr


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("= 64-45\n", "", "The score is “= 64-45”."),
        ("= 64-45\n", "= 64-45\n= 64-45\n", "“Round 2, seat 1 starts” belongs here"),
        ("Round 1, seat 0 starts\n", "", "“Round 1, seat 0 starts” belongs here"),
        ("Round 1, seat 0 starts\n", "Round 1, seat 0 starts\n" * 2, "Turn “1.” belongs here"),
        ("= 61-46\n", "", "The score is “= 61-46”."),
        ("= 61-46\n", "= 61-46\n\n1. +D\n", "nobody has two seals"),
    ],
)
def test_every_line_stands_once_where_it_belongs(old: str, new: str, sentence: str) -> None:
    with pytest.raises(RecordError) as raised:
        Record.parse(TEXT.replace(old, new, 1))
    assert sentence in str(raised.value)


def test_a_record_without_its_first_round_is_refused() -> None:
    with pytest.raises(RecordError, match="“Round 1, seat 0 starts” belongs here"):
        Record.parse(TEXT[: TEXT.index("Round 1")].replace("2-0", "*"))


def test_a_file_of_nothing_but_lines_is_refused_at_the_first() -> None:
    """And the other lines are not read into memory: such a file used to take sixty times its size."""
    text = "a\n" * 495_000
    tracemalloc.start()
    try:
        with pytest.raises(JaipurError, match=r"^Line 1:"):
            Record.parse(text)
        assert tracemalloc.get_traced_memory()[1] < 10 * len(text)
    finally:
        tracemalloc.stop()


def test_the_longest_match_is_far_below_the_bound() -> None:
    longest_line = "1000. +DDGGS-CCPLM +DDGGS-CCPLM\n"
    assert 3 * (len(longest_line) * MOST_PLIES // 2) < MOST_BYTES
