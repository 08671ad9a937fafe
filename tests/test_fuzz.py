"""Texts from outside, down to single characters, are either read or refused; nothing else ever happens."""

import re
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaipur import JaipurError, Move, NotationError, Rng, determinize
from jaipur.notation import parse_round, parse_view
from jaipur.record import Record, RecordError
from tests.support.digest import SEATS, quiet_match, random_match, same_match, walk
from tests.support.effort import often
from tests.support.moves import ALL_MOVES

pytestmark = pytest.mark.slow

Value = TypeVar("Value")

fuzz = settings(derandomize=True, deadline=None, max_examples=often(300, 1500))
slow_fuzz = settings(fuzz, max_examples=often(100, 300))

HEADER_LINES = 8
COMMITMENT_LINE = 4
ROUNDS = [str(round_) for seed in range(3) for round_ in walk(seed)]
VIEWS = [str(round_.view(seat)) for seed in range(3) for round_ in walk(seed) for seat in SEATS]
MATCH = random_match(1, 1000)
STOPPED = quiet_match(0)
STOPPED.round.stop()
NAMES = ("Ann", "Zoë the bot")
RECORDS = [str(Record(match, NAMES, "2020-02-29")) for match in (MATCH, random_match(2, 25), STOPPED)]

letters = st.characters(exclude_categories=())  # lone surrogates too
wild = st.text(letters) | st.text(st.sampled_from("+-DGSCPLMdgscplmßſ?/:=#. \n\t0123456789")) | st.binary().map(repr)


def replace_character(text: str, at: int, new: str) -> str:
    return text[:at] + new + text[at + 1 :]


def swap_characters(text: str, at: int, new: str) -> str:
    """Swaps two characters, so that the cards are still those of the box."""
    other = text.find(new, at + 1)
    return text if other < 0 else text[:at] + new + text[at + 1 : other] + text[at] + text[other + 1 :]


def move_line(text: str, at: int, new: str) -> str:
    """Deletes a line, doubles it, or moves it somewhere else."""
    lines = text.split("\n")
    line = lines.pop(at % len(lines))
    for _ in range(ord(new) % 3):
        lines.insert(ord(new) % (len(lines) + 1), line)
    return "\n".join(lines)


EDITS: list[Callable[[str, int, str], str]] = [
    replace_character,
    swap_characters,
    move_line,
    lambda text, at, new: text[:at] + new + text[at:],  # inserted
    lambda text, at, new: text[:at] + text[at : at + 1] * (1 + ord(new) % 9) + text[at + 1 :],  # repeated
    lambda text, at, new: text[:at] + text[at + 1 + ord(new) % 9 :],  # deleted
    lambda text, at, new: text[:at] + new,  # cut off
]


@st.composite
def texts_like(draw: st.DrawFn, originals: list[str]) -> str:
    """A valid text after one to three small accidents, or now and then any text at all."""
    if draw(st.integers(0, 5)) == 0:
        return draw(wild)
    text = draw(st.sampled_from(originals))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        alike = next((group for group in ("0123456789", "DGSCPLM?") if text[at : at + 1] in group), text + "?/-")
        new = draw(st.sampled_from(alike) | st.sampled_from(alike) | letters)
        text = draw(st.sampled_from(EDITS))(text, at, new)
    return text


def read_or_refused(read: Callable[[str], Value], text: str) -> Value | None:
    """What was read, or None if it was refused with a sentence."""
    try:
        return read(text)
    except NotationError as error:
        reason = str(error)
    assert reason
    return None


@fuzz
@given(texts_like([str(move) for move in ALL_MOVES[::50]]))
def test_a_move_text_is_read_or_refused(text: str) -> None:
    """A text that is read has a letter for each card and nothing more."""
    move = read_or_refused(Move.parse, text)
    if move is not None:
        assert Move.parse(str(move)) == move
        assert sorted(str(move)) == sorted(text.strip().upper())
        assert set(text.strip()) <= set("+-DGSCPLMdgscplm")


@pytest.mark.parametrize("text", ["-ß", "+ſ", "+D-ſM", "+Ⅾ", "-ＬＬＬ", "+d\u0307"])
def test_a_letter_that_only_looks_like_a_card_is_none(text: str) -> None:
    """One letter is one card, D G S C P L M in upper or lower case: ß is not two silver."""
    with pytest.raises(NotationError):
        Move.parse(text)


@fuzz
@given(texts_like(ROUNDS + VIEWS))
def test_a_position_text_is_read_or_refused(text: str) -> None:
    """What was read prints as a text that reads back the same, and has a legal move unless it is over."""
    round_ = read_or_refused(parse_round, text)
    if round_ is not None:
        assert str(parse_round(str(round_))) == str(round_)
        assert round_.over or round_.legal_moves()


@fuzz
@given(texts_like(VIEWS + ROUNDS))
def test_a_view_text_is_read_or_refused(text: str) -> None:
    """What was read prints as a text that reads back the same, and there is a world that fits it."""
    view = read_or_refused(parse_view, text)
    if view is not None:
        assert parse_view(str(view)) == view
        assert determinize(view, Rng(0)).view(view.seat) == view


DEAL = """turn 0 / starter 0 / quiet 0
market GPMMM / deck SDLSMCSGMCCGMPLDDCPCPSLLLLLLPDGCMLMMPSPG / discard -
bonus3 3 1 3 1 2 2 2 / bonus4 4 5 5 6 4 6 / bonus5 10 8 9 10 8
seat0 hand DCP herd 2
seat1 hand DGSCL herd 0"""
VIEW = str(parse_round(DEAL).view(0)).replace(" rupees 0 tokens 0", "")
NO_WORLD = """view 0 / market DDDDD / deck - / discard DGGGGGGSSSSSSCCCCCCCCPPPPPPPPLLLLL
bonus3 ??????? / bonus4 ?????? / bonus5 ????? / seat0 hand LLLLL herd 0 / seat1 hand ????? herd 6"""
NO_MOVE = """market - / deck - / discard DDDDDDGGGGGGSSSSSCCCCCCCCPPPPPPPPLLLLLLLLLL / bonus3 1 1 2 2 2 3 3
bonus4 4 4 5 5 6 6 / bonus5 8 8 9 10 10 / seat0 hand S herd 6 / seat1 hand - herd 5"""
IMPOSSIBLE: dict[str, tuple[Callable[[str], object], str]] = {
    "eight 1s are not a 2": (
        parse_round,
        DEAL.replace("3 1 3 1 2 2 2", "3 1 3 1 2 2").replace("herd 2", "herd 2 bonus" + " 1" * 8),
    ),
    "a hand told twice": (parse_round, DEAL.replace("hand DCP", "hand LLLL hand DCP")),
    "a round with no legal move": (parse_round, NO_MOVE),
    "eight tokens for 3 are not one for 4": (
        parse_view,
        VIEW.replace("bonus4 ?", "bonus4 ").replace("????? herd 0", "????? herd 0 bonus" + " 3?" * 8),
    ),
    "a pile of thirteen": (parse_view, VIEW.replace("bonus5 ", "bonus5 ????????")),
    "a pile of fifteen": (parse_view, VIEW.replace("bonus3 ", "bonus3 ????????").replace("bonus4 ?", "bonus4 ")),
    "three 3s of two": (parse_view, VIEW.replace("bonus3 ???", "bonus3 ").replace("herd 2", "herd 2 bonus 3 3 3")),
    "known cards that are none": (parse_view, VIEW.replace("????? herd", "????? known ZZ herd")),
    "more hidden goods than there are": (parse_view, NO_WORLD),
}


@pytest.mark.parametrize(("read", "text"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_an_impossible_position_is_refused(read: Callable[[str], object], text: str) -> None:
    """R1, R3, R6, R22: an impossible position is not read as some other one."""
    assert parse_view(VIEW) == parse_round(DEAL).view(0)
    with pytest.raises(NotationError):
        read(text)


def check_record(text: str, first_line: int = 1) -> None:
    """A text is refused with the number of one of its lines, or is a record that prints and reads back the same."""
    try:
        record = Record.parse(text)
    except RecordError as error:
        line, reason = error.line, str(error)
    else:
        assert str(Record.parse(str(record))) == str(record)
        assert same_match(Record.parse(str(record)).match, record.match)
        return
    assert line in (HEADER_LINES, *range(first_line, text.count("\n") + 2))
    assert reason.startswith(f"Line {line}: ")


@fuzz
@given(texts_like(RECORDS))
def test_a_record_is_read_or_refused_with_its_line(text: str) -> None:
    check_record(text)


@slow_fuzz
@given(st.binary() | texts_like(RECORDS).map(lambda text: text.encode(errors="replace")), st.binary(max_size=2))
def test_a_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes, more: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.jaipur"
    path.write_bytes(data + more)
    try:
        record = Record.load(path)
    except JaipurError:
        return
    record.save(path)
    assert str(Record.load(path)) == str(record)


@slow_fuzz
@given(st.tuples(st.text(letters), st.text(letters)), st.text(letters))
def test_whatever_the_names_a_saved_record_can_be_read(
    tmp_path_factory: pytest.TempPathFactory, names: tuple[str, str], date: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "names.jaipur"
    try:
        Record(MATCH, names, date).save(path)
    except JaipurError:
        return
    assert same_match(Record.load(path).match, MATCH)


@pytest.mark.parametrize("touch", [Record.load, Record(MATCH).save], ids=["load", "save"])
@pytest.mark.parametrize("path", ["", "/", "\0", "x" * 5000, "no/such/folder/x.jaipur"])
def test_a_path_that_cannot_be_is_refused(touch: Callable[[str], object], path: str) -> None:
    with pytest.raises(JaipurError):
        touch(path)


def characters_of(text: str, wanted: str) -> list[tuple[int, int]]:
    """Where a pattern finds letters and digits: the number of the line and the place in the text."""
    places = []
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        for found in re.finditer(wanted, line):
            places += [(number, start + at) for at in range(found.start(1), found.end(1)) if line[at].isalnum()]
        start += len(line) + 1
    return places


@pytest.mark.parametrize("text", RECORDS, ids=["won", "unfinished", "stopped"])
@pytest.mark.parametrize(
    "part",
    ["Record: (.)", "Rules: (.)", "Seed: (.*)", "Commitment: (.*)", "Result: (.*)", "(=.*)", "(Round.*)", r"^(\d+\.)"],
)
def test_every_changed_digit_is_refused_at_its_line(text: str, part: str) -> None:
    """A changed seed is refused at the commitment, everything else in its own line."""
    for line, at in characters_of(text, part):
        new = "0123456789abcdef0"["0123456789abcdef".find(text[at]) + 1]
        with pytest.raises(RecordError) as caught:
            Record.parse(replace_character(text, at, new))
        assert caught.value.line == (COMMITMENT_LINE if "Seed" in part else line)


@pytest.mark.parametrize("text", RECORDS[:2], ids=["won", "unfinished"])
def test_a_changed_move_is_refused_from_its_line_on_or_makes_another_sound_record(text: str) -> None:
    for line, at in characters_of(text, r"^\d+\. (.*)"):
        for new in set("DLM") - {text[at]}:
            check_record(replace_character(text, at, new), line)
