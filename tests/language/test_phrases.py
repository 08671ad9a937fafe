"""Moves as people type them: words, letters, and both together, in every language."""

import pytest

from jaipur import Move, NotationError
from jaipur.language.phrases import read_command, read_move
from jaipur.language.vocabulary import Command
from jaipur.notation import parse_view

VIEW = parse_view(
    f"view 0 / turn 0 / starter 0 / quiet 0 / market DGPMM / deck {'?' * 38} / discard - / "
    "bonus3 ??????? / bonus4 ?????? / bonus5 ????? / seat0 hand DPPLL herd 2 / seat1 hand ????? herd 0"
)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("sell p", "-PP"),
        ("sell P", "-PP"),
        ("sell 1 p", "-P"),
        ("sell pp", "-PP"),
        ("sell spice", "-PP"),
        ("vends p", "-PP"),
        ("vendre 2 cartes de cuir", "-LL"),
        ("vendre l", "-LL"),
        ("take d", "+D"),
        ("prends d", "+D"),
        ("prends l'or", "+G"),
        ("prendre l’or", "+G"),
        ("prendre l or", "+G"),
        ("prendre 1 carte d'or", "+G"),
        ("take m", "+M"),
        ("prends m", "+M"),
        ("take dg give lm", "+DG-LM"),
        ("Take 1 diamond and 1 gold, give 1 leather and 1 camel", "+DG-LM"),
        ("Prendre 1 diamant et 1 carte d'or, donner 1 cuir et 1 chameau", "+DG-LM"),
        ("exchange dg for lm", "+DG-LM"),
        ("exchange lm for dg", "+DG-LM"),
        ("swap g p for 2 m", "+GP-MM"),
        ("troque dg contre ll", "+DG-LL"),
        ("échange ll contre dg", "+DG-LL"),
        ("sell a spice", "-P"),
        ("vendre une épice", "-P"),
        ("vendre un cuir", "-L"),
        ("vendez tout le cuir", "-LL"),
        ("vendre toutes mes épices", "-PP"),
        ("vendre du cuir", "-LL"),
        ("prenez dg, rendez lm", "+DG-LM"),
        ("prendre dg, rendre lm", "+DG-LM"),
        ("échangez un diamant et une carte d'or contre deux cuirs", "+DG-LL"),
        ("troquez dg avec ll", "+DG-LL"),
    ],
)
def test_words_and_letters_are_a_move(text: str, move: str) -> None:
    assert read_move(text, VIEW) == Move.parse(move)


def test_saving_has_the_names_that_people_give_it() -> None:
    for word in ("save", "sauver", "Sauvegarder", "enregistrer"):
        assert read_command(word) is Command.SAVE


def test_an_exchange_that_both_directions_allow_is_asked_back() -> None:
    """D, G and PP are both in the market and in the hand: there is no telling which way `for` is meant."""
    view = parse_view(str(VIEW).replace("market DGPMM", "market DGPPM"))
    view = parse_view(str(view).replace("hand DPPLL", "hand DGPPL"))
    with pytest.raises(NotationError, match=r"both ways: say \+DG-PP or \+PP-DG"):
        read_move("swap dg for pp", view)
    assert read_move("take dg give pp", view) == Move.parse("+DG-PP")


@pytest.mark.parametrize(
    "text", ["sell x", "sell 2 pl", "take", "take d give", "sell p for d", "sell pppppppp", "sell 99 p", "sell 0 p"]
)
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_move(text, VIEW)
