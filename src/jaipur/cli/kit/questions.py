"""Questions to be answered with yes or no, in any language."""

from rich.console import Console
from rich.text import Text

from jaipur.language.phrases import means_yes


def agreed(console: Console, question: str, default: bool) -> bool:
    """Asks; an empty answer, or none at all, means the default."""
    try:
        answer = console.input(Text(question))
    except EOFError:
        answer = ""
    return means_yes(answer, default)
