"""Simulated power cuts: a real server runs under strace, and its files are rebuilt as a disk might hold them.

Whatever a client was told before the cut must be there, once, and every game must be intact.
"""

import asyncio
import contextlib
import random
import re
import shutil
import sqlite3
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from endurance.powercut.disk import Disk
from endurance.powercut.trace import OPTIONS, Kind, Step, Told, read_trace
from endurance.support.player import players
from jaipur.programs import ends_with_us
from jaipur.rules.errors import JaipurError
from jaipur.store import Event, Store, StoreError
from jaipur.store.sqlite.backup import check_file
from jaipur.table import Damaged, NoSuchGame, Tables
from jaipur.table.past.operator import open_tables

_CUTS = 1000
_CONTROLS = 20
_MOVES = 1500
"""Enough for some checkpoints; strace writes about 100 kB for each move."""
_PLAYERS = 4
_STARTING_SECONDS = 120.0
_NAME = "games.sqlite3"
_AT_ONCE = 20
_RARE = 0.5
"""The share of cuts made where the database file itself or the folder is written, which happens only at checkpoints."""
LOST, DAMAGED = "lost", "damaged"


def measure(seconds: float) -> dict[str, object]:
    """Plays for at most half of the time; then a thousand cuts, or as many as there is time for."""
    start = time.monotonic()
    end = start + seconds
    with tempfile.TemporaryDirectory() as temporary:
        recording = asyncio.run(_record(Path(temporary).resolve(), start + seconds / 2))
    control = recording.without_syncs().cut(_CONTROLS, end, "without fsync")
    found = recording.cut(_CUTS, end, "power cuts")
    steps = recording.steps
    return {
        "games": len(recording.written),
        "events": sum(map(len, recording.written.values())),
        "answers_that_told_of_them": len(recording.told),
        "writes": sum(step.kind is Kind.WRITE for step in steps),
        "writes_of_checkpoints": sum(step.kind is Kind.WRITE and step.file == _NAME for step in steps),
        "syncs": sum(step.kind is Kind.SYNC for step in steps),
        "power_cuts": len(found),
        "acknowledged_and_lost": found.count(LOST),
        "damaged": found.count(DAMAGED),
        "power_cuts_without_fsync": len(control),
        "lost_or_damaged_without_fsync": len(control) - control.count(""),
    }


@dataclass(frozen=True)
class Recording:
    """What a server wrote and told its clients, and the games as they were in the end."""

    steps: Sequence[Step]
    told: Sequence[Told]
    written: Mapping[str, Sequence[Event]]

    def without_syncs(self) -> "Recording":
        """The same for a server that never waits for the disk: the measurement must notice."""
        return Recording([step for step in self.steps if step.kind is not Kind.SYNC], self.told, self.written)

    def cut(self, cuts: int, end: float, words: str) -> list[str]:
        """The fault after each of some cuts at random moments; empty where there was none."""
        chance, found = random.Random(0), list[str]()
        with Progress(console=Console(stderr=True)) as progress:
            for moment, disk in progress.track(self._moments(cuts, chance), cuts, description=words):
                if time.monotonic() > end:
                    break
                found.append(fault(disk.cut(chance), told_before(self.told, moment), self.written))
        return found

    def _moments(self, cuts: int, chance: random.Random) -> Iterator[tuple[int, Disk]]:
        """Moments just after something was written or told, with many of the rare ones, and the disk at each.

        They come in batches, each in order through the whole recording, so that a short measurement covers all of it.
        """
        rare = [step.ended + 1 for step in self.steps if step.file in {"", _NAME} or step.kind is Kind.REMOVE]
        anywhere = [step.ended + 1 for step in self.steps] + [told.at + 1 for told in self.told]
        for batch in range(0, cuts, _AT_ONCE):
            disk, done = Disk(), 0
            number = min(_AT_ONCE, cuts - batch)
            for moment in sorted(
                chance.choice(rare if chance.random() < _RARE else anywhere) for _cut in range(number)
            ):
                while done < len(self.steps) and self.steps[done].ended < moment:
                    disk.do(self.steps[done])
                    done += 1
                yield moment, disk


def told_before(told: Sequence[Told], moment: int) -> dict[str, int]:
    """For each game, the highest number that a client had been told of."""
    heard: dict[str, int] = {}
    for one in told:
        if one.at < moment:
            heard[one.game] = max(heard.get(one.game, 0), one.number)
    return heard


def fault(files: Mapping[str, bytes], told: Mapping[str, int], written: Mapping[str, Sequence[Event]]) -> str:
    """What is wrong with the files that the power cut left, as the next server would find them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        database = Path(folder) / _NAME
        # These are copies, with other inodes than the server's: an empty log says that none was left behind.
        Path(f"{database}-wal").touch()
        try:
            with contextlib.closing(Store.alone(str(database))) as store:
                found = _compared(store, told, written)
            check_file(database)
        except (StoreError, Damaged, NoSuchGame, sqlite3.Error):  # a game may be listed but have lost its row or seats
            return DAMAGED
        return found


def _compared(store: Store, told: Mapping[str, int], written: Mapping[str, Sequence[Event]]) -> str:
    tables, games = Tables(store), store.game_ids()
    there = {game: store.events(game) for game in games}
    if any(game not in there or len(there[game]) < number for game, number in told.items()):
        return LOST
    if any(events != written.get(game, ())[: len(events)] for game, events in there.items()):
        return DAMAGED
    for game in games:
        tables.open(game)
    return ""


async def _record(folder: Path, end: float) -> Recording:
    """Has programs play on a server under strace, ends it as an operator would, and reads the trace."""
    trace, home = folder / "trace", folder / "games"
    home.mkdir()
    process, port = await _start(trace, home / _NAME)
    programs = players(_PLAYERS)
    playing = [asyncio.create_task(player.play(port)) for player in programs]
    while sum(len(player.acknowledged) for player in programs) < _MOVES and time.monotonic() < end:
        await asyncio.sleep(0.05)
    process.terminate()
    await process.communicate()  # strace ends after the server, and holds this pipe too
    await asyncio.gather(*playing)
    with trace.open() as lines:
        steps, told = read_trace(lines, str(home))
    tables = open_tables(str(home / _NAME))
    written = {game: tables.store.events(game) for game in tables.store.game_ids()}
    tables.store.close()
    return Recording(steps, told, written)


async def _start(trace: Path, database: Path) -> tuple[Process, int]:
    """Starts the server as people do; returns it and its port."""
    strace = shutil.which("strace")
    if strace is None:
        raise JaipurError("No strace was found: install one.")
    command = [strace, "-D", *OPTIONS, "-o", str(trace), sys.executable, "-m", "jaipur", "serve", "--port", "0"]
    options = ["--database", str(database), "--rate", "0", "--bot-workers", "1"]
    process = await asyncio.create_subprocess_exec(*command, *options, stdout=PIPE, **ends_with_us())
    assert process.stdout is not None
    try:
        ready = await asyncio.wait_for(process.stdout.readline(), _STARTING_SECONDS)
    except TimeoutError:
        ready = b""
    found = re.search(rb"http://localhost:(\d+)/", ready)
    if found is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        raise JaipurError("The server did not start.")
    return process, int(found[1])
