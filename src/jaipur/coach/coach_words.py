"""Labels, reasons and kinds of luck in words, in the current language."""

from jaipur.coach.grades import Label
from jaipur.coach.outcomes import FREQUENCIES, Outcome, Reason
from jaipur.language import _, decimal, ngettext
from jaipur.language.words import sentence_start
from jaipur.rules.errors import N_

DASH = "–"
_LUCK = {"deal": N_("deal"), "refills": N_("refills"), "bonus": N_("bonus tokens")}
_SOURCES = (
    N_("from diamonds"),
    N_("from gold"),
    N_("from silver"),
    N_("from cloth"),
    N_("from spice"),
    N_("from leather"),
)
"""What rupees come from, besides bonus tokens."""
_TAKEN_NEXT = (
    N_("{rival} takes diamonds next in {played} of the worlds, against {best} after the best move."),
    N_("{rival} takes gold next in {played} of the worlds, against {best} after the best move."),
    N_("{rival} takes silver next in {played} of the worlds, against {best} after the best move."),
    N_("{rival} takes cloth next in {played} of the worlds, against {best} after the best move."),
    N_("{rival} takes spice next in {played} of the worlds, against {best} after the best move."),
    N_("{rival} takes leather next in {played} of the worlds, against {best} after the best move."),
    N_("{rival} takes the camels next in {played} of the worlds, against {best} after the best move."),
)
_OF_RIVAL = (Outcome.RIVAL_GOODS, Outcome.RIVAL_BONUS, Outcome.RIVAL_UNSOLD, Outcome.TAKEN_NEXT)
_MEANINGS = {
    N_("Points"): N_(
        "Percentage points of the chance of winning the round: a move that takes a chance of 60 in 100 down to 55 "
        "loses 5 points. The figure after ± is the standard error."
    ),
    N_("Luck"): N_(
        "What the deal, the refills of the market and the bonus tokens gave, against the mean of all they could have "
        "given. Your good luck is the other player's bad luck."
    ),
    N_("What a round is worth in the match"): N_(
        "How many points lie between winning and losing the round, in the chance of winning the match, between equals."
    ),
}
_MEANINGS_OF_GRADES = {
    N_("Open decision"): N_(
        "One with a choice, while the chance of winning the round lies between 10% and 90%. A blunder counts 12 points "
        "at most."
    ),
    N_("Labels"): N_(
        "Fine: clearly less than 2 points lost. Imprecise: clearly more than 2. Mistake: clearly more than 5. Blunder: "
        "clearly more than 12. Clearly means by two standard errors. Where nothing is clear: too close to call."
    ),
    N_("Worlds"): N_(
        "Ways in which the hidden cards may lie. Moves are compared by playing on in the same worlds, from what the "
        "player could know."
    ),
}
_CAMEL_TOKEN = N_("the camel token is won in {played} of the worlds, against {best} after the best move.")


def label_in_words(label: Label) -> str:
    """A label."""
    return _(label.value)


def luck_in_words(kind: str) -> str:
    """A kind of luck."""
    return _(_LUCK[kind])


def meanings(graded: bool = True) -> list[tuple[str, str]]:
    """What the numbers in a review mean: the name of each, and its explanation."""
    sentences = _MEANINGS | _MEANINGS_OF_GRADES if graded else _MEANINGS
    return [(_(name), _(meaning)) for name, meaning in sentences.items()]


def points(probability: float, sign: bool = False) -> str:
    """A probability in points, 0 to 100."""
    return decimal(100 * probability, 1, sign)


def percent(probability: float) -> str:
    """A probability in per cent."""
    return _("{number}%").format(number=f"{100 * probability:.0f}")


def chance_in_words(win: float, error: float | None) -> str:
    """A chance with its standard error, both to one decimal; without an error it is a first estimate, and rounded."""
    if error is None:
        return percent(win)
    return _("{number}%").format(number=points(win)) + f" ± {points(error)}"


def loss_in_words(loss: float, error: float) -> str:
    """Points with their standard error."""
    return f"{points(loss)} ± {points(error)}"


def reason_in_words(reason: Reason, rival: str = "") -> str:
    """What the played move leads to, compared with the best one. The rival is called by name if one is given."""
    return sentence_start(_after_colon(reason, rival))


def reasons_in_words(reasons: tuple[Reason, ...], rival: str = "", lead: str = N_("After this move: {reasons}")) -> str:
    """All reasons against a move, or that there is no single one."""
    if not reasons:
        return _("No single reason stands out.")
    # A sentence without a subject is about the player who moved, so it comes before anything about the rival.
    first, *others = sorted(reasons, key=lambda reason: reason.outcome in _OF_RIVAL)
    sentences = [_after_colon(first, rival), *(reason_in_words(reason, rival) for reason in others)]
    return _(lead).format(reasons=" ".join(sentences))


def _after_colon(reason: Reason, rival: str) -> str:
    """A reason as it reads after a colon."""
    rival = rival or _("the other player")
    if reason.outcome in FREQUENCIES:
        sentence = _CAMEL_TOKEN if reason.kind is None else _TAKEN_NEXT[reason.kind]
        return _(sentence).format(rival=rival, played=percent(reason.played), best=percent(reason.best))
    change = reason.played - reason.best
    source = _("from bonus tokens") if reason.kind is None else _(_SOURCES[reason.kind])
    number = decimal(abs(change))
    return _more_or_less(reason.outcome, change).format(rival=rival, source=source, number=number)


def _more_or_less(outcome: Outcome, change: float) -> str:
    """Whether the played move leads to more or less than the best. In French, anything below 2 is singular."""
    n = int(round(abs(change), 1))
    earned = (
        ngettext("{number} rupees more {source}.", "{number} rupees more {source}.", n),
        ngettext("{number} rupees less {source}.", "{number} rupees less {source}.", n),
    )
    lost = (
        ngettext("{rival} earns {number} rupees more {source}.", "{rival} earns {number} rupees more {source}.", n),
        ngettext("{rival} earns {number} rupees less {source}.", "{rival} earns {number} rupees less {source}.", n),
    )
    more, less = {
        Outcome.GOODS: earned,
        Outcome.BONUS: earned,
        Outcome.RIVAL_GOODS: lost,
        Outcome.RIVAL_BONUS: lost,
        Outcome.TURNS: (
            ngettext("the round lasts {number} turns longer.", "the round lasts {number} turns longer.", n),
            ngettext("the round ends {number} turns earlier.", "the round ends {number} turns earlier.", n),
        ),
        Outcome.UNSOLD: (
            ngettext("{number} more cards stay unsold.", "{number} more cards stay unsold.", n),
            ngettext("{number} fewer cards stay unsold.", "{number} fewer cards stay unsold.", n),
        ),
        Outcome.RIVAL_UNSOLD: (
            ngettext(
                "{rival} is left with {number} more unsold cards.",
                "{rival} is left with {number} more unsold cards.",
                n,
            ),
            ngettext(
                "{rival} is left with {number} fewer unsold cards.",
                "{rival} is left with {number} fewer unsold cards.",
                n,
            ),
        ),
    }[outcome]
    return less if change < 0 else more


def hints_in_words(hints: tuple[int, int]) -> str:
    """Says how many hints were asked for, for a match in which there were any."""
    number = sum(hints)
    return ngettext("Played with {number} hint.", "Played with {number} hints.", number).format(number=number)


def inside_sentence(words: str) -> str:
    """A move after a colon: `Take the gold` becomes `take the gold`."""
    return words[:1].lower() + words[1:]
