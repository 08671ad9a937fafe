"""What a disk may hold when the power fails: everything that was synced, and any part of the rest.

A write that was not synced may be there, or not, or partly, or be garbage, sector by sector; a later write may be there
without an earlier one; a name may be missing, although the folder shows it, until the folder is synced. What a write
does not touch stays as it was, and a sync that has returned is trusted.
"""

import random
from dataclasses import dataclass, field

from endurance.powercut.trace import Kind, Step

_SECTOR = 512
_GARBAGE = 0.1
_GROWN = 0.25
"""How often a file has grown by a lost write, although its data is missing."""


@dataclass
class _File:
    safe: bytearray = field(default_factory=bytearray)
    unsynced: list[Step] = field(default_factory=list)


class Disk:
    """The files of one folder."""

    def __init__(self) -> None:
        self._files: list[_File] = []
        self._shown: dict[str, int] = {}
        """The names that programs see."""
        self._safe: dict[str, int] = {}
        self._unsynced: list[tuple[Step, int]] = []
        """Names that came or went, and the files they stand for."""

    def do(self, step: Step) -> None:
        """Applies one more step, which has ended."""
        match step.kind:
            case Kind.CREATE if step.file not in self._shown:
                self._shown[step.file] = len(self._files)
                self._files.append(_File())
                self._unsynced.append((step, self._shown[step.file]))
            case Kind.REMOVE:
                self._unsynced.append((step, self._shown.pop(step.file)))
            case Kind.SYNC:
                self._sync(step)
            case Kind.WRITE | Kind.TRUNCATE:
                self._files[self._shown[step.file]].unsynced.append(step)

    def _sync(self, sync: Step) -> None:
        if not sync.file:
            for step, number in self._unsynced:
                if step.ended < sync.began:
                    _rename(self._safe, step, number)
            self._unsynced = [(step, number) for step, number in self._unsynced if step.ended >= sync.began]
            return
        file = self._files[self._shown[sync.file]]
        for step in file.unsynced:
            if step.ended < sync.began:
                _land(file.safe, step)
        file.unsynced = [step for step in file.unsynced if step.ended >= sync.began]

    def cut(self, chance: random.Random) -> dict[str, bytes]:
        """The files as they may be once the power is back."""
        luck = chance.choice((0.0, 0.5, 0.9, 1.0))
        names = self._safe.copy()
        for step, number in self._unsynced:
            if chance.random() < luck:
                _rename(names, step, number)
        return {name: self._landed(number, chance, luck) for name, number in names.items()}

    def _landed(self, number: int, chance: random.Random, luck: float) -> bytes:
        file = self._files[number]
        data = file.safe.copy()
        for step in file.unsynced:
            if chance.random() < luck:
                _land(data, step)
            elif step.kind is Kind.WRITE:
                _tear(data, step, chance)
        return bytes(data)


def _rename(names: dict[str, int], step: Step, number: int) -> None:
    if step.kind is Kind.CREATE:
        names[step.file] = number
    elif names.get(step.file) == number:
        del names[step.file]


def _land(data: bytearray, step: Step) -> None:
    """Applies a whole step to the data on the disk."""
    end = step.offset if step.kind is Kind.TRUNCATE else step.offset + len(step.data)
    if len(data) < end:
        data.extend(bytes(end - len(data)))
    if step.kind is Kind.TRUNCATE:
        del data[end:]
    else:
        data[step.offset : end] = step.data


def _tear(data: bytearray, step: Step, chance: random.Random) -> None:
    """Applies some sectors of a write, or none; some of them are garbage."""
    luck, end = chance.choice((0.0, 0.0, 0.5)), step.offset + len(step.data)
    start = step.offset
    while start < end:
        stop = min((start // _SECTOR + 1) * _SECTOR, end)
        piece = step.data[start - step.offset : stop - step.offset]
        if chance.random() < luck:
            garbage = chance.random() < _GARBAGE
            _land(data, Step(Kind.WRITE, "", 0, 0, start, chance.randbytes(len(piece)) if garbage else piece))
        start = stop
    if chance.random() < _GROWN and len(data) < end:
        data.extend(bytes(end - len(data)))
