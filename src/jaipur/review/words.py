"""Labels, reasons and kinds of luck in words, in the current language."""

from jaipur.language import _, decimal, ngettext
from jaipur.review.grades import Label
from jaipur.review.reasons import FREQUENCIES, Outcome, Reason
from jaipur.review.review import Sum
from jaipur.rules.errors import N_

DASH = "–"
_LABELS = {
    Label.FINE: N_("fine"),
    Label.IMPRECISE: N_("imprecise"),
    Label.MISTAKE: N_("mistake"),
    Label.BLUNDER: N_("blunder"),
    Label.CLOSE: N_("too close to call"),
    Label.FORCED: N_("forced"),
}
_LUCK = {"deal": N_("deal"), "refills": N_("refills"), "bonus": N_("bonus tokens")}
_GOODS = (
    N_("diamonds"),
    N_("gold"),
    N_("silver"),
    N_("cloth"),
    N_("spices"),
    N_("leather"),
    N_("the camels"),
)
"""Each kind of card as somebody takes or sells it."""


def label_in_words(label: Label) -> str:
    """A label."""
    return _(_LABELS[label])


def luck_in_words(kind: str) -> str:
    """A kind of luck."""
    return _(_LUCK[kind])


def points(probability: float, sign: bool = False) -> str:
    """A probability in points, 0 to 100."""
    return decimal(100 * probability, 1, sign)


def percent(probability: float) -> str:
    """A probability in per cent."""
    return _("{number}%").format(number=f"{100 * probability:.0f}")


def result_in_words(part: Sum) -> str:
    """How a round ended, or a dash for one that was broken off."""
    return DASH if part.result is None else percent(part.result)


def points_or_dash(probability: float | None) -> str:
    """A change in points, or a dash for what is not known."""
    return DASH if probability is None else points(probability, True)


def reason_in_words(reason: Reason) -> str:
    """What the played move leads to, against the best one."""
    card = "" if reason.kind is None else _(_GOODS[reason.kind])
    if reason.outcome in FREQUENCIES:
        return _(_frequency(reason)).format(card=card, played=percent(reason.played), best=percent(reason.best))
    change = reason.played - reason.best
    return _more_or_less(reason.outcome, change).format(card=card, number=decimal(abs(change)))


def _more_or_less(outcome: Outcome, change: float) -> str:
    """What the played move leads to, beside the best: more of it or less. French has one rupee up to 1.9 of them."""
    n = int(abs(change))
    more, less = {
        Outcome.GOODS: (
            ngettext("{number} rupees more from {card}.", "{number} rupees more from {card}.", n),
            ngettext("{number} rupees less from {card}.", "{number} rupees less from {card}.", n),
        ),
        Outcome.RIVAL_GOODS: (
            ngettext(
                "The rival earns {number} rupees more from {card}.",
                "The rival earns {number} rupees more from {card}.",
                n,
            ),
            ngettext(
                "The rival earns {number} rupees less from {card}.",
                "The rival earns {number} rupees less from {card}.",
                n,
            ),
        ),
        Outcome.BONUS: (
            ngettext("{number} rupees more from bonus tokens.", "{number} rupees more from bonus tokens.", n),
            ngettext("{number} rupees less from bonus tokens.", "{number} rupees less from bonus tokens.", n),
        ),
        Outcome.RIVAL_BONUS: (
            ngettext(
                "The rival earns {number} rupees more from bonus tokens.",
                "The rival earns {number} rupees more from bonus tokens.",
                n,
            ),
            ngettext(
                "The rival earns {number} rupees less from bonus tokens.",
                "The rival earns {number} rupees less from bonus tokens.",
                n,
            ),
        ),
        Outcome.TURNS: (
            ngettext("The round lasts {number} turns longer.", "The round lasts {number} turns longer.", n),
            ngettext("The round ends {number} turns earlier.", "The round ends {number} turns earlier.", n),
        ),
        Outcome.UNSOLD: (
            ngettext("{number} more cards stay unsold.", "{number} more cards stay unsold.", n),
            ngettext("{number} fewer cards stay unsold.", "{number} fewer cards stay unsold.", n),
        ),
        Outcome.RIVAL_UNSOLD: (
            ngettext(
                "The rival is left with {number} more unsold cards.",
                "The rival is left with {number} more unsold cards.",
                n,
            ),
            ngettext(
                "The rival is left with {number} fewer unsold cards.",
                "The rival is left with {number} fewer unsold cards.",
                n,
            ),
        ),
    }[outcome]
    return less if change < 0 else more


def _frequency(reason: Reason) -> str:
    if reason.outcome is Outcome.CAMEL_TOKEN:
        return N_("The camel token is won in {played} of the worlds, not in {best}.")
    return N_("The rival takes {card} next in {played} of the worlds, not in {best}.")


def reasons_in_words(reasons: tuple[Reason, ...], lead: str = N_("After this move: {reasons}")) -> str:
    """All reasons against a move, or that there is no single one."""
    if not reasons:
        return _("No single reason stands out.")
    return _(lead).format(reasons=inside_sentence(" ".join(reason_in_words(reason) for reason in reasons)))


def inside_sentence(words: str) -> str:
    """A move or a reason after a colon: `Take the gold` becomes `take the gold`."""
    return words[:1].lower() + words[1:]
