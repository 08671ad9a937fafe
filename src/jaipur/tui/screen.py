"""The screen that two people share: it is cleared before it changes hands."""

from rich.console import Console

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""The screen, then the lines that scrolled off it (some terminals move a cleared screen there), then the first line."""


class SharedScreen:
    """Remembers whether a hand may be on the screen, and takes it off."""

    def __init__(self, console: Console, exposed: bool) -> None:
        self.console = console
        self.exposed = exposed

    @property
    def clearable(self) -> bool:
        """A pipe, a file and a dumb terminal keep all that was written to them."""
        return self.console.is_terminal and not self.console.is_dumb_terminal

    def hide(self) -> None:
        """Takes off whatever one of the two may not see. A dumb terminal can only be scrolled by a screen."""
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
