"""The `.jaipur` file: a match as a small text that anyone can read, check and replay (docs/records.md)."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date as calendar_date
from enum import StrEnum
from io import StringIO
from typing import TypeVar

from jaipur.files import PathLike, read_file, write_file
from jaipur.match import RULES_VERSION, Match, read_seed
from jaipur.rules.errors import N_, JaipurError, Translate, unchanged
from jaipur.rules.move import Move
from jaipur.rules.round import Round
from jaipur.rules.score import Ending

_T = TypeVar("_T")
FORMAT_VERSION = 1
MOST_BYTES = 100_000
"""Three times what the longest match takes, to leave room for comments. It limits the work of reading a record."""
LONGEST_NAME = 100
UNFINISHED = "*"
_BOT_MARK = "bot:"
HINTS = "Hints"
"""A header that only a match with hints has, after the others."""
_MOST_HINTS = 9999
_HINTS = re.compile(r"(\d{1,4})-(\d{1,4})")
ENDED = "Ended"
"""The very last header, only in a match that was not played to its end."""


class Loss(StrEnum):
    """How a match is lost before a player has two seals."""

    RESIGNED = "resigned"
    TIME = "ran out of time"


@dataclass(frozen=True)
class Ended:
    """Who lost a match that was not played to its end, and how."""

    seat: int
    by: Loss

    def __str__(self) -> str:
        return f"seat {self.seat} {self.by}"


_ENDED = {str(ended): ended for seat in (0, 1) for by in Loss for ended in [Ended(seat, by)]}


class RecordError(JaipurError):
    """What is wrong with a record, and in which line."""

    def __init__(self, line: int, reason: JaipurError) -> None:
        super().__init__(N_("Line {line}: {reason}"), line=line, reason=reason)
        self.line = line
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        return RecordError, (self.line, self.reason)

    def text(self, translate: Translate = unchanged) -> str:
        """The whole sentence, translated."""
        return translate(self.sentence).format(line=self.line, reason=self.reason.text(translate))


@dataclass
class Record:
    """A match with its players' names, its date, how many hints each had, and who lost it early, if anyone.

    `Record.parse(str(record))` is the same match.
    """

    match: Match
    players: tuple[str, str] = ("", "")
    date: str = field(default_factory=lambda: calendar_date.today().isoformat())
    hints: tuple[int, int] = (0, 0)
    ended: Ended | None = None

    def __post_init__(self) -> None:
        """Puts names and date on one line each, since they are headers of the file."""
        self.players = _one_line(self.players[0]), _one_line(self.players[1])
        self.date = _one_line(self.date)

    @property
    def result(self) -> str:
        """The seals of seat 0 and seat 1, as `2-1`, or `*` while nobody has won."""
        first, second = self.match.seals
        return f"{first}-{second}" if self.match.over else UNFINISHED

    def __str__(self) -> str:
        headers = (
            f"Jaipur-Record: {FORMAT_VERSION}",
            f"Rules: {RULES_VERSION}",
            f"Seed: {self.match.seed.hex()}",
            f"Commitment: {self.match.commitment}",
            f"Seat-0: {self.players[0]}",
            f"Seat-1: {self.players[1]}",
            f"Date: {self.date}",
            f"Result: {self.result}",
        )
        lines = [header.rstrip() for header in headers]
        if any(self.hints):
            lines.append(f"{HINTS}: {'-'.join(str(min(number, _MOST_HINTS)) for number in self.hints)}")
        if self.ended is not None:
            lines.append(f"{ENDED}: {self.ended}")
        for number, played in enumerate(self.match.rounds, 1):
            lines += ["", *_round_lines(number, played)]
        return "\n".join(lines) + "\n"

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "match": self.match.copy()}

    def __repr__(self) -> str:
        first, second = self.players
        return f"<Record: {first or '?'} – {second or '?'}, {self.result}, {self.match.ply} moves>"

    @classmethod
    def parse(cls, text: str) -> "Record":
        """Reads a record, replaying and checking every move, score and result."""
        reader = _Reader(text)
        try:
            return reader.record()
        except JaipurError as error:
            raise RecordError(reader.line, error) from error

    @classmethod
    def load(cls, path: PathLike) -> "Record":
        """Reads a record file."""
        data = read_file(path, MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise JaipurError(N_("{path} is too large to be a record."), path=os.fspath(path))
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise JaipurError(N_("{path} is not a text file."), path=os.fspath(path)) from error
        return cls.parse(text)

    def save(self, path: PathLike) -> None:
        """Writes the record."""
        write_file(path, str(self).encode())


def bot_name(bot: str) -> str:
    """How a record names a program."""
    return _BOT_MARK + bot


def bot_of(name: str) -> str | None:
    """The program that a name in a record stands for; None for a person."""
    return name.removeprefix(_BOT_MARK) if name.startswith(_BOT_MARK) else None


def person_name(name: str) -> str:
    """A person's name, refused if it would stand for a program."""
    if bot_of(name) is not None:
        raise JaipurError(N_("A name that begins with “bot:” stands for a program: choose another one."))
    return name


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    if not line.isprintable() or len(line) > LONGEST_NAME:
        raise JaipurError(N_("A name is one line of at most 100 printable characters."))
    return line


def _round_lines(number: int, played: Round) -> list[str]:
    lines = [f"Round {number}, seat {played.starter} starts"]
    for i in range(0, len(played.moves), 2):
        lines.append(f"{i // 2 + 1}. " + " ".join(str(move) for move in played.moves[i : i + 2]))
    if played.over:
        lines.append(_score_line(played))
    return lines


def _score_line(played: Round) -> str:
    first, second = played.score().tallies
    stopped = " stopped" if played.ending is Ending.STOPPED else ""
    return f"= {first.rupees}-{second.rupees}{stopped}"


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with content, one at a time, so that a file of nothing but junk lines is refused at the first."""
    number = 0
    for number, line in enumerate(StringIO(text, newline="\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()
    yield number + (not text or text.endswith("\n")), ""


def _same(expected: str, sentence: str) -> Callable[[str], None]:
    """A reader of values that can only be one thing."""

    def check(found: str) -> None:
        if found != expected:
            raise JaipurError(sentence, expected=expected, found=found[:80])

    return check


def _hints(value: str) -> tuple[int, int]:
    counts = _HINTS.fullmatch(value)
    if counts is None:
        raise JaipurError(N_("Hints are counted for both seats, like 3-0."))
    return int(counts[1]), int(counts[2])


def _ended(value: str) -> Ended:
    if value not in _ENDED:
        raise JaipurError(N_("A match ends like “{example}”, or by two seals."), example=Ended(0, Loss.RESIGNED))
    return _ENDED[value]


class _Reader:
    """Goes through the lines of a record and replays them. An error belongs to the line that it has reached."""

    def __init__(self, text: str) -> None:
        self.rest = _lines(text)
        self.line, self.text = next(self.rest)
        """The line to read next; at the end, a number without text."""

    def record(self) -> Record:
        wrong_format = N_("This program reads record format {expected}, not {found}.")
        wrong_rules = N_("This program plays rules version {expected}, not {found}.")
        wrong_commitment = N_("The commitment is not the SHA-256 of the seed: {expected}.")
        self._header("Jaipur-Record", _same(str(FORMAT_VERSION), wrong_format))
        self._header("Rules", _same(str(RULES_VERSION), wrong_rules))
        match = Match(self._header("Seed", read_seed))
        self._header("Commitment", _same(match.commitment, wrong_commitment))
        names = self._header("Seat-0", str), self._header("Seat-1", str)
        date, result_line, result = self._header("Date", str), self.line, self._header("Result", str)
        hints = self._header(HINTS, _hints) if self.text.startswith(f"{HINTS}:") else (0, 0)
        ended_line, ended = self.line, self._header(ENDED, _ended) if self.text.startswith(f"{ENDED}:") else None
        self._read_round(match)
        while self.text:
            match.next_round()
            self._read_round(match)
        record = Record(match, names, date, hints, ended)
        self.line = result_line
        _same(record.result, N_("The result is {expected}, not {found}."))(result)
        self.line = ended_line
        if ended is not None and match.over:
            raise JaipurError(N_("This match was played to its end."))
        return record

    def _header(self, name: str, read: Callable[[str], _T]) -> _T:
        """What a header says; it must come next."""
        found, colon, value = self.text.partition(":")
        if found != name or not colon:
            raise JaipurError(N_("The header “{name}:” belongs here."), name=name)
        header = read(_one_line(value))
        self._go_on()
        return header

    def _go_on(self) -> None:
        self.line, self.text = next(self.rest, (self.line, ""))

    def _read_round(self, match: Match) -> None:
        """A first line, then the moves, then the score if the round is over."""
        expected = _round_lines(len(match.rounds), match.round)[0]
        if self.text != expected:
            raise JaipurError(N_("The line “{expected}” belongs here."), expected=expected)
        self._go_on()
        while self.text and not self.text.startswith("=") and not match.round.over:
            self._read_moves(match)
            self._go_on()
        if self.text or match.round.over:
            self._read_score(match.round)
            self._go_on()

    def _read_moves(self, match: Match) -> None:
        number, *moves = self.text.split()
        expected = f"{len(match.round.moves) // 2 + 1}."
        if number != expected or len(moves) not in (1, 2) or len(match.round.moves) % 2:
            raise JaipurError(N_("Turn “{expected}” belongs here, with one or two moves."), expected=expected)
        for move in moves:
            match.check_length()
            match.round.play(Move.parse(move))

    def _read_score(self, played: Round) -> None:
        if self.text.endswith("stopped") and not played.over:
            played.stop()
        if not played.over:
            raise JaipurError(N_("The round is not over yet, so it has no score."))
        if self.text != _score_line(played):
            raise JaipurError(N_("The score is “{expected}”."), expected=_score_line(played))
