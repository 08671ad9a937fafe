"""Where games are kept, so that one that was interrupted can be continued."""

import os
from datetime import date
from pathlib import Path

from platformdirs import user_data_path

from jaipur.core.errors import JaipurError
from jaipur.files import make_folder
from jaipur.record import Record

SUFFIX = ".jaipur"


def games_folder() -> Path:
    """The folder of this user's games: `JAIPUR_GAMES`, or the usual place for user data."""
    chosen = os.environ.get("JAIPUR_GAMES")
    return Path(chosen) if chosen else user_data_path("jaipur", appauthor=False) / "games"


def new_game_path() -> Path:
    """A file name that is not taken yet."""
    folder = games_folder()
    make_folder(folder)
    today = date.today().isoformat()
    number = 1
    while (path := folder / f"{today}-{number}{SUFFIX}").exists():
        number += 1
    return path


def last_unfinished() -> tuple[Path, Record] | None:
    """The game that was played last, if it is not over. Files that cannot be read are passed over."""
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
