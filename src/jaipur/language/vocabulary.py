"""The words that people type for moves and commands, by language. All languages are understood at all times."""

from dataclasses import dataclass
from enum import StrEnum


class Command(StrEnum):
    """What a person can ask of the game in the terminal besides a move."""

    MOVES = "moves"
    HELP = "help"
    HINT = "hint"
    UNDO = "undo"
    SAVE = "save"
    RULES = "rules"
    QUIT = "quit"


@dataclass(frozen=True)
class Vocabulary:
    """Plain words, without accents: verbs, words between the two parts of an exchange, kinds, numbers, commands.

    No word consists of the letters D G S C P L M alone: those are cards in every language. Of yes and no, it has the
    first letters.
    """

    take: frozenset[str]
    sell: frozenset[str]
    exchange: frozenset[str]
    between: frozenset[str]
    filler: frozenset[str]
    yes: frozenset[str]
    no: frozenset[str]
    kinds: dict[str, int]
    numbers: dict[str, int]
    commands: dict[str, Command]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = Vocabulary(
    take=_words("take"),
    sell=_words("sell"),
    exchange=_words("exchange swap trade"),
    between=_words("for with against give giving"),
    filler=_words("and the all my of card cards"),
    yes=_words("y"),
    no=_words("n"),
    kinds={"diamond": 0, "gold": 1, "silver": 2, "cloth": 3, "spice": 4, "leather": 5, "camel": 6},
    numbers={"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7},
    commands={
        "?": Command.MOVES,
        "moves": Command.MOVES,
        "help": Command.HELP,
        "hint": Command.HINT,
        "undo": Command.UNDO,
        "save": Command.SAVE,
        "rules": Command.RULES,
        "quit": Command.QUIT,
        "exit": Command.QUIT,
    },
)

FRENCH = Vocabulary(
    take=_words("prendre prends prend prenez"),
    sell=_words("vendre vends vend vendez vente"),
    exchange=_words("echanger echange echangez troquer troque troquez troc"),
    between=_words("contre pour avec donner donne donnez rendre rends rend rendez"),
    filler=_words("le la les du des de et mon ma mes tout tous toute toutes carte cartes"),
    yes=_words("o"),
    no=_words("n"),
    kinds={
        "diamant": 0, "or": 1, "argent": 2, "tissu": 3, "epice": 4, "cuir": 5, "chameau": 6, "chameaux": 6,
    },
    numbers={"un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7},
    commands={
        "coups": Command.MOVES,
        "aide": Command.HELP,
        "indice": Command.HINT,
        "annuler": Command.UNDO,
        "sauver": Command.SAVE,
        "sauvegarder": Command.SAVE,
        "enregistrer": Command.SAVE,
        "regles": Command.RULES,
        "quitter": Command.QUIT,
    },
)  # fmt: skip

VOCABULARIES = {"en": ENGLISH, "fr": FRENCH}
