"""A screen that two people share: it is cleared before the other one looks."""

from rich.console import Console

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Clears the screen, then the scrollback (where some terminals move a cleared screen), and goes to the top left."""


class SharedScreen:
    """Remembers whether a hand may be on the screen, and clears it."""

    def __init__(self, console: Console, exposed: bool) -> None:
        self.console = console
        self.exposed = exposed

    @property
    def clearable(self) -> bool:
        """False for a pipe, a file or a dumb terminal: they keep everything written to them."""
        return self.console.is_terminal and not self.console.is_dumb_terminal

    def hide(self) -> None:
        """Clears a hand that the other player must not see. A dumb terminal can only be scrolled by a screenful."""
        if not self.exposed:
            return
        self.exposed = False
        if self.console.legacy_windows:
            self.console.clear()
        elif self.clearable:
            self.console.file.write(CLEAR)
            self.console.file.flush()
        elif self.console.is_terminal:
            self.console.print("\n" * self.console.height)
