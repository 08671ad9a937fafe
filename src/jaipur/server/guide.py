"""The guided first round: one lesson at a time, chosen by what the learner has done and can do now."""

from dataclasses import dataclass

from jaipur.core.errors import N_
from jaipur.i18n import _
from jaipur.table import GameKind, Seen

LOW_DECK = 8
"""So few cards in the deck are worth a word: the round may end soon."""


@dataclass(frozen=True)
class Lesson:
    """What to try next."""

    title: str
    text: str
    step: int
    steps: int


_LESSONS = (
    (
        "take",
        N_("Take one good"),
        N_("Each turn you either take cards or sell cards. Select one good in the market, then press the button. "
           "A card from the deck takes its place (R8)."),
    ),
    (
        "camels",
        N_("Take the camels"),
        N_("Select a camel in the market: you get all of them at once. They go to your herd, not to your hand, and "
           "are good for exchanges. But the market is filled up with new cards, for your opponent to choose (R9)."),
    ),
    (
        "exchange",
        N_("Exchange"),
        N_("Select two or more goods in the market, and as many cards of your own: goods of your hand or camels of "
           "your herd, of other kinds than you take (R10, R11)."),
    ),
    (
        "sell",
        N_("Sell"),
        N_("Select cards of one kind in your hand. Each brings a token, the highest first, so early sales pay more. "
           "Three or more cards bring a bonus token too. Diamonds, gold and silver are sold at least two at a time "
           "(R14 to R17)."),
    ),
)  # fmt: skip


def lesson(seen: Seen) -> Lesson | None:
    """The lesson of the moment in a guided round; none in other games and when the round is over."""
    if seen.kind is not GameKind.GUIDED or seen.seat is None or seen.status != "playing" or seen.round > 1:
        return None
    done = {_action(logged.move) for logged in seen.log if logged.seat == seen.seat}
    steps = len(_LESSONS)
    if seen.turn != seen.seat:
        return Lesson(_("The pedlar's turn"), _("Watch what the pedlar takes: you may need it too."), len(done), steps)
    possible = {_action(move) for move in seen.legal}
    for action, title, text in _LESSONS:
        if action not in done and action in possible:
            return Lesson(_(title), _(text), len(done) + 1, steps)
    return Lesson(*_advice(seen), min(len(done) + 1, steps), steps)


def _action(move: str) -> str:
    if move == "+M":
        return "camels"
    if "+" not in move:
        return "sell"
    return "exchange" if "-" in move else "take"


def _advice(seen: Seen) -> tuple[str, str]:
    gone = sum(1 for pile in seen.tokens if not pile)
    if seen.deck <= LOW_DECK or gone > 1:
        return _("The end is near"), _(
            "The round ends when three kinds of tokens are gone or the deck cannot fill the market. Sell what you "
            "have in time; who has more camels gets 5 rupees (R22, R23)."
        )
    return _("You know it all"), _(
        "Collect sets of three to five for the bonus tokens, sell the precious goods before your opponent does, and "
        "mind your hand: it holds at most 7 cards (R13)."
    )
