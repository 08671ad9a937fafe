"""Lines that fit a narrow terminal: they break between whole phrases, not between words."""

import textwrap

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.text import Text

_WIDE = 1000


class FirstThatFits:
    """The first of several ways to show something that fits the width; the last one if none does."""

    def __init__(self, *ways: RenderableType) -> None:
        self.ways = ways

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Chooses once the width is known."""
        for way in self.ways[:-1]:
            if Measurement.get(console, options.update(width=_WIDE), way).maximum <= options.max_width:
                yield way
                return
        yield self.ways[-1]

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """From the least that the last way needs to the most that the first one would take."""
        least = Measurement.get(console, options, self.ways[-1]).minimum
        most = Measurement.get(console, options, self.ways[0]).maximum
        return Measurement(min(least, most), most)


class Prose:
    """A sentence broken into lines, or left whole where lines are not wrapped.

    Rich alone would break a line at the hard space that French has before a colon.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Breaks lines at plain spaces only."""
        yield Text(self.text if options.no_wrap else textwrap.fill(self.text, max(options.max_width, 1)))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """From the longest word to the whole sentence."""
        return Measurement.get(console, options, Text(self.text))


def phrases(*pieces: str | Text, between: str = "  ") -> FirstThatFits:
    """Phrases side by side; if they do not fit, the last ones go on lines of their own."""
    texts = [Text(piece) if isinstance(piece, str) else piece for piece in pieces]
    return FirstThatFits(
        *(Group(Text(between).join(texts[:beside]), *texts[beside:]) for beside in range(len(texts), 0, -1))
    )
