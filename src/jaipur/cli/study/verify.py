"""`jaipur verify`: proves the shuffle from the revealed seed."""

import re
from typing import Annotated

from typer import Option

from jaipur.cli.kit.options import RecordArgument
from jaipur.cli.kit.output import console
from jaipur.language import _
from jaipur.record import Record
from jaipur.rules.errors import N_, JaipurError

_SHA256 = re.compile("[0-9a-fA-F]{64}")


def verify(
    file: RecordArgument,
    commitment: Annotated[
        str, Option(help=_("The SHA-256 that was shown before the match, if you wrote it down."))
    ] = "",
) -> None:
    """Checks everything that a record claims."""
    match = Record.load(file).match
    if commitment and not _SHA256.fullmatch(commitment.strip()):
        raise JaipurError(N_("“{text}” is not a SHA-256: that has 64 hex digits."), text=commitment[:80])
    if commitment and commitment.strip().lower() != match.commitment:
        raise JaipurError(
            N_("This is not the match that was announced: its commitment is {found}."), found=match.commitment
        )
    lines = [
        _("Seed: {seed}").format(seed=match.seed.hex()),
        _("SHA-256 of the seed: {commitment}").format(commitment=match.commitment),
    ]
    for number, deal in enumerate(match.deals(), 1):
        cards = " ".join([*deal.hands, deal.market, deal.deck])
        lines.append(_("Round {number}, dealt from the seed: {cards}").format(number=number, cards=cards))
    lines.append(_("Correct: every move is legal, every score is right, and the cards follow from the seed."))
    for line in lines:
        console.print(line, soft_wrap=True)
