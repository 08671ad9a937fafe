"""Errors, each with one sentence that says to a person what is wrong."""

from collections.abc import Callable
from typing import Final

from mypy_extensions import mypyc_attr

Translate = Callable[[str], str]
"""Translates an English sentence: a catalogue's `gettext`."""


def N_(sentence: str) -> str:
    """Marks a sentence for the catalogues; it is translated only when shown."""
    return sentence


KIND_NAMES: Final = (
    N_("diamond"),
    N_("gold"),
    N_("silver"),
    N_("cloth"),
    N_("spice"),
    N_("leather"),
    N_("camel"),
)


def unchanged(sentence: str) -> str:
    """The translation into English."""
    return sentence


@mypyc_attr(allow_interpreted_subclasses=True)
class JaipurError(Exception):
    """The base of all errors in this package: a sentence with blanks, and what fills them.

    Two kinds of blanks are translated too, where the catalogue knows them: `card`, the English name of a kind of card,
    and `reason`, what the system complained about.
    """

    def __init__(self, sentence: str, **blanks: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.blanks = blanks

    def text(self, translate: Translate = unchanged) -> str:
        """The whole sentence, translated."""
        blanks = dict(self.blanks)
        for name in ("card", "reason"):
            if blanks.get(name):
                blanks[name] = translate(str(blanks[name]))
        return translate(self.sentence).format(**blanks)

    def __str__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[object, ...]:
        """Lets an error arrive complete from another process."""
        return _made_again, (type(self), self.sentence, self.blanks)


def _made_again(kind: type[JaipurError], sentence: str, blanks: dict[str, object]) -> JaipurError:
    return kind(sentence, **blanks)


class NotationError(JaipurError):
    """A text that cannot be read."""


class IllegalMove(JaipurError):
    """A move that the rules forbid in this position. The sentence cites the rule."""
