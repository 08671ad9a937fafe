"""A terminal's screen and its scrollback, as far as this game needs them.

Written here rather than taken from a package: the game uses few sequences besides colours, and a package would not
model what matters, that some terminals keep a cleared screen in the scrollback.
"""

import re

SEQUENCE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")


class Screen:
    """Takes what a program writes. `text` is everything that a person can still read, scrolling all the way up."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.scrolled_off: list[str] = []
        self.lines = [""]
        self._rest = ""

    @property
    def text(self) -> str:
        return "\n".join(self.scrolled_off + self.lines)

    @property
    def words(self) -> list[str]:
        return self.text.split()

    def write(self, data: str) -> None:
        data = self._rest + data
        self._rest = ""
        at = 0
        while at < len(data):
            if data[at] != "\x1b":
                self._letter(data[at])
                at += 1
            elif sequence := SEQUENCE.match(data, at):
                self._obey(*sequence.groups())
                at = sequence.end()
            else:
                self._rest = data[at:]
                return

    def _letter(self, letter: str) -> None:
        if letter == "\n" or (len(self.lines[-1]) == self.columns and letter != "\r"):
            self.lines.append("")
        if letter not in "\r\n":
            assert letter.isprintable() or letter == "\xa0", repr(letter)
            self.lines[-1] += letter
        while len(self.lines) > self.rows:
            self.scrolled_off.append(self.lines.pop(0))

    def _obey(self, numbers: str, letter: str) -> None:
        match numbers, letter:
            case _, "m":
                pass
            case "2", "J":
                self.scrolled_off += self.lines
                self.lines = [""]
            case "3", "J":
                self.scrolled_off = []
            case "", "H":
                assert self.lines == [""], "the cursor goes to the first line of a cleared screen only"
            case _:
                raise AssertionError(f"this screen does not know ESC[{numbers}{letter}")
