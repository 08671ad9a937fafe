"""Labels, reasons and kinds of luck in words, in the current language."""

from jaipur.language import _, decimal
from jaipur.language.words import kind_name, sentence_start
from jaipur.review.grades import Label
from jaipur.review.reasons import FREQUENCIES, Outcome, Reason
from jaipur.rules.box import CAMEL
from jaipur.rules.errors import N_

_LABELS = {
    Label.FINE: N_("fine"),
    Label.IMPRECISE: N_("imprecise"),
    Label.MISTAKE: N_("mistake"),
    Label.BLUNDER: N_("blunder"),
    Label.CLOSE: N_("too close to call"),
    Label.FORCED: N_("forced"),
}
_LUCK = {"deal": N_("deal"), "refills": N_("refills"), "bonus": N_("bonus tokens")}
_MORE_AND_LESS = {
    Outcome.GOODS: (N_("{card}: {number} rupees more."), N_("{card}: {number} rupees less.")),
    Outcome.RIVAL_GOODS: (
        N_("{card}: {number} rupees more for the rival."),
        N_("{card}: {number} rupees less for the rival."),
    ),
    Outcome.BONUS: (N_("Bonus tokens: {number} rupees more."), N_("Bonus tokens: {number} rupees less.")),
    Outcome.RIVAL_BONUS: (
        N_("Bonus tokens: {number} rupees more for the rival."),
        N_("Bonus tokens: {number} rupees less for the rival."),
    ),
    Outcome.TURNS: (N_("The round lasts {number} turns longer."), N_("The round ends {number} turns earlier.")),
    Outcome.UNSOLD: (
        N_("{number} more cards stay unsold at the end."),
        N_("{number} fewer cards stay unsold at the end."),
    ),
    Outcome.RIVAL_UNSOLD: (
        N_("{number} more cards of the rival stay unsold at the end."),
        N_("{number} fewer cards of the rival stay unsold at the end."),
    ),
}
"""What the played move leads to, beside the best: more of it or less."""


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


def reason_in_words(reason: Reason) -> str:
    """What the played move leads to, against the best one."""
    card = sentence_start(kind_name(reason.kind)) if reason.kind is not None else ""
    if reason.outcome in FREQUENCIES:
        return _(_frequency(reason)).format(card=card, played=percent(reason.played), best=percent(reason.best))
    change = reason.played - reason.best
    sentence = _MORE_AND_LESS[reason.outcome][change < 0]
    return _(sentence).format(card=card, number=decimal(abs(change)))


def _frequency(reason: Reason) -> str:
    if reason.outcome is Outcome.CAMEL_TOKEN:
        return N_("The camel token is won in {played} of the worlds instead of {best}.")
    if reason.kind == CAMEL:
        return N_("The rival takes the camels next in {played} of the worlds instead of {best}.")
    return N_("{card}: the rival takes it next in {played} of the worlds instead of {best}.")


def reasons_in_words(reasons: tuple[Reason, ...]) -> str:
    """All reasons, or that there is no single one."""
    if not reasons:
        return _("No single reason stands out.")
    return " ".join(reason_in_words(reason) for reason in reasons)
