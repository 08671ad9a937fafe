"""`jaipur verify`: proves the shuffle from the revealed seed."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jaipur.core.bag import letters
from jaipur.core.box import LETTERS
from jaipur.core.errors import N_, JaipurError
from jaipur.core.round import Round
from jaipur.i18n import _
from jaipur.record import Record

console = Console(highlight=False)


def verify(
    file: Annotated[Path, typer.Argument(help=_("A .jaipur record."))],
    commitment: Annotated[
        str, typer.Option(help=_("The SHA-256 that was shown before the match, if you wrote it down."))
    ] = "",
) -> None:
    """Checks everything that a record claims."""
    match = Record.load(file).match
    if commitment and commitment.strip().lower() != match.commitment:
        raise JaipurError(
            N_("This is not the match that was announced: its commitment is {found}."), found=match.commitment
        )
    console.print(_("Seed: {seed}").format(seed=match.seed.hex()), soft_wrap=True)
    console.print(_("SHA-256 of the seed: {commitment}").format(commitment=match.commitment), soft_wrap=True)
    for number, played in enumerate(match.rounds, 1):
        first = match.deal(number, played.starter)
        console.print(
            _("Round {number}, dealt from the seed: {cards}").format(number=number, cards=_deal(first)), soft_wrap=True
        )
    console.print(
        _("Correct: every move is legal, every score is right, and the cards follow from the seed."), soft_wrap=True
    )


def _deal(dealt: Round) -> str:
    deck = "".join(LETTERS[kind] for kind in dealt.deck.kinds())
    hands = [f"{letters(trader.hand)}{'M' * trader.herd}" for trader in (dealt.first, dealt.second)]
    return " ".join([*hands, letters(dealt.market), deck])
