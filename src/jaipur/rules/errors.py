"""What can be wrong, as one sentence for a person."""

from collections.abc import Callable
from typing import Final

from mypy_extensions import mypyc_attr

Translate = Callable[[str], str]
"""What turns an English sentence into another language: a catalogue's `gettext`."""


def N_(sentence: str) -> str:
    """Marks a sentence for the catalogues; it is translated when it is shown."""
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
    """The base of all errors of this package: a sentence with blanks, and what goes into them.

    Blanks named `card` and `reason`, the English name of a kind of card and what a system complains of, are translated
    too where the catalogue knows them.
    """

    def __init__(self, sentence: str, **blanks: object) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.blanks = blanks

    def text(self, translate: Translate = unchanged) -> str:
        """The sentence, in the language of a catalogue."""
        blanks = dict(self.blanks)
        for name in ("card", "reason"):
            if blanks.get(name):
                blanks[name] = translate(str(blanks[name]))
        return translate(self.sentence).format(**blanks)

    def __str__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[object, ...]:
        """An error of another process arrives whole."""
        return _made_again, (type(self), self.sentence, self.blanks)


def _made_again(kind: type[JaipurError], sentence: str, blanks: dict[str, object]) -> JaipurError:
    return kind(sentence, **blanks)


class NotationError(JaipurError):
    """A text that cannot be read."""


class IllegalMove(JaipurError):
    """A move that the rules forbid now. The sentence cites the rule."""
