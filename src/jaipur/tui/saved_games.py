"""Where games are kept, so that an interrupted one can be continued."""

import os
from datetime import date
from itertools import count
from pathlib import Path

from platformdirs import user_data_path

from jaipur.files import make_folder
from jaipur.language import _
from jaipur.record import Record
from jaipur.rules.errors import JaipurError
from jaipur.tui.players import Players

SUFFIX = ".jaipur"


def games_folder() -> Path:
    """The folder of this user's games: `JAIPUR_GAMES`, or the usual place for user data."""
    chosen = os.environ.get("JAIPUR_GAMES")
    return Path(chosen) if chosen else user_data_path("jaipur", appauthor=False) / "games"


def new_game_path() -> Path:
    """A file name that is not yet taken."""
    folder = games_folder()
    make_folder(folder)
    paths = (folder / f"{date.today().isoformat()}-{number}{SUFFIX}" for number in count(1))
    return next(path for path in paths if not path.exists())


def last_unfinished() -> tuple[Path, Record] | None:
    """The game played last, if it is not over. Files that cannot be read are skipped."""
    try:
        files = sorted(games_folder().glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return None
    for path in files:
        try:
            record = Record.load(path)
        except JaipurError:
            continue
        return None if record.match.over else (path, record)
    return None


def described(record: Record) -> str:
    """An unfinished match in a sentence: who plays, since when, the seals, and who is next."""
    players = Players(record)
    people = [seat for seat, bot in enumerate(players.bots) if bot is None]
    if len(people) == 1:
        who = _("You have an unfinished match against {name}").format(name=players.called(1 - people[0]))
    else:
        who = _("There is an unfinished match of {first} and {second}").format(
            first=players.called(0), second=players.called(1)
        )
    return _("{who} ({date}): round {number}, {seals}, {turn}.").format(
        who=who,
        date=_shown_date(record.date),
        number=len(record.match.rounds),
        seals=players.seals(record.match.seals),
        turn=_next_to_play(record, players, people),
    )


def _next_to_play(record: Record, players: Players, people: list[int]) -> str:
    if record.match.round.over:
        return _("the next round begins")
    turn = record.match.round.turn
    return _("your turn") if people == [turn] else _("{name} plays next").format(name=players.called(turn))


def _shown_date(text: str) -> str:
    """The date of a record as the language writes it; if the file has some other text there, that text as it is."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    return _("{year}-{month:02}-{day:02}").format(year=day.year, month=day.month, day=day.day)
