"""What the guided round says outside its script: to a learner who leaves it, and at the end."""

from dataclasses import dataclass
from enum import StrEnum

from jaipur.rules.errors import N_


class Idea(StrEnum):
    """What a move can teach a learner who sees it for the first time."""

    TAKE = "take"
    CAMELS = "camels"
    GIVE_CAMELS = "give camels"
    GIVE_GOODS = "give goods"
    SELL = "sell"
    PAIR = "pair"
    BONUS = "bonus"


@dataclass(frozen=True)
class Words:
    """A lesson in words, and the section of the rules page that says it in full."""

    rule: str
    title: str
    text: str


IDEAS = {
    Idea.TAKE: Words(
        "take-one-good",
        N_("Take one good"),
        N_("Select one good in the market, then press the button. The deck fills the gap."),
    ),
    Idea.CAMELS: Words(
        "take-the-camels",
        N_("Take the camels"),
        N_("Select a camel, and all of them join your herd. New cards take their place."),
    ),
    Idea.GIVE_CAMELS: Words(
        "exchange",
        N_("Give camels, take goods"),
        N_("Select two or more goods in the market, and as many camels from your herd."),
    ),
    Idea.SELL: Words(
        "sell",
        N_("Sell"),
        N_("Select cards of one kind in your hand. Each earns a token, the highest first, so early sales pay more."),
    ),
    Idea.GIVE_GOODS: Words(
        "exchange",
        N_("Give goods, take goods"),
        N_(
            "Select two or more goods in the market, and as many cards from your hand. You never take and give the "
            "same good."
        ),
    ),
    Idea.PAIR: Words(
        "sell",
        N_("Precious goods in pairs"),
        N_("Diamonds, gold and silver are sold at least two at a time. You have enough of them: sell!"),
    ),
    Idea.BONUS: Words(
        "bonus-tokens",
        N_("A bonus for three"),
        N_("Sell three or more cards of one kind at once: that earns a bonus token on top."),
    ),
}
"""The ideas in a sensible order, for a learner who leaves the script."""

KIND_ANSWERS = {
    Idea.TAKE: N_("Going your own way? Why not!"),
    Idea.CAMELS: N_("A fine caravan!"),
    Idea.GIVE_CAMELS: N_("A bold trade!"),
    Idea.GIVE_GOODS: N_("A bold trade!"),
    Idea.SELL: N_("Sold! Rupees in the purse are safe."),
}
"""What is said first when the learner leaves the script."""

WAITING = Words(
    "what-each-player-knows",
    N_("The Pedlar's turn"),
    N_("Watch closely: you may remember what is taken, but the rest of a hand stays secret."),
)
FULL_HAND = Words(
    "exchange",
    N_("Your hand is full"),
    N_("Seven cards is the most you can hold; camels do not count. Sell, or give as many goods as you take."),
)
END_IS_NEAR = Words(
    "end-of-a-round",
    N_("The end is near"),
    N_("Sell what you can: the round ends when three kinds of tokens are gone or the deck cannot refill the market."),
)
ALL_MET = Words(
    "first-hints",
    N_("You know it all"),
    N_("Collect sets for the bonus tokens, and sell precious goods before the Pedlar does."),
)

LEARNED = (
    N_("Each turn you do one thing: take one good, take all the camels, exchange, or sell one kind."),
    N_("You hold at most seven cards. Your herd does not count, and you need not say how big it is."),
    N_("Sell early, for tokens fall in value; sell three or more cards at once for a bonus."),
    N_("Diamonds, gold and silver are sold at least two at a time."),
    N_("The round ends when three kinds of tokens are gone or the deck cannot refill the market."),
    N_(
        "The larger herd earns 5 rupees, and the richer trader a seal. Ties go to more bonus tokens, then to more "
        "goods tokens."
    ),
    N_("Two seals win the match. Whoever loses a round starts the next."),
)
"""What the learner knows after the guided round."""

TIPS = (
    N_("Three things make you rich: precious goods, the first tokens of each kind, and big sales."),
    N_("Take many camels when your opponent's hand is full: the new cards are harder to grab then."),
    N_("Keep a few camels: without them, an empty hand fills slowly."),
    N_("An exchange can leave only camels in the market: then your opponent may have to turn up new cards for you."),
    N_("Fewer tokens left than cards you sell? You take what is left, and the bonus still counts every card."),
)
"""For the next game."""
