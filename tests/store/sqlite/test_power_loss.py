"""A power cut: what was written after the last acknowledged commit may be there, half there, or garbage."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

from jaipur import Rng
from jaipur.store import Event, Store, open_database
from jaipur.table import Tables
from tests.support.digest import pick
from tests.support.server import PEOPLE, everything, folded

LOSSES = 60


def torn(log: bytes, safe: int, chance: random.Random) -> bytes:
    """The log as the disk may have it: intact up to the last commit, with anything at all after it."""
    behind = bytearray(log[safe:])
    match chance.randrange(4):
        case 0:
            behind = behind[: chance.randrange(len(behind) + 1)]
        case 1:
            start = chance.randrange(len(behind) + 1)
            behind[start:] = bytes(len(behind) - start)
        case 2:
            for _ in range(20 if behind else 0):
                behind[chance.randrange(len(behind))] ^= 1 << chance.randrange(8)
        case _:
            behind = bytearray(chance.randbytes(chance.randrange(20_000)))
    return log[:safe] + bytes(behind)


def test_every_connection_writes_through_to_the_disk(tmp_path: Path) -> None:
    store = Store(open_database(str(tmp_path / "games.sqlite3")))
    with store.writing() as first, store.reading() as second:
        modes = [c.exec_driver_sql("PRAGMA synchronous").scalar_one() for c in (first, second)]
    store.close()
    assert modes == [2, 2]


def test_acknowledged_events_outlive_a_torn_log(tmp_path: Path) -> None:
    chance, rng = random.Random(1), Rng(1)
    store = Store(open_database(str(tmp_path / "games.sqlite3")))
    tables, main, log = Tables(store), tmp_path / "games.sqlite3", tmp_path / "games.sqlite3-wal"
    game = tables.create(PEOPLE).game.id
    for loss in range(LOSSES):
        file, before = main.read_bytes(), log.read_bytes()
        acknowledged: list[Event] = store.events(game)
        for _ in range(chance.randrange(1, 4)):  # in flight when the power fails
            table = tables.open(game)
            if table.turn is None:
                tables.resign(table, 0)
                game = tables.create(PEOPLE).game.id
                break
            move = pick(table.match.round.legal_moves(), rng.below(1 << 20))
            tables.move(table, table.turn, table.ply, move)
        if main.read_bytes() != file:
            continue  # there was a checkpoint in between, so the log has started over
        old = acknowledged[0].game if acknowledged else game
        check(tmp_path / f"after{loss}.sqlite3", file, torn(log.read_bytes(), len(before), chance), old, acknowledged)
    store.close()


def check(path: Path, file: bytes, log: bytes, game: str, acknowledged: list[Event]) -> None:
    path.write_bytes(file)
    Path(f"{path}-wal").write_bytes(log)
    after = Store(open_database(str(path)))
    assert after.events(game)[: len(acknowledged)] == acknowledged
    assert everything(Tables(after).open(game)) == everything(folded(Tables(after), game))
    after.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
